"""`periplus info`: what a collection holds."""

from __future__ import annotations

import click

from periplus.cli.shared.output import command, json_option, print_json, print_table, say
from periplus.collection import Collection
from periplus.wording import counted


@click.command()
@click.argument("collection", type=click.Path())
@json_option
def info(collection: str, as_json: bool) -> None:
    """What COLLECTION holds, and which stages are missing or stale."""
    from periplus.library import info as run

    found = run(Collection.open(collection))
    if as_json:
        print_json(found)
        return
    counts = ", ".join(counted(found[f"{noun}s"], noun) for noun in ("page", "link", "host", "site"))
    stored = f"{counted(found['captures'], 'capture')} in {counted(found['warc_files'], 'WARC file')}"
    say(f"{found['name']}: {counts}; {stored}")
    rows = [(name, stage["state"], stage["finished"] or "", stage["does"]) for name, stage in found["stages"].items()]
    print_table("Stages", ("stage", "state", "finished", "what it does"), rows)
    if any(stage["state"] != "current" for stage in found["stages"].values()):
        say(f"Next: {command('build', collection)}")
    else:
        say(f"Next: {command('search', collection, 'your words')}")
