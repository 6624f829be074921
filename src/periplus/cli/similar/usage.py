"""`periplus usage`: how people go through a site, from its web-server logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say, working
from periplus.cli.shared.writing import write_output

if TYPE_CHECKING:
    from periplus.pipeline.usage import Usage


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("logs", nargs=-1, required=True, type=click.Path())
@click.option("--host", help="The host whose logs these are. [default: the one with the most pages]")
@click.option("--key", help="The key that addresses are hashed with, to know visitors again. [default: a random one]")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many of each to list.")
@click.option("--out", type=OutputFile(), help="Write the graph of the steps in the format of the ending.")
@json_option
def usage(
    collection: str, logs: tuple[str, ...], host: str | None, key: str | None, top: int, out: str | None, as_json: bool
) -> None:
    """How people go through a site of COLLECTION, from its web-server LOGS (Common or Combined Log Format, also .gz).

    Says which steps no link offers, which links nobody takes, and which links would have saved people clicks. Addresses
    are hashed as they are read and never stored; the flow of people is kept for `related --method association-usage`.
    """
    from periplus.collection import Collection
    from periplus.pipeline.usage import usage as read

    with working("reading the logs", quiet=as_json):
        found = read(Collection.open(collection), logs, host=host, key=key, top=top)
    if out is not None:
        write_output(found.flow.graph, out)
    if as_json:
        print_json(found.to_dict())
        return
    _print(found)
    say(f"\nPages that people visit together: {command('related', collection, 'URL', '--method', 'association-usage')}")


def _print(found: Usage) -> None:
    counts = ", ".join(f"{count:,} {what}" for what, count in found.counts.items())
    say(f"{found.host}: {found.paths:,} paths of {found.steps:,} steps ({counts}).")
    tables: Sequence[tuple[str, list[dict[str, Any]], Sequence[str]]] = (
        ("Steps that no link offers", found.off_the_links, ("people",)),
        ("Links that nobody takes", found.unused_links, ("visits",)),
        ("Links that would save clicks", found.suggestions, ("paths", "clicks")),
    )
    for title, rows, columns in tables:
        shown = [[*(row[name] for name in columns), row["from"], row["to"]] for row in rows]
        print_table(f"\n{title}", (*columns, "from", "to"), shown)
    trial = found.trial
    say(
        f"\nTried on paths left out: such links shorten {trial['share_shortened']:.1%} of "
        f"{trial['paths_held_out']:,.0f}, by {trial['clicks_saved_each']:.1f} clicks each."
    )
