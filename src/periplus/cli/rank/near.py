"""`periplus rank near`, `topics`, `update`: rankings seen from given pages, from many topics, after a change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.rank.common import ranked_graph, url_of
from periplus.cli.shared.output import TableFile, command, json_option, print_json, print_table, working
from periplus.cli.shared.target import lenient_option, page_id, read_labels
from periplus.cli.shared.writing import write_values
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.graph import Graph
    from periplus.numeric.arrays import AnyArray

damping_option = click.option(
    "--damping", type=float, default=0.85, show_default=True, help="Probability of following a link."
)
top_option = click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="How many pages to list."
)


@click.command()
@click.argument("target")
@click.argument("pages", nargs=-1, required=True)
@top_option
@damping_option
@lenient_option
@json_option
def near(target: str, pages: tuple[str, ...], top: int, damping: float, lenient: bool, as_json: bool) -> None:
    """The pages nearest to PAGES (ids or URLs) by personalised PageRank, reading only their neighbourhood.

    A place is certain when no other page can belong there or above, whatever was not read.
    """
    from periplus.rank.methods.push import push

    graph = ranked_graph(target, lenient=lenient)
    found = push(graph, [page_id(graph, page) for page in pages], count=top, damping=damping)
    rows = [
        {"id": page, "url": url_of(graph, page), "lower": low, "upper": high, "certain": certain}
        for page, low, high, certain in zip(
            found.pages.tolist(), found.lower.tolist(), found.upper.tolist(), found.certain.tolist(), strict=True
        )
    ]
    if as_json:
        facts = {name: getattr(found, name) for name in ("method", "damping", "error_bound", "links_read")}
        print_json({**facts, "seeds": list(found.seeds), "pages_touched": found.pages_touched, "top": rows})
        return
    columns = ("place", "page", "at least", "at most", "certain", "url")
    shown = [
        [place, str(row["id"]), row["lower"], row["upper"], row["certain"], row["url"] or ""]
        for place, row in enumerate(rows, 1)
    ]
    print_table(f"Nearest to {', '.join(pages)}", columns, shown)
    click.echo(
        f"\nRead {counted(found.links_read, 'link')} around {found.pages_touched:,} of {counted(graph.nodes, 'page')}."
    )
    seeds = [word for page in pages for word in ("--seeds", page)]
    click.echo(f"Every page by the same measure: {command('rank', 'personalised', target, *seeds)}")


@click.command()
@click.argument("target")
@click.argument("table", type=click.Path(exists=True, dir_okay=False))
@click.option("--top", type=click.IntRange(1), default=5, show_default=True, help="How many pages of each topic.")
@damping_option
@click.option(
    "--out",
    type=TableFile(".npy"),
    help="Write all scores: .csv, .json, .parquet or .xlsx, a column a topic; .npy, pages × topics.",
)
@lenient_option
@json_option
def topics(target: str, table: str, top: int, out: str | None, as_json: bool, **given: Any) -> None:
    """Topic-sensitive PageRank, all topics in the same passes.

    TABLE has a page (an id or a URL), a tab and a topic on each line.
    """
    from periplus.rank.methods.personalised import personalised
    from periplus.rank.methods.personalised import topics as preferences
    from periplus.record import best_first

    graph = ranked_graph(target, lenient=given["lenient"])
    pages = _pages_by_topic(table, graph)
    with working(f"ranking for {len(pages):,} topics", quiet=as_json):
        found = personalised(graph, preferences(graph.nodes, list(pages.values())), damping=given["damping"])
    if out is not None:
        write_values(out, found.values, _by_topic(graph, pages, found.values))
    best = {
        topic: [
            {"id": page, "url": url_of(graph, page), "score": float(found.values[page, column])}
            for page in best_first(found.values[:, column])[:top].tolist()
        ]
        for column, topic in enumerate(pages)
    }
    if as_json:
        bounds = dict(zip(pages, found.error_bounds.tolist(), strict=True))
        print_json({"iterations": found.iterations, "error_bounds": bounds, "topics": best})
        return
    for topic, rows in best.items():
        shown = [[place, str(row["id"]), row["score"], row["url"] or ""] for place, row in enumerate(rows, 1)]
        print_table(topic, ("place", "page", "score", "url"), shown)
    bound = float(found.error_bounds.max())
    click.echo(f"\n{counted(found.iterations, 'pass')} for all topics, error at most {bound:.2g} in each.")
    click.echo(f"Without a topic: {command('rank', 'pagerank', target)}")


def _by_topic(graph: Graph, topics: Iterable[str], values: AnyArray) -> dict[str, Any]:
    """The table of scores, one column per topic; the names of a topic's columns never meet those of the page."""
    import numpy as np

    named = {} if graph.urls is None else {"url": [str(url) for url in graph.urls]}
    scores = {f"score of {topic}": values[:, at] for at, topic in enumerate(topics)}
    return {"page": np.arange(graph.nodes), **named, **scores}


