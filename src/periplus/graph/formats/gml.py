"""GML (`graph [ node [ id 1 label "x" ] edge [ source 1 target 2 ] ]`), as Newman's collection and many tools use it.

`directed 0`, or no `directed` at all, means an undirected graph: every edge becomes two links. Labels are the nodes'
names; other attributes are ignored. The whole text is read into memory.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from periplus.errors import FormatError
from periplus.graph.files import read_all, writing
from periplus.graph.formats.base import Format, LinkList, Probe, names_of, no_options, sources_of
from periplus.graph.graph import Graph

_TOKEN = re.compile(r'"([^"]*)"|([\[\]])|([^\s\[\]"]+)|(")')
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


def recognises(probe: Probe) -> bool:
    return re.search(r"^\s*graph\s*\[", probe.text, re.MULTILINE) is not None and not probe.text.startswith(("<", "{"))


def read(path: Path, lenient: bool) -> Graph:
    text = _COMMENT.sub("", read_all(path).decode("utf-8", "surrogateescape"))
    links = LinkList(path, lenient)
    directed, seen = False, False
    for keys, values, position in _records(path, text):
        if keys == ("graph",):
            directed, seen = values.get("directed") == "1", True
        elif keys == ("graph", "node"):
            _node(links, values, text, position)
        elif keys == ("graph", "edge"):
            _edge(links, values, text, position)
    if not seen:
        raise FormatError(path, "there is no complete `graph [ … ]`: the file is cut off", line=_line(text, len(text)))
    return links.graph(symmetric=not directed)


def _records(path: Path, text: str) -> Iterator[tuple[tuple[str, ...], dict[str, str], int]]:
    """Every `key [ … ]` when it closes: the keys down to it, its plain values, where it began."""
    stack: list[tuple[str, dict[str, str], int]] = [("", {}, 0)]
    key: str | None = None
    for match in _TOKEN.finditer(text):
        string, bracket, word, stray = match.groups()
        if stray:
            raise FormatError(path, "a string has no end", line=_line(text, match.start()))
        if bracket == "[":
            if key is None:
                raise FormatError(path, "`[` without a key", line=_line(text, match.start()))
            stack.append((key.lower(), {}, match.start()))
            key = None
        elif bracket == "]":
            if key is not None or len(stack) == 1:
                raise FormatError(path, "`]` where a value is due", line=_line(text, match.start()))
            _, values, begin = stack[-1]
            yield tuple(name for name, _, _ in stack[1:]), values, begin
            stack.pop()
        elif key is None:
            key = word if word is not None else string
        else:
            stack[-1][1][key.lower()] = html.unescape(string) if string is not None else word
            key = None
    if len(stack) > 1:
        raise FormatError(path, f"`{stack[-1][0]} [` has no end: the file is cut off", line=_line(text, len(text)))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _node(links: LinkList, values: dict[str, str], text: str, position: int) -> None:
    if "id" not in values:
        links.problem("a node has no id", _line(text, position))
        return
    links.declare(values["id"], values.get("label", ""), _line(text, position) if links.lenient else None)


def _edge(links: LinkList, values: dict[str, str], text: str, position: int) -> None:
    if "source" not in values or "target" not in values:
        links.problem("an edge has no source and target", _line(text, position))
        return
    links.link(links.node(values["source"]), links.node(values["target"]))


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("GML", options)
    with writing(path) as stream:
        stream.write(b"graph [\n  directed 1\n")
        names = names_of(graph) if graph.urls is not None else ("" for _ in range(graph.nodes))
        for i, name in enumerate(names):
            label = f' label "{_escaped(name)}"' if graph.urls is not None else ""
            stream.write(f"  node [ id {i}{label} ]\n".encode())
        for source, target in zip(sources_of(graph).tolist(), graph.out_targets.tolist(), strict=True):
            stream.write(f"  edge [ source {source} target {target} ]\n".encode())
        stream.write(b"]\n")


def _escaped(name: str) -> str:
    """GML is ASCII: everything else, quotes, ampersands and line ends become character references."""
    return "".join(c if " " <= c <= "~" and c not in '"&' else f"&#{ord(c)};" for c in name)


FORMAT = Format(
    name="gml",
    title="GML",
    suffixes=(".gml",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
)
