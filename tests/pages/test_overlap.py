"""Overlap of two collections, against sets whose overlap is known."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.webs.composed import composed, html

from periplus.cli.main import main
from periplus.errors import ParameterError
from periplus.pages.overlap import Share, overlap

A = [f"http://a.test/{n}" for n in range(3000)]
B = [f"http://a.test/{n}" for n in range(2000, 8000)]  # 1,000 are in both: a third of A, a sixth of B


def test_the_intervals_hold_what_is_true_nineteen_times_in_twenty() -> None:
    in_a, in_b, held = set(A).__contains__, set(B).__contains__, []
    for seed in range(200):
        found = overlap(A, B, in_a, in_b, sample=150, seed=seed)
        (low, high), (ratio_low, ratio_high) = found.of_a_in_b.interval, found.ratio_interval
        held.append((low <= 1 / 3 <= high, ratio_low <= 0.5 <= ratio_high))
    assert sum(one for one, _ in held) >= 184
    assert sum(two for _, two in held) >= 184


def test_everything_asked_is_exact() -> None:
    found = overlap(A, B, set(A).__contains__, set(B).__contains__, sample=10_000)
    assert (found.of_a_in_b.value, found.of_b_in_a.value) == (pytest.approx(1 / 3), pytest.approx(1 / 6))
    assert found.ratio == pytest.approx(0.5)


def test_nothing_in_common_and_nothing_at_all() -> None:
    found = overlap(A, [], set(A).__contains__, lambda url: False, sample=100)
    assert found.of_a_in_b.value == 0.0
    assert found.of_a_in_b.interval[0] == 0.0
    assert math.isnan(found.ratio)
    assert Share(0, 0).interval == (0.0, 1.0)
    with pytest.raises(ParameterError):
        overlap(A, B, bool, bool, sample=0)


def test_two_collections(tmp_path: Path, capsys) -> None:
    for name, numbers in (("a", range(10)), ("b", range(5, 25))):
        composed(tmp_path / f"{name}.web", {f"http://a.test/{n}": html(str(n)) for n in numbers}, built=False)
    with pytest.raises(SystemExit):
        main(["overlap", str(tmp_path / "a.web"), str(tmp_path / "b.web"), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["of_a_in_b"]["share"], told["of_b_in_a"]["share"]) == (0.5, 0.25)
    assert told["a_beside_b"]["ratio"] == 0.5
