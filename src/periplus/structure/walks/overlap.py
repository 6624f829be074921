"""Relative size and overlap of two indexes from samples of each (Bharat and Broder 1998; Deo and Gupta 6).

Of pages drawn at random from A the share a is found in B, of pages of B the share b in A. Both count A ∩ B, so

    |A ∩ B| / |A| = a,      |A ∩ B| / |B| = b,      |A| / |B| = b / a

without knowing either size. Shares have Wilson's 95 % intervals; that of the ratio comes from the variances of the two
logarithms, (1 − p)/(p·samples). Cost: one look-up per sampled page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from periplus.catalog import SEED, checked
from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray
from periplus.record import Findings
from periplus.structure.walks.shares import Share

_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Overlap(Findings):
    """The share of each index in the other, and the size of the first by that of the second."""

    first_in_second: Share
    second_in_first: Share
    ratio: Share
    samples: int


@checked
def overlap(first: AnyArray, second: AnyArray, *, samples: int = 1000, seed: int = 0) -> Overlap:
    """Draw `samples` pages of each index and look them up in the other; pages are any numbers that name them."""
    if not len(first) or not len(second):
        raise ParameterError("first, second", (len(first), len(second)), "at least one page each")
    if samples < 1:
        raise ParameterError("samples", samples, "at least 1")
    rng = np.random.default_rng(SEED.check(seed))
    drawn = [index[rng.integers(0, len(index), samples)] for index in (first, second)]
    found = [int(np.isin(pages, other).sum()) for pages, other in zip(drawn, (second, first), strict=True)]
    return Overlap(_share(found[0], samples), _share(found[1], samples), _ratio(found[1], found[0], samples), samples)


def _share(found: int, samples: int) -> Share:
    p, z = found / samples, _Z
    middle = (p + z * z / (2 * samples)) / (1 + z * z / samples)
    half = z / (1 + z * z / samples) * math.sqrt(p * (1 - p) / samples + z * z / (4 * samples * samples))
    return Share(p, max(0.0, middle - half), min(1.0, middle + half))


def _ratio(one: int, other: int, samples: int) -> Share:
    """one / other with its interval; without bounds where either found nothing."""
    if not one or not other:
        value = math.inf if one else 0.0 if other else math.nan
        return Share(value, 0.0, math.inf)
    error = math.sqrt(sum((1 - found / samples) / found for found in (one, other)))
    value = one / other
    return Share(value, value * math.exp(-_Z * error), value * math.exp(_Z * error))
