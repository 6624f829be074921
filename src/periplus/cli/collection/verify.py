"""`periplus verify`: are the bytes of a collection still those that were written?"""

from __future__ import annotations

import click

from periplus.cli.shared.output import json_option, print_json, say
from periplus.collection import Collection
from periplus.errors import DamagedError


@click.command()
@click.argument("collection", type=click.Path())
@json_option
def verify(collection: str, as_json: bool) -> int:
    """Check every file of COLLECTION for damage; exit code 4 when there is any.

    `periplus build` makes again what is derived (all but the WARC files, the crawl's own folder and the settings).
    """
    from periplus.library import verify as run

    verdict = run(Collection.open(collection))
    if as_json:
        print_json({"sound": not verdict.problems, "checked": verdict.checked, "problems": verdict.problems})
        return DamagedError.exit_code if verdict.problems else 0
    for problem in verdict.problems:
        say(problem)
    checked = ", ".join(f"{count:,} {name}" for name, count in verdict.checked.items())
    verdict.or_raise()
    say(f"Sound: {checked}.")
    return 0
