"""`Attributes`: what a graph knows of its nodes, or of its links, besides their names: columns of values by name.

A column holds texts, whole numbers (int64), numbers (float64) or flags, and any of its values may be missing. The
values are a plain numpy array, so that a column can lie in a mapped file and be cut like the graph itself; a text
column holds the place of each value in `words`, the different texts, each kept once. Nothing here needs pyarrow:
`to_arrow()` exports.

Values of several kinds in one column: whole numbers among numbers become numbers where that loses nothing; any other
mixture, lists, and whole numbers past 64 bits are kept as texts, and a warning says so.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from periplus.errors import MissingDependencyError, ParameterError, PeriplusWarning
from periplus.numeric.arrays import AnyArray, Bools

Kind: TypeAlias = Literal["text", "whole", "number", "flag"]
KINDS: tuple[Kind, ...] = ("text", "whole", "number", "flag")
DTYPES: Mapping[Kind, str] = {"text": "<u4", "whole": "<i8", "number": "<f8", "flag": "|b1"}
_LARGEST = 2**63
_EXACT = 2**53  # whole numbers up to here are float64 as they are


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Values of one kind; `missing` is None where none is. Of a text column `values` are places in `words`."""

    kind: Kind
    values: AnyArray
    missing: Bools | None = None
    words: Sequence[str] = ()

    @classmethod
    def of(cls, values: Any) -> Column:
        """A column of any values, None for a missing one; an array of numbers or flags is taken as it is."""
        if isinstance(values, Column):
            return values
        if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "biuf":
            kind: Kind = {"b": "flag", "f": "number"}.get(values.dtype.kind, "whole")  # type: ignore[assignment]
            if values.dtype != np.uint64 or not len(values) or int(values.max()) < _LARGEST:
                return cls(kind, np.asarray(values, DTYPES[kind]))
        listed = values.tolist() if hasattr(values, "tolist") else list(values)
        return cls.of_kind(kind_of(listed) or "text", listed)

    @classmethod
    def of_kind(cls, kind: Kind, values: Sequence[Any]) -> Column:
        """A column of values that are of this kind, or None."""
        missing = np.fromiter((value is None for value in values), np.bool_, len(values))
        gaps = missing if missing.any() else None
        if kind != "text":
            filled = [0 if value is None else value for value in values] if gaps is not None else values
            return cls(kind, np.array(filled, DTYPES[kind]), gaps)
        texts = [None if value is None else text_of(value) for value in values]
        places: dict[str, int] = {}
        codes = [0 if text is None else places.setdefault(text, len(places)) for text in texts]
        return cls(kind, np.array(codes, DTYPES["text"]), gaps, tuple(places))

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, row: int) -> Any:
        """One value in Python's own type; None where it is missing."""
        if self.missing is not None and self.missing[row]:
            return None
        value = self.values[row].item()
        return self.words[value] if self.kind == "text" else value

    def tolist(self) -> list[Any]:
        """Every value in Python's own type; None where one is missing."""
        listed: list[Any] = self.values.tolist()
        if self.kind == "text":
            if self.missing is not None:
                listed = [None if gap else at for at, gap in zip(listed, self.missing.tolist(), strict=True)]
            spelt = {at: self.words[at] for at in set(listed) - {None}}
            return [spelt.get(at) for at in listed]
        if self.missing is None:
            return listed
        return [None if gap else value for value, gap in zip(listed, self.missing.tolist(), strict=True)]

    def take(self, rows: AnyArray) -> Column:
        """The values of these rows, in this order; −1 stands for a missing one."""
        absent = rows < 0 if rows.dtype.kind == "i" else np.zeros(len(rows), np.bool_)
        missing = absent if self.missing is None else absent | self.missing[rows]
        values = self.values[rows] if len(self) else np.zeros(len(rows), DTYPES[self.kind])
        return Column(self.kind, values, missing if missing.any() else None, self.words)

    @property
    def gaps(self) -> Bools:
        """True where a value is missing."""
        return np.zeros(len(self), np.bool_) if self.missing is None else self.missing

    def groups(self) -> tuple[AnyArray, tuple[str, ...]]:
        """The rows grouped by value: the number of each row's group (−1 for none), and what the groups are called."""
        labels = np.full(len(self), -1, np.int64)
        known = ~self.gaps
        found, places = np.unique(self.values[known], return_inverse=True)
        names = [self.words[at] if self.kind == "text" else text_of(at) for at in found.tolist()]
        order = sorted(range(len(names)), key=names.__getitem__) if self.kind == "text" else range(len(names))
        rank = np.empty(len(names), np.int64)
        rank[list(order)] = np.arange(len(names))
        labels[known] = rank[places]
        return labels, tuple(names[at] for at in order)


