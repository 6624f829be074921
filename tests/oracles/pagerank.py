"""PageRank as the textbook writes it: dense matrices H, S and G, and a linear solve; for a few hundred pages."""

from __future__ import annotations

import numpy as np

from periplus.graph import Graph


def h_matrix(graph: Graph) -> np.ndarray:
    """H[i, j] = 1/d⁺(i) when page i links to page j; a dangling page has a row of zeros."""
    matrix = np.zeros((graph.nodes, graph.nodes))
    for page in range(graph.nodes):
        targets = graph.successors(page)
        if len(targets):
            matrix[page, targets] = 1.0 / len(targets)
    return matrix


def s_matrix(graph: Graph, dangling_row: np.ndarray) -> np.ndarray:
    """S = H + a uᵀ: the rows of dangling pages replaced by u."""
    matrix = h_matrix(graph)
    matrix[matrix.sum(axis=1) == 0] = dangling_row
    return matrix


def google_matrix(graph: Graph, damping: float, preference: np.ndarray, dangling_row: np.ndarray) -> np.ndarray:
    """G = α S + (1 − α) e vᵀ."""
    return damping * s_matrix(graph, dangling_row) + (1 - damping) * np.outer(np.ones(graph.nodes), preference)


def dense_pagerank(graph: Graph, damping: float, preference: np.ndarray, dangling: str) -> np.ndarray:
    """The solution of π = α π S + (1 − α) v by elimination, in the named dangling mode."""
    nodes = graph.nodes
    row = {"preference": preference, "uniform": np.full(nodes, 1 / max(nodes, 1)), "none": np.zeros(nodes)}[dangling]
    return np.linalg.solve(np.eye(nodes) - damping * s_matrix(graph, row).T, (1 - damping) * preference)


def random_graph(rng: np.random.Generator, shape: str) -> Graph:
    """A small graph of one of the shapes that break rankers."""
    nodes = int(rng.integers(2, 30))
    links = int(rng.integers(0, 90))
    sources, targets = rng.integers(0, nodes, links), rng.integers(0, nodes, links)
    if shape == "empty":
        nodes, sources, targets = 0, sources[:0], targets[:0]
    elif shape == "one page":
        nodes, sources, targets = 1, sources[:0], targets[:0]
    elif shape == "one page with a self-link":
        nodes, sources, targets = 1, np.array([0]), np.array([0])
    elif shape == "all dangling":
        sources, targets = sources[:0], targets[:0]
    elif shape == "acyclic":
        sources, targets = np.maximum(sources, targets), np.minimum(sources, targets)
    elif shape == "disconnected":
        targets = (sources // 5 * 5 + targets % 5) % nodes
    elif shape == "self-links":
        sources, targets = np.append(sources, np.arange(nodes)), np.append(targets, np.arange(nodes))
    elif shape == "cycle":
        sources, targets = np.arange(nodes), (np.arange(nodes) + 1) % nodes
    elif shape == "cliques":
        pages = np.arange(nodes)
        pairs = [(a, b) for a in pages for b in pages if a != b and a // 6 == b // 6] + [(0, nodes - 1)]
        sources, targets = np.array(pairs).T
    return Graph.from_edges(sources, targets, nodes)


SHAPES = (
    "empty",
    "one page",
    "one page with a self-link",
    "all dangling",
    "acyclic",
    "disconnected",
    "self-links",
    "cycle",
    "cliques",
    "plain",
)
