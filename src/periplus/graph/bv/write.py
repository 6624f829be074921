"""Writing a BVGraph: the three files, complete or not at all, in memory bounded by the window and one buffer."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import IO

import numpy as np

from periplus.graph.bv.encode import BINS, COUNTERS, Writing, encode_rows, encode_steps
from periplus.graph.bv.properties import GRAPH_CLASS, Codes, codes_from_options, flags_text
from periplus.graph.files import writing_all
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Offsets

_BUFFER_WORDS = 1 << 17
_UNBOUNDED = 1 << 40


def write_bv(
    graph: Graph,
    basename: str | Path,
    *,
    window: int = 7,
    max_references: int = 3,
    min_interval: int = 4,
    k: int = 3,
    flags: str = "",
) -> None:
    """Write `basename.graph`, `.offsets` and `.properties` with the authors' parameters; the defaults are theirs.

    `max_references` = -1 sets no bound; `min_interval` = 0 uses no intervals; `flags` as in `compressionflags`.
    """
    codes, offsets_code = codes_from_options(window, max_references, min_interval, k, flags)
    base = Path(basename)
    if base.suffix in (".graph", ".properties", ".offsets"):
        base = base.with_suffix("")
    names = [base.with_name(base.name + ending) for ending in (".graph", ".offsets", ".properties")]
    with writing_all(*names) as (stream, offsets_stream, properties_stream):
        encoder = _Encoder(graph, codes, offsets_code)
        encoder.run(stream, offsets_stream)
        lines = [f"{key}={value}" for key, value in _statistics(graph, codes, offsets_code, encoder).items()]
        properties_stream.write("\n".join(["#BVGraph properties", *lines, ""]).encode("latin-1"))


class _BitFile:
    """A buffer of words before a file: whole words go out, the last part of a word stays."""

    def __init__(self, stream: IO[bytes], words: int) -> None:
        self._stream = stream
        self.words = np.zeros(words, dtype=np.uint64)
        self.at = 0
        self._written = 0

    def flush(self) -> None:
        whole = self.at >> 6
        self._written += self._stream.write(self.words[:whole].astype(">u8").tobytes())
        kept = self.words[whole]
        self.words[: whole + 1] = 0
        self.words[0] = kept
        self.at &= 63

    def grow(self) -> None:
        self.words = np.concatenate((self.words, np.zeros_like(self.words)))

    def close(self) -> None:
        """Write what is left, filled with zeros to a multiple of 16 bytes, as the published cnr-2000 files are."""
        self.flush()
        last = self.words[:1].astype(">u8").tobytes() if self.at else b""
        self._stream.write(last + b"\0" * (-(self._written + len(last)) % 16))


class _Encoder:
    """Runs the loops over the graph and keeps the counts for the properties file."""

    def __init__(self, graph: Graph, codes: Codes, offsets_code: int) -> None:
        self._graph = graph
        bound = codes.max_references if codes.max_references >= 0 else _UNBOUNDED
        self._codes = codes._replace(max_references=bound)
        self._offsets_code = offsets_code
        self.tally: Offsets = np.zeros(len(COUNTERS), dtype=np.int64)
        self.gaps: AnyArray = np.zeros((2, BINS), dtype=np.int64)
        self.bits = 0

    def run(self, stream: IO[bytes], offsets_stream: IO[bytes]) -> None:
        rows = _BitFile(stream, _BUFFER_WORDS)
        places = _BitFile(offsets_stream, 1 << 10)
        self._write_steps(places, np.zeros(1, dtype=np.int64))
        offsets, targets = np.asarray(self._graph.out_offsets), np.asarray(self._graph.out_targets)
        longest = int(np.diff(offsets).max()) if self._graph.nodes else 0
        scratch = np.empty((4, longest + 2), dtype=np.int64)
        chains = np.zeros(self._codes.window + 1, dtype=np.int64)
        writing = Writing(self._codes, chains, (scratch[0], scratch[1], scratch[2], scratch[3]), self.tally, self.gaps)
        row_bits = np.zeros(self._graph.nodes, dtype=np.int64)
        node = 0
        while node < self._graph.nodes:
            first = node
            node, rows.at = encode_rows(offsets, targets, node, writing, (rows.words, rows.at), row_bits)
            if node == first:
                rows.grow()
            rows.flush()
            self._write_steps(places, row_bits[first:node])
        self.bits = int(row_bits.sum())
        rows.close()
        places.close()

    def _write_steps(self, places: _BitFile, steps: Offsets) -> None:
        while len(places.words) < 3 * len(steps) + 4:
            places.grow()
        places.at = encode_steps(steps, self._offsets_code, places.words, places.at)
        places.flush()


def _statistics(graph: Graph, codes: Codes, offsets_code: int, encoder: _Encoder) -> dict[str, str]:
    """Every key that the authors write, in a fixed order."""
    nodes, arcs, bits = graph.nodes, graph.links, encoder.bits
    counts = dict(zip(COUNTERS, encoder.tally.tolist(), strict=True))
    values = {
        "graphclass": GRAPH_CLASS,
        "version": "0",
        "nodes": str(nodes),
        "arcs": str(arcs),
        "windowsize": str(codes.window),
        "maxrefcount": str(codes.max_references),
        "minintervallength": str(codes.min_interval),
        "zetak": str(codes.k),
        "compressionflags": flags_text(codes, offsets_code),
        "bitsperlink": _ratio(bits, arcs),
        "bitspernode": _ratio(bits, nodes),
        "compratio": _compression(bits, nodes, arcs),
        "avgref": _ratio(counts.pop("chains"), nodes),
        "avgdist": _ratio(counts.pop("distances"), nodes),
    }
    for name, count in counts.items():
        values[name] = str(count)
        if name.startswith("bitsfor"):
            values[f"avg{name}"] = _ratio(count, nodes)
    return values | _gap_statistics("successor", encoder.gaps[0]) | _gap_statistics("residual", encoder.gaps[1])


def _ratio(part: int, whole: int) -> str:
    return _decimal(part / whole) if whole else "0"


def _decimal(value: float) -> str:
    """At most three decimals, half to even, as the authors print it."""
    rounded = Decimal(value).quantize(Decimal("0.001"), ROUND_HALF_EVEN)
    return f"{rounded:f}".rstrip("0").rstrip(".")


def _compression(bits: int, nodes: int, arcs: int) -> str:
    """Bits against log₂ of the number of graphs with these nodes and arcs, by Stirling's formula."""
    pairs = float(nodes) * nodes
    if not 0 < arcs < pairs:
        return "0"
    return _decimal(bits * math.log(2) / (_stirling(pairs) - _stirling(arcs) - _stirling(pairs - arcs)))


def _stirling(n: float) -> float:
    return n * math.log(n) - n + 0.5 * math.log(2 * math.pi * n)


def _gap_statistics(name: str, bins: AnyArray) -> dict[str, str]:
    """Gaps counted by ⌊log₂⌋, their mean and the mean of their logarithm (as if each lay in the middle of its bin)."""
    counts: list[int] = np.trim_zeros(bins, "b").tolist()
    total = sum(counts)
    double_sum = sum((3 * 2**i - 1) * count for i, count in enumerate(counts))
    logarithms = sum((math.log(3 * 2**i + 1) / math.log(2) - 1) * count for i, count in enumerate(counts))
    mean = (Decimal(double_sum) / (2 * total)).quantize(Decimal("0.001"), ROUND_HALF_EVEN) if total else 0
    return {
        f"{name}expstats": ",".join(map(str, counts)),
        f"{name}avggap": str(mean),
        f"{name}avgloggap": repr(logarithms / total) if total else "0",
    }
