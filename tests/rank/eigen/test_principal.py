"""Principal eigenvectors where the next eigenvalue is close: within the bound, or an error, never a mixture."""

from __future__ import annotations

import numpy as np
import pytest

from periplus.errors import NotConvergedError
from periplus.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.eigen.principal import distance, principal_pair, same_value
from periplus.rank.methods.hits import hits
from periplus.rank.methods.randomised import randomised_hits

TOLERANCES = [0.1, 0.01, 1e-4, 1e-5, 1e-7]


def side_by_side(blocks: list[np.ndarray], lonely: int) -> Graph:
    """Hubs × authorities matrices as components of their own, and pairs of pages with one link."""
    links, first = [], 0
    for block in blocks:
        hubs, authorities = block.shape
        links += [(first + hub, first + hubs + page) for hub, page in np.argwhere(block)]
        first += hubs + authorities
    links += [(first + 2 * pair, first + 2 * pair + 1) for pair in range(lonely)]
    return Graph.from_edges(*np.array(links).T, first + 2 * lonely)


def principal_of(blocks: list[np.ndarray], nodes: int) -> np.ndarray:
    """The principal authorities: those of the block with the largest singular value."""
    at = int(np.argmax([np.linalg.norm(block, 2) for block in blocks]))
    first = sum(sum(block.shape) for block in blocks[:at]) + len(blocks[at])
    exact = np.zeros(nodes)
    exact[first : first + blocks[at].shape[1]] = np.abs(np.linalg.svd(blocks[at])[2][0])
    return exact


def close_pairs(count: int, least: float) -> list[tuple[float, list[np.ndarray]]]:
    """Pairs of small random communities whose eigenvalues nearly meet, the closest first, with the relative gap."""
    rng = np.random.default_rng(0)
    blocks = [np.array(rng.random((rng.integers(3, 6), rng.integers(3, 7))) < 0.6, float) for _ in range(20_000)]
    blocks = sorted((b for b in blocks if b.any()), key=lambda block: float(np.linalg.norm(block, 2)))
    values = np.array([np.linalg.norm(block, 2) ** 2 for block in blocks])
    gaps = np.diff(values) / values[1:]
    gaps[gaps < least] = np.inf
    return [(float(gaps[at]), [blocks[at], blocks[at + 1]]) for at in np.argsort(gaps)[:count]]


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_two_communities_one_apart(tolerance: float) -> None:
    """λ₁ = 901 is a page that links to 901 others, λ₂ = 900 thirty pages that link to thirty."""
    blocks = [np.ones((30, 30)), np.ones((1, 901))]
    graph = side_by_side(blocks, 20)
    found = hits(graph, stop=Tol(tolerance) | MaxIter(2000))
    assert np.abs(found.values - principal_of(blocks, graph.nodes)).sum() <= found.error_bound <= tolerance
    assert found.extra["eigengap"] == pytest.approx(1.0, abs=1e-6)
    assert not found.extra["degenerate"]


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_no_mixture_of_two_close_ones_is_certified(tolerance: float) -> None:
    answered = 0
    for gap, blocks in close_pairs(12, 1e-7):
        graph = side_by_side(blocks, 300)
        try:
            found = hits(graph, stop=Tol(tolerance) | MaxIter(2000))
            answered += 1
        except NotConvergedError as error:
            found = error.partial
        assert np.abs(found.values - principal_of(blocks, graph.nodes)).sum() <= found.error_bound + 1e-12, gap
        assert not found.extra["degenerate"]
    assert answered >= (10 if tolerance > 1e-6 else 3)


def test_the_same_values_twice_are_degenerate_and_the_projection_of_the_in_degrees() -> None:
    for _, (block, _) in close_pairs(6, 1e-7):
        graph = side_by_side([block, block], 300)
        found = hits(graph)
        half = np.abs(np.linalg.svd(block)[2][0]) / np.sqrt(2)
        exact = np.concatenate([np.zeros(len(block)), half] * 2 + [np.zeros(600)])
        assert found.extra["degenerate"]
        assert np.abs(found.values - exact).sum() <= found.error_bound


