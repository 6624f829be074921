"""Tables of pages for other programs: CSV, pandas, polars, and the short view of a notebook."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from periplus.durable import atomic_files
from periplus.errors import MissingDependencyError

# What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_AT_ONCE, _LINES = 65_536, 4_096


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV; a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    return "".join(csv_pieces(columns, rows))


def csv_pieces(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The same in pieces, so that a table of any length can be sent as it is made."""
    remaining: Iterator[Sequence[object]] = iter(rows)
    lines: list[Sequence[object]] = [columns]
    while lines:
        out = StringIO(newline="")
        csv.writer(out).writerows([_harmless(one) for one in line] for line in lines)
        yield out.getvalue()
        lines = list(islice(remaining, _LINES))


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """The same into a file, which is there whole or not at all."""
    with atomic_files(Path(path)) as (draft,), open(draft, "w", encoding="utf-8", errors="replace", newline="") as out:
        write_rows(out, columns, rows)


def write_rows(out: TextIO, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """The same into an open text."""
    out.writelines(csv_pieces(columns, rows))


def rows_of(columns: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table given by its columns, in Python's own types."""
    length = len(next(iter(columns.values()), ()))
    for begin in range(0, length, _AT_ONCE):
        pieces = (column[begin : begin + _AT_ONCE] for column in columns.values())
        yield from zip(*(one.tolist() if isinstance(one, np.ndarray) else one for one in pieces), strict=True)


def data_frame(library: str, columns: Mapping[str, Any]) -> Any:
    """A table as a DataFrame of pandas or polars."""
    try:
        module = importlib.import_module(library)
    except ImportError as error:
        raise MissingDependencyError(library, None, "A table as a DataFrame") from error
    return module.DataFrame({name: _whole(column) for name, column in columns.items()})


def _whole(column: Any) -> Any:
    """A column in memory: a mapped file is copied, so that the frame outlives it."""
    return np.array(column) if isinstance(column, np.ndarray) else column


def html_table(title: str, names: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A table for a notebook: a title, which is HTML already, and texts."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(one))}</td>" for one in line) + "</tr>" for line in lines)
    return f"<div>{title}<table><tr>{head}</tr>{body}</table></div>"
