"""Tables as text, with quotes that mean something: `"5"` is a text, `5` a whole number, `""` an empty text.

Separated by commas, semicolons or tabs. A text in quotes may hold the separator and line ends. Where the first field
of the table is in quotes, so is everything (R and others write it so): there quotes tell nothing, and the kind of a
column follows from its values, as in a table without any quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from periplus.graph.attributes import Column
from periplus.graph.files import read_lines
from periplus.graph.formats.values import Bare, column_of, free_name, say, spelt
from periplus.wording import counted_verb

_MOST_LINES = 100  # of one row whose texts hold line ends


class Row(NamedTuple):
    """The number of the line where it begins, and its cells: a text that stood in quotes is no `Bare`."""

    line: int
    cells: list[str]


@cache
def _cell(separator: str) -> re.Pattern[str]:
    one = re.escape(separator)
    return re.compile(rf'[ ]*"((?:[^"]|"")*)"[ ]*(?={one}|\Z)|([^{one}]*)')


def cells_of(text: str, separator: str) -> list[str]:
    """The cells of a row."""
    found, at = [], 0
    while True:
        match = _cell(separator).match(text, at)
        assert match is not None  # the second way matches anything
        quoted, bare = match.groups()
        found.append(Bare(bare.strip()) if quoted is None else quoted.replace('""', '"'))
        at = match.end() + 1
        if at > len(text):
            return found


def read_rows(path: Path, separator: str) -> Iterator[Row]:
    """The rows that are not blank; one goes on over line ends where that gives it as many cells as the first has."""
    width, held, begin = 0, [""], 0
    for number, line in read_lines(path):
        text = line.decode("utf-8", "surrogateescape")
        if number == 1:
            text = text.removeprefix("\ufeff")
        if held[1:]:
            held.append(text)
            whole = "\n".join(held[1:])
            if whole.count('"') % 2 == 0 and len(cells := cells_of(whole, separator)) == width:
                yield Row(begin, cells)
                held = [""]
            elif len(held) > _MOST_LINES:
                yield from _given_up(held[1:], begin, separator)
                held = [""]
            continue
        if not text.strip():
            continue
        cells = cells_of(text, separator)
        if width and len(cells) < width + 1 and text.count('"') % 2 and cells[-1].startswith('"'):
            held, begin = ["", text], number
            continue
        width = width or len(cells)
        yield Row(number, cells)
    if held[1:]:
        yield from _given_up(held[1:], begin, separator)


def _given_up(lines: Sequence[str], begin: int, separator: str) -> Iterator[Row]:
    """The lines of what looked like one row but is none, each as a row of its own."""
    for at, text in enumerate(lines):
        if text.strip():
            yield Row(begin + at, cells_of(text, separator))


def columns_of(path: Path, names: Sequence[str], rows: Sequence[Row]) -> list[Column]:
    """The columns of rows that may be short; cells beyond the last name are reported."""
    quoted = bool(rows and rows[0].cells) and not isinstance(rows[0].cells[0], Bare)
    over = sum(len(row.cells) > len(names) for row in rows)
    if over:
        say(path, f"{counted_verb(over, 'row', 'has')} more fields than the first line names: they are left out")
    return [column_of(path, name, _values(rows, at, quoted)) for at, name in enumerate(names)]


def names_apart(path: Path, names: Iterable[str]) -> list[str]:
    """Names of columns, none twice."""
    told: list[str] = []
    for name in names:
        told.append(free_name(path, str(name), told))
    return told


def _values(rows: Sequence[Row], at: int, quoted: bool) -> list[Any]:
    """A column, None where nothing stands."""
    cells = [row.cells[at] if at < len(row.cells) else Bare("") for row in rows]
    if quoted:
        cells = [Bare(cell) for cell in cells]
    return [None if isinstance(cell, Bare) and not cell else cell for cell in cells]


# -- writing -------------------------------------------------------------------------------------------------


def in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def as_needed(text: str, separator: str) -> str:
    """A text, in quotes where it could be taken for something else than what it is."""
    plain = text.strip() == text and '"' not in text and not any(c in text for c in (separator, "\n", "\r"))
    return text if plain else in_quotes(text)


def row_of(cells: Iterable[Any], separator: str) -> str:
    """Attribute values as cells: texts in quotes, nothing for a missing one."""
    return separator.join(
        "" if value is None else in_quotes(value) if isinstance(value, str) else _plain(value) for value in cells
    )


def _plain(value: Any) -> str:
    return spelt(value) if isinstance(value, bool) else repr(value)
