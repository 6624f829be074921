"""`periplus activity`: what is being done to a collection now."""

from __future__ import annotations

import click

from periplus.cli.shared.output import json_option, print_json, print_table, say
from periplus.collection import Collection
from periplus.wording import counted, duration


@click.command()
@click.argument("collection", type=click.Path())
@json_option
def activity(collection: str, as_json: bool) -> None:
    """What is being crawled or built in COLLECTION now, by its folder alone: it disturbs nobody who writes there."""
    from periplus.library.activity import activity as run

    found = run(Collection.open(collection))
    if as_json:
        print_json(found.to_dict())
        return
    doing = (
        f"{found.doing} by {found.process}, for {duration(found.since)}" if found.doing else "nobody writes here now"
    )
    say(f"{found.name}: {doing}")
    say(f"{counted(found.pages, 'page')} crawled on {counted(found.hosts, 'host')}, {found.waiting:,} URLs wait")
    say(f"{found.archive_bytes / 1e6:,.1f} MB of WARC files, {found.free_bytes / 1e9:,.1f} GB free")
    if found.visits:
        say(f"{found.rate:g} visits per second in the last minute of the log")
        print_table("How the last visits ended", ("outcome", "visits"), list(found.outcomes.items()))
        rows = [(one["url"], one.get("outcome", ""), one.get("ms")) for one in found.visits]
        print_table("Last visits", ("URL", "outcome", "ms"), rows)
    if found.busiest:
        hosts = [(one.name, one.pages, one.waiting, one.delay) for one in found.busiest]
        print_table("Hosts", ("host", "pages", "waiting", "pause in s"), hosts)
    print_table("Stages of the build", ("stage", "state"), list(found.stages.items()))
