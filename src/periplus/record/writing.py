"""Tables as files: the ending decides how (.csv, .json, .parquet, .xlsx), and any other ending is refused.

A `Table` comes in parts, so that a million rows take no more memory than one part. What is not known (None, NaN) is an
empty cell. CSV is UTF-8 without a mark; in it, a text that a spreadsheet would run as a formula (it begins with = + - @
or a tab) gets an apostrophe in front. JSON, Parquet and Excel keep every text as it is: Excel gets it as text, which it
does not run. JSON is a list with an object per row.
"""

from __future__ import annotations

import importlib
import json
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from periplus.durable import atomic_files
from periplus.errors import MissingDependencyError, ParameterError, PeriplusWarning
from periplus.record.tables import write_rows

Kind = Literal["text", "whole", "number", "flag"]
Part = Sequence[Sequence[Any]]
AT_ONCE = 16_384
SHEET_ROWS, SHEET_TEXT = 1_048_576, 32_767  # what a sheet of Excel holds: rows, characters in a cell


@dataclass(frozen=True, slots=True)
class Table:
    """The kind of every column by its name, the number of rows, and the rows in parts: for each part, its columns."""

    columns: Mapping[str, Kind]
    length: int
    parts: Iterable[Part]

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> Table:
        """A table of whole columns, lists or arrays."""
        length = len(next(iter(columns.values()), ()))
        whole = list(columns.values())
        parts = ([one[at : at + AT_ONCE] for one in whole] for at in range(0, length, AT_ONCE))
        return cls({name: _kind(column) for name, column in columns.items()}, length, parts)

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
        """A table of rows, which are in memory together."""
        columns = list(zip(*rows, strict=True)) or [()] * len(names)
        return cls.of(dict(zip(names, columns, strict=True)))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Row by row in Python's own types, None for what is not known."""
        for part in self.parts:
            yield from zip(*map(_plain, part), strict=True)


