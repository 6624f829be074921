"""What a format is: a name, a test of the first bytes, a reader and a writer. Each file here has one `Format`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from periplus.errors import FormatError, ParameterError, PeriplusWarning
from periplus.graph.attributes import Kind
from periplus.graph.files import plain_suffix, read_head
from periplus.graph.formats.values import Values, first_of_each, parsed, say, tell_doubles, tell_united
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray

MOST_NODES = 2**32
"""Ids are uint32: a graph has at most this many nodes."""


@dataclass(frozen=True)
class Probe:
    """What the formats look at to recognise their own: the path, and the first bytes, decompressed and read once."""

    path: Path

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        return read_head(self.path) if self.path.is_file() else b""

    @cached_property
    def text(self) -> str:
        return self.head.decode("utf-8", "replace").removeprefix("\ufeff")

    @cached_property
    def first_lines(self) -> list[str]:
        return [line for line in self.text.split("\n")[:200] if line.strip()]

    @cached_property
    def suffix(self) -> str:
        return plain_suffix(self.path)


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the table of formats."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    """Endings that choose this format when writing."""
    recognises: Callable[[Probe], bool]
    read: Callable[..., Graph]
    """`read(path, lenient)`."""
    write: Callable[..., None]
    """`write(graph, path, **options)`."""
    keeps_names: bool = False
    lists_nodes: bool = True
    """Whether pages without links are in it too."""
    directed: bool = True
    keeps_attributes: bool = False
    takes_direction: bool = False
    """Whether `read(path, lenient, directed=…)` can be told what the links are, against the file or in its silence."""


class LinkList:
    """Links as they are read, then a graph; node names, where the format has them, in order of first sight.

    `node_values` and `link_values` take what the file says of nodes (by id) and of links (by the number that `link`
    gives).
    """

    def __init__(self, path: Path, lenient: bool = False) -> None:
        self.path = path
        self.lenient = lenient
        self.skipped = 0
        self.silent_about = ""
        """What the file should say and does not, where its links are therefore taken as undirected."""
        self.node_values = Values(path)
        self.link_values = Values(path)
        self._sources: list[int] = []
        self._targets: list[int] = []
        self._both_ways: list[int] = []
        self._ids: dict[str, int] = {}
        self.names: list[str] = []
        self._declared: set[str] = set()
        self._first_used: dict[str, int | None] = {}

    def declare(self, key: str, name: str = "", line: int | None = None) -> int:
        """A node of the file; `name` is what people call it, where that is not the key itself."""
        if key in self._declared:
            self.problem(f"node {key!r} occurs twice", line)
        self._declared.add(key)
        number = self._number(key)
        if name:
            self.names[number] = name
        return number

    def node(self, key: str, line: int | None = None) -> int:
        """The id of a node that a link names; ids are given out in order of first sight."""
        if key not in self._declared:
            self._first_used.setdefault(key, line)
        return self._number(key)

    def _number(self, key: str) -> int:
        number = self._ids.setdefault(key, len(self._ids))
        if number == len(self.names):
            self.names.append(key)
        return number

    def link(self, source: int, target: int, *, both_ways: bool = False) -> int:
        """A link, or one each way; returns the number under which `link_values` knows it."""
        if both_ways:
            self._both_ways.append(len(self._sources))
        self._sources.append(source)
        self._targets.append(target)
        return len(self._sources) - 1

    @property
    def count(self) -> int:
        """How many links there are so far."""
        return len(self._sources)

    def problem(self, message: str, line: int | None = None) -> None:
        """An entry that cannot be used: an error, or counted when lenient."""
        if not self.lenient:
            raise FormatError(self.path, message, line=line)
        self.skipped += 1

    def value(self, kind: Kind, text: str, line: int | None = None) -> Any:
        """The value that a text spells; None, and a problem, where it spells none of that kind."""
        try:
            return parsed(kind, text)
        except ValueError:
            self.problem(f"{text[:80]!r} is no {_NOUNS[kind]}", line)
            return None

    def graph(self, *, symmetric: bool = False) -> Graph:
        """The graph; `symmetric` adds every link the other way round, for undirected formats."""
        for key, line in self._first_used.items():
            if key not in self._declared:
                self.problem(f"a link names node {key!r}, which the file does not list", line)
        warn_skipped(self.path, self.skipped)
        sources = np.asarray(self._sources, dtype=np.int64)
        targets = np.asarray(self._targets, dtype=np.int64)
        back = np.arange(len(sources)) if symmetric else np.asarray(self._both_ways, dtype=np.int64)
        all_sources = np.concatenate((sources, targets[back]))
        all_targets = np.concatenate((targets, sources[back]))
        keys, names = list(self._ids), None
        if not _is_plain_numbering(keys, self.names):
            names = self.names
            tell_doubles(self.path, names)
            if names != keys and "id" not in self.node_values and not _is_plain_numbering(keys, keys):
                for row, key in enumerate(keys):
                    self.node_values.put(row, "id", key)
        graph = build_graph(all_sources, all_targets, len(keys), names=names)
        graph.node_attributes = self.node_values.table(len(keys))
        told = self.link_values.table(len(sources))
        if told is not None:
            first = first_of_each(all_sources, all_targets)
            tell_united(self.path, len(sources), len(first_of_each(sources, targets)))
            graph.link_attributes = told.take(np.concatenate((np.arange(len(sources)), back))[first])
        if self.silent_about and graph.links:
            say(
                self.path,
                f"does not say whether its links are directed (no {self.silent_about}): read as undirected, each link "
                "both ways, as its standard has it; --directed (directed=True) reads each as it is written",
            )
        return graph


_NOUNS: dict[Kind, str] = {"text": "text", "whole": "whole number of 64 bits", "number": "number", "flag": "flag"}


def _is_plain_numbering(keys: Iterable[str], names: Iterable[str]) -> bool:
    """True where the keys are 0, 1, 2 … (or from 1 on, or n0, n1 …) and the nodes bear no other name."""
    pairs = list(zip(keys, names, strict=True))
    return any(all(key == name == form(i) for i, (key, name) in enumerate(pairs)) for form in _NUMBERINGS)


_NUMBERINGS: tuple[Callable[[int], str], ...] = (str, lambda i: str(i + 1), lambda i: f"n{i}")


def build_graph(
    sources: AnyArray, targets: AnyArray, nodes: int, *, symmetric: bool = False, names: list[str] | None = None
) -> Graph:
    """A graph from links and, where given, node names."""
    if symmetric:
        sources, targets = np.concatenate((sources, targets)), np.concatenate((targets, sources))
    return Graph.from_edges(sources, targets, nodes, urls=name_table(names))


def check_nodes(path: Path, nodes: int, bytes_each: int = 16, line: int | None = None) -> None:
    """Refuse a promise of more nodes than this machine could hold: a header that lies must not fill the memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if nodes > MOST_NODES or nodes * bytes_each > memory:
        raise FormatError(path, f"promises {nodes:,} nodes, more than 2³² or than this machine can hold", line=line)


