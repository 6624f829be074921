"""Pajek networks (`.net`): numbered vertices with labels, then arcs (directed) and edges (both directions).

`*Vertices n`, one line per vertex (`number "label" …`, lines may be missing), then any of `*Arcs`, `*Edges` (pairs,
with weights that are ignored), `*Arcslist`, `*Edgeslist` (a vertex and its neighbours). Numbers from 1; `%` begins a
comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from periplus.errors import FormatError
from periplus.graph.files import read_lines, writing
from periplus.graph.formats.base import Format, LinkList, Probe, check_nodes, names_of, no_options, sources_of
from periplus.graph.formats.matrix_market import write_pairs
from periplus.graph.graph import Graph

_VERTEX = re.compile(r'\s*(\d+)(?:\s+(?:"((?:[^"\\]|\\.)*)"|(\S+)))?')
_PAIRED, _LISTED = ("*arcs", "*edges"), ("*arcslist", "*edgeslist")


def recognises(probe: Probe) -> bool:
    for line in probe.first_lines:
        if not line.lstrip().startswith("%"):
            return line.lstrip().lower().startswith(("*vertices", "*network"))
    return False


def read(path: Path, lenient: bool) -> Graph:
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
            _links(links, section, text, number, nodes)
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


def _links(links: LinkList, section: str, text: str, line: int, nodes: int) -> None:
    words = text.split()
    ends = words[:2] if section in _PAIRED else words
    if len(ends) < 2 or not all(word.isdecimal() and 1 <= int(word) <= nodes for word in ends):
        links.problem(f"{text[:80]!r} names no two vertices from 1 to {nodes}", line)
        return
    source = int(ends[0]) - 1
    for word in ends[1:]:
        links.link(source, int(word) - 1)
        if section in ("*edges", "*edgeslist"):
            links.link(int(word) - 1, source)


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("Pajek", options)
    with writing(path) as stream:
        stream.write(f"*Vertices {graph.nodes}\n".encode())
        if graph.urls is not None:
            for i, name in enumerate(names_of(graph), start=1):
                label = name.replace("\n", " ").replace("\r", " ").replace('"', '\\"')
                stream.write(f'{i} "{label}"\n'.encode("utf-8", "surrogateescape"))
        stream.write(b"*Arcs\n")
        write_pairs(stream, sources_of(graph), graph.out_targets, first_id=1)


FORMAT = Format(
    name="pajek",
    title="Pajek network",
    suffixes=(".net", ".paj"),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