class Attributes(Mapping[str, Column]):
    """Columns by name, one row per node or per link; immutable. The order of the columns is kept."""

    def __init__(self, columns: Mapping[str, Column], length: int) -> None:
        for name, column in columns.items():
            if len(column) != length:
                raise ParameterError(f"column {name!r}", f"{len(column):,} values", f"one for each of {length:,} rows")
        self._columns = dict(columns)
        self.length = length

    @classmethod
    def of(cls, columns: Mapping[str, Any], length: int) -> Attributes:
        """Columns of any values; a warning names the columns kept as text because their kinds do not go together."""
        made = {}
        for name, values in columns.items():
            if isinstance(values, list | tuple) and (why := mixture(values)):
                _warn(f"column {name!r} {why}: kept as text")
            made[str(name)] = Column.of(values)
        return cls(made, length)

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        told = ", ".join(f"{name}: {column.kind}" for name, column in self.items())
        return f"Attributes({self.length:,} rows; {told})"

    def find(self, name: str, noun: str = "attribute") -> Column:
        """The column of that name; the error lists those there are."""
        if name not in self._columns:
            raise ParameterError(noun, name, f"one of {', '.join(self) or 'none: this graph has none'}")
        return self._columns[name]

    def take(self, rows: AnyArray) -> Attributes:
        """The rows given, in this order; −1 stands for a row without values."""
        return Attributes({name: column.take(rows) for name, column in self.items()}, len(rows))

    def joined(self, columns: Mapping[str, Any]) -> Attributes:
        """These columns and more; one of a name that is there already takes its place."""
        return Attributes({**self._columns, **Attributes.of(columns, self.length)}, self.length)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Row by row in Python's own types, None for what is missing."""
        return zip(*(column.tolist() for column in self.values()), strict=True) if self else iter([()] * self.length)

    def to_dict(self) -> dict[str, list[Any]]:
        """Every column as a list."""
        return {name: column.tolist() for name, column in self.items()}

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the columns."""
        try:
            import pyarrow
        except ImportError:
            raise MissingDependencyError("pyarrow", "arrow", "attributes as an Arrow table") from None
        types = {"whole": pyarrow.int64(), "number": pyarrow.float64(), "flag": pyarrow.bool_()}
        arrays = {}
        for name, column in self.items():
            values = np.asarray(column.values)
            if column.kind == "text":
                codes = pyarrow.array(values.astype(np.int32), mask=column.missing)
                arrays[name] = pyarrow.DictionaryArray.from_arrays(
                    codes, pyarrow.array(list(column.words) or [""], pyarrow.string())
                ).cast(pyarrow.string())
            else:
                arrays[name] = pyarrow.array(values, types[column.kind], mask=column.missing, from_pandas=False)
        return pyarrow.table(arrays)


def kind_of(values: Iterable[Any]) -> Kind | None:
    """The kind of all values that are not None: "text" where there is none, None where they do not go together."""
    kinds: set[Kind] = set()
    largest = 0
    for value in values:
        if value is None:
            continue
        kind = _kind_of_value(value)
        if kind is None:
            return None
        if kind == "whole":
            largest = max(largest, abs(value), abs(value + 1))
        kinds.add(kind)
    if kinds == {"whole", "number"}:
        return "number" if largest <= _EXACT else None
    if largest > _LARGEST or len(kinds) > 1:
        return None
    return kinds.pop() if kinds else "text"


def _kind_of_value(value: object) -> Kind | None:
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool | np.bool_):
        return "flag"
    if isinstance(value, int | np.integer):
        return "whole"
    return "number" if isinstance(value, float | np.floating) else None


def mixture(values: Iterable[Any]) -> str:
    """Why values of several kinds are kept as texts, in words; nothing where they are of one kind."""
    listed = [value for value in values if value is not None]
    if kind_of(listed) is not None:
        return ""
    kinds = {_kind_of_value(value) for value in listed}
    if None in kinds:
        return "holds values that are no single text or number, such as lists"
    if kinds <= {"whole", "number"}:
        return "holds whole numbers that float64 or int64 cannot hold"
    words = {"text": "texts", "whole": "whole numbers", "number": "numbers", "flag": "flags"}
    return f"mixes {' and '.join(sorted(words[kind] for kind in kinds if kind))}"


def text_of(value: Any) -> str:
    """A value as a text: what files without types hold of it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, np.generic):
        value = value.item()
    return repr(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False, default=str)


def _warn(message: str) -> None:
    warnings.warn(message, PeriplusWarning, stacklevel=4)