def _kind(column: Any) -> Kind:
    if isinstance(column, np.ndarray):
        return {"b": "flag", "i": "whole", "u": "whole", "f": "number"}.get(column.dtype.kind, "text")  # type: ignore[return-value]
    kinds: set[Kind] = {_kind_of_value(value) for value in column if value is not None}
    if kinds == {"whole", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else "text"


def _kind_of_value(value: object) -> Kind:
    if isinstance(value, bool | np.bool_):
        return "flag"
    if isinstance(value, int | np.integer):
        return "whole"
    return "number" if isinstance(value, float | np.floating) else "text"


def _plain(column: Sequence[Any]) -> Sequence[Any]:
    """A column in Python's own types, None for NaN."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind == "f" and np.isnan(column).any():
            return [None if value != value else value for value in column.tolist()]
        listed: list[Any] = column.tolist()
        return listed
    return [None if value != value else value for value in column]


# -- writing -------------------------------------------------------------------------------------------------


def write_table(path: str | Path, table: Table, *, progress: Callable[[int], None] | None = None) -> None:
    """Write a table in the format of its ending, whole or not at all; `progress` hears how many rows are written."""
    path = Path(path)
    check_ending(path)
    if path.suffix.lower() == ".xlsx" and table.length >= SHEET_ROWS:
        most = f"at most {SHEET_ROWS - 1:,} rows, which is all that Excel holds: write .csv or .parquet"
        raise ParameterError("rows", f"{table.length:,}", most)
    seen = _counted(table, progress) if progress is not None else table
    with atomic_files(path) as (draft,):
        FORMATS[path.suffix.lower()].write(draft, seen)


def _counted(table: Table, progress: Callable[[int], None]) -> Table:
    def parts() -> Iterator[Part]:
        done = 0
        for part in table.parts:
            yield part
            done += len(part[0]) if part else 0
            progress(done)

    return Table(table.columns, table.length, parts())


def check_ending(path: str | Path, endings: Sequence[str] = ()) -> None:
    """Refuse an ending that names no format (of `endings`, or of all), or one whose package is not installed."""
    ending, known = Path(path).suffix.lower(), tuple(endings) or tuple(FORMATS)
    if ending not in known:
        allowed = f"a name that ends in {', '.join(known[:-1])} or {known[-1]}"
        raise ParameterError("file", str(path), allowed)
    if ending in FORMATS:
        FORMATS[ending].require()


def _write_csv(path: Path, table: Table) -> None:
    with open(path, "w", encoding="utf-8", errors="replace", newline="") as out:
        write_rows(out, tuple(table.columns), table.rows())


def _write_json(path: Path, table: Table) -> None:
    with open(path, "w", encoding="utf-8", errors="replace") as out:
        between = "[\n"
        for row in table.rows():
            told = {name: _finite(value) for name, value in zip(table.columns, row, strict=True)}
            out.write(between + json.dumps(told, ensure_ascii=False, allow_nan=False))
            between = ",\n"
        out.write("\n]\n" if between != "[\n" else "[]\n")


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _write_parquet(path: Path, table: Table) -> None:
    import pyarrow
    import pyarrow.parquet

    types = {"text": pyarrow.string(), "whole": pyarrow.int64(), "number": pyarrow.float64(), "flag": pyarrow.bool_()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in table.columns.items()])
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for parts in _batches(table.parts, 8):
            columns = [[value for part in parts for value in _plain(part[at])] for at in range(len(schema))]
            arrays = [pyarrow.array(_valid(one), field.type) for one, field in zip(columns, schema, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _batches(parts: Iterable[Part], size: int) -> Iterator[list[Part]]:
    remaining = iter(parts)
    while batch := list(islice(remaining, size)):
        yield batch


def _valid(column: Sequence[Any]) -> Sequence[Any]:
    """Texts without halves of characters, which UTF-8 has no place for."""
    return [one.encode("utf-8", "replace").decode() if isinstance(one, str) else one for one in column]


def _write_xlsx(path: Path, table: Table) -> None:
    cut = 0
    with _workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for at, name in enumerate(table.columns):
            sheet.write_string(0, at, name, bold)
        for number, row in enumerate(table.rows(), 1):
            for at, value in enumerate(row):
                if isinstance(value, str):
                    cut += len(value) > SHEET_TEXT
                    sheet.write_string(number, at, value[:SHEET_TEXT].encode("utf-8", "replace").decode())
                elif isinstance(value, bool):
                    sheet.write_boolean(number, at, value)
                elif value is not None and math.isfinite(value):
                    sheet.write_number(number, at, value)
    if cut:
        warnings.warn(
            f"{cut:,} texts are longer than the {SHEET_TEXT:,} characters that Excel holds in a cell: they are cut",
            PeriplusWarning,
            stacklevel=4,
        )


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    """A workbook whose rows go to the disk as they come."""
    import xlsxwriter

    book = xlsxwriter.Workbook(path, {"constant_memory": True})
    try:
        yield book
        book.close()
    except xlsxwriter.exceptions.FileCreateError as error:
        raise error.args[0] from error  # the refusal of the disk


class TableFormat(NamedTuple):
    """What writes a table, and the package that it needs, with the extra of ours that brings it."""

    write: Callable[[Path, Table], None]
    package: str = ""
    extra: str = ""
    purpose: str = ""

    def require(self) -> None:
        """Raise `MissingDependencyError` where the package is not installed."""
        if not self.package:
            return
        try:
            importlib.import_module(self.package)
        except ImportError as error:
            raise MissingDependencyError(self.package, self.extra, self.purpose) from error


FORMATS: dict[str, TableFormat] = {
    ".csv": TableFormat(_write_csv),
    ".json": TableFormat(_write_json),
    ".parquet": TableFormat(_write_parquet, "pyarrow", "arrow", "Writing Parquet files"),
    ".xlsx": TableFormat(_write_xlsx, "xlsxwriter", "excel", "Writing Excel workbooks"),
}
