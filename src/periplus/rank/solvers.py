"""The ways to solve the PageRank system, by name, and how `auto` chooses among them.

What a solver claims is not believed: `pagerank` measures the residual of the final vector by a pass of its own.
To add one: a function `System -> Solution` in its own module and a line in `SOLVERS`; the contract test reads the
table.
"""

from __future__ import annotations

from collections.abc import Callable

from periplus.graph.graph import Graph
from periplus.rank.solvers_blocking import blocking
from periplus.rank.solvers_krylov import krylov
from periplus.rank.solvers_power import extrapolation, power
from periplus.rank.solvers_scc import scc
from periplus.rank.solvers_sweep import gauss_seidel, lumped
from periplus.rank.system import Solution, System

SOLVERS: dict[str, Callable[[System], Solution]] = {
    "power": power,
    "gauss-seidel": gauss_seidel,
    "lumped": lumped,
    "scc": scc,
    "extrapolation": extrapolation,
    "blocking": blocking,
    "krylov": krylov,
}


def choose(graph: Graph, damping: float) -> str:
    """The solver that `auto` takes for this graph and damping."""
    if damping >= 0.95:
        return "krylov"
    return "scc"
