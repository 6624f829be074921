"""`periplus rank compare`, `stability`, `overturn` and `known-for`: rankings against each other and against change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.rank.common import ranked_graph, read_names, terms_of, url_of, warn_if_degenerate
from periplus.cli.shared.output import command, json_option, print_json, print_table, working
from periplus.cli.shared.plots import plot_option, write_picture
from periplus.cli.shared.target import lenient_option, page_id
from periplus.rank.table import RANKERS

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.rank.study.compare import Comparison


@click.command()
@click.argument("methods_and_targets", nargs=-1, required=True, metavar="METHOD... TARGET...")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Places to show side by side.")
@click.option("--persistence", type=float, default=0.9, show_default=True, help="Of rank-biased overlap, in (0, 1).")
@click.option("--names", type=click.Path(dir_okay=False), help="Table of page names to show: id, tab, …, tab, name.")
@plot_option("the places as slopes, with names on those that move most")
@lenient_option
@json_option
def compare(
    methods_and_targets: tuple[str, ...],
    top: int,
    persistence: float,
    names: str | None,
    plot: str | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """Rank by several methods and show them side by side, with Kendall's τ and rank-biased overlap."""
    from periplus.rank.study.compare import compare as compare_rankings
    from periplus.rank.study.compare import comparison_chart

    methods, targets = _split(methods_and_targets)
    if len(targets) > 1 and (plot is not None or names is not None):
        raise click.UsageError("--plot and --names are for one target: give one")
    reports = []
    for target in targets:
        graph = ranked_graph(target, lenient=lenient)
        with working("ranking", quiet=as_json):
            found = compare_rankings(graph, methods, persistence=persistence)
        reports.append(_report(found, target, _rows(graph, found, names, top)))
        if plot is not None:
            called = _names(graph, found, names, top)
            write_picture(plot, partial(comparison_chart, found, top=top, names=called))
        if not as_json:
            _print_comparison(found, reports[-1]["top"], target)
    if as_json:
        print_json(reports[0] if len(reports) == 1 else {"comparisons": reports})


