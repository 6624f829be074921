"""Fogaras 4: the cosine measure and latent semantic indexing, of words and of links."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats
from periplus.rank import hits
from periplus.reproduce.checks import bound, exact, holds, mean_of, number
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.data import Data
from periplus.reproduce.pictures import line, plot
from periplus.reproduce.tools import dense, random_web, web
from periplus.similar.cosine import cosine
from periplus.similar.lsi import lsi_words
from periplus.similar.svd import svd
from periplus.similar.weighting import weighted


@claim(
    "fogaras.cosine",
    "§4",
    "The similarity of two documents is the cosine of their columns; frequent and polysemous words mislead it.",
)
def cosines(means: Means) -> Outcome:
    counts = np.random.default_rng(1).poisson(0.4, (40, 25)).astype(np.float32)
    graph = web([(0, 1)], 40)
    near = cosine(graph, csr_array(counts), weighting="tf").nearest(0, 10)
    lengths = np.linalg.norm(counts, axis=1)
    plain = counts @ counts[0] / lengths / lengths[0]
    off = max(abs(one.score - plain[one.id]) for one in near)
    return Outcome(
        (holds("a_s·a_t / ‖a_s‖‖a_t‖", "cosine", f"off by {off:.0e} at most", off < 1e-6),),
        "Forty random documents of 25 words; ours beside the formula worked out densely. Seed 1.",
    )


@claim(
    "fogaras.lsi-best",
    "§4",
    "Of all matrices of rank k, A_k is nearest to A in the Frobenius norm.",
)
def best_rank_k(means: Means) -> Outcome:
    matrix = np.random.default_rng(2).poisson(0.3, (120, 80)).astype(np.float64)
    energy, tried, smallest = float((matrix**2).sum()), means.size(300), np.inf
    all_values = np.linalg.svd(matrix, compute_uv=False)
    checks = []
    for k in (1, 10, 40):
        found = svd(csr_array(matrix), k)
        left = energy * (1 - found.energy)
        checks.append(
            number(f"‖A − A_k‖²_F, k = {k}", "Σ σᵢ² for i > k", exact(left), means=_around((all_values[k:] ** 2).sum()))
        )
        others = [_error(matrix, k, seed) for seed in range(tried // 3)]
        smallest = min(smallest, min(others) / left)
    checks.append(bound("best of the others, as a share of it", "minimal", exact(smallest), least=1.0))
    return Outcome(
        tuple(checks),
        f"A random 120 × 80 matrix of counts, seed 2; {tried} other matrices of the same rank: A projected on random "
        "directions near its own.",
    )


def _around(value: float) -> tuple[float, float]:
    return value * (1 - 1e-6), value * (1 + 1e-6)


def _error(matrix: Floats, k: int, seed: int) -> float:
    """The error of the best approximation within a random space of dimension k that leans towards A's own."""
    rng = np.random.default_rng(seed)
    space = np.linalg.qr(matrix @ (matrix.T @ rng.normal(size=(len(matrix), k))))[0]
    return float(((matrix - space @ (space.T @ matrix)) ** 2).sum())


@claim(
    "fogaras.lsi-dimensions",
    "§4",
    "100 to 200 dimensions are the usual size of the semantic space.",
    data=("planetoid",),
)
def dimensions(means: Means) -> Outcome:
    graph, words, classes = _cora(means.data)
    tried = np.array([5, 10, 25, 50, 100, 150, 200])
    asked = np.random.default_rng(1).choice(graph.nodes, min(graph.nodes, means.size(500)), replace=False)
    right = [_precision(lsi_words(graph, words, k=int(k)).vectors, asked, classes) for k in tried]
    plain = _precision(weighted(words, "bm25").toarray(), asked, classes)
    best = mean_of(right[int(np.argmax([each.mean() for each in right]))])
    usual = max((mean_of(each) for k, each in zip(tried, right, strict=True) if 100 <= k <= 200), key=lambda e: e.value)
    return Outcome(
        (
            number(
                "precision at 100–200, by the best k tried",
                "100–200",
                usual,
                means=(best.low, best.high),
                another=True,
            ),
            bound("precision beside plain cosines", "better", usual, least=float(plain.mean()), another=True),
        ),
        f"Cora: 2,708 papers of 7 fields by their words; of the ten nearest, those of the same field; {len(asked)} "
        "papers asked, seed 1.",
        "The best k depends on the collection; on this one many sizes do as well as 100 to 200.",
        (
            plot(
                line("LSI", tried, [each.mean() for each in right]),
                line("plain cosine", tried, np.full(len(tried), plain.mean()), muted=True),
                title="Beyond a few dozen dimensions LSI finds the field of a paper as well as ever",
                x="k, dimensions",
                y="share of the ten nearest in the same field",
                log="x",
            ),
        ),
    )


