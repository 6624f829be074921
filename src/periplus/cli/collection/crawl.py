"""`periplus crawl`: fetch pages from seed URLs into a collection, with one live line of progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.fetching import fetch_options
from periplus.cli.shared.output import command, console, json_option, print_json
from periplus.wording import counted, counted_verb, duration, rate

if TYPE_CHECKING:
    from periplus.crawl.engine.report import CrawlProgress, CrawlReport
    from periplus.crawl.fetch.courtesy import Courtesy
    from periplus.pages.listing import Listing


@click.command()
@click.argument("collection", type=click.Path(path_type=Path))
@click.argument("seeds", nargs=-1)
@click.option(
    "--seed-list",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A file of seed URLs, one per line (- reads a pipe); or a sitemap, a feed, or another collection.",
)
@click.option("--max-pages", type=int, help="Stop at this many pages, those of earlier runs included.")
@click.option("--max-depth", type=int, help="Follow links at most this far from a seed; 0 fetches the seeds only.")
@click.option("--for", "max_seconds", metavar="TIME", help="Stop after this time: 90s, 30min, 2h, 1d.")
@click.option("--max-bytes", metavar="SIZE", help="Stop when the archive of the crawl has this size, e.g. 5GB.")
@click.option("--max-host-pages", type=int, help="Fetch at most this many pages of a host. [default: 10,000]")
@click.option("--include", multiple=True, metavar="REGEX", help="Fetch only URLs in which this is found.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Fetch no URL in which this is found.")
@click.option(
    "--order",
    help="What to fetch first: breadth-first (default), back-links, pagerank, opic, nearness, round-robin.",
)
@click.option("--scope", help="site (default: the seeds' registered domains), host, prefix, or any.")
@click.option("--again", is_flag=True, help="Come back to all that was visited; what is unchanged is not sent again.")
@fetch_options
@click.option("--address-delay", type=float, help="Seconds between two requests to one address. [default: delay / 4]")
@click.option("--concurrency", type=int, help="Requests under way at once, all hosts together. [default: 64]")
@json_option
def crawl(
    collection: Path, seeds: tuple[str, ...], seed_list: Path | None, again: bool, as_json: bool, **given: Any
) -> None:
    """Fetch pages from SEEDS into COLLECTION, politely; run the command again to continue where it stopped.

    COLLECTION is made where it does not exist. Options may also stand under [policy] in its collection.toml.
    """
    from periplus.collection import Collection
    from periplus.crawl.engine.run import crawl as run
    from periplus.crawl.options import from_policy
    from periplus.errors import UsageError
    from periplus.web.url import Url

    urls = [Url.parse(seed).href for seed in (*seeds, *_listed(seed_list))]
    if not urls and not Collection.is_collection(collection):
        raise UsageError(f"{collection} is not there yet: give at least one URL to begin with")
    target = Collection.open_or_create(collection, seeds=urls)
    options = from_policy(target.settings.policy, given)
    with progress_line(as_json) as tell:
        report = run(target, urls or target.settings.seeds, options, tell, again=again)
    if as_json:
        print_json(as_object(report))
    else:
        _print(report, collection)


def _listed(seeds: Path | None) -> list[str]:
    """The URLs of a list: one per line, `#` begins a comment; or those of a sitemap, a feed or a collection."""
    from periplus.collection import Collection
    from periplus.errors import FormatError
    from periplus.pages.listing import read_listing
    from periplus.pages.store import store_of

    if seeds is None:
        return []
    if seeds.is_dir():
        return sorted({entry.url for entry in store_of(Collection.open(seeds)).entries() if entry.status == 200})
    body = sys.stdin.buffer.read() if str(seeds) == "-" else seeds.read_bytes()
    if body.lstrip()[:1] in (b"<", b"\x1f"):
        listing = read_listing(body, "http://file.invalid/")
        if listing is None or listing.problem:
            raise FormatError(seeds, f"no sitemap and no feed, or not a whole one{_because(listing)}")
        return [url for url, _ in listing.urls]
    lines = [line.strip() for line in body.decode("utf-8-sig", "replace").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def _because(listing: Listing | None) -> str:
    return f": {listing.problem}" if listing is not None else ""


def as_object(report: CrawlReport) -> dict[str, Any]:
    """The report as `--json` prints it."""
    return {
        "pages": report.pages,
        "links": report.links,
        "hosts": report.hosts,
        "errors": report.errors,
        "outcomes": dict(report.outcomes),
        "seconds": round(report.seconds, 3),
        "rate": round(report.rate, 1),
        "total_pages": report.total_pages,
        "waiting": report.waiting,
        "resumed": report.resumed,
        "deferred": list(report.deferred_hosts),
        "politeness": _politeness(report.courtesy),
        "learned": list(report.learned),
        "limit": report.limit,
    }


def _politeness(courtesy: Courtesy) -> dict[str, Any]:
    """Requests and least gaps, of the busiest hosts alone; gaps in seconds between the starts of two requests."""
    hosts = [
        {
            "host": one.host,
            "requests": one.requests,
            "least_gap": None if one.least_gap is None else round(one.least_gap, 3),
        }
        for one in courtesy.busiest
    ]
    counts = {"requests": courtesy.requests, "hosts": courtesy.hosts, "refused_by_robots": courtesy.refused}
    return {**counts, "busiest": hosts}


def _in_words(courtesy: Courtesy) -> str:
    asked = f"politeness: {counted(courtesy.requests, 'request')} to {counted(courtesy.hosts, 'host')}"
    if courtesy.closest is not None and courtesy.closest.least_gap is not None:
        asked += f", never two within {courtesy.closest.least_gap:.3g} s ({courtesy.closest.host})"
    return f"{asked}; robots.txt refused {counted(courtesy.refused, 'URL')}"


def _print(report: CrawlReport, collection: Path) -> None:
    out = console()
    fetched = f"{counted(report.pages, 'page')} and {counted(report.links, 'link')}"
    took = f"{fetched} in {duration(report.seconds)} ({rate(report.pages, report.seconds)} pages/s)"
    out.print(took if report.pages or not report.resumed else "nothing new to fetch")
    if report.total_pages != report.pages:
        out.print(f"{counted(report.total_pages, 'page')} in all, from {counted(report.hosts, 'host')}")
    other = {name: count for name, count in report.outcomes.items() if name != "OK"}
    if other:
        out.print("outcomes: " + ", ".join(f"{count:,} {name}" for name, count in other.items()))
    out.print(_in_words(report.courtesy), markup=False)
    for deferred in report.deferred_hosts:
        out.print(f"left for the next run: {deferred}", markup=False)
    for learned in report.learned:
        out.print(f"left as endless: {learned}", markup=False)
    if report.waiting and report.limit:
        waits = counted_verb(report.waiting, "URL", "waits")
        out.print(f"stopped at the limit of {report.limit}; {waits} for the next run")
    elif report.waiting:
        out.print(f"{counted_verb(report.waiting, 'URL', 'waits')}; the same command with wider limits continues")
    out.print(f"next: {command('build', collection)}", markup=False)


@contextmanager
def progress_line(quiet: bool) -> Iterator[Callable[[CrawlProgress], None] | None]:
    """One progress line on standard error: live on a terminal, every ten seconds in a pipe."""
    if quiet:
        yield None
        return
    err = console(err=True)
    if not err.is_terminal:
        yield _every(10.0, lambda progress: click.echo(line(progress), err=True))
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=err, refresh_per_second=8, transient=True) as live:
        yield lambda progress: live.update(Text(line(progress), overflow="ellipsis", no_wrap=True))


def _every(seconds: float, tell: Callable[[CrawlProgress], None]) -> Callable[[CrawlProgress], None]:
    last = [0.0]

    def sometimes(progress: CrawlProgress) -> None:
        if progress.seconds - last[0] >= seconds:
            last[0] = progress.seconds
            tell(progress)

    return sometimes


def line(progress: CrawlProgress) -> str:
    """Pages, links, hosts, rate, errors, what waits, and when it may be over."""
    eta = f", about {duration(progress.eta)} left" if progress.eta is not None else ""
    counts = ((progress.pages, "page"), (progress.links, "link"), (progress.hosts, "host"))
    return (
        f"{', '.join(counted(*count) for count in counts)}, {progress.rate:.1f} pages/s, "
        f"{counted(progress.errors, 'error')}, {progress.waiting:,} waiting{eta}"
    )