def _split(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Leading names of rankings, then targets."""
    at = next((at for at, word in enumerate(words) if word not in RANKERS), len(words))
    if at < 2 or at == len(words):
        unknown = f"{words[at]!r} is no ranking: " if at < len(words) - 1 else ""
        raise click.UsageError(f"{unknown}give two rankings or more, then a target; rankings are {', '.join(RANKERS)}")
    for method in words[:at]:
        _wants_nothing_more(method)
    return list(words[:at]), list(words[at:])


def _wants_nothing_more(method: str) -> None:
    """Refuse a ranking that cannot be asked for by its name alone."""
    for name in RANKERS[method].missing():
        raise click.UsageError(f"{method} needs --{name}, which only `periplus rank {method}` takes")


def _rows(graph: Graph, found: Comparison, names: str | None, top: int) -> list[dict[str, dict[str, Any]]]:
    """Row by row, what each ranking has at that place."""
    named = None if names is None else read_names(names, graph.nodes)
    rows = []
    for places in found.top(top):
        cells: list[dict[str, Any]] = [{"id": page, "url": url_of(graph, page)} for page in places]
        if named is not None:
            cells = [{**cell, "name": named[cell["id"]]} for cell in cells]
        rows.append(dict(zip(found.methods, cells, strict=True)))
    return rows


def _names(graph: Graph, found: Comparison, names: str | None, top: int) -> dict[int, str]:
    """What the pages of a picture are called: by the table of names, else by their URLs without the scheme."""
    named = None if names is None else read_names(names, graph.nodes)
    pages = {page for places in found.top(top) for page in places}
    return {
        page: (named[page] if named is not None else (url_of(graph, page) or str(page)).partition("://")[2].rstrip("/"))
        or url_of(graph, page) or str(page)
        for page in pages
    }  # fmt: skip


def _report(found: Comparison, target: str, rows: list[dict[str, dict[str, Any]]]) -> dict[str, Any]:
    for scores in found.scores.values():
        warn_if_degenerate(scores)
    return {
        "target": target,
        "methods": list(found.methods),
        "persistence": found.persistence,
        "kendall_tau": found.tau,
        "rank_biased_overlap": found.overlap,
        "top": rows,
    }


def _print_comparison(found: Comparison, rows: list[dict[str, dict[str, Any]]], target: str) -> None:
    shown = [
        [place, *(cell.get("name") or cell["url"] or cell["id"] for cell in row.values())]
        for place, row in enumerate(rows, 1)
    ]
    print_table(f"{target}, side by side", ("place", *found.methods), shown)
    pairs = [
        (f"{first} / {second}", float(found.tau[i, j]), float(found.overlap[i, j]))
        for j, second in enumerate(found.methods)
        for i, first in enumerate(found.methods[:j])
    ]
    print_table("\nAgreement", ("rankings", "Kendall τ", f"overlap (p = {found.persistence:g})"), pairs)
    click.echo(f"\nHow firm is one of them: {command('rank', 'stability', 'hits', target)}")


# -- stability -----------------------------------------------------------------------------------------------


@click.command()
@click.argument("method", type=click.Choice(list(RANKERS)))
@click.argument("target")
@click.option("--share", type=float, default=0.1, show_default=True, help="Share of the links to rewire at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random change.")
@click.option("--add", "added", multiple=True, metavar="I,J", help="Add this link (ids) instead of a random change.")
@click.option("--remove", "removed", multiple=True, metavar="I,J", help="Remove this link (ids) likewise.")
@lenient_option
@json_option
def stability(
    method: str,
    target: str,
    share: float,
    seed: int,
    added: tuple[str, ...],
    removed: tuple[str, ...],
    lenient: bool,
    as_json: bool,
) -> None:
    """How far a ranking moves when links change, against what theory promises."""
    from periplus.rank.study.stability import Perturbation, random_perturbation
    from periplus.rank.study.stability import stability as measure

    _wants_nothing_more(method)
    graph = ranked_graph(target, lenient=lenient)
    if added or removed:
        change = Perturbation(_pairs(added), _pairs(removed))
    else:
        change = random_perturbation(graph, share=share, seed=seed)
    summary = measure(graph, method, change).to_dict()
    if as_json:
        print_json(summary)
        return
    print_table(
        f"{method} of {target} after a change", ("", ""), [(k.replace("_", " "), v) for k, v in summary.items()]
    )
    click.echo(f"\nThe smallest change that gives another first page: {command('rank', 'overturn', method, target)}")


def _pairs(links: tuple[str, ...]) -> tuple[Any, Any]:
    import numpy as np

    try:
        ids = [[int(part) for part in link.split(",")] for link in links]
    except ValueError as error:
        raise click.UsageError("links are two page ids: --add 3,7") from error
    if any(len(pair) != 2 for pair in ids):
        raise click.UsageError("links are two page ids: --add 3,7")
    table = np.array(ids).reshape(-1, 2)  # also of numbers that are too large for an id: the change refuses those
    return table[:, 0], table[:, 1]


@click.command()
@click.argument("method", type=click.Choice(list(RANKERS)))
@click.argument("target")
@click.option("--most", type=click.IntRange(1), default=3, show_default=True, help="Links to change at most.")
@lenient_option
@json_option
def overturn(method: str, target: str, most: int, lenient: bool, as_json: bool) -> None:
    """Search for the smallest link change that gives a ranking another first page."""
    from periplus.rank.study.overturn import overturn as search

    _wants_nothing_more(method)
    graph = ranked_graph(target, lenient=lenient)
    with working("trying changes", quiet=as_json):
        found = search(graph, method=method, most=most)
    if as_json:
        print_json(found.to_dict())
        return
    # Ids are names: no commas in them.
    rows = [tuple(map(str, change.to_dict().values())) for change in found.changes]
    title = "overturned by" if found.found else f"not overturned by {most} links; nearest"
    print_table(f"{method} of {target} {title}", ("", "from page", "to page"), rows)
    first, then = (url_of(graph, page) or page for page in (found.first_before, found.first_after))
    if found.lead == 0:
        click.echo("\nBefore any change the first page ties with the next: which of them comes first says nothing.")
    if found.found:
        click.echo(f"\nFirst before: {first}; after: {then}" + ("; no smaller change does it." if found.exact else "."))
    click.echo(f"\nUnder a random change: {command('rank', 'stability', method, target)}")


@click.command(name="known-for")
@click.argument("target")
@click.argument("page")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many terms.")
@click.option("--tolerance", type=float, default=1e-3, show_default=True, help="ℓ1 error allowed for a term.")
@lenient_option
@json_option
def known_for(target: str, page: str, top: int, tolerance: float, lenient: bool, as_json: bool) -> None:
    """What PAGE (an id or a URL) is known for: the words with its highest reputation.

    The words are those of titles and headings in a collection, those of URLs where only a graph is known.
    """
    from periplus.rank.methods.reputation import all_reputations

    graph = ranked_graph(target, lenient=lenient)
    number = page_id(graph, page)
    terms = terms_of(target, graph, body=False, least_pages=2)
    with working(f"weighing {len(terms.vocabulary):,} terms", quiet=as_json):
        found = all_reputations(graph, terms.matrix, tolerance=tolerance)
    best = [(terms.vocabulary[term], value) for term, value in found.known_for(number, top)]
    if as_json:
        rows = [{"term": term, "reputation": value} for term, value in best]
        print_json({"id": number, "url": url_of(graph, number), "error_bound": found.error_bound, "terms": rows})
        return
    print_table(f"{url_of(graph, number) or number} is known for", ("term", "reputation"), best)
    if best:
        click.echo(f"\nWho else is: {command('rank', 'reputation', target, '--term', best[0][0])}")
