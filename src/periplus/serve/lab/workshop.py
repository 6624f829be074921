"""`Workshop`: one process beside the server for work that a visitor orders, with a budget of CPU time and memory.

Requests wait in a short line, so that however many ask, one core works on it and the threads that answer searches stay
free. The kernel ends the process when a job has used its seconds (see `periplus.sandbox`); another takes its place.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from starlette.exceptions import HTTPException

from periplus.sandbox.pool import Sandbox

LINE = 8
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


class Workshop:
    """The process, the line in front of it, and the event loop that talks to it; started when first needed."""

    def __init__(self, task: str, *, cpu_seconds: float) -> None:
        self._sandbox = Sandbox(task, cpu_seconds=cpu_seconds, processes=1, environment=_ONE_THREAD)
        self._loop = asyncio.new_event_loop()
        self._line = threading.BoundedSemaphore(LINE)
        self._starting = threading.Lock()
        self._started = False

    def run(self, job: object) -> Any:
        """What the task returns; `ProcessDiedError` where the job used up its budget."""
        if not self._line.acquire(blocking=False):
            raise HTTPException(503, "Too many wait for this already. Ask again in a minute.")
        try:
            with self._starting:
                if not self._started:
                    threading.Thread(target=self._loop.run_forever, name="periplus-workshop", daemon=True).start()
                    asyncio.run_coroutine_threadsafe(self._sandbox.start(), self._loop).result()
                    self._started = True
            return asyncio.run_coroutine_threadsafe(self._work(job), self._loop).result()
        finally:
            self._line.release()

    async def _work(self, job: object) -> Any:
        try:
            return await self._sandbox.run(job)
        finally:
            self._sandbox.deaths = 0  # here jobs are cut off as a matter of course: no sign of a broken installation
