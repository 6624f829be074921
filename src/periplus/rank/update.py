"""Re-rank after some links changed, touching only what moved.

With y the old solution of y = α Hᵀ y + b and H′, b′ the new matrix and base, the residual of y in the new system

    r = b′ + α H′ᵀ y − y  =  r_old + (b′ − b) + α (H′ − H)ᵀ y

differs from the old residual only at the old and new targets of the pages whose links changed. The correction is then
*pushed*: a page with |r_i| above a threshold takes y_i ← y_i + r_i and hands α r_i/d⁺(i) along each of its links
(Gauss–Southwell in rounds; McSherry 2005; D-iteration: Hong 2012). A round's threshold is the mean of |r|, so the
work follows the change: pages that hardly move are never read. ‖r‖₁ is known at every moment, and the certificate is

    ‖π − π*‖₁ ≤ 2 (‖r_old‖₁ + ‖r‖₁ + rounding) / (‖y‖₁ (1 − α)).

When the old vector's own residual leaves too little of the tolerance (after many updates), one full pass measures the
residual afresh and the push starts from that. A change that reaches far (nine digits on a well-knit graph: nearly
every page moves by more) is given up after half a pass of pushes and handed to `pagerank` as a warm start.
Cost: one comparison of the two graphs' links, then the pushes.

Page ids keep their meaning: page i of the old graph is page i of the new one; new pages come after the old.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import njit

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats
from periplus.numeric.stop import Stop
from periplus.rank.pagerank import DEFAULT_STOP, UNIT_ROUNDOFF, pagerank
from periplus.rank.passes import link_weights
from periplus.rank.scores import Scores

# The share of the residual allowed that the push may leave, when the old vector's residual takes the rest.
SMALLEST_SHARE = 0.25
# A change that is not settled after so many passes' worth of links is not local: a solver with a warm start is faster.
GIVE_UP_AFTER = 0.5


def update(
    before: Graph,
    scores: Scores,
    after: Graph,
    *,
    preference: AnyArray | None = None,
    stop: Stop = DEFAULT_STOP,
) -> Scores:
    """The PageRank of `after`, from the `scores` of `before`, with the same damping, dangling mode and scale.

    `preference` is the one for `after`, given when the scores were made with one. Falls back to a warm start of
    `pagerank` where the change is not local: another preference, or the weakly preferential mode with a preference.
    """
    if scores.graph_digest != before.digest:
        raise ParameterError("scores", scores.graph_digest[:12], f"the scores of `before` ({before.digest[:12]})")
    if scores.method != "pagerank":
        raise ParameterError("scores", scores.method, "scores made by pagerank or update")
    if after.nodes < before.nodes:
        raise ParameterError(
            "after", after.nodes, f"at least the {before.nodes} pages of `before` (ids keep their meaning)"
        )
    given = scores.parameters["preference"] == "given"
    if given != (preference is not None):
        raise ParameterError("preference", preference, "given exactly when the scores were made with one")
    settings = {name: scores.parameters[name] for name in ("damping", "dangling", "normalised")}
    old = scores.values if settings["normalised"] else scores.values / max(before.nodes, 1)
    guess = np.zeros(after.nodes)
    guess[: before.nodes] = old
    if given or settings["dangling"] == "none" or before.links == 0 or settings["damping"] == 0 or stop.tolerance == 0:
        start = guess if guess.sum() > 0 else None
        return pagerank(after, preference=preference, stop=stop, start=start, **settings)
    updated = _pushed(before, scores, after, guess, stop)
    if updated.converged:
        return updated
    rest = pagerank(after, stop=stop, start=updated.values, **settings)
    read = updated.extra["links_read"] + rest.iterations * after.links
    return replace(rest, extra={**updated.extra, "links_read": read})


def _pushed(before: Graph, scores: Scores, after: Graph, guess: Floats, stop: Stop) -> Scores:
    """The update by pushes, for the uniform preference; not converged when the push was given up."""
    damping, nodes = float(scores.parameters["damping"]), after.nodes
    scale = 1.0 if scores.parameters["normalised"] else float(nodes)
    # From π to y on the old graph, then to the new base: the system is linear in b = (1−α)/n.
    lost = float(guess[: before.nodes][before.dangling].sum())
    mass = (1 - damping) / (1 - damping + damping * lost) * before.nodes / nodes
    values = guess * mass
    residual = np.zeros(nodes)
    residual[before.nodes :] = (1 - damping) / nodes
    weights = link_weights(after, damping)
    changed = moved_links(
        before.out_offsets, before.out_targets, link_weights(before, damping),
        after.out_offsets, after.out_targets, weights, values, residual,
    )  # fmt: skip
    inherited = mass * scores.residual / (1.0 if scores.parameters["normalised"] else before.nodes)
    allowed = 0.45 * stop.tolerance * (1 - damping) * mass
    if allowed - inherited < SMALLEST_SHARE * allowed:
        residual, inherited = full_residual(after, weights, (1 - damping) / nodes, values), 0.0
    left, read = settle(
        after.out_offsets, after.out_targets, weights, values, residual, allowed - inherited,
        int(GIVE_UP_AFTER * after.links),
    )  # fmt: skip
    total = float(values.sum())
    rounding = UNIT_ROUNDOFF * (4 + float(np.sqrt(after.in_degrees.max(initial=0))))
    measured = 2 * (left + inherited) / total
    bound = (measured + rounding) / (1 - damping)
    return Scores(
        method="pagerank",
        values=values * (scale / total),
        parameters={**scores.parameters, "solver": "update", "tolerance": stop.tolerance},
        iterations=int(np.ceil(read / max(after.links, 1))),
        residual=measured * scale,
        error_bound=bound * scale,
        converged=bound <= stop.tolerance,
        graph_digest=after.digest,
        extra={"pages_changed": int(changed), "links_read": int(read)},
    )


def full_residual(graph: Graph, weights: Floats, base: float, values: Floats) -> Floats:
    """b + α Hᵀ y − y, measured by one pass."""
    given = values * weights
    return gather(graph.in_offsets, graph.in_sources, given) + (base - values)


@njit(cache=True, nogil=True)
def gather(offsets, sources, given):  # type: ignore[no-untyped-def]
    """Σ_{i→j} given_i for each j."""
    sums = np.zeros(len(offsets) - 1)
    for row in range(len(sums)):
        total = 0.0
        for link in range(offsets[row], offsets[row + 1]):
            total += given[sources[link]]
        sums[row] = total
    return sums


@njit(cache=True, nogil=True)
def moved_links(  # type: ignore[no-untyped-def]
    old_offsets, old_targets, old_weights, new_offsets, new_targets, new_weights, values, residual
):
    """Add α (H′ − H)ᵀ y to `residual`; gives the number of pages whose links changed."""
    changed = 0
    for page in range(len(old_offsets) - 1):
        first, last = old_offsets[page], old_offsets[page + 1]
        begin, end = new_offsets[page], new_offsets[page + 1]
        same = last - first == end - begin
        link = first
        while same and link < last:
            same = old_targets[link] == new_targets[begin + link - first]
            link += 1
        if same:
            continue
        changed += 1
        for link in range(first, last):
            residual[old_targets[link]] -= values[page] * old_weights[page]
        for link in range(begin, end):
            residual[new_targets[link]] += values[page] * new_weights[page]
    return changed + len(new_offsets) - len(old_offsets)


@njit(cache=True, nogil=True)
def settle(offsets, targets, weights, values, residual, allowed, most_links):  # type: ignore[no-untyped-def]
    """Push until ‖residual‖₁ ≤ allowed or `most_links` links were read; gives (‖residual‖₁, links read)."""
    nodes = len(values)
    read = 0
    left = np.sum(np.abs(residual))
    while left > allowed and read < most_links:
        threshold = max(left, 0.2 * allowed) / nodes
        for page in range(nodes - 1, -1, -1):
            amount = residual[page]
            if abs(amount) > threshold:
                values[page] += amount
                residual[page] = 0.0
                for link in range(offsets[page], offsets[page + 1]):
                    residual[targets[link]] += amount * weights[page]
                read += offsets[page + 1] - offsets[page]
        left = np.sum(np.abs(residual))
    return left, read
