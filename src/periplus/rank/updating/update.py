"""Re-rank after some links changed, touching only what moved.

With y the old solution of y = α Hᵀ y + b and H′, b′ the new matrix and base, the residual of y in the new system

    r = b′ + α H′ᵀ y − y  =  r_old + (b′ − b) + α (H′ − H)ᵀ y

differs from the old residual only at the old and new targets of the pages whose links changed. It is pushed along the
links from the last id down (`forward`), which settles it at once on a graph that grew, and pages that do not move are
not read. With ‖r‖₁ of what is left the certificate is

    ‖π − π*‖₁ ≤ 2 (‖r_old‖₁ + ‖r‖₁ + rounding) / (‖y‖₁ (1 − α)).

The old vector's own error ‖r_old‖₁ takes its share of the tolerance. Where that leaves too little, one pass measures
the residual afresh on graphs that grew, mostly without cycles; on others, and for a change that is not settled after a
pass of pushes, the old vector is a warm start for `pagerank`.
Cost: the pushes, and a comparison of the two graphs' links unless `changed` names the pages.

Page ids keep their meaning: page i of the old graph is page i of the new one; new pages come after the old.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import njit, prange

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids
from periplus.numeric.given import page_ids
from periplus.numeric.stop import Stop
from periplus.rank.eigen.basis import l1
from periplus.rank.linear.auto import grew
from periplus.rank.linear.passes import UNIT_ROUNDOFF, chunk_bounds, residual_of, row_rounding, threads_for
from periplus.rank.methods.pagerank import DEFAULT_STOP, pagerank
from periplus.rank.updating.edits import Edits, edits
from periplus.rank.updating.forward import settle
from periplus.record import Scores

# The share of the residual allowed that the push may leave, when the old vector's residual takes the rest.
SMALLEST_SHARE = 0.25
# The share of the tolerance that both have together; dividing by the sum takes as much again.
PUSHED_SHARE = 0.45


@checked
def update(
    before: Graph,
    scores: Scores,
    after: Graph,
    *,
    changed: AnyArray | None = None,
    preference: AnyArray | None = None,
    stop: Stop = DEFAULT_STOP,
) -> Scores:
    """The PageRank of `after`, from the `scores` of `before`, with the same damping, dangling mode and scale.

    `changed` are the ids of all pages of `before` whose links differ, or more; when not given both graphs are compared.
    The certificate is about the graph that these pages' new links make: a page left out is a link not seen.
    `preference` is the one for `after`, given when the scores were made with one; then, and with dangling="none", the
    update is a warm start of `pagerank`.
    """
    _check_scores(before, scores)
    if after.nodes < before.nodes:
        raise ParameterError(
            "after", after.nodes, f"at least the {before.nodes} pages of `before` (ids keep their meaning)"
        )
    given = scores.parameters["preference"] == "given"
    if given != (preference is not None):
        raise ParameterError("preference", preference, "given exactly when the scores were made with one")
    settings = {name: scores.parameters[name] for name in ("damping", "dangling", "normalised")}
    # Without damping nothing is handed on, and there are changes all the same.
    changes = edits(before, after, _changed(before, after, changed), settings["damping"] or 1.0)
    plain = given or settings["dangling"] == "none" or before.links == 0 or settings["damping"] == 0
    if plain or stop.tolerance == 0 or _in_vain(scores, after, stop):
        guess, read = np.append(scores.values, np.zeros(after.nodes - before.nodes)), 0
    else:
        updated = _pushed(before, scores, after, changes, stop)
        if updated.converged:
            return updated
        # Whatever the pushes reached is a start, but for what no rank can be.
        guess, read = np.maximum(updated.values, 0.0), updated.extra["links_read"]
    start = guess if np.isfinite(guess).all() and guess.any() else None
    rest = pagerank(after, preference=preference, stop=stop, start=start, **settings)
    return replace(rest, extra=_told(changes, read + rest.iterations * after.links))


def _check_scores(graph: Graph, scores: Scores) -> None:
    if scores.graph_digest != graph.digest:
        raise ParameterError("scores", scores.graph_digest[:12], f"the scores of this graph ({graph.digest[:12]})")
    if scores.method != "pagerank":
        raise ParameterError("scores", scores.method, "scores made by pagerank or update")


def _in_vain(scores: Scores, after: Graph, stop: Stop) -> bool:
    """Whether pushes are not worth a try: among cycles, when also the old vector's error is large."""
    inherited = scores.error_bound / _scale(scores, len(scores.values))
    leaves = PUSHED_SHARE * stop.tolerance - inherited
    return leaves < SMALLEST_SHARE * PUSHED_SHARE * stop.tolerance and not grew(after)


def _damping(scores: Scores) -> float:
    return float(scores.parameters["damping"])


def _scale(scores: Scores, nodes: int) -> float:
    """What the scores sum to."""
    return 1.0 if scores.parameters["normalised"] else float(nodes)


