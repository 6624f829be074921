"""WebWalker: pages drawn nearly uniformly by a random walk, on a stored graph or on a live web.

Links are followed both ways, and every page gets self-loops until it has D links: the walk on this undirected,
D-regular graph visits all pages of a connected web equally often in the long run. At a page with k neighbours it
stays for a geometric number of steps with mean D/k and then moves to a random neighbour; the stay is drawn in one
go, never walked, so that a walk of millions of steps costs only as many page visits as it makes moves. What the visits
say about all pages, and how sure that is: `shares`.

Starts. On a live web every walk begins at the one page that is known, and is thrown away until it has forgotten it;
nothing can be said beyond the weak component of that page. A stored graph is known better. A walk that begins at one
end of a link drawn at random is in equilibrium from the first visit on, however slowly it mixes. And the weak
components, which no walk leaves, have known sizes: the large ones are strata with walks of their own, in proportion
to their pages; from the small ones together, pages are drawn at random, or all are taken where they are few. Shares
are then those of all pages.

Mixing. With δ = 1 − λ₂ the eigenvalue gap of the regular walk, ln(n)/δ steps bring it close to uniform, which takes
ln(n)/δ · (mean k)/D page visits. Bar-Yossef et al., "Approximating aggregate queries about web pages via random
walks", VLDB 2000; Deo & Gupta 4.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.random import below_at, stream_key, uniform_at
from periplus.record import Findings
from periplus.structure.connectivity.components import weak_components
from periplus.structure.paths.undirected import undirected
from periplus.structure.walks.shares import Share, Stratum, Walks

__all__ = ["Mixing", "Share", "Walks", "mixing", "sample", "sample_live", "tally"]

Page = TypeVar("Page", bound=Hashable)
_LARGE = 1 / 8  # of all pages: components from here on get walks of their own, 5 of the usual 40 or more


@checked
def sample(
    graph: Graph,
    *,
    start: int | None = None,
    walks: int = 40,
    visits: int = 200,
    mixing: int | None = None,
    seed: int = 0,
) -> Walks:
    """Walks on a stored graph, `visits` visits in each, through all of it or from one page as on a live web.

    From a `start` the first `mixing` visits (200) of each walk are thrown away, and what is sampled is the weak
    component of that page. Without, walks begin in equilibrium in every component of an eighth of the pages or
    more; all other pages are drawn at random. `Walks.strata` says which is which.
    """
    thrown = mixing if mixing is not None else 0 if start is None else 200
    _check(walks, visits, thrown)
    if start is not None and not 0 <= start < graph.nodes:
        raise ParameterError("start", start, f"a page of the graph, 0 to {graph.nodes - 1}")
    if not graph.nodes:
        raise ParameterError("graph", graph, "at least one page")
    offsets, neighbours = undirected(graph)
    if start is None:
        return _through_all(graph, (offsets, neighbours), walks, visits, thrown, seed)
    if offsets[start] == offsets[start + 1]:
        lonely = [[start] * visits] * walks
        return Walks(lonely, [[1] * visits] * walks, walks * visits, 0)
    starts = np.full(walks, start, np.int64)
    return _walked((offsets, neighbours), starts, visits, thrown, seed)


def _walked(web: tuple[Offsets, Ids], starts: AnyArray, visits: int, thrown: int, seed: int) -> Walks:
    offsets, neighbours = web
    degrees = np.diff(offsets)
    pages, steps = _walk(offsets, neighbours, starts, thrown, visits, seed, int(degrees.max()))
    return Walks(pages.tolist(), degrees[pages].tolist(), int(steps), len(starts) * (visits + thrown))


def _through_all(graph: Graph, web: tuple[Offsets, Ids], walks: int, visits: int, thrown: int, seed: int) -> Walks:
    """Walks in every large component, and pages drawn at random from all others together."""
    components = weak_components(graph)
    large = [int(k) for k in np.flatnonzero(components.sizes >= max(2.0, _LARGE * graph.nodes))]
    rng = np.random.default_rng(seed)
    starts: list[AnyArray] = []
    strata: list[Stratum] = []
    for label in large:
        weight = float(components.sizes[label] / graph.nodes)
        strata.append(Stratum(weight, max(2, round(weight * walks))))
        starts.append(_in_equilibrium(web, components.members(label), strata[-1].walks, rng))
    walked = _walked(web, np.concatenate(starts), visits, thrown, seed) if starts else Walks([], [], 0, 0)
    small = np.flatnonzero(~np.isin(components.labels, large))
    drawn = _drawn(small, max(2, round(len(small) / graph.nodes * walks)), visits, rng)
    if drawn:
        strata.append(Stratum(len(small) / graph.nodes, len(drawn), walked=False, whole=len(drawn) == 1))
    looked_at = sum(map(len, drawn))
    return Walks(
        [*walked.pages, *drawn],
        [*walked.degrees, *([1] * len(pages) for pages in drawn)],
        walked.steps + looked_at,
        walked.moves + looked_at,
        tuple(strata),
    )


def _in_equilibrium(web: tuple[Offsets, Ids], members: Ids, walks: int, rng: np.random.Generator) -> AnyArray:
    """Pages drawn in proportion to their neighbours, as the moves of a long walk visit them."""
    degrees = np.diff(web[0])[members]
    places = np.searchsorted(np.cumsum(degrees), rng.integers(0, int(degrees.sum()), walks), side="right")
    return members[places].astype(np.int64)


def _drawn(pages: AnyArray, groups: int, visits: int, rng: np.random.Generator) -> list[list[int]]:
    """Groups of pages drawn at random, or one group of all of them where that is no more work."""
    if len(pages) <= groups * visits:
        return [pages.tolist()] if len(pages) else []
    drawn: list[list[int]] = pages[rng.integers(0, len(pages), (groups, visits))].tolist()
    return drawn


@checked
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

    `neighbours(page)` lists the known pages that it links to or that link to it; it is called once per page and
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
class Mixing(Findings):
    """The eigenvalue gap of the regular walk, and what it means for a walk's length."""

    gap: float
    converged: bool
    steps: float
    visits: float
    pages: int = field(metadata={"json": None})


@checked
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
    if not 0 <= start < graph.nodes:
        raise ParameterError("start", start, f"a page of the graph, 0 to {graph.nodes - 1}")
    components = weak_components(graph)
    return undirected(graph.subgraph(components.members(int(components.labels[start]))))


def tally(walks: Walks, labels: AnyArray, names: Mapping[int, str] | Sequence[str]) -> dict[str, Share]:
    """Shares by one label per page (its top-level domain, its site): the names of the labels seen, largest first."""
    return walks.shares(lambda page: names[int(labels[page])])


def _check(walks: int, visits: int, mixing: int) -> None:
    if walks < 2:
        raise ParameterError("walks", walks, "at least 2: their spread gives the interval")
    if visits < 1:
        raise ParameterError("visits", visits, "at least 1")
    if mixing < 0:
        raise ParameterError("mixing", mixing, "0 or more")


@njit(cache=True, nogil=True)
def _walk(offsets, neighbours, starts, mixing, visits, seed, bound):  # type: ignore[no-untyped-def]
    """The pages visited by each walk after mixing, and all steps taken, self-loops included."""
    pages = np.empty((len(starts), visits), np.uint32)
    steps = 0.0
    for walk in range(len(starts)):
        key = stream_key(seed, walk)
        here = np.int64(starts[walk])
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
