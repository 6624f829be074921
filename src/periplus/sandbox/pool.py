"""`Sandbox`: a few processes that work on jobs, seen from the program that needs the results.

    async with Sandbox("package.module:function", cpu_seconds=5.0) as sandbox:
        result = await sandbox.run(job, gentler_job)

Each process has a socket and answers in order, so the job that it died on is the first one without an answer. That job
gets its second chance, a gentler form of the same work, before anything else; without one it fails with
`ProcessDiedError`. The jobs behind it go to the process that takes its place. Jobs and results are plain values.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from periplus.errors import PeriplusError
from periplus.sandbox.process import LENGTH, pack, unpack

_MAX_DEATHS = 20
"""Deaths without an answer in between, after which no process is started again: this is no job's fault."""

_SECONDS_TO_END = 5
Result = TypeVar("Result")


class ProcessDiedError(Exception):
    """A process died on this job, and on every gentler form of it."""


class _Job(NamedTuple):
    """Work that waits for its answer; `forms` holds the job itself and its gentler forms."""

    forms: tuple[object, ...]
    answer: asyncio.Future[Any]


class Sandbox:
    """Processes that run one task; `processes` 0 means one per core. They have `environment` besides ours."""

    def __init__(
        self, task: str, *, cpu_seconds: float, processes: int = 0, environment: Mapping[str, str] | None = None
    ) -> None:
        self.size = processes or _cores()
        self.deaths = 0  # since the last answer
        self.is_broken = False
        self.environment = {**os.environ, **(environment or {})}
        self._arguments = (str(cpu_seconds), task)
        self._processes: list[_Process] = []

    async def start(self) -> None:
        """Start all processes."""
        self._processes = [_Process(self, self._arguments) for _ in range(self.size)]
        await asyncio.gather(*(process.start() for process in self._processes))

    async def run(self, job: object, *gentler: object) -> Any:
        """The result of a job, or of the first gentler form of it that no process dies on."""
        self.check()
        return await min(self._processes, key=lambda process: len(process.jobs)).submit((job, *gentler))

    def check(self) -> None:
        """Raise where processes die and none ever answers."""
        if self.is_broken:
            raise PeriplusError(
                f"{self.deaths} worker processes died one after the other without an answer: "
                "check that periplus is installed completely"
            )

    def note_death(self) -> None:
        """Count a death; after too many of them no process is started again."""
        self.deaths += 1
        self.is_broken = self.is_broken or self.deaths > _MAX_DEATHS

    async def close(self) -> None:
        """End all processes; unanswered jobs are cancelled."""
        for process in self._processes:
            await process.close()

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class _Process(asyncio.Protocol):
    """One process, its socket, and the jobs that it has not answered yet."""

    def __init__(self, owner: Sandbox, arguments: tuple[str, ...]) -> None:
        self.jobs: deque[_Job] = deque()
        self._owner = owner
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self._restart: asyncio.Task[None] | None = None
        self._buffer = bytearray()
        self._closing = False

    async def start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "periplus.sandbox.process", str(theirs.fileno()), *self._arguments],
                pass_fds=[theirs.fileno()],
                env=self._owner.environment,
                stdin=subprocess.DEVNULL,
            )
        ours.setblocking(False)
        self._buffer.clear()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_unix_connection(lambda: self, sock=ours)
        self._transport = transport
        for job in self.jobs:
            transport.write(pack(job.forms[0]))

    def submit(self, forms: tuple[object, ...]) -> asyncio.Future[Any]:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.jobs.append(_Job(forms, answer))
        if self._transport is not None:
            self._transport.write(pack(forms[0]))
        return answer

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._buffer)[0]
            if len(self._buffer) < end:
                return
            result = unpack(bytes(memoryview(self._buffer)[LENGTH.size : end]))
            del self._buffer[:end]
            self._owner.deaths = 0
            answer = self.jobs.popleft().answer
            if not answer.done():
                answer.set_result(result)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._closing:
            return
        self._owner.note_death()
        if self._process is not None:
            self._process.wait()
        if self.jobs:
            self._give_second_chance(self.jobs.popleft())
        if self._owner.is_broken:
            while self.jobs:
                _fail(self.jobs.popleft())
        else:
            self._restart = asyncio.get_running_loop().create_task(self.start())

    def _give_second_chance(self, job: _Job) -> None:
        """Put the next form of a job that the process died on in front of all others."""
        if len(job.forms) > 1:
            self.jobs.appendleft(_Job(job.forms[1:], job.answer))
        else:
            _fail(job)

    async def close(self) -> None:
        self._closing = True
        for job in self.jobs:
            job.answer.cancel()
        if self._restart is not None:
            await self._restart
        if self._transport is not None:
            self._transport.close()
        if self._process is not None:
            try:
                await asyncio.to_thread(self._process.wait, _SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _fail(job: _Job) -> None:
    if not job.answer.done():
        job.answer.set_exception(ProcessDiedError())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_to_end(work: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run`, also in a thread that already runs an event loop, as every notebook does."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Result]]] = []

    async def noted() -> Result:
        task = asyncio.ensure_future(work)
        running.append((asyncio.get_running_loop(), task))
        return await task

    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(asyncio.run, noted())
        try:
            return future.result()
        except BaseException:  # an interrupt of this thread ends the work in the other
            for loop, task in running:
                with suppress(RuntimeError):  # the loop has ended by itself
                    loop.call_soon_threadsafe(task.cancel)
            raise
