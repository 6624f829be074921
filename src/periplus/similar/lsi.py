"""Latent semantic indexing (Deerwester et al. 1990; Fogaras 4): pages as vectors of k numbers, by a truncated SVD.

With one row per page, A ≈ U_k Σ_k V_kᵀ, and page i has the vector (U_k Σ_k)_i: the projection of its row on the k
directions that explain most of the matrix. Two pages are as alike as the cosine of their vectors. What the rows are:

    lsi-words      the weighted words of each page
    lsi-links      the pages that each page links to (Fogaras: the transposed adjacency matrix for the word–document
                   one, whose columns are the rows here); its first singular vectors are HITS's hubs and authorities
    lsi-both-ways  the pages it links to, those that link to it, and itself, each weighing ln(n / how many name it)
    lsi-stacked    words and links side by side, μ and 1 − μ of each row
    lsi-smoothed   the mean of the word vectors of a page and of those it is linked with, `rounds` times over: the words
                   smoothed over links, as the vectors of lsi-words see them

All rows but those of lsi-links are brought to length 1 first, so that a long page does not speak for all others. A new
page is folded in: its row, weighed like the others, times V_k.

Cost: that of `periplus.similar.svd`; 4 n k bytes for the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.similar.mixing import mixing_of
from periplus.similar.reasons import Either, SharedLinks, SharedWords
from periplus.similar.scan import unit_vectors
from periplus.similar.svd import svd
from periplus.similar.table import SIMILAR
from periplus.similar.vectors import PageVectors, Reasons
from periplus.similar.weighting import Weighting, unit_rows
from periplus.similar.words import Words, as_words

K = 150
_SAME_TERMS = "they stand in the same company, without a word in common"
_SAME_LINKS = "they stand in the same company, without a neighbour in common"


class _Block(NamedTuple):
    """Some columns of the matrix: counts, how they are weighed, and their part of each row."""

    counts: Any
    weighting: Weighting
    part: float = 1.0
    unit: bool = True

    def rows(self, counts: Any) -> Any:
        weights = self.weighting.apply(counts)
        rows = unit_rows(weights) if self.unit else weights
        return rows * np.float32(self.part) if self.part else csr_array(rows.shape, dtype=np.float32)

    @property
    def weighed(self) -> Any:
        return self.rows(self.counts)


@checked(SIMILAR["lsi-words"])
def lsi_words(graph: Graph, words: Any, *, k: int = K, weighting: str = "bm25", seed: int = 0) -> PageVectors:
    """Vectors from words alone; `words` is a page × word matrix of counts."""
    known = as_words(words, graph.nodes)
    reasons = reasons_for("lsi-words", graph, known, weighting)
    block = _of_words(known.matrix, weighting)
    return _vectors("lsi-words", graph, [block], reasons, k=k, weighting=weighting, seed=seed)


@checked(SIMILAR["lsi-links"])
def lsi_links(graph: Graph, *, k: int = K, seed: int = 0) -> PageVectors:
    """Vectors from the links out, as they are: the transposed adjacency matrix of the paper."""
    links = out_matrix(graph)
    block = _Block(links, Weighting.of(links, "tf"), unit=False)
    return _vectors("lsi-links", graph, [block], reasons_for("lsi-links", graph, None), k=k, seed=seed)


@checked(SIMILAR["lsi-both-ways"])
def lsi_both_ways(graph: Graph, *, k: int = K, seed: int = 0) -> PageVectors:
    """Vectors from the links out and in, rare neighbours weighing more."""
    reasons = reasons_for("lsi-both-ways", graph, None)
    return _vectors("lsi-both-ways", graph, [_neighbours(graph)], reasons, k=k, seed=seed)


@checked(SIMILAR["lsi-stacked"])
def lsi_stacked(
    graph: Graph, words: Any, *, mixing: float | None = None, k: int = K, weighting: str = "bm25", seed: int = 0
) -> PageVectors:
    """Vectors from words and links side by side; `mixing` is the part of the words, else as `similar.mixing` finds."""
    known = as_words(words, graph.nodes)
    if mixing is None:
        mixing = mixing_of(
            graph, known.matrix, lambda half: _of_words(half, weighting).weighed, _weighed_links, k, seed
        )
    said = _of_words(known.matrix, weighting)._replace(part=mixing)
    linked = _neighbours(graph)._replace(part=1 - mixing)
    reasons = reasons_for("lsi-stacked", graph, known, weighting)
    return _vectors("lsi-stacked", graph, [said, linked], reasons, mixing=mixing, k=k, weighting=weighting, seed=seed)


@checked(SIMILAR["lsi-smoothed"])
def lsi_smoothed(
    graph: Graph, words: Any, *, rounds: int = 2, k: int = K, weighting: str = "bm25", seed: int = 0
) -> PageVectors:
    """Vectors of words, each page taking on what its neighbours say, `rounds` times."""
    known = as_words(words, graph.nodes)
    reasons = reasons_for("lsi-smoothed", graph, known, weighting)
    given = {"rounds": rounds, "k": k, "weighting": weighting, "seed": seed}
    found = _vectors("lsi-smoothed", graph, [_of_words(known.matrix, weighting)], reasons, **given)
    vectors, around = unit_vectors(found.vectors), _mean_around(graph)
    for _ in range(rounds):
        vectors = (around @ vectors).astype(np.float32)
    return replace(found, vectors=vectors)


def _mean_around(graph: Graph) -> Any:
    """Row i averages over page i, the pages it links to and those that link to it."""
    links = out_matrix(graph)
    near = _ones(links + csr_array(links.T) + diags_array(np.ones(graph.nodes, np.float32)))
    degrees = np.diff(near.indptr).astype(np.float32)
    near.data /= np.repeat(degrees, np.diff(near.indptr))
    return near


def reasons_for(method: str, graph: Graph, words: Words | None, weighting: str = "bm25") -> Reasons:
    """Why two pages are alike: the words that the method reads, the links that it reads."""
    if words is None or "words" not in SIMILAR[method].needs:
        return Either(SharedLinks(graph), otherwise=_SAME_LINKS)
    said = SharedWords(_of_words(words.matrix, weighting).weighed, words)
    links = () if method == "lsi-words" else (SharedLinks(graph),)
    return Either(said, *links, otherwise=_SAME_TERMS)


def out_matrix(graph: Graph) -> Any:
    """The adjacency matrix: row i has a 1 for each page that page i links to."""
    columns = graph.out_targets.astype(np.int64)
    return csr_array((np.ones(graph.links, np.float32), columns, graph.out_offsets), shape=(graph.nodes, graph.nodes))


def _of_words(counts: Any, weighting: str) -> _Block:
    return _Block(counts, Weighting.of(counts, weighting))


def _weighed_links(graph: Graph) -> Any:
    return _neighbours(graph).weighed


def _neighbours(graph: Graph) -> _Block:
    """Row i: the pages that page i links to and itself, then the pages that link to it and itself."""
    own = csr_array(diags_array(np.ones(graph.nodes, np.float32)))
    out = out_matrix(graph)
    both = csr_array(hstack([_ones(out + own), _ones(csr_array(out.T) + own)]))
    return _Block(both, Weighting.of(both, "tf-idf"))


def _ones(matrix: Any) -> Any:
    """The entries of a matrix, each 1."""
    found = csr_array(matrix)
    found.data[:] = 1
    return found


def _vectors(method: str, graph: Graph, blocks: Sequence[_Block], reasons: Reasons, **parameters: Any) -> PageVectors:
    matrix = csr_array(hstack([block.weighed for block in blocks]))
    found = svd(matrix, parameters["k"], seed=parameters["seed"])
    vectors = (found.left * found.values).astype(np.float32)
    vectors[np.diff(matrix.indptr) == 0] = 0  # and not the rounding of nothing
    basis = found.right.astype(np.float32)

    def fold(*rows: Any) -> AnyArray:
        """New rows of counts, one matrix a block of columns, as vectors among the others."""
        if len(rows) != len(blocks) or any(
            len(np.shape(new)) != 2 or np.shape(new)[1] != block.counts.shape[1]
            for new, block in zip(rows, blocks, strict=True)
        ):
            wanted = " and ".join(f"{block.counts.shape[1]} columns" for block in blocks)
            raise ParameterError("rows", [np.shape(new) for new in rows], f"matrices of {wanted}")
        weighed = hstack([block.rows(csr_array(new)) for block, new in zip(blocks, rows, strict=True)])
        return csr_array(weighed) @ basis

    return PageVectors(
        method,
        vectors,
        parameters=parameters,
        iterations=found.blocks,
        graph_digest=graph,
        extra={"singular_values": found.values, "energy": found.energy},
        urls=graph.urls,
        reasons=reasons,
        fold=fold,
    )
