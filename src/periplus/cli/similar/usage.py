"""`periplus usage`: how people go through a site, from its web-server logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working
from periplus.cli.shared.target import lenient_option, showing_warnings
from periplus.cli.shared.writing import write_output

if TYPE_CHECKING:
    from periplus.pipeline.usage import Usage


@click.command()
@click.argument("target", type=click.Path())
@click.argument("logs", nargs=-1, required=True, type=click.Path())
@click.option("--host", help="The host whose logs these are. [default: the one with the most pages]")
@click.option("--key", help="The key that addresses are hashed with, to know visitors again. [default: a random one]")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many of each to list.")
@click.option("--out", type=OutputFile(), help="Write the graph of the steps in the format of the ending.")
@click.option("--paths", "clicks", is_flag=True, help="The files hold click paths: pages divided by ; and < for back.")
@lenient_option
@json_option
def usage(target: str, logs: tuple[str, ...], top: int, out: str | None, as_json: bool, **given: Any) -> None:
    """How people go through a site of TARGET, from its web-server LOGS (Common or Combined Log Format, also .gz, .xz).

    Says which pages people reach without links, which steps no link offers, which links nobody takes, and which links
    would have saved people clicks. Addresses are hashed as they are read and never stored; a collection keeps the flow
    of people for `related --method association-usage`. With --paths TARGET may be any graph.
    """
    with working("reading the logs", quiet=as_json), showing_warnings():
        found = _read(target, logs, top, **given)
    if out is not None:
        write_output(found.flow.weighted(), out)
    if as_json:
        print_json(found.to_dict())
        return
    _print(found)
    if not given["clicks"]:
        together = command("related", target, "URL", "--method", "association-usage")
        say(f"\nPages that people visit together: {together}")


def _read(
    target: str, files: tuple[str, ...], top: int, *, clicks: bool, host: str | None, key: str | None, lenient: bool
) -> Usage:
    from periplus.collection import Collection
    from periplus.pipeline.usage import usage as of_logs
    from periplus.pipeline.usage import usage_of_paths

    if not clicks:
        return of_logs(Collection.open(target), files, host=host, key=key, top=top)
    if host is not None or key is not None:
        raise click.UsageError("--host and --key are for logs: click paths have neither addresses nor hosts")
    return usage_of_paths(target, files, top=top, lenient=lenient)


def _print(found: Usage) -> None:
    counts = ", ".join(f"{count:,} {what}" for what, count in found.counts.items())
    say(f"{found.host}: {found.paths:,} paths of {found.steps:,} steps ({counts}).")
    if found.counts.get("not of this collection", 0) > found.counts["page views"]:
        say("Most of what was asked for is not in the collection. Is this the log of another host? --host says which.")
    tables: Sequence[tuple[str, list[dict[str, Any]], Sequence[str]]] = (
        ("Pages that people reach without a link of the site", found.without_links, ("people", "visits", "page")),
        ("Steps that no link offers", found.off_the_links, ("people", "from", "to")),
        ("Links that nobody takes", found.unused_links, ("visits", "from", "to")),
        ("Links that would save clicks", found.suggestions, ("paths", "clicks", "from", "to")),
    )
    for title, rows, columns in tables:
        print_table(f"\n{title}", columns, [[row[name] for name in columns] for row in rows])
    trial = found.trial
    say(
        f"\nTried on paths left out: such links shorten {trial['share_shortened']:.1%} of "
        f"{trial['paths_held_out']:,.0f}, by {trial['clicks_saved_each']:.1f} clicks each."
    )