def _told(changes: Edits, links_read: int) -> dict[str, int]:
    return {"pages_changed": changes.differing, "links_read": links_read}


def _changed(before: Graph, after: Graph, changed: AnyArray | None) -> Ids:
    """The pages whose links differ, new pages among them."""
    if changed is None:
        with threads_for(before.links):
            flags = rows_differ(
                before.out_offsets, before.out_targets, after.out_offsets, after.out_targets,
                chunk_bounds(before.out_offsets),
            )  # fmt: skip
        old = np.flatnonzero(flags)
    else:
        pages = np.asarray(changed)
        if pages.dtype == np.bool_ and pages.shape == (after.nodes,):
            pages = np.flatnonzero(pages)
        old = np.unique(page_ids(pages, after.nodes, "changed"))
        old = old[old < before.nodes]
    return np.append(old, np.arange(before.nodes, after.nodes)).astype(np.uint32)


def _pseudo_rank(graph: Graph, scores: Scores) -> Floats:
    """From π to y: at the solution ‖y‖₁ = (1−α) / (1−α + α π·a), with a the dangling pages."""
    damping, share = _damping(scores), scores.values / _scale(scores, max(graph.nodes, 1))
    lost = damping * float(share[graph.dangling].sum())
    values: Floats = share * ((1 - damping) / (1 - damping + lost))
    return values


def _pushed(before: Graph, scores: Scores, after: Graph, changes: Edits, stop: Stop) -> Scores:
    """The update by pushes, for the uniform preference; not converged when the push was given up."""
    damping, nodes, old = _damping(scores), after.nodes, _pseudo_rank(before, scores)
    # The system is linear in b = (1−α)/n: with more pages every old value shrinks alike.
    shrink = before.nodes / nodes
    inherited = shrink * float(old.sum()) * scores.error_bound / _scale(scores, before.nodes) * (1 - damping)
    values, residual = np.append(old * shrink, np.full(nodes - before.nodes, (1 - damping) / nodes)), np.zeros(nodes)
    first = changes.moved(values[changes.pages])
    allowed = PUSHED_SHARE * stop.tolerance * (1 - damping) * float(values.sum())
    if allowed - inherited < SMALLEST_SHARE * allowed:
        residual = residual_of(after, damping, values, np.full(nodes, (1 - damping) / nodes))
        first, inherited = l1(residual), _measured_to(after, values)
    else:
        changes.spread(values[changes.pages], residual)
    settled = settle(after, values, residual, damping, allowed - inherited)
    # Every value is rounded when it is scaled and once per round; the pushed amounts are sums over at most all links.
    relative = first / (float(values.sum()) * (1 - damping))
    rounding = UNIT_ROUNDOFF * (4 + 2 * settled.rounds + np.sqrt(after.links) * relative)
    told = _told(changes, settled.links_read)
    return _record(scores, after, values, (settled.left + inherited, rounding), stop, told)


def _measured_to(graph: Graph, values: Floats) -> float:
    """The rounding that may hide in a measured residual, as in `pagerank`'s certificate."""
    return float(UNIT_ROUNDOFF * (row_rounding(graph.in_degrees) @ np.abs(values)))


def _record(
    scores: Scores, after: Graph, values: Floats, error: tuple[float, float], stop: Stop, told: dict[str, int]
) -> Scores:
    """π = y / ‖y‖₁ with its certificate; `error`: the residual of y, and the rounding relative to ‖y‖₁."""
    scale = _scale(scores, after.nodes)
    total = float(values.sum())
    measured = 2 * error[0] / total
    bound = (measured + 2 * error[1]) / (1 - _damping(scores))
    values *= scale / total
    return Scores(
        method="pagerank",
        values=values,
        parameters={**scores.parameters, "solver": "update", "tolerance": stop.tolerance},
        iterations=int(np.ceil(told["links_read"] / max(after.links, 1))),
        residual=measured * scale,
        error_bound=bound * scale,
        converged=bound <= stop.tolerance,
        graph_digest=after.digest,
        urls=after.urls,
        extra=told,
    )


@njit(cache=True, nogil=True, parallel=True)
def rows_differ(old_offsets, old_targets, new_offsets, new_targets, bounds):  # type: ignore[no-untyped-def]
    """True where a row of the old graph is not the row of the new one."""
    differ = np.zeros(len(old_offsets) - 1, np.bool_)
    for chunk in prange(len(bounds) - 1):
        for page in range(bounds[chunk], bounds[chunk + 1]):
            first, begin = old_offsets[page], new_offsets[page]
            size = old_offsets[page + 1] - first
            if new_offsets[page + 1] - begin != size:
                differ[page] = True
                continue
            bits = np.uint32(0)
            for link in range(size):
                bits |= old_targets[first + link] ^ new_targets[begin + link]
            differ[page] = bits != 0
    return differ
