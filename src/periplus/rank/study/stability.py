"""Stability: how far a ranking moves when links change, against what theory promises (Fogaras 3.3; Ng et al. 2001).

*PageRank* (Fogaras, Theorem 9). When only the links of pages v₁ … v_k change,

    ‖r − r̃‖₁ ≤ 2 Σ r_vi / ε,      ε = 1 − damping

whatever the new links are. The theorem is stated for strongly connected graphs; its proof needs only that every row of
the walk is a distribution, which mending the dangling rows sees to. The proof gives the sharper 2·damping·Σ r_vi/ε too.

*HITS* (Theorem 8). With δ = λ₁ − λ₂ the eigengap of AᵀA there is a change of AᵀA of Frobenius norm at most 2δ that
turns the principal eigenvector over completely. So δ is reported before and after, and beside it the norm of the change
that was made. `overturn` looks for the smallest change of links that does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.given import page_ids
from periplus.rank.study.compare import kendall_tau, rank_biased_overlap
from periplus.rank.table import ranking
from periplus.record import Findings, Scores

# The rankings that Theorem 9 is about.
_DAMPED = ("pagerank", "personalised", "reputation")
Pairs = tuple[AnyArray, AnyArray]
Keys: TypeAlias = npt.NDArray[np.uint64]


def _no_pairs() -> Pairs:
    return np.empty(0, np.int64), np.empty(0, np.int64)


@dataclass(frozen=True)
class Perturbation:
    """Links to add and links to remove, each as (sources, targets)."""

    added: Pairs = field(default_factory=_no_pairs)
    removed: Pairs = field(default_factory=_no_pairs)

    @property
    def size(self) -> int:
        """How many links change; one that is given twice changes once."""
        return sum(len(np.unique(_keys(*pairs))) for pairs in (self.added, self.removed))

    @property
    def pages(self) -> Ids:
        """The pages whose links change."""
        return np.unique(np.concatenate((self.added[0], self.removed[0]))).astype(np.uint32)

    def apply(self, graph: Graph) -> Graph:
        """The graph after the change; what is to be added must be absent, what is to be removed present."""
        present = _keys(np.repeat(np.arange(graph.nodes), graph.out_degrees), graph.out_targets)
        added = _checked_keys(graph, self.added, "added")
        removed = _checked_keys(graph, self.removed, "removed")
        if np.isin(added, present).any():
            raise ParameterError("added", "links that are there already", "links that are absent")
        if not np.isin(removed, present).all():
            raise ParameterError("removed", "links that are not there", "links of the graph")
        sources, targets = _pairs(np.concatenate((present[~np.isin(present, removed)], added)))
        return Graph.from_edges(sources, targets, graph.nodes, urls=graph.urls)


def _keys(sources: AnyArray, targets: AnyArray) -> Keys:
    """One number per link; ids have 32 bits, so it has no room for a sign."""
    keys: Keys = (np.asarray(sources, dtype=np.uint64) << np.uint64(32)) | np.asarray(targets, dtype=np.uint64)
    return keys


def _pairs(keys: Keys) -> tuple[Offsets, Offsets]:
    """The links of such numbers."""
    return (keys >> np.uint64(32)).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _checked_keys(graph: Graph, pairs: Pairs, name: str) -> Keys:
    sources, targets = (page_ids(ids, graph.nodes, name) for ids in pairs)
    if len(sources) != len(targets):
        raise ParameterError(name, (len(sources), len(targets)), "two equally long vectors of page ids")
    return _keys(sources, targets)


@checked
def random_perturbation(graph: Graph, *, share: float = 0.1, seed: int = 0) -> Perturbation:
    """Remove this share of the links at random and add as many between pages drawn at random, where there is room."""
    if not 0 <= share <= 1:
        raise ParameterError("share", share, "0 ≤ share ≤ 1")
    if seed < 0:
        raise ParameterError("seed", seed, "≥ 0")
    rng = np.random.default_rng(seed)
    sources = np.repeat(np.arange(graph.nodes), graph.out_degrees)
    count = round(share * graph.links)
    out = np.sort(rng.choice(graph.links, size=count, replace=False)) if count else np.empty(0, np.int64)
    drawn = rng.integers(0, max(graph.nodes, 1), size=(2, 2 * count))
    fresh = np.unique(_keys(drawn[0], drawn[1]))
    fresh = rng.permutation(fresh[~np.isin(fresh, _keys(sources, graph.out_targets))])[:count]
    return Perturbation(_pairs(fresh), (sources[out], graph.out_targets[out].astype(np.int64)))


@dataclass(frozen=True, slots=True)
class Stability(Findings):
    """What a change of links did to a ranking.

    `distance` = ‖before − after‖₁; `bound` what Theorem 9 allows, `sharper_bound` its proof (NaN for rankings it does
    not speak of); `tau` and `overlap` compare the two orders; `extra` holds what only HITS has: both eigengaps,
    `frobenius_change` = ‖AᵀA − ÃᵀÃ‖_F and `overturning_change` = 2δ of Theorem 8.
    """

    method: str
    parameters: Mapping[str, Any] = field(metadata={"json": None})
    links_changed: int
    pages_changed: int
    before: Scores = field(metadata={"json": None})
    after: Scores = field(metadata={"json": None})
    distance: float
    bound: float
    sharper_bound: float
    tau: float
    overlap: float
    extra: Mapping[str, Any] = field(metadata={"json": None})

    @property
    def top_kept(self) -> bool:
        """Whether the first page is still the first."""
        return bool(self.before.best(1)[0] == self.after.best(1)[0])

    def to_dict(self) -> dict[str, Any]:
        """The figures without the vectors."""
        return Findings.to_dict(self) | {"top_kept": self.top_kept, **self.extra}


@checked
def stability(
    graph: Graph,
    ranker: str | Callable[..., Scores],
    perturbation: Perturbation,
    *,
    arguments: Mapping[str, Any] | None = None,
) -> Stability:
    """Rank before and after the change by the ranker named (or given), and compare; see the module docstring."""
    if graph.nodes == 0:
        raise ParameterError("graph", repr(graph), "at least one page")
    given = dict(arguments or {})
    rank = ranker if callable(ranker) else ranking(ranker, given)
    changed = perturbation.apply(graph)
    before, after = rank(graph, **given), rank(changed, **given)
    bound, sharper = _theorem_9(before, perturbation.pages)
    return Stability(
        method=before.method,
        parameters=before.parameters,
        links_changed=perturbation.size,
        pages_changed=len(perturbation.pages),
        before=before,
        after=after,
        distance=float(np.abs(before.values - after.values).sum()),
        bound=bound,
        sharper_bound=sharper,
        tau=kendall_tau(before.values, after.values),
        overlap=rank_biased_overlap(before.values, after.values),
        extra=_theorem_8(graph, changed, before, after),
    )


def _theorem_9(before: Scores, pages: Ids) -> tuple[float, float]:
    if before.method not in _DAMPED:
        return float("nan"), float("nan")
    damping = float(before.parameters["damping"])
    bound = 2 * float(before.values[pages].sum()) / (1 - damping)
    return bound, damping * bound


def _theorem_8(graph: Graph, changed: Graph, before: Scores, after: Scores) -> dict[str, Any]:
    if "eigengap" not in before.extra:
        return {}
    old, new = _matrix(graph), _matrix(changed)
    difference = new - old
    change = old.T @ difference + difference.T @ old + difference.T @ difference
    return {
        "eigengap_before": before.extra["eigengap"],
        "eigengap_after": after.extra["eigengap"],
        "degenerate_before": before.extra["degenerate"],
        "frobenius_change": float(np.sqrt((change.data**2).sum())),
        "overturning_change": 2 * before.extra["eigengap"],
    }


def _matrix(graph: Graph) -> Any:
    shape = (graph.nodes, graph.nodes)
    return csr_array((np.ones(graph.links), graph.out_targets.astype(np.int64), graph.out_offsets), shape=shape)