def test_hubs_meet_their_own_bound() -> None:
    star = Graph.from_edges(np.arange(1, 3001), np.zeros(3000, int), 3001)
    for graph, among in (
        (star, slice(1, 3001)),
        (side_by_side([np.ones((900, 1)), np.ones((20, 20))], 300), slice(900)),
    ):
        exact = np.zeros(graph.nodes)
        exact[among] = 1.0
        exact /= np.linalg.norm(exact)
        hubs = hits(graph).of_hubs()
        assert np.abs(hubs.values - exact).sum() <= hubs.error_bound <= 1e-7


def test_jumps_on_equal_cliques_keep_to_the_bound() -> None:
    """With a tiny jump the matrix has as many nearly equal eigenvalues as there are cliques; the answer is uniform."""
    size, cliques = 6, 60
    clique = [(a, b) for a in range(size) for b in range(size) if a != b]
    links = np.array([(size * c + a, size * c + b) for c in range(cliques) for a, b in clique])
    graph = Graph.from_edges(*links.T, size * cliques)
    for jump, tolerance in ((1e-2, 1e-9), (1e-6, 1e-6)):
        found = randomised_hits(graph, matrix="links", jump=jump, stop=Tol(tolerance) | MaxIter(2000))
        exact = np.full(graph.nodes, graph.nodes**-0.5)
        assert np.abs(found.values - exact).sum() <= found.error_bound


def test_without_a_gap_there_is_no_bound() -> None:
    assert distance(1e-10, 0.0) == np.inf
    assert distance(1e-10, -1.0) == np.inf
    assert same_value(10.0, 10.0 + 1e-9)
    assert not same_value(10.0, 10.0 - 1e-7)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-7])
def test_a_neighbour_that_noise_hardly_meets_is_found(tolerance: float) -> None:
    """A diagonal of a hundred thousand numbers up to 16, and among them 400 and 400 − 2e-4: pages of a large web with
    two small communities. Of noise a three-hundredth lies along each; a run that ends early sees the many only."""
    nodes = 100_000
    diagonal = np.random.default_rng(5).uniform(0, 16, nodes)
    diagonal[10], diagonal[20] = 400.0, 400.0 - 2e-4
    start = np.ones(nodes)
    start[[10, 20]] = 30.0
    width = float(np.sqrt(nodes))
    found = principal_pair(lambda vector: diagonal * vector, start, width, Tol(tolerance) | MaxIter(2000))
    exact = np.zeros(nodes)
    exact[10] = 1.0
    assert np.linalg.norm(found.vector - exact) <= found.distance
    assert found.second == pytest.approx(400.0 - 2e-4, abs=1e-6)


def test_the_second_attempt_keeps_to_the_passes_allowed() -> None:
    (_, blocks), *_ = close_pairs(1, 1e-7)
    with pytest.raises(NotConvergedError) as caught:
        hits(side_by_side(blocks, 300), stop=Tol(1e-12) | MaxIter(30))
    assert caught.value.partial.iterations <= 30 + 16 + 8


def test_bounds_hold_whatever_the_start_sees_of_the_second():
    """Diagonals with a top, a second a tenth to a millionth below it, and starts that may hardly meet either."""
    rng, answered = np.random.default_rng(11), 0
    for _ in range(150):
        nodes = int(rng.choice([300, 1000, 4000]))
        diagonal = 10 * rng.random(nodes) ** rng.choice([1, 6])
        top, gap = float(rng.choice([12.0, 1000.0])), 10 ** rng.uniform(-6, -1)
        diagonal[:2] = top, top * (1 - gap)
        start = rng.random(nodes) + 0.01
        start[0] *= rng.choice([1.0, 1e-3])
        start[1] = rng.choice([1e-30, 1e-14, 1e-8, 1.0])
        tolerance, width = 10 ** rng.uniform(-7, -1), float(np.sqrt(nodes))
        found = principal_pair(lambda vector, d=diagonal: d * vector, start, width, Tol(tolerance) | MaxIter(3000))
        exact = np.zeros(nodes)
        exact[0] = 1.0
        assert np.linalg.norm(found.vector - exact) <= found.distance + 1e-13
        assert found.second <= np.sort(diagonal)[-2] * (1 + 1e-12)
        answered += width * found.distance <= tolerance
    assert answered >= 140