def name_table(names: list[str] | None) -> Any:
    if names is None:
        return None
    from periplus.graph.urls.table import NameTable

    return NameTable.from_names(names)


def warn_skipped(path: Path, skipped: int) -> None:
    if skipped:
        warnings.warn(f"{path}: skipped {skipped:,} entries that could not be read", PeriplusWarning, stacklevel=3)


def tell_from_one(path: Path, graph: Graph) -> None:
    """A note where the ids of a list of links seem to count from 1: page 0 alone has no link."""
    unlinked = np.flatnonzero((graph.out_degrees == 0) & (graph.in_degrees == 0))
    if graph.nodes > 1 and unlinked.tolist() == [0]:
        say(
            path,
            "no link names page 0, and all others are named: if ids count from 1 here, page 0 is one too many. A table "
            "of the nodes (x.nodes.csv beside x.csv) says which there are",
        )


def lied(path: Path, problem: str, lenient: bool, *, line: int | None = None) -> None:
    """A header that promises what the file does not hold: an error, or a warning where we are to be lenient."""
    if not lenient:
        raise FormatError(path, problem, line=line)
    warnings.warn(f"{path}: {problem}", PeriplusWarning, stacklevel=3)


def warn_weights(path: Path) -> None:
    warnings.warn(f"{path}: the weights are ignored, a link is a link", PeriplusWarning, stacklevel=3)


def names_of(graph: Graph) -> Iterable[str]:
    """The names of the nodes in the order of their ids; only for graphs that have names."""
    return (str(name) for name in graph.urls)


def undirected_pairs(graph: Graph, format_name: str) -> tuple[AnyArray, AnyArray]:
    """Each pair of a symmetric graph once, smaller id first; refuses a graph that links one way only."""
    sources, targets = graph.sources.astype(np.int64), graph.out_targets.astype(np.int64)
    forward, backward = sources <= targets, sources >= targets
    there = sources[forward] * MOST_NODES + targets[forward]
    back = np.sort(targets[backward] * MOST_NODES + sources[backward])
    if not np.array_equal(np.sort(there), back):
        raise ParameterError(
            "graph",
            repr(graph),
            f"symmetric: {format_name} holds undirected graphs only; write graph.symmetrised() (--symmetrise)",
        )
    return sources[forward], targets[forward]


def no_options(format_name: str, options: dict[str, Any]) -> None:
    for name, value in options.items():
        raise ParameterError(name, value, f"no such option when writing {format_name}")
