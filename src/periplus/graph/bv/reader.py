"""BVGraph: the compressed web graphs of the WebGraph framework (Boldi and Vigna, WWW 2004), read and written.

A graph `name` is three files. `name.graph` is a stream of bits, `name.properties` says how to read it, and
`name.offsets` holds, as coded differences, the bit where each successor list begins and the bit after the last.

The list of node x with outdegree d, in the order of the stream; the default code of each part in brackets:

    d                               [γ]; nothing follows when it is 0
    reference r, 0 ≤ r ≤ window     [unary]; absent when the window is 0. r > 0: begin with a part of the list of x − r
      number of copy blocks         [γ]; only when r > 0
      copy blocks                   [γ]; lengths of runs alternately copied and skipped, all but the first less 1;
                                    what lies after the last block is copied if their number is even
    number of intervals             [γ]; only if successors are missing and intervals are used
      left ends                     [γ]; the first as ν(left − x), the others as left − (previous end + 1)
      lengths                       [γ]; less `minintervallength`
    residuals                       [ζ_k]; the first as ν(s − x), the others as differences less 1

with ν(y) = 2y for y ≥ 0, −2y − 1 otherwise. Reference chains have at most `maxrefcount` links. Codes: `bv_codes`.

Costs: decoding all rows 5–8 ns per link, `successors(i)` some microseconds and the lengths of a chain of rows; encoding
tries every row of the window as the authors do, 60–90 ns per link. Extra memory: the bit stream itself, and 8 bytes a
node where offsets are used.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from periplus.errors import FormatError, ParameterError, PeriplusWarning
from periplus.graph.bv.codes import GAMMA, read_words
from periplus.graph.bv.decode import PROBLEMS, Bits, decode_all, decode_offsets, decode_one, for_reading
from periplus.graph.bv.files import basename_of, existing_basename, file_of
from periplus.graph.bv.properties import Properties, read_properties
from periplus.graph.bv.write import write_bv
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Ids, Offsets

__all__ = ["BVGraph", "basename_of", "bits_per_link", "properties", "read_bv", "write_bv"]


def properties(path: str | Path) -> Properties:
    """What the `.properties` file of a base name says."""
    return read_properties(file_of(existing_basename(path), ".properties"))


def bits_per_link(path: str | Path) -> float:
    """Bits of the stream divided by arcs, as the properties state it; counted from the file where they do not."""
    basename = existing_basename(path)
    stated = properties(basename)
    try:
        return float(stated.statistics["bitsperlink"])
    except (KeyError, ValueError):
        return 8 * file_of(basename, ".graph").stat().st_size / max(1, stated.arcs)


class BVGraph:
    """A stored BVGraph: all of it as a `Graph` (`decode`), or one row at a time by the offsets (`successors`)."""

    def __init__(self, path: str | Path) -> None:
        self.basename = existing_basename(path)
        self.properties = properties(self.basename)
        self._graph_file = file_of(self.basename, ".graph")
        self._bits = Bits(*read_words(self._graph_file), for_reading(self.properties.codes))
        self._bit_offsets: Offsets | None = None
        bits = self._bits.limit
        if self.properties.nodes > bits:
            problem = f"{bits // 8:,} bytes cannot hold the {self.properties.nodes:,} nodes that the properties promise"
            raise FormatError(self._graph_file, problem, byte=bits // 8)

    @property
    def nodes(self) -> int:
        return self.properties.nodes

    @property
    def links(self) -> int:
        return self.properties.arcs

    def decode(self, *, lenient: bool = False) -> Graph:
        """All rows, as a graph in memory; the offsets file, where there is one, is checked against the stream."""
        graph, bit_offsets = self._decode_rows()
        if self.has_offsets:
            try:
                stored = self._read_offsets()
                if not np.array_equal(stored, bit_offsets):
                    node = int(np.argmax(stored != bit_offsets))
                    raise FormatError(
                        file_of(self.basename, ".offsets"), f"belongs to another graph: node {node:,} differs"
                    )
            except FormatError as error:
                if not lenient:
                    raise
                warnings.warn(f"the offsets are not used: {error}", PeriplusWarning, stacklevel=2)
        self._bit_offsets = bit_offsets
        return graph

    def _decode_rows(self) -> tuple[Graph, Offsets]:
        stated = self.properties
        try:
            out = np.empty(stated.arcs, dtype=np.uint32)
        except (MemoryError, ValueError):
            problem = f"promises {stated.arcs:,} arcs, more than memory holds"
            raise FormatError(file_of(self.basename, ".properties"), problem) from None
        offsets = np.empty(stated.nodes + 1, dtype=np.int64)
        bit_offsets = np.empty(stated.nodes + 1, dtype=np.int64)
        status, node, bit = decode_all(self._bits, stated.nodes, offsets, out, bit_offsets)
        self._check(status, node, bit)
        if offsets[-1] != stated.arcs:
            problem = f"promises {stated.arcs:,} arcs, the stream holds {offsets[-1]:,}"
            raise FormatError(file_of(self.basename, ".properties"), problem)
        return Graph(offsets, out), bit_offsets

    def _check(self, status: int, node: int, bit: int) -> None:
        if status:
            raise FormatError(self._graph_file, f"node {node:,}: {PROBLEMS[status]}", byte=bit // 8)

    @property
    def has_offsets(self) -> bool:
        return file_of(self.basename, ".offsets").is_file()

    def _read_offsets(self) -> Offsets:
        path = file_of(self.basename, ".offsets")
        words, bits = read_words(path)
        offsets = np.empty(self.nodes + 1, dtype=np.int64)
        code = self.properties.offsets_code
        count = decode_offsets(words, bits, None if code == GAMMA else code, offsets)
        if count < len(offsets):
            raise FormatError(path, f"ends after {count:,} of {len(offsets):,} offsets", byte=bits // 8)
        unused = self._bits.limit - int(offsets[-1])
        if offsets[0] != 0 or not 0 <= unused < 128:
            raise FormatError(path, f"belongs to another graph: it ends at bit {offsets[-1]:,} of {self._bits.limit:,}")
        return offsets

    def successors(self, node: int) -> Ids:
        """The successors of one node, in increasing order; without an offsets file the stream is walked once first."""
        if not 0 <= node < self.nodes:
            raise ParameterError("node", node, f"0 to {self.nodes - 1}")
        if self._bit_offsets is None:
            self._bit_offsets = self._read_offsets() if self.has_offsets else self._decode_rows()[1]
        status, bit, row = decode_one(self._bits, self._bit_offsets, node, self.links)
        self._check(status, node, bit)
        successors: Ids = row
        return successors

    def __repr__(self) -> str:
        return f"BVGraph({str(self.basename)!r}, nodes={self.nodes:,}, links={self.links:,})"


def read_bv(path: str | Path, *, lenient: bool = False) -> Graph:
    """Decode a BVGraph by its base name."""
    return BVGraph(path).decode(lenient=lenient)