def _cora(data: Data) -> tuple[Graph, Any, AnyArray]:
    graph = data.graph("planetoid", "cora.")
    rows = data.lines("planetoid", "cora.nodes.tsv.xz")
    columns = [[int(word) for word in row[2].split(",") if word] for row in rows]
    ends = np.cumsum([0, *map(len, columns)])
    flat = np.concatenate([np.array(one, dtype=np.int64) for one in columns])
    words = csr_array((np.ones(len(flat), np.float32), flat, ends), shape=(len(rows), 1433))
    return graph, words, np.array([int(row[1]) for row in rows])


def _precision(vectors: AnyArray, asked: AnyArray, classes: AnyArray) -> Floats:
    """For each page asked, the share of its ten nearest that are of its class."""
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    near = unit[asked] @ unit.T
    near[np.arange(len(asked)), asked] = -np.inf
    found = np.argpartition(-near, 10, axis=1)[:, :10]
    return np.asarray((classes[found] == classes[asked][:, None]).mean(axis=1))


@claim(
    "fogaras.lsi-theorem",
    "§4",
    "Where documents come from a few topics, blurred by small noise, cosines on A_k find the topics better than those "
    "on A.",
)
def lsi_theorem(means: Means) -> Outcome:
    topics, pages, words = 8, 240, 600
    gains, firsts = [], []
    for seed in range(1, means.size(6) + 1):
        rng = np.random.default_rng(seed)
        of_page = np.arange(pages) % topics
        profile = rng.dirichlet(np.full(words, 0.08), topics)
        counts = csr_array(rng.poisson(15 * profile[of_page] + 0.04).astype(np.float32))
        graph = web([(0, 1)], pages)
        plain = _precision(counts.toarray(), np.arange(pages), of_page).mean()
        found = _precision(lsi_words(graph, counts, k=topics, weighting="tf").vectors, np.arange(pages), of_page).mean()
        gains.append(found - plain)
        firsts.append(found)
    return Outcome(
        (
            bound("gain in precision by A_k", "filters effectively", mean_of(gains), least=0.0),
            bound("precision on A_k", "approximates S", mean_of(firsts), least=0.95),
        ),
        f"240 documents of 15 words about one of 8 topics each, and 24 words of noise; k = 8, {len(gains)} seeds.",
    )


@claim(
    "fogaras.lsi-rank-1",
    "§4",
    "LSI with one dimension is hubs and authorities: A₁ = √λ₁ h aᵀ. The text prints λ₁².",
    misprint=True,
)
def rank_one(means: Means) -> Outcome:
    graph = random_web(60, 300, 3)
    scores, one, matrix = hits(graph), svd(csr_array(dense(graph)), 1), dense(graph)
    first = one.left * one.values @ one.right.T
    product = np.outer(scores.extra["hubs"], scores.values)
    value, size = scores.extra["eigenvalue"], float(np.linalg.norm(first))
    printed = float(np.linalg.norm(first - value**2 * product)) / size
    right = float(np.linalg.norm(first - value**0.5 * product)) / size
    best = float(np.linalg.norm(matrix - value**0.5 * product)), float(np.linalg.norm(matrix - first))
    return Outcome(
        (
            holds("A₁ = λ₁² h aᵀ", "λ₁²", f"off by {printed:.0f} times its size", printed < 1e-5),
            holds("A₁ = √λ₁ h aᵀ", "√λ₁ = σ₁", f"off by {right:.0e}", right < 1e-5),
            holds(
                "it is the best of rank one", "k = 1", f"errors {best[0]:.6f}, {best[1]:.6f}", best[0] < best[1] + 1e-5
            ),
        ),
        "A random web of 60 pages, seed 3; λ₁ is the largest eigenvalue of AᵀA, as the paper defines it.",
        "The largest singular value σ₁ is the root of λ₁, and A₁ = σ₁ h aᵀ.",
    )
