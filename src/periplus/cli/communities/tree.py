"""`periplus tree`: the labelled tree over all pages of a collection or a graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from periplus.cli.rank.common import ranked_graph
from periplus.cli.shared.output import OutputFile, command, json_option, print_json, say, working
from periplus.cli.shared.target import lenient_option, read_labels
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.communities import Tree
    from periplus.graph import Graph
    from periplus.rank.methods.terms import Terms


@click.command()
@click.argument("target")
@click.option("--depth", type=click.IntRange(0), default=2, show_default=True, help="How many levels to print.")
@click.option("--node", type=click.IntRange(0), help="One node: the path to it, its children, its best pages.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The same seed gives the same tree.")
@click.option("--texts", metavar="FILE", help="What names the nodes: a page (id or URL), a tab, a text on each line.")
@click.option("--out", type=OutputFile(".json"), help="Write the whole tree, and the leaf of every page.")
@click.option("--html", type=OutputFile(), help="Write the whole tree as one page that opens and closes.")
@lenient_option
@json_option
def tree(
    target: str,
    depth: int,
    node: int | None,
    seed: int,
    texts: str | None,
    out: str | None,
    html: str | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """One labelled tree over all pages, grown from their links alone.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph. The tree of a
    collection is the one that `build` grew; with another seed or other texts it is grown anew and not kept.
    """
    from periplus.durable import write_atomically

    with working("growing the tree", quiet=as_json):
        found = _tree(target, seed, texts, lenient=lenient)
    if out is not None:
        write_atomically(Path(out), json.dumps(found.as_tree(), ensure_ascii=False).encode())
    if html is not None:
        from periplus.communities.hierarchy.page import html_page

        write_atomically(Path(html), html_page(found, name=Path(target).name).encode())
    if node is not None:
        _one(found, node, as_json)
        return
    if as_json:
        print_json(found.as_tree())
        return
    for line in _lines(found, depth):
        say(line)
    if out is None and html is None:
        say(f"\nNext: {command('tree', target)} --node NUMBER tells of one; --html tree.html keeps them all.")


def _tree(target: str, seed: int, texts: str | None, *, lenient: bool) -> Tree:
    """The tree kept in a collection where it is the one asked for; else one grown now."""
    from periplus.collection import Collection
    from periplus.communities import tree as grow

    words = None
    if texts is None and Collection.is_collection(target):
        from periplus.pipeline.stages.communities import load_communities
        from periplus.pipeline.stages.graph import load_links
        from periplus.pipeline.terms import naming_terms

        collection = Collection.open(target)
        if seed == 0:
            return load_communities(collection).tree
        words = naming_terms(collection, load_links(collection))
    graph = ranked_graph(target, lenient=lenient)
    return grow(graph, seed=seed, words=words if texts is None else _read_texts(graph, texts))


def _one(found: Tree, node: int, as_json: bool) -> None:
    """A node, the path to it, and what hangs below it."""
    from periplus.errors import ParameterError
    from periplus.library.branches import tree_facts

    if node >= len(found.parents):
        raise ParameterError("node", node, f"0 ≤ node < {len(found.parents)}")
    told = tree_facts(found, node)
    if as_json:
        print_json(told)
        return
    say(" › ".join([*(one["label"] for one in told["path"]), told["node"]["label"]]))
    say(counted(told["node"]["size"], "page"))
    for title in ("authorities", "hubs"):
        say(f"{title}: {', '.join(map(str, told['node'][title]))}")
    for child in told["nodes"]:
        say(f"  {child['id']}. {child['label']}  ({child['size']:,})")


def _read_texts(graph: Graph, path: str) -> Terms:
    from periplus.rank.methods.terms import term_matrix

    found = [""] * graph.nodes
    for _, page, text in read_labels(path, graph):
        found[page] += f" {text}"
    return term_matrix(found)


def _lines(found: Tree, depth: int) -> list[str]:
    """An indented line for each node down to this depth, by its number; the last level with a page of it."""
    lines = []
    for node in range(len(found.parents)):
        level = int(found.depths[node])
        if level <= depth:
            told = found.node(node)
            best = [found.url(page) or f"page {page}" for page in told["authorities"][:1]] if level == depth else []
            lines.append(f"{'  ' * level}{node}. {told['label']}  ({told['size']:,}{'; ' + best[0] if best else ''})")
    return lines
