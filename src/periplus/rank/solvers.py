"""The ways to solve the PageRank system, by name, and how `auto` chooses among them.

What a solver claims is not believed: `pagerank` measures the residual of the final vector by a pass of its own.
To add one: a function `System -> Solution` in its own module and a line in `SOLVERS`; the contract test reads the
table.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from periplus.graph.graph import Graph
from periplus.rank.bins import pays
from periplus.rank.solvers_adaptive import adaptive
from periplus.rank.solvers_krylov import krylov
from periplus.rank.solvers_power import blocking, extrapolation, power
from periplus.rank.solvers_scc import scc
from periplus.rank.solvers_sweep import gauss_seidel, lumped
from periplus.rank.system import Solution, System

SOLVERS: dict[str, Callable[[System], Solution]] = {
    "power": power,
    "adaptive": adaptive,
    "gauss-seidel": gauss_seidel,
    "lumped": lumped,
    "scc": scc,
    "extrapolation": extrapolation,
    "blocking": blocking,
    "krylov": krylov,
}


# The share of pages without in-links from which on peeling pays: such graphs grew by addition and have little core.
FRONT_SHARE = 0.1
# From here on a plain sweep gains too little; what mixes or minimises over many sweeps takes over.
HIGH_DAMPING = 0.95


def grew(graph: Graph) -> bool:
    """Whether a graph looks like one that grew by addition, with few cycles: many pages have no in-link yet."""
    return int(np.count_nonzero(graph.in_degrees == 0)) >= FRONT_SHARE * graph.nodes


def choose(graph: Graph, damping: float) -> str:
    """The solver that `auto` takes for this graph and damping."""
    nodes = graph.nodes
    if nodes and damping < HIGH_DAMPING and grew(graph):
        return "lumped"
    if pays(graph):
        return "krylov" if damping >= HIGH_DAMPING else "blocking"
    return "scc"
