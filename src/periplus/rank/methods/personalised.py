"""Personalised and topic-sensitive PageRank, many vectors at once.

Column c of the answer is PageRank with preference v_c: the same equation as `pagerank`, strongly preferential,

    π_c = α π_c H + (α π_c·a + 1 − α) v_c            (Haveliwala 2002; Jeh and Widom 2003)

The cost of a pass is reading the links and missing the cache on what they point to. Here one read of a link serves a
block of vectors: the values of a page stand side by side (n × k, row-major), so a gather fetches k of them together.
Topic-sensitive PageRank is the same with v_c uniform on the pages of topic c: `topics` builds such preferences.

Power iteration on the pseudo-rank system y = α Hᵀ y + (1−α) v without the dangling rows, which are filled in at the
end, balanced as in `linear.power`: a column's jumps bring in what its pages do not hand on to pages with links. All
columns until the last has converged; both cores share the rows. From damping 0.95 on, where passes take too many, the
columns are solved one by one as `pagerank` does. Each column's certificate is measured as in
`pagerank`. Memory: five n × k blocks, the preferences and the answer among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, prange

from periplus.catalog import checked
from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.numeric.given import page_ids, real_numbers
from periplus.numeric.stop import Stop
from periplus.rank.linear.auto import HIGH_DAMPING
from periplus.rank.linear.passes import PIECE, UNIT_ROUNDOFF, chunk_bounds, link_weights, row_rounding, threads_for
from periplus.rank.methods.pagerank import DEFAULT_STOP, LEAST_STEP, MARGIN, certified
from periplus.rank.table import DAMPING
from periplus.record import more_to_allow

# Rows of a block that are added up one after the other.
ROWS = 1024


@dataclass(frozen=True, slots=True)
class PersonalisedScores:
    """One column of `values` (n × k) for each preference, with its certified ℓ1 `error_bounds`."""

    method: str
    values: npt.NDArray[np.float64]
    parameters: dict[str, Any]
    iterations: int
    error_bounds: Floats
    converged: bool
    graph_digest: str

    def or_raise(self, *, spent: bool = True) -> PersonalisedScores:
        """Self when converged; otherwise an error, as of `Scores.or_raise`."""
        if self.converged:
            return self
        raise NotConvergedError(
            f"{self.method} stopped after {self.iterations} passes with error bounds up to "
            f"{self.error_bounds.max():.3g}: allow {more_to_allow(spent)}",
            self,
        )


@checked(DAMPING)
def personalised(
    graph: Graph, preferences: AnyArray, *, damping: float = 0.85, stop: Stop = DEFAULT_STOP
) -> PersonalisedScores:
    """PageRank for each column of `preferences` (n × k, or n for one), in one pass over the links for all."""
    with threads_for(graph.links):
        found = _solve(graph, preferences, damping, stop)
    return found.or_raise(spent=found.iterations >= stop.max_iterations)


def _solve(graph: Graph, preferences: AnyArray, damping: float, stop: Stop) -> PersonalisedScores:
    v = _columns(preferences, graph.nodes)
    values, passes, errors = (_one_by_one if damping >= HIGH_DAMPING else _block)(graph, v, damping, stop)
    return PersonalisedScores(
        method="personalised",
        values=values,
        parameters={"damping": damping, "dangling": "preference", "vectors": v.shape[1], "tolerance": stop.tolerance},
        iterations=passes,
        error_bounds=errors,
        converged=stop.tolerance == 0 or bool(np.all(errors <= stop.tolerance)),
        graph_digest=graph.digest,
    )


def _one_by_one(graph: Graph, v: Floats, damping: float, stop: Stop) -> tuple[Floats, int, Floats]:
    """Each column by the solver that `pagerank` takes; the passes are those of the longest."""
    found = [certified(graph, damping, column, "preference", "auto", stop, None) for column in v.T.copy()]
    return (
        np.stack([values for values, *_ in found], axis=1),
        max(passes for _, passes, *_ in found),
        np.array([bound for *_, bound, _ in found]),
    )


def _block(graph: Graph, v: Floats, damping: float, stop: Stop) -> tuple[Floats, int, Floats]:
    """All columns at once by balanced power iteration; see the module docstring."""
    weights, links = link_weights(graph, damping), _links(graph)
    vectors = v.shape[1]
    base = (1 - damping) * _sum_of_rows(v, weights > 0)  # what the jumps bring in where they come in once
    kept = 1 - weights * links_to_linking(graph.out_offsets, graph.out_targets, chunk_bounds(graph.out_offsets))
    jump = np.full(vectors, 1 - damping)
    # Kept in memory is what a page gives along each link; the values are needed only at the end.
    given, new = v * ((1 - damping) * weights)[:, None], np.zeros_like(v)
    sums = np.zeros((len(links.bounds) - 1, 3, vectors))
    target = max(MARGIN * stop.tolerance * (1 - damping), LEAST_STEP) if stop.tolerance > 0 else 0.0
    passes = 0
    while graph.links and damping and passes < stop.max_iterations:
        pull_block(links, weights, kept, (given, new), v, jump, sums, False)
        given, new = new, given
        passes += 1
        change, mass, not_handed_on = sums.sum(axis=0)
        # Where nothing jumps to a page with links, none of them has rank and nothing needs a balance.
        np.divide((1 - damping) * not_handed_on, base, out=jump, where=(base > 0) & (not_handed_on > 0))
        if np.all(damping * change <= target * mass):
            break
    pull_block(links, weights, kept, (given, new), v, jump, sums, True)
    del given
    values = new
    values /= np.maximum(_sum_of_rows(values), np.finfo(np.float64).tiny)
    return values, passes, _certify(graph, damping, v, values, weights)


class InLinks(NamedTuple):
    """The in-links of all pages, and where the chunks of rows begin."""

    offsets: Offsets
    sources: Ids
    bounds: Offsets


def _links(graph: Graph) -> InLinks:
    return InLinks(graph.in_offsets, graph.in_sources, chunk_bounds(graph.in_offsets))


def _sum_of_rows(block: Floats, rows: Bools | None = None) -> Floats:
    """Σ of the rows that are marked, in pieces: numpy adds rows one after the other, and many of them lose digits."""
    pieces = [slice(first, first + ROWS) for first in range(0, len(block), ROWS)]
    parts = [(block[piece] if rows is None else block[piece][rows[piece]]).sum(axis=0) for piece in pieces]
    return np.sum(parts, axis=0) if parts else np.zeros(block.shape[1])


def topics(nodes: int, pages_by_topic: Sequence[AnyArray]) -> Floats:
    """Preferences uniform on the pages of each topic, as columns."""
    columns = np.zeros((nodes, len(pages_by_topic)))
    for topic, pages in enumerate(pages_by_topic):
        ids = np.unique(page_ids(pages, nodes, f"topic {topic}"))
        if len(ids) == 0:
            raise ParameterError(f"topic {topic}", pages, "at least one page")
        columns[ids, topic] = 1.0 / len(ids)
    return columns


def _columns(preferences: AnyArray, nodes: int) -> Floats:
    values = np.ascontiguousarray(real_numbers(preferences, "preferences"))
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2 or values.shape[0] != nodes or values.shape[1] == 0:
        raise ParameterError("preferences", values.shape, f"a row per page, a column per preference: ({nodes}, k)")
    if not np.all(np.isfinite(values)) or np.any(values < 0):
        raise ParameterError("preferences", "NaN, infinite or negative entries", "finite and non-negative numbers")
    with np.errstate(over="ignore"):  # a sum that is too large for a float64 is refused right here
        sums = values.sum(axis=0)
    if nodes and not np.all((sums > 0) & (sums < np.inf)):
        raise ParameterError("preferences", "a column of zeros, or too large", "a positive finite sum in each column")
    return values / sums if nodes else values


def _certify(graph: Graph, damping: float, v: Floats, values: Floats, weights: Floats) -> Floats:
    """The error bound of each column: (measured residual + rounding) / (1 − α)."""
    if graph.nodes == 0:
        return np.zeros(v.shape[1])
    jump = 1 - damping + damping * _sum_of_rows(values, weights == 0)
    links = _links(graph)
    sums = np.zeros((len(links.bounds) - 1, 3, v.shape[1]))
    image = values.copy()
    given = values * weights[:, None]
    pull_block(links, weights, weights, (given, image), v, jump, sums, True)
    rounding = UNIT_ROUNDOFF * ((row_rounding(graph.in_degrees) + graph.in_degrees / PIECE) @ values)
    return (sums[:, 0].sum(axis=0) + rounding) / (1 - damping)


@njit(cache=True, nogil=True, parallel=True)
def links_to_linking(offsets, targets, bounds):  # type: ignore[no-untyped-def]
    """For each page how many of its links lead to pages that have links themselves."""
    counts = np.zeros(len(offsets) - 1)
    for chunk in prange(len(bounds) - 1):
        for page in range(bounds[chunk], bounds[chunk + 1]):
            for link in range(offsets[page], offsets[page + 1]):
                target = targets[link]
                if offsets[target + np.uint32(1)] > offsets[target]:
                    counts[page] += 1.0
    return counts


@njit(cache=True, nogil=True, parallel=True)
def pull_block(links, weights, kept, vectors, v, jump, sums, last):  # type: ignore[no-untyped-def]
    """y_j = jump · v_j + Σ_{i→j} given_i for whole rows, `vectors` = (given, new).

    On the way new_j = w_j y_j, dangling rows are left out (nobody reads them), and sums[chunk] = (‖step of y‖₁, Σ y,
    Σ kept · y) of each column over the others: a residual is α times a step of pages that give. The `last` pass writes
    all y, and sums their steps from what `new` held.
    """
    (offsets, sources, bounds), (given, new) = links, vectors
    width = given.shape[1]
    for chunk in prange(len(bounds) - 1):
        total, piece = np.empty(width), np.empty(width)
        change, mass, stays = np.zeros(width), np.zeros(width), np.zeros(width)
        for row in range(bounds[chunk], bounds[chunk + 1]):
            weight = weights[row]
            if weight == 0.0 and not last:
                continue
            for c in range(width):
                total[c] = jump[c] * v[row, c]
            link, end = offsets[row], offsets[row + 1]
            while end - link > PIECE:  # long rows in pieces, for the sake of their digits
                piece[:] = 0.0
                for at in range(link, link + PIECE):
                    source = sources[at]
                    for c in range(width):
                        piece[c] += given[source, c]
                for c in range(width):
                    total[c] += piece[c]
                link += PIECE
            for at in range(link, end):
                source = sources[at]
                for c in range(width):
                    total[c] += given[source, c]
            for c in range(width):
                old = new[row, c] if last else given[row, c] / weight
                change[c] += abs(total[c] - old)
                mass[c] += total[c]
                stays[c] += kept[row] * total[c]
                new[row, c] = total[c] if last else total[c] * weight
        for c in range(width):
            sums[chunk, 0, c] = change[c]
            sums[chunk, 1, c] = mass[c]
            sums[chunk, 2, c] = stays[c]
