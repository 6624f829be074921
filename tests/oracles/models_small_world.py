"""Watts & Strogatz's plot by other hands: graphs of networkx's own round robin, measured by scipy and networkx.

Figure 2 of Nature 393 (1998) shows L(p)/L(0) and C(p)/C(0), each the mean of 20 random realisations with n = 1000 pages
of k = 10 links. The same is done here, without a line of Periplus.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

PAGES, DEGREE, REALISATIONS = 1000, 10, 20


def measured(graph: nx.Graph) -> tuple[float, float]:
    """Mean distance of all pairs that are joined, and mean clustering."""
    matrix = csr_array(nx.to_scipy_sparse_array(graph, dtype=np.int8))
    distances = shortest_path(matrix, unweighted=True)
    joined = np.isfinite(distances)
    return float(distances[joined].sum() / (joined.sum() - len(graph))), float(nx.average_clustering(graph))


def published_plot(p: float) -> np.ndarray:
    """One row a realisation: L(p)/L(0), C(p)/C(0)."""
    lattice = np.array(measured(nx.circulant_graph(PAGES, range(1, DEGREE // 2 + 1))))
    graphs = [nx.watts_strogatz_graph(PAGES, DEGREE, p, seed=seed) for seed in range(REALISATIONS)]
    return np.array([measured(graph) for graph in graphs]) / lattice
