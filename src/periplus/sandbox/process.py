"""The sandboxed process: `python -m periplus.sandbox.process DESCRIPTOR SECONDS MODULE:FUNCTION`.

It reads jobs from a socket, calls the function on each, and writes the results back in order. Before each job the
kernel is told how much CPU time is left (see `clock`); the memory of the process is limited once. When a limit is
passed the process dies, and `Sandbox` starts another.

Messages are `marshal` values behind their length: plain numbers, texts, bytes and tuples. Such a message cannot name a
class to construct, and a process that reads the hostile web is trusted with no more than that.
"""

from __future__ import annotations

import contextlib
import marshal
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from periplus.sandbox import clock

MAX_MEMORY = 1024 * 1024 * 1024
LENGTH = struct.Struct("<I")


def pack(message: Any) -> bytes:
    """A message as it is sent: its length, then its bytes."""
    body = marshal.dumps(message)
    return LENGTH.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """The message whose bytes these are, without their length."""
    return marshal.loads(body)


def serve(channel: socket.socket, task: Callable[[Any], object]) -> None:
    """Work on jobs until the other end closes."""
    while True:
        try:
            (size,) = LENGTH.unpack(_read_exactly(channel, LENGTH.size))
            job = unpack(_read_exactly(channel, size))
            clock.restart()
            answer = pack(task(job))
            clock.stop()
            channel.sendall(answer)
        except (EOFError, ConnectionError):
            return


def _read_exactly(channel: socket.socket, size: int) -> bytes:
    pieces = []
    while size:
        piece = channel.recv(min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _limit_this_process(cpu_seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides when we end
    clock.set_limit(cpu_seconds)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # some systems have no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def main(descriptor: str, cpu_seconds: str, task: str) -> None:
    """Set the limits, import the task, and serve."""
    _limit_this_process(float(cpu_seconds))
    module, _, function = task.partition(":")
    with socket.socket(fileno=int(descriptor)) as channel:
        serve(channel, getattr(import_module(module), function))


if __name__ == "__main__":
    main(*sys.argv[1:])
