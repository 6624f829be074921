"""WebWalker: pages drawn nearly uniformly by a random walk, on a stored graph or on a live web.

Links are followed both ways, and every page gets self-loops until it has D links: the walk on this undirected,
D-regular graph visits all pages of a connected web equally often in the long run. At a page with k neighbours it
stays for a geometric number of steps with mean D/k and then moves to a random neighbour; the stay is drawn in one
go, never walked, so that a walk of millions of steps costs only as many page visits as it makes moves.

Shares. With f(v) ∈ {0, 1} (or any number) and visits v₁, v₂, …, each stay has mean D/k(v), so

    Σ f(vᵢ)/k(vᵢ)  /  Σ 1/k(vᵢ)

estimates the mean of f over all pages; D cancels and only the time until the walk has forgotten its start depends
on it. Successive visits are far from independent. The interval therefore comes from W independent walks, each
thrown away until it has mixed: with (Aⱼ, Bⱼ) the two sums of walk j and R = ΣA/ΣB, the W numbers Aⱼ − R·Bⱼ are
independent, whatever the correlation inside a walk, and Student's t with W − 1 degrees gives

    R ± t · √(W/(W−1) · Σ (Aⱼ − R·Bⱼ)²) / ΣB.

Mixing. With δ = 1 − λ₂ the eigenvalue gap of the regular walk, ln(n)/δ steps bring it close to uniform, which takes
ln(n)/δ · (mean k)/D page visits. Bar-Yossef et al., "Approximating aggregate queries about web pages via random
walks", VLDB 2000; Deo & Gupta 4.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numba import njit
from scipy import special

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.random import below_at, stream_key, uniform_at
from periplus.structure.undirected import undirected

Page = TypeVar("Page", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Share:
    """An estimated mean with its 95 % interval."""

    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Walks:
    """What the walks saw after mixing: `pages[w]` and `degrees[w]` are the visits of walk w.

    `steps` counts self-loops too, `moves` only the pages that had to be looked at.
    """

    pages: Sequence[Sequence[Any]]
    degrees: Sequence[Sequence[int]]
    steps: int
    moves: int

    def mean(self, value: Callable[[Any], float]) -> Share:
        """The mean of a number over all pages, such as the size or 1 for pages of some kind and 0 for the others."""
        sums = np.array(
            [
                (sum(value(page) / k for page, k in zip(seen, degrees, strict=True)), sum(1.0 / k for k in degrees))
                for seen, degrees in zip(self.pages, self.degrees, strict=True)
            ]
        )
        return _ratio(sums[:, 0], sums[:, 1])

    def shares(self, kind: Callable[[Any], str]) -> dict[str, Share]:
        """The share of every kind of page that was seen, the largest first."""
        kinds = sorted({kind(page) for seen in self.pages for page in seen})
        found = {name: self.mean(lambda page, name=name: float(kind(page) == name)) for name in kinds}  # type: ignore[misc]
        return dict(sorted(found.items(), key=lambda item: (-item[1].value, item[0])))


def sample(
    graph: Graph,
    *,
    start: int = 0,
    walks: int = 40,
    visits: int = 200,
    mixing: int = 200,
    seed: int = 0,
) -> Walks:
    """Walks on a stored graph from one page: `mixing` visits are thrown away, `visits` kept, in each.

    What is sampled is the weak component of `start`.
    """
    _check(walks, visits, mixing)
    if not 0 <= start < graph.nodes:
        raise ParameterError("start", start, f"a page of the graph, 0 to {graph.nodes - 1}")
    offsets, neighbours = undirected(graph)
    degrees = np.diff(offsets)
    if degrees[start] == 0:
        lonely = [[start] * visits] * walks
        return Walks(lonely, [[1] * visits] * walks, walks * visits, 0)
    pages, steps = _walk(offsets, neighbours, start, walks, mixing, visits, seed, int(degrees.max()))
    return Walks(pages.tolist(), degrees[pages].tolist(), int(steps), walks * (visits + mixing))


def sample_live(
    neighbours: Callable[[Page], Sequence[Page]],
    start: Page,
    *,
    walks: int = 40,
    visits: int = 200,
    mixing: int = 200,
    most_links: int = 100_000,
    seed: int = 0,
) -> Walks:
    """The same on a web that is only known through a function that fetches a page and names its neighbours.

    `neighbours(page)` lists the known pages that it links to or that link to it; it is called once a page and
    remembered, as a crawler remembers what it fetched. A page without neighbours sends the walk back to `start`.
    `most_links` is D, which must not be below any page's number of neighbours.
    """
    _check(walks, visits, mixing)
    rng = np.random.default_rng(seed)
    known: dict[Page, tuple[Page, ...]] = {}
    pages: list[list[Page]] = []
    degrees: list[list[int]] = []
    steps = 0
    for _ in range(walks):
        here, seen, ks = start, [], []
        for visit in range(mixing + visits):
            if here not in known:
                known[here] = tuple(dict.fromkeys(page for page in neighbours(here) if page != here))
            around = known[here]
            k = max(len(around), 1)
            if k > most_links:
                raise ParameterError("most_links", most_links, f"at least {k}, the neighbours of {here!r}")
            steps += int(rng.geometric(k / most_links))
            if visit >= mixing:
                seen.append(here)
                ks.append(k)
            here = around[int(rng.integers(k))] if around else start
        pages.append(seen)
        degrees.append(ks)
    return Walks(pages, degrees, steps, walks * (visits + mixing))


@dataclass(frozen=True, slots=True)
class Mixing:
    """The eigenvalue gap of the regular walk, and what it means for a walk's length."""

    gap: float
    converged: bool
    steps: float
    visits: float
    pages: int

    def to_dict(self) -> dict[str, Any]:
        return {"gap": self.gap, "converged": self.converged, "steps": self.steps, "visits": self.visits}


