"""Links between names: `from<TAB>to`, two columns of text, as the Wikispeedia `links.tsv` has them.

The nodes are numbered in the order of the sorted names. Only tabs separate (names may hold blanks); `#` begins a
comment. Such a file cannot hold a node without links.

A table whose first line names a `source` and a `target` column is read by these names, its fields separated by commas,
semicolons or tabs and quoted where they hold one: the edge tables of Gephi and of spreadsheets. A URL may begin with
anything, so in such a table nothing is a comment.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.files import read_lines, writing
from periplus.graph.formats.base import Format, LinkList, Probe, build_graph, names_of, no_options, warn_skipped
from periplus.graph.graph import Graph


class Heading(NamedTuple):
    """Of a table with named columns: what separates its fields, and which of them are the ends of a link."""

    separator: str
    source: int
    target: int

    def names(self, line: str) -> tuple[str, str] | None:
        """The ends of the link on a line; None where one is missing."""
        try:
            fields = next(csv.reader([line], delimiter=self.separator), [])
        except csv.Error:  # a field of more than 128 KiB, say
            return None
        if len(fields) <= max(self.source, self.target):
            return None
        return fields[self.source].strip(), fields[self.target].strip()


def heading_of(line: str) -> Heading | None:
    """The columns that a first line names, if it does."""
    for separator in ",;\t":
        columns = [column.strip(' "').lower() for column in line.split(separator)]
        if "source" in columns and "target" in columns:
            return Heading(separator, columns.index("source"), columns.index("target"))
    return None


def recognises(probe: Probe) -> bool:
    """At least two lines, each of two names, not all of them numbers; or a table of which that is true."""
    if b"\0" in probe.head:
        return False
    lines = [line.rstrip("\r") for line in probe.first_lines]
    if len(probe.head) >= 1 << 16:
        lines = lines[:-1]
    heading = heading_of(lines[0]) if lines else None
    if heading is not None:
        ends = [name for line in lines[1:] for name in heading.names(line) or ()]
        return not all(map(str.isdecimal, ends))
    lines = [line for line in lines if not line.startswith("#")]
    pairs = [line.split("\t") for line in lines]
    names = [word for pair in pairs for word in pair]
    return (
        len(pairs) >= 2 and all(len(pair) == 2 and all(pair) for pair in pairs) and not any(map(str.isdecimal, names))
    )


def read(path: Path, lenient: bool) -> Graph:
    problems = LinkList(path, lenient)
    sources: list[str] = []
    targets: list[str] = []
    for number, text, pair in _pairs(path):
        if pair is None or not pair[0] or not pair[1]:
            problems.problem(f"{text[:80]!r} is no pair of names", number)
            continue
        sources.append(pair[0])
        targets.append(pair[1])
    warn_skipped(path, problems.skipped)
    names = sorted({*sources, *targets}, key=lambda name: name.encode("utf-8", "surrogateescape"))
    ids = {name: i for i, name in enumerate(names)}
    first, second = (np.array([ids[name] for name in column], dtype=np.int64) for column in (sources, targets))
    return build_graph(first, second, len(names), names=names)


def _pairs(path: Path) -> Iterator[tuple[int, str, tuple[str, str] | None]]:
    """Line by line: its number, its text, and the two names in it."""
    heading: Heading | None = None
    for number, line in read_lines(path):
        text = line.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        if number == 1:
            heading = heading_of(text)
            if heading is not None:
                continue
        if not text.strip():
            continue
        if heading is not None:
            yield number, text, heading.names(text)
        elif not text.startswith("#"):
            first, tab, rest = text.partition("\t")
            yield number, text, (first, rest.partition("\t")[0]) if tab else None


def write(graph: Graph, path: Path, **options: Any) -> None:
    no_options("named edges", options)
    if graph.urls is None:
        raise ParameterError("graph", repr(graph), "with names; a graph without them is an edge list")
    names = [name.replace("\t", " ").replace("\n", " ").encode("utf-8", "surrogateescape") for name in names_of(graph)]
    with writing(path) as stream:
        for i in range(graph.nodes):
            stream.writelines(names[i] + b"\t" + names[j] + b"\n" for j in graph.successors(i).tolist())


FORMAT = Format(
    name="named-edges",
    title="links between names",
    suffixes=(".names.tsv",),
    recognises=recognises,
    read=read,
    write=write,
    keeps_names=True,
    lists_nodes=False,
)
