"""Tables as files, read back by programs that are not ours: csv, json, pyarrow, openpyxl."""

from __future__ import annotations

import csv
import json
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.cli.shared.output import TABLE_ENDINGS
from periplus.errors import MissingDependencyError, ParameterError, PeriplusWarning
from periplus.record import Table, write_table
from periplus.record.writing import FORMATS, SHEET_ROWS, SHEET_TEXT, check_ending

COLUMNS = {
    "url": ["http://a/", "=1+1", None, 'é,"x"\n'],
    "pages": np.array([1, 2, 2**40, -4]),
    "score": np.array([0.1, np.nan, -1e-300, 3.0]),
    "place": [1, None, 3, 4],
    "core": np.array([True, False, True, True]),
    "later": [None, 1, 2.5, None],
}
ROWS = [
    ("http://a/", 1, 0.1, 1, True, None),
    ("=1+1", 2, None, None, False, 1.0),
    (None, 2**40, -1e-300, 3, True, 2.5),
    ('é,"x"\n', -4, 3.0, 4, True, None),
]
formats = pytest.mark.parametrize("ending", FORMATS)


def read(path: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Names and rows of a table, by an independent reader."""
    match path.suffix:
        case ".csv":
            with open(path, newline="", encoding="utf-8") as file:
                names, *rows = csv.reader(file)
            return names, [tuple(row) for row in rows]
        case ".json":
            found = json.loads(path.read_text(encoding="utf-8"))
            return list(found[0]) if found else [], [tuple(row.values()) for row in found]
        case ".parquet":
            table = pytest.importorskip("pyarrow.parquet").read_table(path)
            return table.column_names, [tuple(row.values()) for row in table.to_pylist()]
    sheet = pytest.importorskip("openpyxl").load_workbook(path).active
    names, *rows = sheet.iter_rows()
    assert all(cell.data_type != "f" for row in rows for cell in row), "a text became a formula"
    return [cell.value for cell in names], [tuple(cell.value for cell in row) for row in rows]


@pytest.fixture(autouse=True)
def _installed(request: pytest.FixtureRequest) -> None:
    if "ending" in request.fixturenames:
        ending = request.getfixturevalue("ending")
        if package := FORMATS[ending].package:
            pytest.importorskip(package)


@formats
def test_a_table_is_read_back_as_it_was(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{ending}"
    write_table(path, Table.of(COLUMNS))
    names, rows = read(path)
    assert names == list(COLUMNS)
    if ending == ".csv":
        told = [tuple("" if cell is None else str(cell) for cell in row) for row in ROWS]
        told[1] = ("'=1+1", *told[1][1:])
        told[1] = (*told[1][:-1], "1")  # a list of whole numbers and others keeps each as it is
        assert rows == told
    else:
        assert rows == ROWS
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@formats
def test_a_table_without_rows_has_its_columns(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{ending}"
    write_table(path, Table.of_rows(("a", "b"), []))
    names, rows = read(path)
    assert (names, rows) == ([] if ending == ".json" else ["a", "b"], [])


CELLS = {
    "text": st.none()
    | st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")),
    "whole": st.none() | st.integers(-(2**53), 2**53),
    "number": st.none() | st.floats(allow_nan=False, allow_infinity=False),
    "flag": st.none() | st.booleans(),
}


@formats
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_table_survives(ending: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    kinds = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4))
    columns = {f"{kind} {at}": kind for at, kind in enumerate(kinds)}
    rows = data.draw(st.lists(st.tuples(*(CELLS[kind] for kind in kinds)), max_size=5))
    parts = [list(zip(*rows[at : at + 2], strict=True)) for at in range(0, len(rows), 2)]
    path = tmp_path_factory.mktemp("any") / f"t{ending}"
    write_table(path, Table(columns, len(rows), parts))  # type: ignore[arg-type]
    if rows:
        names, found = read(path)
        assert names == list(columns)
        if ending == ".csv":
            found = [tuple(map(_uncsv, row, kinds)) for row in found]
            rows = [tuple(None if cell == "" else cell for cell in row) for row in rows]
        elif ending == ".xlsx":  # has no cell of an empty text
            rows = [tuple(None if cell == "" else cell for cell in row) for row in rows]
            found = [tuple(map(_unxlsx, row, kinds)) for row in found]
            found += [(None,) * len(kinds)] * (len(rows) - len(found))  # nor a last row of nothing
            rows = [tuple(float(f"{cell:.16g}") if type(cell) is float else cell for cell in row) for row in rows]
        assert found == rows


def _uncsv(cell: str, kind: str) -> Any:
    if cell == "":
        return None
    if kind == "text" and cell[0] == "'" and cell[1:2] in ("=", "+", "-", "@"):
        return cell[1:]
    return {"text": str, "whole": int, "number": float, "flag": "True".__eq__}[kind](cell)


def _unxlsx(cell: Any, kind: str) -> Any:
    return None if cell == "" else float(cell) if kind == "number" and cell is not None else cell


def test_the_rows_are_written_as_they_come(tmp_path: Path) -> None:
    """Memory stays that of a part, however many parts there are."""
    size, parts, said = 2_000, 50, []

    def made() -> Iterator[list[Any]]:
        for at in range(parts):
            yield [[f"{at} {row} " + "x" * 200 for row in range(size)], np.arange(size)]

    tracemalloc.start()
    write_table(tmp_path / "t.csv", Table({"a": "text", "b": "whole"}, size * parts, made()), progress=said.append)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "t.csv").stat().st_size > 20_000_000
    assert most < 5_000_000
    assert said == [size * (at + 1) for at in range(parts)]


def test_an_ending_that_names_no_format_is_refused(tmp_path: Path) -> None:
    for name in ("t.txt", "t", "t.npy", ".csv"):
        with pytest.raises(ParameterError, match=r"ends in \.csv, \.json, \.parquet or \.xlsx"):
            write_table(tmp_path / name, Table.of(COLUMNS))
    assert list(tmp_path.iterdir()) == []
    check_ending("t.NPY", (*FORMATS, ".npy"))
    assert tuple(FORMATS) == TABLE_ENDINGS


@pytest.mark.parametrize(("ending", "extra"), [(".parquet", "arrow"), (".xlsx", "excel")])
def test_a_package_that_is_not_there_is_named(ending: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, FORMATS[ending].package, None)
    with pytest.raises(MissingDependencyError, match=rf"periplus\[{extra}\]"):
        check_ending(f"t{ending}")


def test_what_a_sheet_cannot_hold_is_said(tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    with pytest.raises(ParameterError, match=r"1,048,575 rows.*\.csv"):
        write_table(tmp_path / "t.xlsx", Table({"a": "whole"}, SHEET_ROWS, []))
    with pytest.warns(PeriplusWarning, match="1 texts are longer"):
        write_table(tmp_path / "t.xlsx", Table.of({"a": ["x" * (SHEET_TEXT + 1), "y"]}))
    assert read(tmp_path / "t.xlsx")[1] == [("x" * SHEET_TEXT,), ("y",)]


def test_a_table_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[list[Any]]:
        yield [[1]]
        raise KeyboardInterrupt

    for ending, made in FORMATS.items():
        if made.package:
            pytest.importorskip(made.package)
        with pytest.raises(KeyboardInterrupt):
            write_table(tmp_path / f"t{ending}", Table({"a": "whole"}, 2, broken()))
    assert list(tmp_path.iterdir()) == []
