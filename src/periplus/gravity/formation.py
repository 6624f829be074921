"""`Formation`: how a sky came about, kept as frames and as numbers over time.

A frame holds the coordinates of a moment as whole numbers of 16 bits, x = frames[t] · reach[t] / 32767; what lies
farther out than `reach[t]` (0.1 % of the pages at most) sits on the faces of that box. Frames lie evenly over the
steps, the first at the start and the last at the end. Beyond `FILMED` pages only those with the most in-links are
filmed, so that a film takes at most 36 MB.

`record()` is the sky with its film so far, which `resume` goes on from: same bits as without the break.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.gravity.measure import Summary, summary
from periplus.gravity.simulation import Simulation
from periplus.numeric.arrays import AnyArray, Ids
from periplus.record import PagePositions
from periplus.record.order import best_first

FRAMES = 61
MANY = 2_000_000  # links from which on the numbers of a moment take so long that a third of the moments must do
FILMED = 100_000
_GREATEST = 32_767
HISTORY = (
    "step", "kinetic", "potential", "energy", "total_mass", "largest_mass", "radius", "link_distance", "pair_distance",
    "gathered",
)  # fmt: skip


class Formation:
    """A simulation that is run for a fixed number of steps and filmed on the way; `about` goes into its record."""

    def __init__(self, simulation: Simulation, steps: int, *, about: Mapping[str, Any] | None = None) -> None:
        self.simulation = simulation
        self.steps = steps
        self.about = dict(about or {})
        self.filmed = filmed_pages(simulation.graph)
        self._moments = frame_steps(steps, FRAMES if simulation.graph.links < MANY else FRAMES // 3 + 1)
        self._frames: list[AnyArray] = []
        self._reach: list[float] = []
        self._history: list[dict[str, float]] = []

    @classmethod
    def resume(cls, graph: Graph, record: PagePositions) -> Self:
        """The formation that made this record, where it stood then; `graph` has the links that pulled."""
        told = record.findings
        if "frames" not in record.extra or "steps" not in record.parameters:
            raise ParameterError("record", record.method, "a checkpoint of a formation")
        about = {name: value for name, value in record.parameters.items() if name in told.get("about", ())}
        found = cls(Simulation.resume(graph, record), record.parameters["steps"], about=about)
        filmed = record.extra["order"][: len(found.filmed)]
        back = np.argsort(filmed)
        found._frames = [np.asarray(frame)[back] for frame in record.extra["frames"]]
        found._reach = list(told["reach"])
        history = told["history"]
        found._history = [{name: history[name][at] for name in HISTORY} for at in range(len(found._frames))]
        return found

    @property
    def parameters(self) -> dict[str, Any]:
        """What its record will say of constants, start and steps: two formations of one graph with equal ones agree."""
        simulation = self.simulation
        state = {"precision": simulation.positions.dtype.name, "total_mass": simulation.total}
        return simulation.constants.to_dict() | state | self.about | {"steps": self.steps}

    @property
    def done(self) -> bool:
        """Whether all steps have been made."""
        return self.simulation.steps >= self.steps

    @property
    def now(self) -> Summary:
        """The numbers of this moment."""
        return summary(self.simulation)

    def run(self, *, each: Callable[[Formation], None] | None = None) -> Self:
        """Make the steps that are left; `each` is called after every one. Returns itself."""
        self._film()
        while not self.done:
            self.simulation.step()
            self._film()
            if each is not None:
                each(self)
        return self

    def _film(self) -> None:
        """Keep this moment where it is one of those to keep, once."""
        if len(self._frames) < len(self._moments) and self.simulation.steps == self._moments[len(self._frames)]:
            frame, reach = as_frame(self.simulation.positions[self.filmed])
            self._frames.append(frame)
            self._reach.append(reach)
            self._history.append({name: self.now.to_dict()[name] for name in HISTORY})

    def record(self) -> PagePositions:
        """The sky as it stands, with its film so far."""
        state = self.simulation.record()
        order = by_mass(state.extra["masses"], self.filmed)
        place = np.searchsorted(self.filmed, order[: len(self.filmed)])
        frames = np.array([frame[place] for frame in self._frames], np.int16)
        frames = frames.reshape(len(self._frames), len(self.filmed), 3)
        history = {name: [moment[name] for moment in self._history] for name in HISTORY}
        film = {"order": order, "frames": frames, "reach": self._reach, "history": history}
        told = {"frame_steps": self._moments[: len(self._frames)], "about": sorted(self.about)}
        return PagePositions(
            state.method,
            state.positions,
            parameters=self.parameters,
            iterations=state.iterations,
            converged=self.done,
            graph_digest=self.simulation.graph,
            extra=dict(state.extra) | film | told,
            urls=state.urls,
        )


def frame_steps(steps: int, frames: int = FRAMES) -> list[int]:
    """The steps after which a frame is kept: at most so many, evenly spread, both ends among them."""
    return np.unique(np.round(np.linspace(0, steps, frames)).astype(np.int64)).tolist()


def filmed_pages(graph: Graph) -> Ids:
    """The ids of the pages in the film, rising: all, or those with the most in-links."""
    if graph.nodes <= FILMED:
        return np.arange(graph.nodes, dtype=np.uint32)
    most = np.argsort(-graph.in_degrees, kind="stable")[:FILMED]
    return np.sort(most).astype(np.uint32)


def by_mass(masses: AnyArray, filmed: Ids) -> Ids:
    """The filmed pages by mass, heaviest first, then the others likewise; ties by smaller id."""
    order = best_first(masses)
    seen = np.zeros(len(masses), bool)
    seen[filmed] = True
    return np.concatenate([order[seen[order]], order[~seen[order]]]).astype(np.uint32)


def as_frame(places: AnyArray) -> tuple[AnyArray, float]:
    """Places as whole numbers, and what 32767 stands for."""
    if not len(places):
        return np.zeros((0, 3), np.int16), 0.0
    outmost = np.abs(places).max(axis=1)
    reach = float(min(outmost.max(), 1.5 * np.quantile(outmost, 0.999)))
    scaled = np.clip(places / (reach or 1.0), -1, 1) * _GREATEST
    return np.round(scaled).astype(np.int16), reach
