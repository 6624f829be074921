"""`periplus structure`: the shape of a web as a table, as JSON, or as one page of pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.output import OutputFile, json_option, print_json, print_table, working

if TYPE_CHECKING:
    from periplus.graph import Graph


@click.command()
@click.argument("target")
@click.option("--html", "html", type=OutputFile(), help="Write one self-contained page of pictures.")
@click.option(
    "--by", type=click.Choice(["auto", "site", "host"]), default="auto", help="Parts to compare with the whole."
)
@click.option("--sample", "sampled", is_flag=True, help="Also ask random walks: domains, links a page, with intervals.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all that is sampled.")
@click.option("--fast", is_flag=True, help="Fewer samples and repetitions: about a third of the time, wider errors.")
@json_option
def structure(target: str, html: str | None, by: str, sampled: bool, seed: int, fast: bool, as_json: bool) -> None:
    """The shape of a web: components, bow-tie, laws, distances, robustness.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph.
    """
    from periplus.cli.target import load_graph
    from periplus.errors import storage
    from periplus.rank.pagerank import pagerank
    from periplus.structure.report import html_report
    from periplus.structure.study import study
    from periplus.structure.words import table

    with working(f"measuring {Path(target).name}", quiet=as_json) as tell:
        graph = load_graph(target)
        ranks = pagerank(graph).values if graph.nodes else None
        result = study(graph, seed=seed, fast=fast, pagerank=ranks, by=by, progress=tell).to_dict()
        if sampled:
            result["sampling"] = _survey(graph, seed)
    if html is not None:
        with storage(html):
            Path(html).write_text(html_report(result, name=Path(target).name), encoding="utf-8")
    if as_json:
        print_json(result)
        return
    print_table(f"The shape of {Path(target).name}", ["", "this web", "the web of 1999"], table(result))
    if sampled:
        _print_survey(result["sampling"])
    if html is not None:
        click.echo(f"Pictures: {html}")
    else:
        click.echo(f"Next: `periplus structure {target} --html shape.html` draws it.")


def _survey(graph: Graph, seed: int) -> dict[str, Any] | None:
    from periplus.structure.survey import survey

    return survey(graph, seed=seed).to_dict() if graph.nodes else None


def _print_survey(found: dict[str, Any] | None) -> None:
    if found is None:
        click.echo("No page to walk from.")
        return
    rows = [("links a page", found["links_a_page"], 1.0), ("pages without links, %", found["dangling"], 100.0)]
    rows += [(f"pages in {name}, %", share, 100.0) for name, share in list(found["domains"].items())[:10]]
    shown = [(name, *(round(times * share[key], 2) for key in ("value", "low", "high"))) for name, share, times in rows]
    print_table(f"By random walks, {found['visits']:,} visits", ["", "estimate", "from", "to (95 %)"], shown)
    if not found["mixed"]:
        click.echo("The walks may not have forgotten where they began: parts of this web are nearly separate.")
