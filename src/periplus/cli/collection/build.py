"""`periplus build`: bring every stage of a collection up to date."""

from __future__ import annotations

import click

from periplus.cli.shared.output import build_progress, command, json_option, print_json, print_table, say
from periplus.collection import Collection
from periplus.wording import duration


@click.command()
@click.argument("collection", type=click.Path())
@json_option
def build(collection: str, as_json: bool) -> None:
    """Bring links, ranks and index of COLLECTION up to date.

    Runs the stages that are stale or damaged, in order, and no others. If it was stopped or killed, run it again to
    continue.
    """
    from periplus.pipeline import build as run

    with build_progress(quiet=as_json) as progress:
        report = run(Collection.open(collection), progress=progress)
    if as_json:
        print_json(
            {"ran": report.ran, "seconds": report.seconds, "counts": report.counts, "mended": list(report.mended)}
        )
        return
    for problem in report.mended:
        say(f"Made again: {problem}")
    if not report.ran:
        say("Everything is up to date.")
    else:
        rows = [(name, duration(report.seconds[name]), _counted(report.counts[name])) for name in report.ran]
        print_table("Built", ("stage", "took", "counted"), rows)
    say(f"Next: {command('search', collection, 'your words')}   or   {command('serve', collection)}")


def _counted(counts: object) -> str:
    assert hasattr(counts, "items")
    parts = [f"{name.replace('_', ' ')} {value:,}" for name, value in counts.items() if isinstance(value, int)]
    return ", ".join(parts)
