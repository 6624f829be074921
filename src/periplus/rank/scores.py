"""What every ranker returns: the values and everything needed to trust and repeat them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from periplus.errors import NotConvergedError, ParameterError
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets

# Digits (binary) by which scores are told apart: what is left of a float64 below them is the rounding of a solver.
TOLD_APART = 40


def rounded(values: AnyArray) -> Floats:
    """The values to twelve digits, so that pages which tie but for a solver's rounding tie."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(np.round(np.ldexp(mantissa, TOLD_APART)), exponent - TOLD_APART)


def best_first(values: AnyArray) -> Offsets:
    """Ids of the pages, best first; scores that agree to twelve digits go by smaller id, in all rankings alike."""
    return np.argsort(-rounded(values), kind="stable")


def more_to_allow(spent: bool) -> str:
    """What to allow a ranking that has not converged, after all passes allowed or before."""
    return "more passes or a larger tolerance" if spent else "a larger tolerance (more passes gain nothing)"


@dataclass(frozen=True, slots=True)
class Scores:
    """One float64 a page, with how it came about.

    `error_bound` is a certified bound on ‖values − exact‖₁ (NaN where the method has none, such as a sample
    without a seed; the method's docstring says). `extra` holds what only some methods have: the hub vector,
    the eigengap, confidence half-widths.
    """

    method: str
    values: Floats
    parameters: Mapping[str, Any]
    iterations: int
    residual: float
    error_bound: float
    converged: bool = True
    graph_digest: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def top(self, count: int = 20) -> Ids:
        """Ids of the best pages, best first; equal scores by smaller id, so the order is one for all."""
        return best_first(self.values)[: max(0, count)].astype(np.uint32)

    def of_hubs(self) -> Scores:
        """The same record about the hubs: their vector, and the bound that holds for it (NaN where there is none)."""
        if "hubs" not in self.extra:
            raise ParameterError("method", self.method, "a ranking with hubs, such as hits or salsa")
        return replace(self, values=self.extra["hubs"], error_bound=float(self.extra.get("hubs_error_bound", math.nan)))

    def or_raise(self, *, spent: bool = True) -> Scores:
        """Self when converged; otherwise `NotConvergedError` that carries this record.

        `spent` says that all passes allowed were made: where there could have been more, rounding leaves none to gain.
        """
        if self.converged:
            return self
        bound = math.isfinite(self.error_bound)
        reached = f"an error bound of {self.error_bound:.3g}" if bound else f"a residual of {self.residual:.3g}"
        raise NotConvergedError(
            f"{self.method} stopped after {self.iterations} passes with {reached}: allow {more_to_allow(spent)}", self
        )

    def summary(self) -> dict[str, Any]:
        """The json that stands beside the array on disk; a bound that does not exist is null.

        What else was found and is one number or word (the eigengap, whether it is degenerate) stands at the end.
        """
        return {
            "method": self.method,
            "parameters": dict(self.parameters),
            "iterations": self.iterations,
            "residual": self.residual,
            "error_bound": self.error_bound if math.isfinite(self.error_bound) else None,
            "converged": self.converged,
            "graph_digest": self.graph_digest,
            **self.findings,
        }

    @property
    def findings(self) -> dict[str, Any]:
        """What only this method tells, and is one number or word."""
        return {name: value for name, value in self.extra.items() if isinstance(value, bool | int | float | str)}
