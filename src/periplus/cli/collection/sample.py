"""`periplus sample`: what the live web round a URL consists of, by random walks, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.fetching import fetch_options
from periplus.cli.shared.output import json_option, print_json, print_table, say, working
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.pipeline.live import LiveSample


@click.command()
@click.argument("url")
@click.option("--walks", type=click.IntRange(2), default=10, show_default=True, help="Independent walks.")
@click.option("--visits", type=click.IntRange(1), default=20, show_default=True, help="Pages counted in each walk.")
@click.option(
    "--mixing", type=click.IntRange(0), default=20, show_default=True, help="Pages passed first in each, not counted."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the walks.")
@click.option("--scope", help="site (default: the URL's registered domain), host, prefix, or any.")
@fetch_options
@json_option
def sample(url: str, walks: int, visits: int, mixing: int, seed: int, as_json: bool, **given: Any) -> None:
    """Sample the live web from URL by random walks: domains, size and links of its pages, with 95 % intervals.

    Nothing is stored. At most WALKS × (VISITS + MIXING) pages are fetched, each once, as politely as in a crawl.
    """
    from periplus.crawl.options import from_policy
    from periplus.pipeline.live import sample_web

    options = from_policy({}, given)
    with working(f"walking from {url}", quiet=as_json) as tell:
        found = sample_web(
            url, options, walks=walks, visits=visits, mixing=mixing, seed=seed,
            progress=lambda fetched, there: tell(f"{fetched:,} fetched, now {there}"),
        )  # fmt: skip
    if as_json:
        print_json(found.to_dict())
        return
    _print(found)


def _print(found: LiveSample) -> None:
    rows = [
        ("bytes per page", found.bytes_a_page, 1.0),
        ("links per page", found.links_a_page, 1.0),
        ("pages without links, %", found.dangling, 100.0),
        *((f"pages in {name}, %", share, 100.0) for name, share in list(found.domains.items())[:10]),
    ]
    shown = [(name, *(round(times * end, 2) for end in (at.value, at.low, at.high))) for name, at, times in rows]
    print_table(f"By random walks, {counted(found.visits, 'visit')}", ["", "estimate", "from", "to (95 %)"], shown)
    other = ", ".join(f"{count:,} {name}" for name, count in found.outcomes.items() if name != "OK")
    say(f"{counted(found.fetched, 'URL')} fetched, {counted(found.pages, 'page')}" + (f"; {other}" if other else ""))
    say("Of what hangs together by links with the first page: the walks know nothing of the rest of the web.")
    say("Next: `periplus crawl my.web URL` keeps the pages and charts them.")
