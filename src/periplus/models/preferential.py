"""Preferential attachment (D 3.3, L): the rich get richer.

- `preferential_attachment`, start "null" (D, Albert & Barabási): n₀ pages without links; each new page brings m₀ links
  to different earlier pages, drawn with probability d_i / Σ d_j. While no page has a link, uniformly.
- start "one" (L, after Newman): one page; each new page brings m₀ links drawn independently in proportion to degree,
  so two may fall on one page (they count twice for degree and are one link of the graph).
- `growth_only`, the first control: pages are added, each with m₀ links to pages drawn *uniformly*. Degrees fall off
  exponentially.
- `preference_only`, the second control: n pages from the beginning; at each step a random page links to one drawn in
  proportion to degree + 1 (with degree alone the first link could go nowhere). No power law that stays.
- `directed_scale_free` (Bollobás, Borgs, Chayes, Riordan 2003): with probability α a new page links to an old one
  (by in-degree + δ_in), with β an old page (by out-degree + δ_out) to an old one, with γ an old page links to a new
  one. In-degrees fall as k^−X_in, X_in = 1 + (1 + δ_in(α+γ))/(α+β), out-degrees alike with β+γ, δ_out; δ_in and δ_out
  are solved from the exponents wanted, by default the web's 2.1 and 2.7.

Degrees in the first two obey L's master equation, corrected: p_k = 2m(m+1)/(k(k+1)(k+2)), exponent 3. (L prints 2m for
2m(m+1), which does not sum to 1.) Undirected models have both directions of every link. O(m) time: a page is drawn by
degree by drawing one end of a random earlier link.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.models.base import checked
from periplus.models.both_ways import both_ways
from periplus.models.rows import sort_rows, undirected
from periplus.numeric.arrays import Ids
from periplus.numeric.random import below_at, stream_key, uniform_at


@checked("preferential-attachment")
def preferential_attachment(n: int, *, m0: int = 3, n0: int = 0, start: str = "null", seed: int = 0) -> Graph:
    """Grow a graph by preferential attachment; `n0 = 0` means as many first pages as links a step."""
    first = 1 if start == "one" else (n0 or m0)
    if start == "null" and first < m0:
        raise ParameterError("n0", n0, f"at least m0 = {m0}: the first new page needs as many pages to link to")
    if first >= n and n > 1:
        raise ParameterError("n0", first, f"less than n = {n}")
    return _grown(n, m0, first, start == "null", True, seed)


@checked("growth-only")
def growth_only(n: int, *, m0: int = 3, seed: int = 0) -> Graph:
    """The control without preference: every new page links to `m0` different pages drawn uniformly."""
    if m0 >= n and n > 1:
        raise ParameterError("m0", m0, f"less than n = {n}")
    return _grown(n, m0, min(m0, n), True, False, seed)


@checked("preference-only")
def preference_only(n: int, *, m: int = 3000, seed: int = 0) -> Graph:
    """The control without growth: `m` links among `n` fixed pages, one end drawn by degree."""
    if n < 2:
        raise ParameterError("n", n, "at least 2: a link needs two pages")
    sources, targets = _prefer(n, m, seed)
    return undirected(sources, targets, n)


@checked("directed-scale-free")
def directed_scale_free(
    n: int,
    *,
    in_exponent: float = 2.1,
    out_exponent: float = 2.7,
    mean_degree: float = 7.5,
    gamma: float = 0.02,
    seed: int = 0,
) -> Graph:
    """Grow a directed graph with the wanted exponents of in- and out-degree."""
    alpha, beta, delta_in, delta_out = directed_parameters(in_exponent, out_exponent, mean_degree, gamma)
    sources, targets = _grow_directed(n, (alpha, beta), (delta_in, delta_out), seed)
    return Graph.from_edges(sources, targets, nodes=n)


def directed_parameters(
    in_exponent: float, out_exponent: float, mean_degree: float, gamma: float
) -> tuple[float, float, float, float]:
    """(α, β, δ_in, δ_out) of the directed model; a page is added with probability α + γ = 1/mean degree."""
    new = 1.0 / mean_degree
    if gamma >= new:
        raise ParameterError("gamma", gamma, f"less than 1/mean_degree = {new:g}")
    alpha, beta = new - gamma, 1.0 - new
    delta_in = ((in_exponent - 1.0) * (alpha + beta) - 1.0) / new
    delta_out = ((out_exponent - 1.0) * (beta + gamma) - 1.0) / new
    if delta_in < 0.0:
        raise ParameterError("in_exponent", in_exponent, f"at least {1.0 + 1.0 / (alpha + beta):.4g} here")
    if delta_out < 0.0:
        raise ParameterError("out_exponent", out_exponent, f"at least {1.0 + 1.0 / (beta + gamma):.4g} here")
    return alpha, beta, delta_in, delta_out


def _grown(n: int, m0: int, first: int, different: bool, by_degree: bool, seed: int) -> Graph:
    """`first` pages without links, then rows of m0 earlier pages each, and the other direction of all of them."""
    targets = _attach(n, m0, first, different, by_degree, seed)
    offsets = np.maximum(np.arange(n + 1, dtype=np.int64) - first, 0) * m0
    if different:
        sort_rows(targets, m0)
    return both_ways(offsets, targets, in_order=different)


@njit(cache=True, nogil=True)
def _attach(n: int, m0: int, first: int, different: bool, by_degree: bool, seed: int) -> Ids:
    """One row of m0 earlier pages for every page from `first` on.

    Half of all ends of links are far ends, which stand in the table; the other half are near ends, m0 for each page
    that was added, so one of them is a uniform choice among those pages.
    """
    key = stream_key(seed, 0)
    steps = max(n - first, 0)
    targets = np.zeros(steps * m0 + 1, dtype=np.uint32)
    drawn = 0
    for step in range(steps):
        row = targets[step * m0 : step * m0 + m0]
        grown = step if by_degree else 0
        for j in range(m0):
            row[j] = _earlier(targets, key, drawn + j, (first, step, grown, m0))
        drawn += m0
        if different and _repeats(row):
            for j in range(1, m0):
                while _among(row, j, row[j]):
                    row[j] = _earlier(targets, key, drawn, (first, step, grown, m0))
                    drawn += 1
    return targets[: steps * m0]


@njit(cache=True, nogil=True)
def _earlier(targets: Ids, key: np.uint64, at: int, state: tuple[int, int, int, int]) -> np.uint32:
    """A page drawn by its degree in the first `grown` rows, or uniformly where there are none."""
    first, step, grown, m0 = state
    u = 2.0 * uniform_at(key, at)
    if grown == 0:
        return np.uint32(0.5 * u * (first + step))
    # Both choices are made and one is taken: the processor cannot guess which, and would lose more by trying.
    far_end = u < 1.0
    met = targets[int(u * (grown * m0)) * far_end]
    added = np.uint32(first + int((u - 1.0) * grown))
    return met if far_end else added


@njit(cache=True, nogil=True)
def _repeats(row: Ids) -> bool:
    found = False
    for j in range(1, len(row)):
        found |= _among(row, j, row[j])
    return found


@njit(cache=True, nogil=True)
def _among(row: Ids, length: int, value: int) -> bool:
    """Whether the first so many hold a value; all are looked at, which is quicker than to stop."""
    found = False
    for at in range(length):
        found |= row[at] == value
    return found


@njit(cache=True, nogil=True)
def _prefer(n: int, m: int, seed: int) -> tuple[Ids, Ids]:
    """A random page links to another by degree + 1: one of n + 2k tickets, n of them one a page."""
    key, near = stream_key(seed, 0), stream_key(seed, 1)
    sources, targets = np.empty(m, dtype=np.uint32), np.empty(m, dtype=np.uint32)
    drawn = 0
    for k in range(m):
        a = below_at(near, k, n)
        b = a
        while b == a:
            ticket = below_at(key, drawn, n + 2 * k)
            drawn += 1
            if ticket < n:
                b = ticket
            else:
                at = ticket - n
                b = int(sources[at // 2]) if at % 2 else int(targets[at // 2])
        sources[k], targets[k] = a, b
    return sources, targets


@njit(cache=True, nogil=True)
def _grow_directed(n: int, shares: tuple[float, float], deltas: tuple[float, float], seed: int) -> tuple[Ids, Ids]:
    """Links until there are n pages; the start is one page with a self-link."""
    alpha, beta = shares
    kind, key = stream_key(seed, 0), stream_key(seed, 1)
    capacity = np.int64(64 + 1.2 * n / (1.0 - beta))
    sources, targets = np.zeros(capacity, dtype=np.uint32), np.zeros(capacity, dtype=np.uint32)
    pages, links, drawn = 1, 1, 0
    while True:
        u = uniform_at(kind, links)
        grows = u < alpha or u >= alpha + beta
        if grows and pages == n:
            return sources[:links], targets[:links]
        if links == len(sources):
            room = np.empty(len(sources) // 2, dtype=np.uint32)
            sources, targets = np.concatenate((sources, room)), np.concatenate((targets, room))
        tail = pages if u < alpha else _by_degree(sources, links, pages, deltas[1], key, drawn)
        head = pages if u >= alpha + beta else _by_degree(targets, links, pages, deltas[0], key, drawn + 2)
        drawn += 4
        sources[links], targets[links] = tail, head
        links += 1
        pages += grows


@njit(cache=True, nogil=True, inline="always")
def _by_degree(ends: Ids, links: int, pages: int, delta: float, key: np.uint64, drawn: int) -> int:
    """A page drawn in proportion to its number of ends + δ: a random end, or with weight δ·pages any page."""
    if uniform_at(key, drawn) * (links + delta * pages) < links:
        return int(ends[below_at(key, drawn + 1, links)])
    return below_at(key, drawn + 1, pages)
