"""Pajek networks (`.net`): numbered vertices with labels, then arcs (directed) and edges (both directions).

`*Vertices n`, one line per vertex (`number "label" …`, lines may be missing), then any of `*Arcs`, `*Edges` (pairs),
`*Arcslist`, `*Edgeslist` (a vertex and its neighbours). Numbers from 1; `%` begins a comment.

What follows the label of a vertex are attributes: its place (`x`, `y`, `z`), its `shape`, then names and values in
pairs (`ic Red`); what follows the ends of an arc is its `weight`, then pairs. Texts that could be taken for a number or
two are in quotes. networkx writes them in the same way. A column without any value is left out, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from periplus.errors import FormatError
from periplus.graph.attributes import Attributes, Kind
from periplus.graph.files import read_lines, writing
from periplus.graph.formats.base import Format, LinkList, Probe, check_nodes, names_of, no_options
from periplus.graph.formats.matrix_market import write_pairs
from periplus.graph.formats.values import Bare, Values, bare_value, say, spelt, unescaped
from periplus.graph.graph import Graph

_VERTEX = re.compile(r'\s*(\d+)(?:\s+(?:"((?:[^"\\]|\\.)*)"|(\S+)))?')
_WORD = re.compile(r'"([^"]*)"|(\S+)')
_PLACE = ("x", "y", "z")
_PAIRED, _LISTED = ("*arcs", "*edges"), ("*arcslist", "*edgeslist")


def recognises(probe: Probe) -> bool:
    for line in probe.first_lines:
        if not line.lstrip().startswith("%"):
            return line.lstrip().lower().startswith(("*vertices", "*network"))
    return False


def read(path: Path, lenient: bool, *, directed: bool | None = None) -> Graph:
    links = LinkList(path, lenient)
    names: dict[int, str] = {}
    section, nodes = "", -1
    for number, text in _lines(path):
        if text.startswith("*"):
            section = text.split()[0].lower()
            if section == "*vertices":
                nodes = _vertex_count(path, text, number)
            elif section not in (*_PAIRED, *_LISTED, "*network"):
                raise FormatError(path, f"the section {text.split()[0]} is not a list of arcs or edges", line=number)
        elif section == "*vertices":
            _vertex(links, text, number, nodes, names)
        else:
            both_ways = section in ("*edges", "*edgeslist") if directed is None else not directed
            _links(links, section, text, number, nodes, both_ways)
    if nodes < 0:
        raise FormatError(path, "there is no line `*Vertices n`")
    for i in range(nodes):
        links.declare(str(i + 1), names.get(i + 1, ""))
    return links.graph()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in read_lines(path):
        text = line.decode("utf-8", "surrogateescape").removeprefix("\ufeff").strip()
        if text and not text.startswith("%"):
            yield number, text


def _vertex_count(path: Path, text: str, line: int) -> int:
    words = text.split()
    if len(words) < 2 or not words[1].isdecimal():
        raise FormatError(path, "expected `*Vertices n`", line=line)
    check_nodes(path, int(words[1]), bytes_each=400, line=line)
    return int(words[1])


def _vertex(links: LinkList, text: str, line: int, nodes: int, names: dict[int, str]) -> None:
    match = _VERTEX.match(text)
    if match is None or not 1 <= int(match[1]) <= nodes:
        links.problem(f"{text[:80]!r} is no vertex from 1 to {nodes}", line)
        return
    label = match[2] if match[2] is not None else match[3]
    if label:
        names[int(match[1])] = label.replace('\\"', '"')
    words = _words(text[match.end() :])
    row = int(match[1]) - 1
    for name in _PLACE:
        if words and isinstance(words[0], Bare) and not isinstance(bare_value(words[0]), str):
            links.node_values.put(row, name, words.pop(0))
    if len(words) % 2:
        links.node_values.put(row, "shape", words.pop(0))
    _put_pairs(links.node_values, row, words)


def _words(text: str) -> list[str]:
    """The words of the rest of a line; those without quotes are `Bare`."""
    return [unescaped(quoted) if bare == "" else Bare(bare) for quoted, bare in _WORD.findall(text)]


def _put_pairs(values: Values, row: int, words: list[str]) -> None:
    for name, value in zip(words[::2], words[1::2], strict=True):
        values.put(row, str(name), value)


def _links(links: LinkList, section: str, text: str, line: int, nodes: int, both_ways: bool) -> None:
    words = text.split()
    ends = words[:2] if section in _PAIRED else words
    if len(ends) < 2 or not all(word.isdecimal() and 1 <= int(word) <= nodes for word in ends):
        links.problem(f"{text[:80]!r} names no two vertices from 1 to {nodes}", line)
        return
    for word in ends[1:]:
        row = links.link(int(ends[0]) - 1, int(word) - 1, both_ways=both_ways)
    if len(words) > len(ends):
        rest = _words(text)[2:]
        if len(rest) % 2:
            links.link_values.put(row, "weight", rest.pop(0))
        _put_pairs(links.link_values, row, rest)


# -- writing -------------------------------------------------------------------------------------------------


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Pajek", options)
    nodes, links = (_filled(path, table) for table in (graph.node_attributes, graph.link_attributes))
    with writing(path) as stream:
        stream.write(f"*Vertices {graph.nodes}\n".encode())
        if graph.urls is not None or nodes:
            names = names_of(graph) if graph.urls is not None else map(str, range(1, graph.nodes + 1))
            for i, (name, row) in enumerate(zip(names, _lines_of(nodes, graph.nodes, _PLACE, "shape"), strict=True), 1):
                label = name.replace("\n", " ").replace("\r", " ").replace('"', '\\"')
                stream.write(f'{i} "{label}"{row}\n'.encode("utf-8", "surrogateescape"))
        stream.write(b"*Arcs\n")
        if not links:
            write_pairs(stream, graph.sources, graph.out_targets, first_id=1)
            return
        ends = zip(graph.sources.tolist(), graph.out_targets.tolist(), strict=True)
        for (source, target), row in zip(ends, _lines_of(links, graph.links, (), "weight"), strict=True):
            stream.write(f"{source + 1} {target + 1}{row}\n".encode("utf-8", "surrogateescape"))


def _filled(path: Path, attributes: Attributes | None) -> Attributes:
    """The columns with a value: the others have no place in a file of pairs."""
    held = attributes or Attributes({}, 0)
    empty = [name for name, column in held.items() if column.gaps.all() and held.length]
    if empty:
        say(path, f"Pajek has no place for columns without any value: {', '.join(empty)} left out")
    return Attributes({name: column for name, column in held.items() if name not in empty}, held.length)


def _lines_of(attributes: Attributes, rows: int, first: tuple[str, ...], lone: str) -> Iterator[str]:
    """What follows the names of each row: the columns of `first` and the lone one without their names, then pairs.

    `first` and `lone` are for readers other than ours: they stand so where every row has them.
    """
    placed = [name for name in first[:2] if _is_whole(attributes, name, "number")]
    bare = placed if len(placed) == 2 else []
    if bare and _is_whole(attributes, first[2], "number"):
        bare = list(first)
    if _is_whole(attributes, lone, "text" if first else "number") and (bare or not first):
        bare = [*bare, lone]
    rest = [name for name in attributes if name not in bare]
    for row in attributes.rows() if attributes else [()] * rows:
        held = dict(zip(attributes, row, strict=True))
        told = [_spelt(held[name]) for name in bare]
        told += [f"{_spelt(name)} {_spelt(held[name])}" for name in rest if held[name] is not None]
        yield "".join(f" {one}" for one in told)


def _is_whole(attributes: Attributes, name: str, kind: Kind) -> bool:
    return name in attributes and attributes[name].kind == kind and attributes[name].missing is None


def _spelt(value: Any) -> str:
    """Texts in quotes: what stands bare is a number or a flag."""
    if not isinstance(value, str):
        return spelt(value) if isinstance(value, bool) else repr(value)
    return f'"{"".join(c if c >= " " and c not in _REFERRED else f"&#{ord(c)};" for c in value)}"'


_REFERRED = '"&\x7f\x85\u2028\u2029'  # quotes, ampersands, line ends (with the control characters)


FORMAT = Format(
    name="pajek",
    title="Pajek network",
    suffixes=(".net", ".paj"),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    keeps_attributes=True,
    takes_direction=True,
)
