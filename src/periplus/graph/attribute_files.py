"""Attributes in a graph folder: one JSON file that lists the columns, and plain `.npy` files beside it.

    nodes.json             [{"name": …, "kind": "text", "missing": true}, …]; links.json likewise
    nodes.0.npy            the values of column 0, one per node; of texts, their places among the different texts
    nodes.0.missing.npy    True where one is missing, in a column where any is
    nodes.0.ends.npy       of texts: where each of the different texts ends in the bytes
    nodes.0.bytes.npy      of texts: their UTF-8, one after the other

All are mapped when the graph is opened, and nothing is read until somebody asks for a value.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np

from periplus.errors import DamagedError, FormatError
from periplus.graph import store
from periplus.graph.attributes import DTYPES, KINDS, Attributes, Column
from periplus.numeric.arrays import AnyArray, Bools, Offsets
from periplus.numeric.npy import save_array

NODES, LINKS = "nodes", "links"


class _Words(Sequence[str]):
    """Texts in mapped bytes, decoded when asked for."""

    def __init__(self, ends: Offsets, data: AnyArray) -> None:
        self._ends, self._data = ends, data

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise DamagedError(f"a column names text {at} of {len(self):,}: convert the graph again")
        begin = self._ends[at - 1] if at else 0
        return self._data[begin : self._ends[at]].tobytes().decode("utf-8", "surrogateescape")


def save_attributes(folder: Path, stem: str, attributes: Attributes) -> None:
    """Write the columns under names that begin with `stem`."""
    listed = []
    for number, (name, column) in enumerate(attributes.items()):
        listed.append({"name": name, "kind": column.kind, "missing": column.missing is not None})
        save_array(folder / f"{stem}.{number}.npy", np.asarray(column.values, DTYPES[column.kind]))
        if column.missing is not None:
            save_array(folder / f"{stem}.{number}.missing.npy", np.asarray(column.missing))
        if column.kind == "text":
            words = [word.encode("utf-8", "surrogateescape") for word in column.words]
            save_array(folder / f"{stem}.{number}.ends.npy", np.cumsum([len(word) for word in words], dtype="<i8"))
            save_array(folder / f"{stem}.{number}.bytes.npy", np.frombuffer(b"".join(words), np.uint8))
    (folder / f"{stem}.json").write_text(json.dumps(listed, indent=1) + "\n")


def open_attributes(folder: Path, stem: str, length: int) -> Attributes | None:
    """The columns that were saved there, mapped; None where there are none."""
    path = folder / f"{stem}.json"
    if not path.exists():
        return None
    try:
        listed: list[dict[str, Any]] = json.loads(path.read_text())
        columns = {
            str(one["name"]): _open_column(folder, f"{stem}.{number}", one, length) for number, one in enumerate(listed)
        }
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(path, f"cannot be read ({error!r}): convert the graph again") from error
    return Attributes(columns, length)


def _open_column(folder: Path, stem: str, listed: dict[str, Any], length: int) -> Column:
    kind = listed["kind"]
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r}")
    values = store.map_array(folder / f"{stem}.npy", DTYPES[kind], length)
    missing: Bools | None = None
    if listed["missing"]:
        missing = store.map_array(folder / f"{stem}.missing.npy", "|b1", length)
    if kind != "text":
        return Column(kind, values, missing)
    ends = store.map_array(folder / f"{stem}.ends.npy", "<i8")
    data = store.map_array(folder / f"{stem}.bytes.npy", "|u1", int(ends[-1]) if len(ends) else 0)
    return Column(kind, values, missing, _Words(ends, data))
