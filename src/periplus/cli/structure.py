"""`periplus structure`: the shape of a web as a table, as JSON, or as one page of pictures."""

from __future__ import annotations

from pathlib import Path

import click

from periplus.cli.output import json_option, print_json, print_table


@click.command()
@click.argument("target")
@click.option("--html", "html", type=click.Path(dir_okay=False), help="Write one self-contained page of pictures.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of all that is sampled.")
@click.option("--fast", is_flag=True, help="Fewer samples and repetitions: about a third of the time, wider errors.")
@json_option
def structure(target: str, html: str | None, seed: int, fast: bool, as_json: bool) -> None:
    """The shape of a web: components, bow-tie, laws, distances, robustness.

    TARGET is a collection, a graph folder, a graph file of any format or the base name of a WebGraph.
    """
    from periplus.cli.target import load_graph
    from periplus.errors import storage
    from periplus.rank.pagerank import pagerank
    from periplus.structure.report import html_report
    from periplus.structure.study import study
    from periplus.structure.words import table

    graph = load_graph(target)
    ranks = pagerank(graph).values if graph.nodes else None
    result = study(graph, seed=seed, fast=fast, pagerank=ranks).to_dict()
    if html is not None:
        with storage(html):
            Path(html).write_text(html_report(result, name=Path(target).name), encoding="utf-8")
    if as_json:
        print_json(result)
        return
    print_table(f"The shape of {Path(target).name}", ["", "this web", "the web of 1999"], table(result))
    if html is not None:
        click.echo(f"Pictures: {html}")
    else:
        click.echo(f"Next: `periplus structure {target} --html shape.html` draws it.")
