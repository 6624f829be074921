"""`periplus table`: pages, links, sites, communities or the tree of a collection as a table for other programs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from periplus.cli.collection.search import printable
from periplus.cli.shared.output import TableFile, command, json_option, print_json, print_table, say
from periplus.cli.shared.target import load_graph
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.library.tables import Source
    from periplus.record import Table

_KINDS = ("pages", "links", "sites", "communities", "tree")  # those of `library.TABLES`, known without an import
_ROWS = {"communities": "community", "tree": "node"}
_OF_NODES = ("parent", "name", "pages", "density")
_FITTING, _WIDEST = 8, 60
_TELLING = ("id", "url", "title", "in_degree", "out_degree", "region", "pagerank_place", "copies", *_OF_NODES)


@click.command()
@click.argument("target", type=click.Path())
@click.argument("kind", type=click.Choice(_KINDS))
@click.option("-o", "--output", type=TableFile(), help="Write the whole table: .csv, .json, .parquet or .xlsx.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many rows to print.")
@json_option
def table(target: str, kind: str, output: str | None, top: int, as_json: bool) -> None:
    """Every page, link, site, community or node of the tree of TARGET as a table.

    TARGET is a collection, or a graph: a folder, a file of any format, the base name of a WebGraph. A collection has
    titles, texts, rankings, regions and communities; a graph alone has its links, and its names if there are any.
    Without -o the first rows are printed.
    """
    from periplus.library import TABLES
    from periplus.record import write_table

    made = TABLES[kind](_opened(target))
    if output is not None:
        write_table(output, made)
        if as_json:
            print_json({"table": kind, "rows": made.length, "columns": list(made.columns), "file": output})
        else:
            say(f"{counted(made.length, _ROWS.get(kind, kind[:-1]))} in {output}")
        return
    if as_json:
        rows = [dict(zip(made.columns, row, strict=True)) for row in islice(made.rows(), top)]
        print_json({"table": kind, "rows": made.length, "columns": list(made.columns), "first": rows})
        return
    _show(made, kind, top)
    say(f"\nThe whole table: {command('table', target, kind, '-o', f'{kind}.csv')}")


def _opened(target: str) -> Source:
    from periplus.collection import Collection
    from periplus.library import open_library

    return open_library(target) if Collection.is_collection(target) else load_graph(target)


def _show(made: Table, kind: str, top: int) -> None:
    """The first rows; of a table too wide for a line, the most telling columns."""
    names = list(made.columns)
    shown = names if len(names) <= _FITTING else [name for name in _TELLING if name in names]
    places = [names.index(name) for name in shown]
    rows = [[_cell(row[at]) for at in places] for row in islice(made.rows(), top)]
    print_table(f"{kind}: the first {len(rows):,} of {made.length:,} rows", tuple(shown), rows)
    if len(shown) < len(names):
        others = [name for name in names if name not in shown]
        say(f"\nand {len(others)} more columns: {', '.join(others)}")


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        told = printable(value)
        return told if len(told) <= _WIDEST else told[: _WIDEST - 1] + "…"
    return value
