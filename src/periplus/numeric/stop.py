"""Stopping rules are values: `Tol(1e-9) | MaxIter(1000)` reads "at 1e-9, or after 1000 passes".

`Tol` compares the certified bound on the error, never the bare difference of two iterates;
a solver that stops on `MaxIter` before `Tol` raises `NotConvergedError` with the partial record.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from periplus.errors import ParameterError
from periplus.numeric.given import is_number, is_whole

# An ℓ1 error below this cannot be told from rounding in float64 sums that are of order one.
SMALLEST_TOLERANCE = 1e-15


@dataclass(frozen=True, slots=True)
class Stop:
    """When to end an iteration: at a certified `tolerance`, or after `max_iterations` passes."""

    NOUN: ClassVar[str] = "a stopping rule, such as Tol(1e-9) | MaxIter(1000)"

    tolerance: float = 0.0
    max_iterations: int = 1000

    @staticmethod
    def refuse(value: object) -> tuple[object, str]:
        """What to say of a value that is no stopping rule."""
        return value, f": perhaps Tol({value})" if is_number(value) else ""

    def __post_init__(self) -> None:
        if not (is_number(self.tolerance) and 0 <= self.tolerance < math.inf):
            raise ParameterError("tolerance", self.tolerance, "a finite number ≥ 0")
        if not (is_whole(self.max_iterations) and self.max_iterations >= 1):
            raise ParameterError("max_iterations", self.max_iterations, "a whole number, at least 1")
        # Small numbers of numpy would wrap where passes are counted.
        object.__setattr__(self, "tolerance", float(self.tolerance))
        object.__setattr__(self, "max_iterations", int(self.max_iterations))

    def __or__(self, other: Stop) -> Stop:
        return replace(
            self,
            tolerance=max(self.tolerance, other.tolerance),
            max_iterations=min(self.max_iterations, other.max_iterations),
        )


# What has not converged after so many passes moves by its rounding, or not towards an answer.
_LIMIT = 1_000_000


def Tol(tolerance: float) -> Stop:
    """Stop when the certified error bound is at most `tolerance`, or after a million passes."""
    stop = Stop(tolerance, _LIMIT)
    if tolerance < SMALLEST_TOLERANCE:
        raise ParameterError(
            "tolerance", tolerance, f"at least {SMALLEST_TOLERANCE} (below it rounding hides the answer)"
        )
    return stop


def MaxIter(iterations: int) -> Stop:
    """Stop after `iterations` passes, converged or not."""
    return Stop(0.0, iterations)
