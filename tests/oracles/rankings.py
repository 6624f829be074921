"""Textbook versions of the rankings over dense matrices, and the small graphs they are tried on.

Everything here is written from the formulas alone: no sparse rows, no shortcuts, nothing shared with the package
but the `Graph` that carries the links.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from periplus.graph.graph import Graph


def graph_of(links: list[tuple[int, int]], nodes: int | None = None) -> Graph:
    pairs = np.array(links, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(pairs[:, 0], pairs[:, 1], nodes)


def adjacency(graph: Graph) -> np.ndarray:
    matrix = np.zeros((graph.nodes, graph.nodes))
    for page in range(graph.nodes):
        matrix[page, graph.successors(page)] = 1.0
    return matrix


def special_graphs() -> dict[str, Graph]:
    """The corners: no page, one page, no link, loops only, several components, everything dangling but one."""
    return {
        "empty": graph_of([], 0),
        "one page": graph_of([], 1),
        "one loop": graph_of([(0, 0)], 1),
        "no links": graph_of([], 4),
        "loops only": graph_of([(0, 0), (1, 1), (2, 2)], 3),
        "one link": graph_of([(0, 1)], 2),
        "two pages both ways": graph_of([(0, 1), (1, 0)], 2),
        "star": graph_of([(0, k) for k in range(1, 6)], 6),
        "star inwards": graph_of([(k, 0) for k in range(1, 6)], 6),
        "three-cycle": graph_of([(0, 1), (1, 2), (2, 0)], 3),
        "two components": graph_of([(0, 1), (1, 0), (2, 3), (3, 4), (4, 2), (2, 4)], 6),
        "path": graph_of([(k, k + 1) for k in range(6)], 7),
        "complete": graph_of([(i, j) for i in range(5) for j in range(5)], 5),
    }


def random_graphs(count: int, seed: int = 0, largest: int = 24) -> Iterator[Graph]:
    """Random links between few pages, from nearly empty to dense, with loops, dangling pages and loose parts."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        nodes = int(rng.integers(1, largest + 1))
        links = int(rng.integers(0, 1 + nodes * int(rng.integers(1, 6))))
        ends = rng.integers(0, nodes, size=(2, links))
        if rng.random() < 0.5:  # a few pages gather most of the links
            ends[1] = (nodes * rng.random(links) ** 3).astype(np.int64)
        yield Graph.from_edges(ends[0], ends[1], nodes)


def linked_graphs(count: int, seed: int = 0, largest: int = 24) -> Iterator[Graph]:
    """The special and the random graphs that have a link."""
    yield from (graph for graph in special_graphs().values() if graph.links)
    yield from (graph for graph in random_graphs(count, seed, largest) if graph.links)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def hits(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The in-degrees projected on the top eigenspace of AᵀA, its hubs, and all eigenvalues, largest first."""
    matrix = adjacency(graph)
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    top = vectors[:, values > values[-1] * (1 - 1e-9)]
    authorities = unit(top @ top.T @ matrix.sum(axis=0))
    return authorities, unit(matrix @ authorities), values[::-1]


def kleinberg(graph: Graph, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Definition 6 of Fogaras, to the letter."""
    matrix = adjacency(graph)
    hubs = np.ones(graph.nodes)
    for _ in range(rounds):
        authorities = unit(matrix.T @ hubs)
        hubs = unit(matrix @ authorities)
    return authorities, hubs


def _rows(matrix: np.ndarray) -> np.ndarray:
    return matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)


def _columns(matrix: np.ndarray) -> np.ndarray:
    return matrix / np.maximum(matrix.sum(axis=0, keepdims=True), 1)


