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
from periplus.graph.files import plain_suffix, read_head
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
    read: Callable[[Path, bool], Graph]
    """`read(path, lenient)`."""
    write: Callable[..., None]
    """`write(graph, path, **options)`."""
    keeps_names: bool = False
    lists_nodes: bool = True
    """Whether pages without links are in it too."""
    directed: bool = True


class LinkList:
    """Links as they are read, then a graph; node names, where the format has them, in order of first sight."""

    def __init__(self, path: Path, lenient: bool = False) -> None:
        self.path = path
        self.lenient = lenient
        self.skipped = 0
        self._sources: list[int] = []
        self._targets: list[int] = []
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

    def rename(self, key: str, name: str) -> None:
        self.names[self._ids[key]] = name

    def link(self, source: int, target: int) -> None:
        self._sources.append(source)
        self._targets.append(target)

    def problem(self, message: str, line: int | None = None) -> None:
        """An entry that cannot be used: an error, or counted when lenient."""
        if not self.lenient:
            raise FormatError(self.path, message, line=line)
        self.skipped += 1

    def graph(self, *, symmetric: bool = False) -> Graph:
        """The graph; `symmetric` adds every link the other way round, for undirected formats."""
        for key, line in self._first_used.items():
            if key not in self._declared:
                self.problem(f"a link names node {key!r}, which the file does not list", line)
        sources = np.asarray(self._sources, dtype=np.int64)
        targets = np.asarray(self._targets, dtype=np.int64)
        warn_skipped(self.path, self.skipped)
        names = None if _is_plain_numbering(self._ids, self.names) else self.names
        return build_graph(sources, targets, len(self._ids), symmetric=symmetric, names=names)


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


def sources_of(graph: Graph) -> AnyArray:
    """The source of every link, in the order of `graph.out_targets`."""
    return np.repeat(np.arange(graph.nodes, dtype=np.uint32), np.diff(graph.out_offsets))


def undirected_pairs(graph: Graph, format_name: str) -> tuple[AnyArray, AnyArray]:
    """Each pair of a symmetric graph once, smaller id first; refuses a graph that links one way only."""
    sources, targets = sources_of(graph).astype(np.int64), graph.out_targets.astype(np.int64)
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
