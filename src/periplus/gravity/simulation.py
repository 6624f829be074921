"""`Simulation`: the gravitational model of the Web, step by step (Bennouas, Bouklit and de Montgolfier 2003, §4).

Pages are particles in space. In each step of time dt, with O the origin and r² = dist² + ε²,

    force along each link, at both ends    F = G m(p) m(q) / r²
    expansion about the centre             OP ← (1 + λ e^{−αt}) OP
    mass along the links                   m_t(p) = d Σ_{q→p} r^{−δ} m_{t−1}(q) / S_t(q) + (1−d)/n Σ m,
                                           S_t(q) = Σ_{q→r} r^{−δ}

and what dangling pages and rounding lose is spread evenly, so that the total stays. (The paper prints S(q) over the
pages that point *to* q, and the jump without 1/n; with these the mass is not kept.) With δ = 0 the masses are the
iterates of PageRank with `dangling="uniform"`. A step kicks, then drifts, then expands.

Cost: two passes over the links per step; 36 bytes per page beside the graph in float32, 68 in float64. The same start
gives the same bits on any number of threads, and from any checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity.constants import Constants
from periplus.gravity.kernels import Law, Links, Motion, State, move, pull_in, push_apart
from periplus.numeric.arrays import AnyArray
from periplus.rank.linear.passes import CHUNKS, threads_for
from periplus.record import PagePositions

Precision = Literal["float32", "float64"]
# Squares of distances must fit into a float32.
FARTHEST = 1e18


class Simulation:
    """A graph in motion: `step()` moves it, `record()` is the checkpoint from which `resume` goes on.

    `start` is one point per page; `masses` and `velocities` begin as one and zero where they are not given. Links from
    a page to itself pull nowhere but hold mass; `layouts.without_loops` takes them out.
    """

    @checked
    def __init__(
        self,
        graph: Graph,
        start: AnyArray,
        constants: Constants | None = None,
        *,
        velocities: AnyArray | None = None,
        masses: AnyArray | None = None,
        precision: Precision = "float32",
    ) -> None:
        self.graph = graph
        self.constants = Constants() if constants is None else constants
        self.constants.check(graph)
        if precision not in ("float32", "float64"):
            raise ParameterError("precision", precision, "float32 or float64")
        self.steps = 0
        kind = np.dtype(precision).type
        self._state = State(
            np.empty((graph.nodes, 4), kind),
            np.zeros((graph.nodes, 3), kind),
            np.zeros(graph.nodes, kind),
            np.zeros(graph.nodes, kind),
        )
        self.positions[:] = _rows("start", start, (graph.nodes, 3))
        self.masses[:] = 1.0 if masses is None else _rows("masses", masses, (graph.nodes,), least=0.0)
        if velocities is not None:
            self.velocities[:] = _rows("velocities", velocities, (graph.nodes, 3))
        self.total = float(self.masses.sum(dtype=np.float64))
        self._links = Links.of(graph)
        self._law = self._law_in(kind)

    @classmethod
    def resume(cls, graph: Graph, record: PagePositions) -> Simulation:
        """The simulation that made this record, where it stood then."""
        if record.method != METHOD or record.graph_digest != graph.digest:
            raise ParameterError("record", record.method, "a checkpoint of a simulation of this very graph")
        given = dict(record.parameters)
        going = cls(
            graph,
            record.positions,
            Constants(**{name: given[name] for name in Constants().to_dict()}),
            velocities=record.extra["velocities"],
            masses=record.extra["masses"],
            precision=given["precision"],
        )
        going.steps, going.total = record.iterations, given["total_mass"]
        return going

    # -- what it holds -----------------------------------------------------------------------------------

    @property
    def positions(self) -> AnyArray:
        """One point per page: a view of the state, which the next step changes."""
        return self._state.bodies[:, :3]

    @property
    def masses(self) -> AnyArray:
        """One mass per page: a view of the state."""
        return self._state.bodies[:, 3]

    @property
    def velocities(self) -> AnyArray:
        """One velocity per page: a view of the state."""
        return self._state.velocities

    @property
    def nbytes(self) -> int:
        """What it holds beside the graph."""
        return sum(array.nbytes for array in self._state)

    def record(self) -> PagePositions:
        """A copy of the state as a record that can be saved, and gone on from."""
        about = {"precision": self.positions.dtype.name, "total_mass": self.total}
        return PagePositions(
            METHOD,
            self.positions.copy(),
            parameters=self.constants.to_dict() | about,
            iterations=self.steps,
            graph_digest=self.graph,
            extra={"velocities": self.velocities.copy(), "masses": self.masses.copy()},
            urls=self.graph.urls,
        )

    # -- motion ------------------------------------------------------------------------------------------

    def run(self, steps: int, *, each: Callable[[Simulation], None] | None = None) -> Simulation:
        """So many steps; `each` is called after every one of them. Returns itself."""
        for _ in range(steps):
            self.step()
            if each is not None:
                each(self)
        return self

    def step(self) -> None:
        """One instant of time."""
        if not self.graph.nodes:
            self.steps += 1
            return
        links, state, transfer = self._links, self._state, self.constants.transfer
        kept, handed = np.zeros(len(links.out_bounds) - 1), np.zeros(len(links.in_bounds) - 1)
        farthest = np.zeros(CHUNKS)
        with threads_for(2 * self.graph.links + self.graph.nodes):
            push_apart(links, state, self._law, kept)
            pull_in(links, state, self._law, handed)
            move(state, self._motion(float(handed.sum())), transfer, farthest)
        self.steps += 1
        if not farthest.max() < FARTHEST:
            given = (self.constants.gravity, self.constants.softening, self.constants.time_step)
            allowed = f"constants that keep the pages together: step {self.steps} threw one out of all bounds"
            raise ParameterError("gravity (G), softening (ε), time_step (dt)", given, allowed)

    def _motion(self, handed: float) -> Motion:
        """How this step moves; every page gets an equal part of the mass that the links do not hand on."""
        constants, kind = self.constants, self._state.bodies.dtype.type
        base = (self.total - constants.handed * handed) / self.graph.nodes
        stretch = constants.stretch(self.steps)
        numbers = (constants.time_step, constants.damping, constants.farthest, stretch, constants.handed, base, 1.0)
        return Motion(*(kind(number) for number in numbers))

    def _law_in(self, kind: type[np.floating]) -> Law:
        constants = self.constants
        kick = constants.gravity * constants.time_step
        return Law(kind(kick), kind(constants.softening**2), kind(1), constants.delta, constants.divided)


METHOD = "gravity"


def _rows(name: str, values: AnyArray, shape: tuple[int, ...], *, least: float = -FARTHEST) -> AnyArray:
    """Finite numbers, one row per page."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    wanted = f"{shape[0]:,} rows of {shape[1]} numbers" if len(shape) == 2 else f"{shape[0]:,} numbers"
    if array.shape != shape or not np.isfinite(array).all():
        raise ParameterError(name, f"an array of shape {array.shape}", f"{wanted}, one per page, all finite")
    if array.size and (array.min() < least or array.max() > FARTHEST):
        raise ParameterError(name, float(array.min()), f"numbers from {least:g} to {FARTHEST:g}")
    return array
