"""`periplus structure`: the shape of a web as a table, as JSON, or as one page of pictures."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working
from periplus.cli.shared.plots import figures_option, write_figures
from periplus.cli.shared.target import lenient_option

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.numeric.arrays import Floats
    from periplus.record import PageLabels


@click.command()
@click.argument("target")
@click.option("--html", "html", type=OutputFile(), help="Write one self-contained page of pictures.")
@figures_option
@click.option(
    "--by", type=click.Choice(["auto", "site", "host"]), default="auto", help="Parts to compare with the whole."
)
@click.option("--groups", metavar="FILE", help="Parts given by a file: id or URL of a page, tab, name of its group.")
@click.option(
    "--sample", "sampled", is_flag=True, help="Also ask random walks: domains, links per page, with intervals."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all that is sampled.")
@click.option("--fast", is_flag=True, help="Fewer samples and repetitions: about a third of the time, wider errors.")
@lenient_option
@json_option
def structure(
    target: str,
    html: str | None,
    by: str,
    groups: str | None,
    sampled: bool,
    seed: int,
    fast: bool,
    lenient: bool,
    as_json: bool,
) -> None:
    """The shape of a web: components, bow-tie, laws, distances, robustness.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph.
    """
    from periplus.cli.shared.target import load_graph
    from periplus.collection import Collection
    from periplus.durable import write_atomically
    from periplus.pipeline.growth import with_growth
    from periplus.pipeline.stages.structure import complete_study
    from periplus.structure.studies.report import figures, html_report
    from periplus.structure.studies.study import study
    from periplus.structure.studies.words import survey_words, table

    with working(f"measuring {Path(target).name}", quiet=as_json) as tell:
        graph = load_graph(target, lenient=lenient)
        parts = _read_groups(graph, Path(groups)) if groups is not None else by
        ranks = _ranks(target, graph)
        result = study(graph, seed=seed, fast=fast, pagerank=ranks, by=parts, progress=tell).to_dict()
        if Collection.is_collection(target):
            # Other settings answer one person's question; the usual study is kept for the server and the next.
            usual = (by, groups, seed, fast) == ("auto", None, 0, False)
            add = complete_study if usual else with_growth
            result = add(result, Collection.open(target), graph)
        if sampled:
            result["sampling"] = _survey(graph, seed)
    if html is not None:
        write_atomically(Path(html), html_report(result, name=Path(target).name).encode())
    write_figures(lambda: figures(result))
    if as_json:
        print_json(result)
        return
    print_table(f"The shape of {Path(target).name}", ["", "this web", "the web of 1999"], table(result))
    if sampled:
        say(survey_words(result["sampling"]) if result["sampling"] else "No page to walk from.")
    if html is not None:
        say(f"Pictures: {html}")
    else:
        say(f"Next: `{command('structure', target, '--html', 'shape.html')}` draws it.")


def _ranks(target: str, graph: Graph) -> Floats | None:
    """The PageRank kept in a collection, as the server reads it; else computed now."""
    from periplus.collection import Collection
    from periplus.errors import MissingStageError
    from periplus.pipeline.stages.scores import load_scores
    from periplus.rank.methods.pagerank import pagerank

    with contextlib.suppress(MissingStageError):
        if Collection.is_collection(target) and "pagerank" in (kept := load_scores(Collection.open(target))):
            return kept["pagerank"].values
    return pagerank(graph).values if graph.nodes else None


def _survey(graph: Graph, seed: int) -> dict[str, Any] | None:
    from periplus.structure.walks.survey import survey

    return survey(graph, seed=seed).to_dict() if graph.nodes else None


def _read_groups(graph: Graph, path: Path) -> PageLabels:
    """One line per page: its id or URL, a tab, the name of its group. Pages that are not named are in none."""
    import numpy as np

    from periplus.cli.shared.target import read_labels
    from periplus.errors import FormatError
    from periplus.record import PageLabels

    labels = np.full(graph.nodes, -1, np.int64)
    names: dict[str, int] = {}
    for number, page, name in read_labels(path, graph):
        if labels[page] >= 0 and labels[page] != names.get(name):
            raise FormatError(path, f"page {page} was put into another group before", line=number)
        labels[page] = names.setdefault(name, len(names))
    return PageLabels("given", labels, list(names))
