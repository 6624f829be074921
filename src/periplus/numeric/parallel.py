"""Work in order on several threads: kernels let go of the interpreter lock, so plain threads use every core.

The pieces of the work are cut by its size, never by the number of threads, and results come back in the order of
the pieces: what is computed is the same on one core and on sixty-four.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

import numpy as np

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray

Item = TypeVar("Item")
Result = TypeVar("Result")


def thread_count() -> int:
    """The cores that this process may use, or what `PERIPLUS_THREADS` says."""
    wanted = os.environ.get("PERIPLUS_THREADS", "")
    if not wanted:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not wanted.isdigit() or int(wanted) < 1:
        raise ParameterError("PERIPLUS_THREADS", wanted, "a whole number of threads, at least 1")
    return int(wanted)


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], *, ahead: int | None = None
) -> Iterator[Result]:
    """`map` on threads: results in order, at most `ahead` items in flight, errors where they would come in `map`.

    `items` is drawn in the caller's thread while the others work, so a slow source (a decompressor) overlaps. A
    single item is worked on right there: small work should not pay for threads.
    """
    source = iter(items)
    first = list(islice(source, 2))
    if len(first) < 2:
        yield from map(function, first)
        return
    threads = thread_count()
    window = threads + 1 if ahead is None else max(1, ahead)
    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="periplus")
    try:
        for item in chain(first, source):
            waiting.append(pool.submit(function, item))
            if len(waiting) >= window:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Workspace(threading.local):
    """Arrays that a thread uses again for its next piece of work: memory that is warm need not be asked for anew."""

    def __init__(self) -> None:
        self._arrays: dict[str, AnyArray] = {}

    def array(self, name: str, length: int, dtype: type[np.generic]) -> AnyArray:
        """This thread's array of that name, with any content; valid until the thread asks for the name again."""
        held = self._arrays.get(name)
        if held is None or len(held) < length:
            held = self._arrays[name] = np.empty(length, dtype)
        return held[:length]
