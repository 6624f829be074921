"""The processes of `worker.py`, seen from the crawl: `await workers.work_on(job)`.

Each process has a socket and answers in order. When it dies, whatever the reason, the job it was on gets a second
chance without parsing, the jobs behind it go to the process that takes its place, and the crawl goes on.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections import deque
from dataclasses import replace

from periplus.crawl.fetch.worker import Job, Work, pack, unpack
from periplus.errors import PeriplusError

_MAX_DEATHS = 20


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerDiedError(Exception):
    """The process died on this job even without parsing it."""


class Workers:
    """A handful of processes that work on pages."""

    def __init__(self, count: int, cpu_seconds: float) -> None:
        self._count = count or _cores()
        self._cpu_seconds = cpu_seconds
        self._members: list[_Member] = []
        self.deaths = 0  # since the last answer

    async def start(self) -> None:
        self._members = [_Member(self) for _ in range(self._count)]
        await asyncio.gather(*(member.start() for member in self._members))

    async def work_on(self, job: Job) -> tuple[Work, bool]:
        """The work on a job, and whether the process survived parsing it."""
        try:
            return await self._submit(job), True
        except WorkerDiedError:
            return await self._submit(replace(job, parse=False)), False

    def check(self) -> None:
        """Raise where processes die and none ever answers: that is no page's fault."""
        if self.deaths > _MAX_DEATHS:
            raise PeriplusError(f"{self.deaths} page workers died one after the other: is periplus installed whole?")

    def _submit(self, job: Job) -> asyncio.Future[Work]:
        return min(self._members, key=lambda member: len(member.jobs)).submit(job)

    async def close(self) -> None:
        for member in self._members:
            await member.close()


class _Member(asyncio.Protocol):
    """One process and its socket."""

    def __init__(self, owner: Workers) -> None:
        self._owner = owner
        self.jobs: deque[tuple[Job, asyncio.Future[Work]]] = deque()
        self.process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._closing = False

    async def start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = [str(theirs.fileno()), str(self._owner._cpu_seconds)]
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "periplus.crawl.fetch.worker", *arguments],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        ours.setblocking(False)
        self._buffer.clear()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_unix_connection(lambda: self, sock=ours)
        self._transport = transport
        for job, _ in self.jobs:
            transport.write(pack(job))

    def submit(self, job: Job) -> asyncio.Future[Work]:
        future: asyncio.Future[Work] = asyncio.get_running_loop().create_future()
        self.jobs.append((job, future))
        if self._transport is not None:
            self._transport.write(pack(job))
        return future

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 4:
            size = int.from_bytes(self._buffer[:4], "little")
            if len(self._buffer) < 4 + size:
                return
            work = Work(*unpack(bytes(memoryview(self._buffer)[4 : 4 + size])))
            del self._buffer[: 4 + size]
            self._owner.deaths = 0
            _, future = self.jobs.popleft()
            if not future.done():
                future.set_result(work)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._closing:
            return
        self._owner.deaths += 1
        if self.process is not None:
            self.process.wait()
        if self.jobs:
            job, future = self.jobs.popleft()
            if not future.done():
                future.set_exception(WorkerDiedError(job.url))
        self._restart = asyncio.get_running_loop().create_task(self.start())

    async def close(self) -> None:
        self._closing = True
        for _, future in self.jobs:
            future.cancel()
        if self._transport is not None:
            self._transport.close()
        if self.process is not None:
            try:
                await asyncio.to_thread(self.process.wait, 5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
