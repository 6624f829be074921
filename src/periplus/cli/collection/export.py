"""`periplus export`: the archive of a collection, or a part of it, as one file for others."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from periplus.cli.shared.output import OutputFile, json_option, print_json, say, working
from periplus.collection import Collection
from periplus.wording import counted

_DAY = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])


class _Pattern(click.ParamType[re.Pattern[str]]):
    name = "regex"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> re.Pattern[str]:
        try:
            return re.compile(value)
        except re.error as error:
            self.fail(f"{value!r} is not a regular expression: {error}", param, ctx)


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("output", type=OutputFile(".wacz", ".gz"))
@click.option("--include", multiple=True, type=_Pattern(), help="Only URLs in which this is found.")
@click.option("--exclude", multiple=True, type=_Pattern(), help="No URL in which this is found.")
@click.option("--media", multiple=True, metavar="TYPE", help="Only this media type, as text/html.")
@click.option("--since", type=_DAY, help="Only captures from then on, UTC.")
@click.option("--until", type=_DAY, help="Only captures up to then, UTC.")
@json_option
def export(
    collection: str,
    output: str,
    include: tuple[re.Pattern[str], ...],
    exclude: tuple[re.Pattern[str], ...],
    media: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    as_json: bool,
) -> None:
    """Write the captures of COLLECTION to OUTPUT: a .wacz that ReplayWeb.page shows, or one .warc.gz."""
    from periplus.pages.export import Choice
    from periplus.pages.export import export as run
    from periplus.pages.store import store_of
    from periplus.pipeline.stages.parsed import titles_of

    target = Collection.open(collection)
    digits = "%Y%m%d%H%M%S"
    span = since.strftime(digits) if since else "", until.strftime(digits) if until else "9"
    choice = Choice(include, exclude, media, *span)
    with working("exporting", quiet=as_json):
        titles = titles_of(target) if output.endswith(".wacz") else {}
        done = run(store_of(target), Path(output), choice, name=target.settings.name, titles=titles)
    told = {name: value for name, value in asdict(done).items() if name != "entries"}
    if as_json:
        print_json({"file": output, **told})
    else:
        say(f"{counted(done.captures, 'capture')} of {counted(done.pages, 'page')} in {output}, {done.bytes:,} bytes")