def _pages_by_topic(path: str, graph: Graph) -> dict[str, AnyArray]:
    import numpy as np

    from periplus.errors import FormatError

    found: dict[str, list[int]] = {}
    for _, page, topic in read_labels(path, graph):
        found.setdefault(topic, []).append(page)
    if not found:
        raise FormatError(path, "no topic in it: a line is a page, a tab and a topic")
    return {topic: np.array(pages) for topic, pages in found.items()}


@click.command()
@click.argument("before")
@click.argument("after")
@damping_option
@top_option
@click.option("--out", type=TableFile(".npy"), help="Write all scores of AFTER: .csv, .json, .parquet, .xlsx or .npy.")
@click.option("--by-id", is_flag=True, help="Page i of BEFORE is page i of AFTER, whatever their names.")
@lenient_option
@json_option
def update(before: str, after: str, top: int, out: str | None, as_json: bool, **given: Any) -> None:
    """PageRank of AFTER from that of BEFORE, two states of one web, and who moved most.

    A page is the same page where its URL or name is. Without names on either side both need the same number of pages,
    or --by-id.
    """
    import numpy as np

    from periplus.rank.updating.alignment import ranked_change

    with working("ranking", quiet=as_json):
        old, new = (ranked_graph(target, lenient=given["lenient"]) for target in (before, after))
        found = ranked_change(old, new, damping=given["damping"], by_id=given["by_id"])
    now, moved, is_new = found.scores, found.moved, np.isnan(found.was)
    if out is not None:
        write_values(out, now.values, now.columns())
    rows = [
        {
            "id": page,
            "url": url_of(new, page),
            "score": float(now.values[page]),
            "change": float(moved[page]),
            "new": bool(is_new[page]),
        }
        for page in np.argsort(-np.abs(moved), kind="stable")[:top].tolist()
    ]
    if as_json:
        print_json({**now.to_dict(), "pages_new": found.new, "pages_gone": found.gone, "moved": rows})
        return
    columns = ("page", "score", "change", "", "url")
    shown = [
        [str(row["id"]), row["score"], *((None, "new") if row["new"] else (row["change"], "")), row["url"] or ""]
        for row in rows
    ]
    print_table(f"Moved most from {before} to {after}", columns, shown)
    share = now.extra.get("links_read", 0) / max(new.links, 1)
    changed = f"{counted(now.extra.get('pages_changed', 0), 'page')} with changed links"
    others = f"{found.new:,} new, {found.gone:,} gone"
    click.echo(f"\n{changed}, {others}; error at most {now.error_bound:.2g}.")
    if found.by_id and not given["by_id"]:
        click.echo("Neither side has names: page i of the one was taken for page i of the other.")
    click.echo(f"Read as many links as {share:.2g} passes over the graph.")
    click.echo(f"The ranking itself: {command('rank', 'pagerank', after)}")
