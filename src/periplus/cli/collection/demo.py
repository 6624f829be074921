"""`periplus demo`: from nothing to a searchable, link-ranked web, then its search page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import build_progress, command, json_option, print_json, say
from periplus.collection import Collection
from periplus.web.url import host_of
from periplus.wording import counted, duration, rate

if TYPE_CHECKING:
    from periplus.crawl.engine.report import CrawlReport
    from periplus.demo.web import DemoWeb
    from periplus.library.library import Library
    from periplus.search.result import Results

PORT = 8080


@click.command()
@click.option("--into", default="demo.web", show_default=True, type=click.Path(), help="The collection to make.")
@click.option("--serve/--no-serve", default=True, show_default=True, help="Serve until Ctrl-C after printing.")
@click.option(
    "--port", default=None, type=click.IntRange(0, 65535), help=f"Where to serve. [default: {PORT}, else any]"
)
@json_option
def demo(into: str, serve: bool, port: int | None, as_json: bool) -> None:
    """Crawl, rank and search the demonstration web, then serve it.

    The demonstration web ships with Periplus: 52 sites whose every link is known. It is served over real HTTP on this
    machine, crawled, stored, ranked and indexed like any other; no network is used.
    """
    from periplus.library import open_library
    from periplus.pipeline import build

    web, report = _crawl(into, as_json)
    with build_progress(quiet=as_json) as progress:
        build(Collection.open(into), progress=progress)
    library = open_library(into)
    asked = [(about, library.searcher.search(query, size=3)) for about, query in _questions(web)]
    if as_json:
        print_json(_as_object(into, report, library, asked))
    else:
        _print(into, report, library, asked)
    if serve:
        _serve(library, port, as_json)
    elif not as_json:
        say(f"Next: {command('serve', into)}   then periplus crawl my.web https://your.site/ --contact you@your.site")


def _crawl(into: str, quiet: bool) -> tuple[DemoWeb, CrawlReport]:
    from periplus.cli.collection.crawl import progress_line
    from periplus.crawl.options import CrawlOptions
    from periplus.demo.server import running_demo
    from periplus.pipeline import crawl

    if not quiet:
        say("Serving the demonstration web on this machine, and crawling it …")
    with running_demo() as running, progress_line(quiet) as tell:
        # Every site of the demonstration web is ours: no need for the pauses that other people's servers deserve.
        options = CrawlOptions(scope="any", delay=0.0, connect_to=(f"*.example=127.0.0.1:{running.port}",))
        return running.web, crawl(into, running.web.seeds, options, tell)


def _questions(web: DemoWeb) -> list[tuple[str, str]]:
    phrase = web.facts.anchor_only_phrase
    host = host_of(web.facts.anchor_only)
    return [
        ("Plain words: the best text and the best linked pages come first", "lighthouse keeper"),
        (f"A page that never says “{phrase}”, found by what others call it", f'"{phrase}"'),
        ("One site only, and without a word", f"site:{host} lens -lightship"),
    ]


def _as_object(into: str, report: CrawlReport, library: Library, asked: list[tuple[str, Results]]) -> dict[str, Any]:
    return {
        "collection": str(Path(into)),
        "crawled": {"pages": report.pages, "seconds": report.seconds, "total_pages": report.total_pages},
        "pages": library.graph.nodes,
        "links": library.graph.links,
        "sites": library.counts.get("sites"),
        "searches": [found.as_json() for _, found in asked],
    }


def _print(into: str, report: CrawlReport, library: Library, asked: list[tuple[str, Results]]) -> None:
    from rich.text import Text

    from periplus.cli.collection.search import as_text
    from periplus.cli.shared.output import console

    out = console()
    if report.pages:
        each = rate(report.pages, report.seconds)
        say(f"Fetched {counted(report.pages, 'page')} in {duration(report.seconds)} ({each} a second).")
    counts = library.counts
    pages, sites, links = (counted(counts[name], name.removesuffix("s")) for name in ("pages", "sites", "links"))
    say(f"{into}: {pages} on {sites}, {links} between them.\n")
    for about, found in asked:
        out.print(Text(f"{about}:", style="bold"))
        took = f"{counted(found.total, 'page')}, {duration(found.ms / 1000)}"
        out.print(Text(f"$ {command('search', into, found.query)}    {took}\n"))
        for result in found.results:
            out.print(as_text(result))


def _serve(library: Library, port: int | None, as_json: bool) -> None:
    from periplus.errors import UsageError
    from periplus.serve.run import bind
    from periplus.serve.run import serve as run

    try:
        listening = bind("127.0.0.1", PORT if port is None else port)
    except UsageError:
        if port is not None:
            raise
        listening = bind("127.0.0.1", 0)
    with listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        run(
            library,
            listening,
            names=(),
            ready=lambda: None if as_json else say(f"Search it at {address} (Ctrl-C stops)"),
        )