def salsa_walk(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Both walks of SALSA from a uniform start, after 2²⁵ steps."""
    matrix = adjacency(graph)
    back, forth = _columns(matrix).T, _rows(matrix)
    result = []
    for step, alive in ((back @ forth, matrix.any(axis=0)), (forth @ back, matrix.any(axis=1))):
        for _ in range(25):
            step = step @ step
            step /= np.where(alive, step.sum(axis=1), 1.0)[:, None]  # rows drift away from 1 by rounding
        result.append(alive / alive.sum() @ step)
    return result[0], result[1]


def subspace_hits(graph: Graph, dimensions: int, power: float) -> np.ndarray:
    matrix = adjacency(graph)
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    last = values[min(dimensions, graph.nodes) - 1]
    used = (values >= last - 1e-9 * values[0]) & (values > 1e-9 * values[0])
    return (vectors[:, used] ** 2) @ (values[used] / values[0]) ** power


def alternating_walk(graph: Graph, base: np.ndarray, follow: float) -> tuple[np.ndarray, np.ndarray]:
    """a = base + f·A_rowᵀ h, h = base + f·A_col a as one linear system."""
    matrix, n = adjacency(graph), graph.nodes
    system = np.zeros((2 * n, 2 * n))
    system[:n, n:], system[n:, :n] = _rows(matrix).T, _columns(matrix)
    both = np.linalg.solve(np.eye(2 * n) - follow * system, np.concatenate((base, base)))
    return both[:n], both[n:]


def jumping_hits(graph: Graph, jump: float) -> tuple[np.ndarray, np.ndarray]:
    """Principal singular vectors of (1−ε) A/σ₁ + (ε/n) 11ᵀ."""
    matrix = adjacency(graph)
    largest = np.linalg.svd(matrix, compute_uv=False)[0]
    left, _, right = np.linalg.svd((1 - jump) * matrix / largest + jump / graph.nodes)
    return np.abs(right[0]), np.abs(left[:, 0])


def weighted_hits(
    graph: Graph, hosts: np.ndarray, relevance: np.ndarray, *, drop: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """Bharat and Henzinger after 2¹⁴ steps, by squaring; None where no link counts."""
    matrix = adjacency(graph) * np.outer(relevance > 0, relevance > 0)
    if drop:
        matrix[hosts[:, None] == hosts[None, :]] = 0.0
    if not matrix.any():
        return None
    same = (hosts[:, None] == hosts[None, :]).astype(float)
    from_host = same @ matrix  # links from the host of v to u
    to_host = matrix @ same  # links from v to the host of u
    for_authorities = np.divide(matrix, from_host, out=np.zeros_like(matrix), where=matrix > 0)
    for_hubs = np.divide(matrix, to_host, out=np.zeros_like(matrix), where=matrix > 0)
    back = for_authorities.T @ np.diag(relevance)
    forth = for_hubs @ np.diag(relevance)
    step = back @ forth
    for _ in range(14):
        step = step @ step
        step /= step.max()
    authorities = unit(step @ np.ones(graph.nodes))
    return authorities, unit(forth @ authorities)


def markov_chain(
    graph: Graph, relevance: float, authority: float, integrativity: float, novelty: float, similarity: np.ndarray
) -> np.ndarray:
    """The tendency matrix in full, its rows divided by their sums, and the left eigenvector for 1."""
    n = graph.nodes
    matrix = adjacency(graph)
    tendency = np.full((n, n), novelty)
    for i in range(n):
        for j in range(n):
            if i == j:
                tendency[i, j] = relevance * similarity[i]
            elif matrix[i, j]:
                tendency[i, j] = authority
            elif matrix[j, i]:
                tendency[i, j] = integrativity
    if n == 1:
        return np.ones(1)
    return stationary(tendency / tendency.sum(axis=1, keepdims=True))


def stationary(transitions: np.ndarray) -> np.ndarray:
    """πP = π, Σπ = 1 as a least-squares problem."""
    n = len(transitions)
    system = np.vstack((transitions.T - np.eye(n), np.ones(n)))
    return np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0]


def personalised(graph: Graph, preference: np.ndarray, damping: float) -> np.ndarray:
    """The walk that jumps to `preference`, also from pages without links."""
    walk = _rows(adjacency(graph))
    found = np.linalg.solve(np.eye(graph.nodes) - damping * walk.T, (1 - damping) * preference / preference.sum())
    return found / found.sum()


def katz(graph: Graph, attenuation: float) -> np.ndarray:
    return np.linalg.solve(np.eye(graph.nodes) - attenuation * adjacency(graph).T, np.ones(graph.nodes))


def harmonic(graph: Graph) -> np.ndarray:
    """Distances by powers of the matrix, one link at a time."""
    matrix = adjacency(graph)
    reached = np.eye(graph.nodes)
    total = np.zeros(graph.nodes)
    front = np.eye(graph.nodes)
    for distance in range(1, graph.nodes):
        front = ((front @ matrix) > 0) & (reached == 0)
        reached = reached + front
        total += front.sum(axis=0) / distance
        front = front.astype(float)
    return total


def kendall_tau(x: np.ndarray, y: np.ndarray) -> float:
    """τ_b by looking at every pair."""
    dx, dy = (np.sign(v[:, None] - v[None, :])[np.triu_indices(len(v), 1)] for v in (x, y))
    return float((dx * dy).sum() / np.sqrt(np.abs(dx).sum() * np.abs(dy).sum()))


def rank_biased_overlap(first: list[int], second: list[int], p: float) -> float:
    """Webber et al., equation 30 for lists of equal length."""
    depth = len(first)
    shares = [len(set(first[:d]) & set(second[:d])) / d for d in range(1, depth + 1)]
    return shares[-1] * p**depth + (1 - p) / p * sum(share * p**d for d, share in enumerate(shares, 1))
