"""How much two collections of pages share, and how large each is beside the other (Bharat & Broder, WWW 1998).

Samples of A are looked for in B, and samples of B in A. If a share p of A's pages is in B and a share q of B's is in A,
then |A ∩ B| = p·|A| = q·|B|, so |A|/|B| = q/p; and with A a fair sample of the web, B covers p of it. Intervals are
Wilson's, 95 %; that of the ratio joins those of its parts (Bonferroni, so at least 90 %).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from periplus.errors import ParameterError

_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """A share estimated from a sample, and its 95 % interval."""

    found: int
    asked: int

    @property
    def value(self) -> float:
        return self.found / self.asked if self.asked else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval, which holds at shares of 0 and 1 too."""
        if not self.asked:
            return 0.0, 1.0
        n, p, z2 = self.asked, self.value, _Z * _Z
        middle, half = p + z2 / (2 * n), _Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


@dataclass(frozen=True, slots=True)
class Overlap:
    """The share of A's pages that B has, the share of B's that A has, and how large A is beside B."""

    of_a_in_b: Share
    of_b_in_a: Share

    @property
    def ratio(self) -> float:
        """|A| / |B|; not a number where no page was found in both."""
        p, q = self.of_a_in_b.value, self.of_b_in_a.value
        return q / p if p else math.nan

    @property
    def ratio_interval(self) -> tuple[float, float]:
        (p_low, p_high), (q_low, q_high) = self.of_a_in_b.interval, self.of_b_in_a.interval
        return q_low / p_high if p_high else math.nan, q_high / p_low if p_low else math.inf


def overlap(
    a: Sequence[str],
    b: Sequence[str],
    in_a: Callable[[str], bool],
    in_b: Callable[[str], bool],
    *,
    sample: int = 1000,
    seed: int = 0,
) -> Overlap:
    """The overlap of two lists of URLs, from `sample` of each, by asking whether the other side has them."""
    if sample < 1:
        raise ParameterError("sample", sample, "at least one page")
    rng = np.random.default_rng(seed)
    return Overlap(_asked(a, in_b, sample, rng), _asked(b, in_a, sample, rng))


def _asked(urls: Sequence[str], has: Callable[[str], bool], sample: int, rng: np.random.Generator) -> Share:
    chosen: list[int] = rng.choice(len(urls), min(sample, len(urls)), replace=False).tolist() if len(urls) else []
    return Share(sum(has(urls[at]) for at in chosen), len(chosen))
