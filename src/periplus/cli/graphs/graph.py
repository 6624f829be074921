"""`periplus graph`: inspect, convert, order and cut graphs of any format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.graphs.groups import collapse
from periplus.cli.shared.output import command, json_option, print_json, print_table, working
from periplus.cli.shared.target import (
    direction_option,
    format_of,
    lenient_option,
    load_graph,
    page_id,
    showing_warnings,
)
from periplus.cli.shared.writing import is_folder, write_output
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.graph.attributes import Attributes
    from periplus.numeric.arrays import AnyArray, Bools

count_option = click.option("-n", "--count", default=20, show_default=True, type=click.IntRange(1), help="How many.")


@click.group()
def graph() -> None:
    """Inspect, convert, order and cut graphs.

    TARGET is a collection, a graph folder, a file of any format (edge list, Matrix Market, METIS, Pajek, GraphML,
    GEXF, GML, Parquet, npz, Common Crawl, each also compressed) or the base name of a WebGraph.
    """


@graph.command()
@click.argument("target")
@direction_option
@lenient_option
@json_option
def info(target: str, directed: bool | None, lenient: bool, as_json: bool) -> None:
    """Counts of a graph: nodes, links, loops, degrees; the attributes that nodes and links have."""
    facts = _facts(load_graph(target, lenient=lenient, directed=directed), target)
    if as_json:
        print_json(facts)
        return
    rows = [(name.replace("_", " "), _in_words(value)) for name, value in facts.items() if value != {}]
    print_table(target, ("", ""), rows)
    click.echo(f"\nThe pages most linked to: {command('graph', 'top', target)}")


def _facts(loaded: Graph, target: str) -> dict[str, Any]:
    from periplus.graph.order import mean_log_gap
    from periplus.numeric.rows import count_loops, largest_count

    kind = format_of(target)
    facts: dict[str, Any] = {
        "format": kind,
        "nodes": loaded.nodes,
        "links": loaded.links,
        "self_loops": int(count_loops(loaded.out_offsets, loaded.out_targets)),
        "dangling": int(loaded.dangling.sum()),
        "max_in_degree": int(largest_count(loaded.out_targets, loaded.nodes)) if loaded.nodes else 0,
        "max_out_degree": int(loaded.out_degrees.max()) if loaded.nodes else 0,
        "mean_log_gap": mean_log_gap(loaded),
        "urls": loaded.urls is not None,
        "node_attributes": _kinds(loaded.node_attributes),
        "link_attributes": _kinds(loaded.link_attributes),
        "digest": loaded.digest,
    }
    if kind == "bv":
        from periplus.graph.bv.reader import bits_per_link

        facts["bits_per_link"] = bits_per_link(target)
    return facts


def _in_words(value: Any) -> Any:
    return ", ".join(f"{name} ({kind})" for name, kind in value.items()) if isinstance(value, dict) else value


def _kinds(attributes: Attributes | None) -> dict[str, str]:
    return {name: column.kind for name, column in (attributes or {}).items()}


@graph.command()
@click.argument("target")
@click.argument("output")
@click.option("--format", "name", help="The format to write, if not that of the ending ('folder' is one).")
@click.option("--symmetrise", is_flag=True, help="Every link both ways, as METIS wants it.")
@click.option("--transpose", is_flag=True, help="Keep the in-links in a graph folder too.")
@click.option(
    "--with", "added", help="Scores and labels to write as attributes: pagerank,hits,region,component,leiden, …"
)
@click.option("--memory", help="From an edge list to a graph folder: use no more than this, such as 4GB.")
@direction_option
@lenient_option
@json_option
def convert(target: str, output: str, name: str | None, lenient: bool, as_json: bool, **folder: Any) -> None:
    """Write a graph in another format, by the ending of OUTPUT; a name without an ending is a graph folder."""
    both_ways, directed, added = (folder.pop(one) for one in ("symmetrise", "directed", "added"))
    if folder["memory"] is not None:
        if both_ways or directed is False or added is not None:
            raise click.UsageError(
                "--memory builds the links as they are written: neither --symmetrise nor --undirected"
            )
        written = _build_within(target, output, name, lenient=lenient, **folder)
    else:
        written = load_graph(target, lenient=lenient, directed=directed)
        if both_ways:
            written = written.symmetrised()
        if added is not None:
            written = _with_columns(target, written, added)
        write_output(written, output, name, transpose=folder["transpose"])
    _tell(written, output, as_json, {})


def _with_columns(target: str, loaded: Graph, added: str) -> Graph:
    """The graph with the scores and labels named, and the note that another column had to give way."""
    from periplus.pipeline.columns import columns_for

    names = list(dict.fromkeys(name.strip() for name in added.split(",") if name.strip()))
    columns = columns_for(target, loaded, names)
    for name in set(columns) & set(loaded.node_attributes or ()):
        click.echo(f"note: the attribute {name} of the file gives way to the one worked out now", err=True)
    return loaded.described(columns)


def _build_within(target: str, output: str, name: str | None, *, lenient: bool, memory: str, transpose: bool) -> Graph:
    if format_of(target) != "edge-list" or not is_folder(Path(output), name):
        raise click.UsageError("--memory is for building a graph folder from an edge list")
    from periplus.graph.building.text import read_edge_list

    with showing_warnings():
        return read_edge_list(
            target, lenient=lenient, memory=memory, into=output, transpose=transpose, progress=_show_progress
        )


def _show_progress(stage: str, links: int) -> None:
    """One line that changes, for a person who waits; nothing where no terminal is."""
    if sys.stderr.isatty():
        click.echo(f"\r{stage}: {links:,} links ", err=True, nl=False)


def _tell(written: Graph, output: str, as_json: bool, more: dict[str, Any]) -> None:
    if as_json:
        print_json({"output": output, "nodes": written.nodes, "links": written.links, **more})
        return
    for name, value in more.items():
        click.echo(f"{name.replace('_', ' ')}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}")
    following = command("graph", "info", output)
    click.echo(f"Wrote {counted(written.nodes, 'node')} and {counted(written.links, 'link')}. Next: {following}")


@graph.command()
@click.argument("target")
@click.argument("output")
@click.option(
    "--by",
    "method",
    default=None,
    help="url (default where there are URLs), llp (default), bfs, degree, tree, sky or sky-and-site.",
)
@lenient_option
@json_option
def order(target: str, output: str, method: str | None, lenient: bool, as_json: bool) -> None:
    """Renumber the nodes so that pages with similar links get near ids.

    The ids that the nodes had are kept: in a graph folder as original.npy, else in a file beside OUTPUT.
    """
    from periplus.graph.order import mean_log_gap
    from periplus.numeric.npy import save_array
    from periplus.pipeline.orders import order_of

    loaded = load_graph(target, lenient=lenient)
    chosen = method or ("llp" if loaded.urls is None else "url")
    with working(f"ordering {Path(target).name}", quiet=as_json):
        renumbered = loaded.subgraph(order_of(target, loaded, chosen))
    write_output(renumbered, output)
    if not Path(output).is_dir() and renumbered.original_ids is not None:
        save_array(Path(f"{output}.original.npy"), renumbered.original_ids)
    gaps = {"mean_log_gap_before": mean_log_gap(loaded), "mean_log_gap_after": mean_log_gap(renumbered)}
    _tell(renumbered, output, as_json, {"order": chosen, **gaps})


@graph.command()
@click.argument("target")
@click.option("--by", type=click.Choice(["in", "out"]), default="in", show_default=True, help="Links in or out.")
@count_option
@lenient_option
@json_option
def top(target: str, by: str, count: int, lenient: bool, as_json: bool) -> None:
    """The pages with the most links."""
    import numpy as np

    loaded = load_graph(target, lenient=lenient)
    degrees = loaded.in_degrees if by == "in" else loaded.out_degrees
    best = np.lexsort((np.arange(loaded.nodes), -degrees))[:count]
    rows = [{"id": int(page), f"{by}_degree": int(degrees[page]), **_name(loaded, int(page))} for page in best]
    if as_json:
        print_json({"by": by, "pages": rows})
        return
    _print_rows(f"most links {by}", rows)
    if rows:
        first = command("graph", "neighbours", target, rows[0]["id"], "--direction", "in")
        click.echo(f"\nWho links to the first: {first}")


def _name(loaded: Graph, page: int) -> dict[str, str]:
    return {} if loaded.urls is None else {"url": loaded.urls[page]}


def _print_rows(title: str, rows: list[dict[str, Any]]) -> None:
    # An id is a name: no thousands commas in it.
    print_table(title, list(rows[0]) if rows else ["id"], [[str(row["id"]), *list(row.values())[1:]] for row in rows])


@graph.command()
@click.argument("target")
@click.argument("page")
@click.option("--direction", type=click.Choice(["out", "in", "both"]), default="both", show_default=True)
@count_option
@lenient_option
@json_option
def neighbours(target: str, page: str, direction: str, count: int, lenient: bool, as_json: bool) -> None:
    """The pages that PAGE (an id or a URL) links to, and those that link to it."""
    loaded = load_graph(target, lenient=lenient)
    at = page_id(loaded, page)
    answer: dict[str, Any] = {"id": at, **_name(loaded, at)}
    for way, row in (("out", loaded.successors), ("in", loaded.predecessors)):
        if direction in (way, "both"):
            found = row(at)
            answer[f"{way}_degree"] = len(found)
            answer[way] = [{"id": int(other), **_name(loaded, int(other))} for other in found[:count]]
    if as_json:
        print_json(answer)
        return
    for way, title in (("out", "links to"), ("in", "is linked from")):
        if way in answer:
            _print_rows(f"{page} {title} {counted(answer[f'{way}_degree'], 'page')}", answer[way])
    cut = command("graph", "extract", target, "near.graphml", "--around", page)
    click.echo(f"\nIts surroundings as a graph: {cut}")


@graph.command()
@click.argument("target")
@click.argument("output")
@click.option("--around", help="A page (id or URL): it and what lies within --depth links of it, either way.")
@click.option("--depth", default=1, show_default=True, type=click.IntRange(0), help="How many links away.")
@click.option("--host", help="The pages of one host.")
@click.option("--site", help="The pages of one site (registered domain).")
@click.option(
    "--ids", "ids_file", type=click.Path(exists=True, dir_okay=False), help="A file of ids or URLs, one per line."
)
@lenient_option
@json_option
def extract(target: str, output: str, lenient: bool, as_json: bool, depth: int, **chosen: str | None) -> None:
    """Cut out some pages with the links among them, and write them as a graph."""
    given = {name: value for name, value in chosen.items() if value is not None}
    if len(given) != 1:
        raise click.UsageError("say which pages: one of --around, --host, --site, --ids")
    loaded = load_graph(target, lenient=lenient)
    (way, value) = next(iter(given.items()))
    part = loaded.subgraph(_chosen_pages(loaded, way, value, depth))
    write_output(part, output)
    _tell(part, output, as_json, {})


def _chosen_pages(loaded: Graph, way: str, value: str, depth: int) -> AnyArray:
    import numpy as np

    if way == "around":
        return _surroundings(loaded, page_id(loaded, value), depth)
    if way == "ids_file":
        lines = (line.strip() for line in Path(value).read_text(encoding="utf-8", errors="replace").splitlines())
        return np.array([page_id(loaded, line) for line in lines if line], np.int64)
    from periplus.graph.collapse import labels_of

    if loaded.urls is None:
        raise click.UsageError(f"--{way} is for a graph with URLs: this one has none, use --around or --ids")
    labels, names = labels_of(loaded, way)
    if value not in names:
        raise click.UsageError(f"no page of this graph lies on the {way} {value}")
    return np.flatnonzero(labels == names.index(value))


def _surroundings(loaded: Graph, page: int, depth: int) -> Bools:
    import numpy as np

    near = np.zeros(loaded.nodes, np.bool_)
    near[page] = True
    before = near.copy()
    edge = [page]
    for _ in range(depth):
        for row in (loaded.successors, loaded.predecessors):
            for other in edge:
                near[row(other)] = True
        reached = np.flatnonzero(near)
        edge = reached[~before[reached]].tolist()
        before[edge] = True
    return near


graph.add_command(collapse)
