"""`periplus related`: the pages most like one page or several, by any method of `SIMILAR`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working
from periplus.cli.shared.target import lenient_option, showing_warnings
from periplus.cli.shared.writing import write_output
from periplus.similar.table import ASSOCIATION, SIMILAR

if TYPE_CHECKING:
    from periplus.similar.record import Related


@click.command()
@click.argument("target", type=click.Path())
@click.argument("pages", nargs=-1)
@click.option(
    "--method", type=click.Choice(list(SIMILAR)), default="companion", show_default=True, help="What makes pages alike."
)
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many pages to list.")
@click.option("--why", is_flag=True, help="Say of each page why it is there: the hubs, words or paths they share.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the method.")
@click.option("--out", type=OutputFile(), help="Write the graph of an association method, with its weights.")
@lenient_option
@json_option
def related(target: str, pages: tuple[str, ...], method: str, top: int, why: bool, as_json: bool, **given: Any) -> None:
    """The pages most like PAGES (URLs or ids) in TARGET, a collection or a graph.

    Companion and cocitation answer for any URL that a collection links to, stored or not; of a URL that is neither they
    drop one path element after another until one is known. PAGES may be left out with --out.
    """
    from periplus.pipeline.similar import as_data, nearest_in, similar

    out = given["out"]
    _check(pages, method, out)
    with working("looking for pages that are alike", quiet=as_json), showing_warnings():
        record = similar(target, method, lenient=given["lenient"], **_read(method, given["settings"]))
    if out is not None:
        write_output(record.graph, out)
        if not pages:
            return
    found = nearest_in(target, record, [_page(page, record) for page in pages], top)
    if as_json:
        print_json(as_data(found, record.urls))
        return
    _print(found, pages, why)
    if not why and found.results:
        settings = [word for one in given["settings"] for word in ("--set", one)]
        say(f"\nWhy these: {command('related', target, *pages, '--method', method, *settings, '--why')}")


def _check(pages: tuple[str, ...], method: str, out: str | None) -> None:
    if not pages and out is None:
        raise click.UsageError("Missing argument 'PAGES...': a URL or an id, one or several.")
    if out is not None and SIMILAR[method].family != ASSOCIATION:
        graphs = ", ".join(name for name, row in SIMILAR.items() if row.family == ASSOCIATION)
        raise click.BadParameter(f"{method} makes no graph; these do: {graphs}", param_hint="--out")


def _read(method: str, settings: tuple[str, ...]) -> dict[str, Any]:
    row, given = SIMILAR.find(method), {}
    for one in settings:
        name, equals, text = one.partition("=")
        parameter = row.parameter(name)
        if not equals:
            raise click.BadParameter(f"{one!r} is not NAME=VALUE", param_hint="--set")
        given[name] = text if parameter is None else parameter.read(text)
    return given


def _page(page: str, record: Any) -> int | str:
    """A page as a person names it: a URL, or the id of a page where no page is called so."""
    urls = record.urls
    if page.isdecimal() and (urls is None or urls.find(page) is None):
        return int(page)
    return page


def _print(found: Related, pages: tuple[str, ...], why: bool) -> None:
    for note in found.notes:
        say(f"Note: {note}.")
    if not found.results:
        others = ", ".join(name for name in SIMILAR if name != found.method)
        say(f"No page is like {', '.join(pages)} by {found.method}. Other methods: {others}.")
        return
    columns = ("place", "page", "score", "url", *(("why",) if why else ()))
    rows = [
        [place, str(one.id), one.score, one.url or "", *((one.why,) if why else ())]
        for place, one in enumerate(found, 1)
    ]
    print_table(f"Like {', '.join(pages)} by {found.method}", columns, rows)
