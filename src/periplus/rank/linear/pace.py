"""Whether an iteration that shrinks its residual will be done soon.

From the last three residuals: with the rates q₁ = r₂/r₁ and q₂ = r₃/r₂, the next rate is taken to be q₂ once more as
much worse than q₁ as q₂ was, and the iteration to go on at that rate: log(target/r₃) / log(rate) more passes. On graphs
where links lead everywhere the rate is the same from the second pass on; where it worsens, as on web graphs, so does
the forecast, pass after pass.
"""

from __future__ import annotations

import math


class Pace:
    """Counts passes and foresees how many there will be in all."""

    def __init__(self, target: float, patience: float) -> None:
        self.target, self.patience = target, patience
        self.passes, self.last, self.rate = 0, math.inf, math.inf

    def too_slow(self, residual: float) -> bool:
        """Whether more than `patience` passes are to be expected in all, after one that left this residual."""
        if math.isinf(self.patience):
            return False
        self.passes += 1
        rate = residual / self.last if self.last > 0.0 else 1.0
        worse = max(rate / self.rate, 1.0) if 0.0 < self.rate < math.inf else 1.0
        foreseen = rate * worse
        self.last, self.rate = residual, rate if self.passes > 1 else math.inf
        if self.passes < 3:
            return False
        if foreseen >= 1.0 or self.target <= 0.0:
            return True
        return self.passes + math.log(self.target / residual) / math.log(max(foreseen, 1e-9)) > self.patience
