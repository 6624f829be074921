"""`periplus compare`: two or three rankings of one query side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from periplus.cli.collection.search import printable
from periplus.cli.shared.output import command, json_option, print_json, print_table, say
from periplus.focus.table import QUERY_RANKERS
from periplus.wording import ordinal

if TYPE_CHECKING:
    from periplus.library.compare import Cell, Column, QueryComparison

USUAL = ("blended", "hits")


@click.command(context_settings={"ignore_unknown_options": True})  # -salt is a word to exclude
@click.argument("directory", metavar="DIR")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--rank",
    "ranks",
    type=click.Choice(list(QUERY_RANKERS)),
    multiple=True,
    default=USUAL,
    show_default=True,
    help="Give it two or three times.",
)
@click.option("--top", type=click.IntRange(1, 100), default=10, show_default=True, help="How many pages of each.")
@json_option
def compare(directory: str, words: tuple[str, ...], ranks: tuple[str, ...], top: int, as_json: bool) -> None:
    """Rankings of a query side by side: where each has a page, how far they agree, how firm the first pages are."""
    from periplus.library import compare_query, open_library

    for word in words:
        if word.startswith("--"):
            raise click.NoSuchOption(word)
    found = compare_query(open_library(directory), " ".join(words), ranks, top=top)
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found, directory)


def _print(found: QueryComparison, directory: str) -> None:
    for line in (*found.notes, *found.sentences):
        say(f"{line[0].upper()}{line[1:]}.")
    for column in found.columns:
        others = found.others(column)
        rows = [(printable(cell.page.title), *_places(cell), cell.page.url) for cell in column.cells]
        print_table(f"\n{column.title}: {column.help}\n", ("title", *(other.title for other in others), "url"), rows)
        _print_about(column)
    say(f"\nThe pages of one of them: {command('search', directory, found.query, '--rank', found.columns[-1].rank)}")


def _places(cell: Cell) -> list[str]:
    return [ordinal(place) if place else "–" for place in cell.places]


def _print_about(column: Column) -> None:
    for line in (column.firmness.sentence, *column.notes):
        if line:
            say(f"{line[0].upper()}{line[1:]}.")
    if column.hubs:
        say("Hubs beside them: " + "; ".join(printable(hub.title) for hub in column.hubs[:3]) + ".")
