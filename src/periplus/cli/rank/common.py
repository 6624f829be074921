"""What the commands of `periplus rank` share: the graph to rank, names of pages, notes to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from periplus.cli.shared.target import load_graph
from periplus.errors import FormatError, ParameterError

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.rank.methods.terms import Terms
    from periplus.record import Scores


def ranked_graph(target: str, *, lenient: bool = False) -> Graph:
    """The graph to rank: of a collection, the links that recommend, as in its own stored rankings."""
    from periplus.collection import Collection

    if not Collection.is_collection(target):
        return load_graph(target, lenient=lenient)
    from periplus.pipeline.stages.graph import LinkDatabase
    from periplus.pipeline.stages.scores import recommending

    return recommending(LinkDatabase.open(Collection.open(target).current("graph")))


def url_of(graph: Graph, page: int) -> str | None:
    """The URL of a page, where the graph knows URLs."""
    return None if graph.urls is None else str(graph.urls[page])


def warn_if_degenerate(scores: Scores) -> None:
    """Print on standard error that another answer would be as good."""
    if scores.extra.get("degenerate"):
        click.echo(
            "note: the eigenvalue is multiple, so other vectors are as good an answer"
            + ("; this one is the limit of Kleinberg's iteration from all ones" if scores.method == "hits" else "")
            + ". Try salsa, subspace-hits or randomised-hits.",
            err=True,
        )


def terms_of(target: str, graph: Graph, *, body: bool = True, least_pages: int = 1) -> Terms:
    """The words of a collection's pages, or of the URLs where only a graph is known, and the pages they stand on."""
    from periplus.collection import Collection
    from periplus.rank.methods.terms import term_matrix

    if Collection.is_collection(target):
        from periplus.pipeline.terms import page_terms

        return page_terms(Collection.open(target), graph, body=body, least_pages=least_pages)
    if graph.urls is None:
        raise ParameterError("target", target, "a graph with URLs, or a collection, to read words from")
    return term_matrix((str(graph.urls[page]) for page in range(graph.nodes)), least_pages=least_pages)


def read_names(path: str, nodes: int) -> list[str]:
    """Names of pages from a table `id<TAB>…<TAB>name`, plain or compressed; `#` begins a comment."""
    from periplus.graph.files import read_lines

    names = [str(page) for page in range(nodes)]
    for number, line in read_lines(Path(path)):
        first, *others = line.decode("utf-8", errors="replace").split("\t")
        if first.startswith("#"):
            continue
        if not first.isdecimal() or int(first) >= nodes or not others:
            raise FormatError(path, f"not a page id below {nodes}, a tab and a name", line=number)
        names[int(first)] = others[-1]
    return names
