from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from periplus.errors import ParameterError
from periplus.numeric.parallel import ordered_map, thread_count


def test_results_come_in_order_however_long_each_takes() -> None:
    def slow_when_early(number: int) -> int:
        time.sleep((20 - number) / 2000)
        return number * number

    assert list(ordered_map(slow_when_early, range(20))) == [number * number for number in range(20)]


def test_few_items_are_in_flight() -> None:
    drawn = 0

    def items() -> Iterator[int]:
        nonlocal drawn
        for number in range(100):
            drawn += 1
            yield number

    results = ordered_map(lambda number: number, items(), ahead=4)
    next(results)
    assert drawn == 4
    results.close()  # type: ignore[attr-defined]


def test_the_first_error_comes_out_and_the_threads_end() -> None:
    before = threading.active_count()

    def breaks(number: int) -> int:
        if number >= 3:
            raise ValueError(f"item {number}")
        return number

    results = ordered_map(breaks, range(50))
    with pytest.raises(ValueError, match="item 3"):
        list(results)
    assert threading.active_count() == before


def test_thread_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PERIPLUS_THREADS", raising=False)
    assert thread_count() >= 1
    monkeypatch.setenv("PERIPLUS_THREADS", "7")
    assert thread_count() == 7
    for wrong in ("0", "-1", "many"):
        monkeypatch.setenv("PERIPLUS_THREADS", wrong)
        with pytest.raises(ParameterError):
            thread_count()
