"""GML (`graph [ node [ id 1 label "x" ] edge [ source 1 target 2 ] ]`), as Newman's collection and many tools use it.

`directed 0`, and no word about it, mean an undirected graph: every edge becomes two links. Labels are the nodes' names;
whatever else stands in a node or an edge is an attribute: `value 1` a whole number, `value 1.0` a number, in quotes a
text. A record within a node, `graphics [ x 1 ]`, becomes `graphics.x`; a key that comes several times a list, kept as
text. The text is read whole.

GML has no flags and no keys with blanks. For a column that needs them we write a key of our own and say before the
graph what it stands for, where other readers pass it over:
`periplus [ node [ key "column1" name "my column" kind "flag" ] ]`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from periplus.errors import FormatError
from periplus.graph.attributes import KINDS, Attributes, Column, Kind
from periplus.graph.files import read_all, writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options
from periplus.graph.formats.values import Bare, Values, bare_value, escaped, rows_of, say, unescaped
from periplus.graph.graph import Graph

_TOKEN = re.compile(r'"([^"]*)"|([\[\]])|([^\s\[\]"]+)|(")')
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_OURS = {"node": ("id", "label"), "edge": ("source", "target")}
_Record: TypeAlias = "dict[str, str | list[str]]"


def recognises(probe: Probe) -> bool:
    return re.search(r"^\s*graph\s*\[", probe.text, re.MULTILINE) is not None and not probe.text.startswith(("<", "{"))


# -- reading -------------------------------------------------------------------------------------------------


def read(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    text = _COMMENT.sub("", read_all(path).decode("utf-8", "surrogateescape"))
    reader = _Reader(path, text, lenient)
    seen = False
    for keys, record, position in _records(path, text):
        if keys == ("graph",):
            seen = True
            if directed is None and (told := _value(record, "directed")) is not None:
                directed = told == "1"
        elif keys == ("graph", "node"):
            reader.node(record, position)
        elif keys == ("graph", "edge"):
            reader.edge(record, position)
        elif len(keys) == 2 and keys[0] == "periplus":
            reader.declaration(keys[1], record)
    if not seen:
        raise FormatError(path, "there is no complete `graph [ … ]`: the file is cut off", line=_line(text, len(text)))
    reader.links.silent_about = "`directed`" if directed is None else ""
    return reader.links.graph(symmetric=not directed)


def _records(path: Path, text: str) -> Iterator[tuple[tuple[str, ...], _Record, int]]:
    """Every `key [ … ]` when it closes: the keys down to it, its values, where it began."""
    stack: list[tuple[str, _Record, int]] = [("", {}, 0)]
    key: str | None = None
    for match in _TOKEN.finditer(text):
        string, bracket, word, stray = match.groups()
        if stray:
            raise FormatError(path, "a string has no end", line=_line(text, match.start()))
        if bracket == "[":
            if key is None:
                raise FormatError(path, "`[` without a key", line=_line(text, match.start()))
            stack.append((key, {}, match.start()))
            key = None
        elif bracket == "]":
            if key is not None or len(stack) == 1:
                raise FormatError(path, "`]` where a value is due", line=_line(text, match.start()))
            yield from _closed(stack)
        elif key is None:
            key = word if word is not None else string
        else:
            _add(stack[-1][1], key, unescaped(string) if string is not None else Bare(word))
            key = None
    if len(stack) > 1:
        raise FormatError(path, f"`{stack[-1][0]} [` has no end: the file is cut off", line=_line(text, len(text)))


def _closed(stack: list[tuple[str, _Record, int]]) -> Iterator[tuple[tuple[str, ...], _Record, int]]:
    """The record that ends; one within a node or an edge becomes values of that."""
    name, record, begin = stack.pop()
    keys = tuple(each.lower() for each, _, _ in stack[1:])
    if keys[:2] in (("graph", "node"), ("graph", "edge")):
        for key, value in record.items():
            for one in value if isinstance(value, list) else [value]:
                _add(stack[-1][1], f"{name}.{key}", one)
    else:
        yield (*keys, name.lower()), record, begin


def _add(record: _Record, key: str, value: str) -> None:
    if key in record:
        held = record[key]
        record[key] = [*(held if isinstance(held, list) else [held]), value]
    else:
        record[key] = value


def _key(record: Mapping[str, Any], name: str) -> str | None:
    """How a record spells one of the keys of the format."""
    return name if name in record else next((key for key in record if key.lower() == name), None)


def _value(record: _Record, name: str) -> str | None:
    key = _key(record, name)
    held = None if key is None else record[key]
    return held[-1] if isinstance(held, list) else held


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


class _Reader:
    """Nodes and edges on their way into a list of links."""

    def __init__(self, path: Path, text: str, lenient: bool) -> None:
        self.links = LinkList(path, lenient)
        self._text = text
        self._declared: dict[tuple[str, str], tuple[str, Kind]] = {}
        self._lists: set[str] = set()

    def declaration(self, what: str, record: _Record) -> None:
        key, name, kind = (_value(record, each) for each in ("key", "name", "kind"))
        if what in _OURS and key and name is not None and kind in KINDS:
            values = self.links.node_values if what == "node" else self.links.link_values
            self._declared[what, key] = values.declare(name, kind), kind

    def node(self, record: _Record, position: int) -> None:
        key = _value(record, "id")
        if key is None:
            self.links.problem("a node has no id", _line(self._text, position))
            return
        line = _line(self._text, position) if self.links.lenient else None
        row = self.links.declare(key, _value(record, "label") or "", line)
        self._keep(self.links.node_values, row, "node", record)

    def edge(self, record: _Record, position: int) -> None:
        source, target = _value(record, "source"), _value(record, "target")
        if source is None or target is None:
            self.links.problem("an edge has no source and target", _line(self._text, position))
            return
        row = self.links.link(self.links.node(source), self.links.node(target))
        self._keep(self.links.link_values, row, "edge", record)

    def _keep(self, values: Values, row: int, what: str, record: _Record) -> None:
        passed = [_key(record, name) for name in _OURS[what]]
        for key, value in record.items():
            if key in passed:
                continue
            name, kind = self._declared.get((what, key), (key, None))
            if isinstance(value, list):
                values.put(row, name, self._list(what, key, value))
            else:
                values.put(row, name, value if kind is None else self.links.value(kind, value))

    def _list(self, what: str, key: str, values: list[str]) -> str:
        if key not in self._lists:
            self._lists.add(key)
            say(self.links.path, f"the key {key!r} comes several times in one {what}: kept as a list, in a text")
        plain = [bare_value(value) if isinstance(value, Bare) else value for value in values]
        return json.dumps(plain, ensure_ascii=False)


# -- writing -------------------------------------------------------------------------------------------------


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("GML", options)
    declared: list[str] = []
    node_keys = _keys("node", graph.node_attributes, declared)
    link_keys = _keys("edge", graph.link_attributes, declared)
    with writing(path) as stream:
        if declared:
            stream.write("\n".join(["periplus [", *declared, "]\n"]).encode())
        stream.write(b"graph [\n  directed 1\n")
        names = names_of(graph) if graph.urls is not None else ("" for _ in range(graph.nodes))
        for i, (name, row) in enumerate(zip(names, rows_of(graph.node_attributes, graph.nodes), strict=True)):
            label = f' label "{escaped(name)}"' if graph.urls is not None else ""
            stream.write(f"  node [ id {i}{label}{_pairs(node_keys, row)} ]\n".encode())
        ends = zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True)
        for (source, target), row in zip(ends, rows_of(graph.link_attributes, graph.links), strict=True):
            stream.write(f"  edge [ source {source} target {target}{_pairs(link_keys, row)} ]\n".encode())
        stream.write(b"]\n")


def _keys(what: str, attributes: Attributes | None, declared: list[str]) -> list[str]:
    """The key of every column; those that the keys and values alone do not tell are declared."""
    keys = []
    for number, (name, column) in enumerate((attributes or {}).items(), 1):
        ours = _KEY.fullmatch(name) is None or name.lower() in _OURS[what]
        key = name
        if ours:
            key = f"column{number}"
            while key in (attributes or {}):
                key += "x"
        if ours or not _tells_itself(column):
            declared.append(f'  {what} [ key "{key}" name "{escaped(name)}" kind "{column.kind}" ]')
        keys.append(key)
    return keys


def _tells_itself(column: Column) -> bool:
    """Whether a reader of the values alone comes to the same kind."""
    known = column.values[~column.gaps]
    return bool(len(known)) and column.kind != "flag" and not (column.kind == "number" and bool((known != known).any()))


def _pairs(keys: list[str], row: tuple[Any, ...]) -> str:
    return "".join(f" {key} {_spelt(value)}" for key, value in zip(keys, row, strict=True) if value is not None)


def _spelt(value: Any) -> str:
    if isinstance(value, str):
        return f'"{escaped(value)}"'
    if isinstance(value, bool | int):
        return str(int(value))
    if not math.isfinite(value):
        return '"NaN"' if value != value else "+INF" if value > 0 else "-INF"
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"  # a number needs its point


FORMAT = Format(
    name="gml",
    title="GML",
    suffixes=(".gml",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