def mixing(graph: Graph, *, start: int = 0, iterations: int = 20, seed: int = 0) -> Mixing:
    """The gap of the walk P = I − (K − A)/D on the weak component of `start`.

    δ is the smallest positive eigenvalue of the Laplacian K − A, over D, found by LOBPCG with the degrees as
    preconditioner. Its Rayleigh quotient bounds δ from above at all times; `converged` says whether the residual
    fell below a tenth of it within `iterations`.
    """
    import warnings

    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import lobpcg

    offsets, neighbours = _component(graph, start)
    n = len(offsets) - 1
    if n < 10:
        return _mixing_of_few(offsets, neighbours)
    degrees = np.diff(offsets).astype(np.float64)
    adjacency = csr_array((np.ones(len(neighbours)), neighbours.astype(np.int64), offsets), shape=(n, n))
    laplacian = diags_array(degrees, format="csr") - adjacency
    guess = np.random.default_rng(seed).standard_normal((n, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns when `iterations` end it; `converged` says so
        _, vectors = lobpcg(
            laplacian, guess, Y=np.ones((n, 1)), M=diags_array(1.0 / degrees, format="csr"),
            maxiter=iterations, largest=False, tol=1e-8,
        )  # fmt: skip
    vector = vectors[:, 0] - vectors[:, 0].mean()
    vector /= np.linalg.norm(vector)
    value = float(vector @ (laplacian @ vector))
    settled = float(np.linalg.norm(laplacian @ vector - value * vector)) <= 0.1 * value
    return _as_mixing(value, degrees, settled)


def _mixing_of_few(offsets: Offsets, neighbours: Ids) -> Mixing:
    """The same from all eigenvalues of the dense Laplacian."""
    n, degrees = len(offsets) - 1, np.diff(offsets).astype(np.float64)
    if n < 2:
        return Mixing(1.0, True, 0.0, 0.0, n)
    laplacian = np.diag(degrees)
    laplacian[np.repeat(np.arange(n), np.diff(offsets)), neighbours] = -1.0
    return _as_mixing(float(np.linalg.eigvalsh(laplacian)[1]), degrees, True)


def _as_mixing(laplacian_gap: float, degrees: Floats, converged: bool) -> Mixing:
    gap = max(laplacian_gap / float(degrees.max()), 1e-300)
    steps = math.log(len(degrees)) / gap
    return Mixing(gap, converged, steps, steps * float(degrees.mean() / degrees.max()), len(degrees))


def _component(graph: Graph, start: int) -> tuple[Offsets, Ids]:
    from periplus.structure.components import weak_components

    if not 0 <= start < graph.nodes:
        raise ParameterError("start", start, f"a page of the graph, 0 to {graph.nodes - 1}")
    components = weak_components(graph)
    return undirected(graph.subgraph(components.members(int(components.labels[start]))))


def tally(walks: Walks, labels: AnyArray, names: Mapping[int, str] | Sequence[str]) -> dict[str, Share]:
    """Shares by a label a page (its top-level domain, its site): the names of the labels seen, largest first."""
    return walks.shares(lambda page: names[int(labels[page])])


def _check(walks: int, visits: int, mixing: int) -> None:
    if walks < 2:
        raise ParameterError("walks", walks, "at least 2: their spread gives the interval")
    if visits < 1:
        raise ParameterError("visits", visits, "at least 1")
    if mixing < 0:
        raise ParameterError("mixing", mixing, "0 or more")


def _ratio(above: Floats, below: Floats) -> Share:
    """ΣA/ΣB and its interval from independent pairs (A, B)."""
    walks, whole = len(above), float(below.sum())
    ratio = float(above.sum()) / whole
    spread = math.sqrt(walks / (walks - 1) * float(((above - ratio * below) ** 2).sum())) / whole
    reach = float(special.stdtrit(walks - 1, 0.975)) * spread
    return Share(ratio, ratio - reach, ratio + reach)


@njit(cache=True, nogil=True)
def _walk(offsets, neighbours, start, walks, mixing, visits, seed, bound):  # type: ignore[no-untyped-def]
    """The pages visited by each walk after mixing, and all steps taken, self-loops included."""
    pages = np.empty((walks, visits), np.uint32)
    steps = 0.0
    for walk in range(walks):
        key = stream_key(seed, walk)
        here = start
        for visit in range(mixing + visits):
            k = offsets[here + 1] - offsets[here]
            leave = k / bound
            if leave >= 1.0:
                steps += 1.0
            else:
                steps += 1.0 + np.floor(np.log(1.0 - uniform_at(key, 2 * visit)) / np.log(1.0 - leave))
            if visit >= mixing:
                pages[walk, visit - mixing] = here
            here = np.int64(neighbours[offsets[here] + below_at(key, 2 * visit + 1, k)])
    return pages, steps
