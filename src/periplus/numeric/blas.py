"""Small dense algebra on one thread.

A second thread saves nothing on a matrix of a few hundred rows, and where others keep the cores busy OpenBLAS waits for
it in a loop: 12 ms became 1.2 s at load 14.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """Linear algebra inside the block runs on the calling thread."""
    limited: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limited


@lru_cache(maxsize=1)
def _libraries() -> Any:
    import numpy.linalg  # noqa: F401 - only libraries that are loaded are found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
