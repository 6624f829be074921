"""Inside the block linear algebra has one thread, outside what it had."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_info

from periplus.numeric.blas import one_thread


def threads() -> list[int]:
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]


def test_one_thread_inside_and_as_before_outside() -> None:
    np.linalg.eigh(np.eye(3))
    before = threads()
    with one_thread():
        assert set(threads()) == {1}
    assert threads() == before
