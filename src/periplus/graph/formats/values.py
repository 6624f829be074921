"""Attribute values as files spell them, and the columns that become of them.

Files without types tell texts by their quotes. What stands bare (`Bare`) is a whole number, a number or a flag where
all that stands bare in its column is; else the column keeps its texts as they were spelt: `007` stays `007`.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Sequence
from html.entities import html5
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import PeriplusWarning
from periplus.graph.attributes import Attributes, Column, Kind, kind_of, mixture
from periplus.numeric.arrays import AnyArray
from periplus.wording import counted, counted_verb

_WHOLE = re.compile(r"0|-?[1-9]\d{0,18}")
_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?|[+-]?inf|nan|[+-]INF|NAN")
_FLAGS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));")


class Bare(str):
    """A text that stood without quotes."""

    __slots__ = ()


def bare_value(text: str) -> Any:
    """What a bare text stands for."""
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return {"true": True, "false": False}.get(text, text)


def parsed(kind: Kind, text: str) -> Any:
    """The value of a known kind that a text spells; `ValueError` where it spells none."""
    if kind == "text":
        return text
    word = text.strip()
    if kind == "number":
        return float(word)
    if kind == "flag":
        if word.lower() not in _FLAGS:
            raise ValueError(f"{text[:80]!r} is no flag")
        return _FLAGS[word.lower()]
    if not -(2**63) <= (value := int(word)) < 2**63:
        raise ValueError(f"{text[:80]!r} is past 64 bits")
    return value


def spelt(value: Any) -> str:
    """A value as Java and Python both read it in a file that tells the kind."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if isinstance(value, str) else repr(value)


def column_of(path: Path, name: str, values: Sequence[Any]) -> Column:
    """A column of values as read: typed ones, and bare ones whose kind they tell together; None where one is missing.

    A mixture is kept as texts, and a warning says so.
    """
    told = [value for value in values if value is not None]
    bare = [value for value in told if isinstance(value, Bare)]
    if told and len(bare) == len(told):
        typed = [None if value is None else bare_value(value) for value in values]
        kind = kind_of(typed)
        return Column.of_kind("text", values) if kind in (None, "text") else Column.of_kind(kind, typed)
    if bare and kind_of(map(bare_value, bare)) not in ("text", None):
        say(path, f"column {name!r} mixes texts and numbers: kept as texts")
    elif why := mixture(told):
        say(path, f"column {name!r} {why}: kept as texts")
    return Column.of(list(values))


def escaped(text: str) -> str:
    """ASCII alone: everything else, quotes, ampersands and line ends become character references (`&#228;`)."""
    return "".join(c if " " <= c <= "~" and c not in '"&' else f"&#{ord(c)};" for c in text)


def unescaped(text: str) -> str:
    """The text that character references spell; unlike `html.unescape`, every number stands for its own character."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return html5.get(f"{name};", match[0])
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if number < 0x110000 else match[0]


class Values:
    """Attribute values as they come, row by row and sparse; then a table of them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._columns: dict[str, dict[int, Any]] = {}
        self._kinds: dict[str, Kind] = {}

    def declare(self, name: str, kind: Kind) -> str:
        """A column whose kind is known; returns its name, which differs where that is taken."""
        free = free_name(self._path, name, self._columns)
        self._columns[free], self._kinds[free] = {}, kind
        return free

    def put(self, row: int, name: str, value: Any) -> None:
        self._columns.setdefault(name, {})[row] = value

    def fill(self, name: str, value: Any, rows: int) -> None:
        """The value of all rows that have none."""
        self._columns[name] = dict.fromkeys(range(rows), value) | self._columns[name]

    def held(self, name: str) -> dict[int, Any]:
        """The values of a column so far, by row."""
        return self._columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def table(self, rows: int, order: AnyArray | None = None) -> Attributes | None:
        """The columns, in the order of `order` where it is given; None where there are none."""
        if not self._columns:
            return None
        made = {}
        for name, held in self._columns.items():
            values = [held.get(row) for row in range(rows)]
            kind = self._kinds.get(name)
            made[name] = column_of(self._path, name, values) if kind is None else Column.of_kind(kind, values)
        table = Attributes(made, rows)
        return table if order is None else table.take(order)


def free_name(path: Path, name: str, taken: Iterable[str]) -> str:
    """A name for a column that no other has; a warning tells of a new one."""
    used = set(taken)
    if name not in used:
        return name
    number = 2
    while f"{name} ({number})" in used:
        number += 1
    say(path, f"two columns are called {name!r}: the second is now {name} ({number})")
    return f"{name} ({number})"


def tell_doubles(path: Path, names: Sequence[str]) -> None:
    """Say how many names are not the first of theirs."""
    doubles = len(names) - len(set(names))
    if doubles:
        say(
            path,
            f"{counted_verb(doubles, 'node', 'bears')} the name of another: all are kept, a look-up finds the first",
        )


def tell_united(path: Path, links: int, kept: int) -> None:
    """Say how many links with attributes came more than once."""
    if links > kept:
        say(path, f"{counted(links - kept, 'link')} came again: the first attributes are kept")


def first_of_each(sources: AnyArray, targets: AnyArray) -> AnyArray:
    """Where each different link comes first, in the order of the links of a graph."""
    keys = np.asarray(sources).astype(np.uint64) << np.uint64(32) | np.asarray(targets).astype(np.uint64)
    _, first = np.unique(keys, return_index=True)
    return first


def say(path: Path, message: str) -> None:
    """A note for people who read a file."""
    warnings.warn(f"{path}: {message}" if path != Path() else message, PeriplusWarning, stacklevel=4)


def rows_of(attributes: Attributes | None, length: int) -> Iterable[tuple[Any, ...]]:
    """Row by row, or as many empty rows."""
    return attributes.rows() if attributes is not None else iter([()] * length)
