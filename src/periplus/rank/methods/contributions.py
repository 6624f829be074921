"""What every page contributes to one page's rank, without reading the whole graph.

c(x) = (1−α) Σ_k α^k P^k[x, w]: the probability that a surfer who starts at x, follows links with probability α and
stops otherwise, stops at w (Andersen, Borgs, Chayes, Hopcroft, Mirrokni and Teng 2007). PageRank with preference v has
π(w) ∝ Σ_x v(x) c(x); so the reputation of w on any term is the mean of c over the pages with it, for all terms from one
vector. The walk ends on a page without links.

Residue starts at w and is pushed backwards: a push keeps (1−α) of it and sends α/d⁺(x) to each page x that links there.
c(x) is at least what is kept, and larger by at most the largest residue left: `error_bound`, for each x. Cost: the
in-links of the pages pushed, at most `most`; vectors over the pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.catalog import Parameter, checked
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Offsets
from periplus.numeric.given import page_ids
from periplus.rank.table import DAMPING


@dataclass(frozen=True, slots=True)
class Contributions:
    """`values[x]` ≤ c(x) ≤ `values[x] + error_bound` for every page x."""

    page: int
    values: Floats
    error_bound: float
    links_read: int


@checked(
    DAMPING,
    Parameter("tolerance", "float", 1e-4, "Residue that is left.", 0.0, 1.0, open_low=True),
    Parameter("most", "int", 500_000, "In-links to read at most.", 1),
)
def contributions(
    graph: Graph, page: int, *, damping: float = 0.85, tolerance: float = 1e-4, most: int = 500_000
) -> Contributions:
    """How much each page contributes to the rank of `page`."""
    (start,) = page_ids([page], graph.nodes, "page").tolist()
    kept, residue = np.zeros(graph.nodes), np.zeros(graph.nodes)
    residue[start] = 1.0
    front, read = np.array([start]), 0
    while len(front) and read + (size := _in_links(graph, front)) <= most:
        given = residue[front]
        kept[front] += (1 - damping) * given
        residue[front] = 0.0
        sources = _sources(graph, front)
        shares = np.repeat(damping * given, _in_degrees(graph, front)) / _out_degrees(graph, sources)
        np.add.at(residue, sources, shares)
        read += size
        touched = np.unique(sources)
        front = touched[residue[touched] > tolerance]
    return Contributions(start, kept, float(residue.max(initial=0.0)), read)


def _in_degrees(graph: Graph, pages: Offsets) -> Offsets:
    return np.asarray(graph.in_offsets[pages + 1] - graph.in_offsets[pages], np.int64)


def _out_degrees(graph: Graph, pages: Offsets) -> Offsets:
    return np.asarray(graph.out_offsets[pages + 1] - graph.out_offsets[pages], np.int64)


def _in_links(graph: Graph, pages: Offsets) -> int:
    return int(_in_degrees(graph, pages).sum())


def _sources(graph: Graph, pages: Offsets) -> Offsets:
    """The pages that link to each of these, row after row."""
    return np.concatenate([graph.predecessors(int(page)) for page in pages]).astype(np.int64)
