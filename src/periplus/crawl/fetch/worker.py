"""The work that one page makes, done in a process of its own: decode, parse, digest, compress.

A small page can keep a parser busy for minutes. Here it has a limit of CPU time, set in the kernel before each page:
when it is used up the process dies, the crawl marks that one page `ERR_PARSE`, and a new process takes its place. The
same processes spread the work over the cores. Messages are length-prefixed `marshal` tuples of plain values, which
cannot name a class to construct: a process that reads the hostile web is not trusted with more.
"""

from __future__ import annotations

import contextlib
import marshal
import resource
import signal
import socket
import struct
import sys
from base64 import b32decode
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha1
from typing import Any

from periplus.pages import cdx
from periplus.pages.warc import Capture
from periplus.pages.warc import pack as pack_records
from periplus.web.html import extract_links, is_html

MAX_MEMORY = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Job:
    """One response to work on; with `parse` False it is only compressed."""

    url: str
    fetched: float
    head: bytes
    payload: bytes
    truncated: str | None
    address: str | None
    request: bytes | None
    parse: bool
    robots_tag: str | None
    max_decoded: int
    max_links: int


@dataclass(frozen=True, slots=True)
class Work:
    """What became of it: records to append, their entry's fields, and what the page says."""

    records: bytes
    length: int
    timestamp: str
    status: int
    mime: str
    digest: str
    redirect: str | None
    truncated: str | None
    content: bytes  # SHA-1 of the decoded body: two pages with one content are duplicates
    targets: list[str]  # distinct, followed, in order
    links: int
    problem: str | None  # "length" or "decode"
    html: bool
    noindex: bool
    links_truncated: bool


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read out of a body."""

    body: bytes = b""
    problem: str | None = None
    html: bool = False
    targets: tuple[str, ...] = ()
    links: int = 0
    noindex: bool = False
    links_truncated: bool = False


def work_on(job: Job) -> Work:
    """Do all that a page needs."""
    fetched = datetime.fromtimestamp(job.fetched, UTC)
    capture = Capture(job.url, fetched, job.head, job.payload, job.truncated, job.address, job.request)
    reading = _read(job, capture) if job.parse else _Reading()
    if reading.problem == "length":
        capture = replace(capture, truncated="length")
    packed = pack_records(capture)
    content = b""
    if job.parse:
        # Most bodies come without an encoding: what they hold is what was sent, and its digest is known.
        unchanged = reading.body is capture.payload
        content = b32decode(packed.digest) if unchanged else sha1(reading.body, usedforsecurity=False).digest()
    return Work(
        packed.data,
        packed.length,
        cdx.timestamp(fetched),
        capture.status,
        capture.media_type or "unk",
        packed.digest,
        capture.redirect,
        capture.truncated,
        content,
        list(reading.targets),
        reading.links,
        reading.problem,
        reading.html,
        reading.noindex,
        reading.links_truncated,
    )


def _read(job: Job, capture: Capture) -> _Reading:
    decoded = capture.decoded(job.max_decoded)
    # A body that was cut cannot be decoded to its end; that is no fault of its encoding.
    problem = None if job.truncated and decoded.problem == "decode" else decoded.problem
    kind = capture.header("content-type")
    if not is_html(kind, decoded.body):
        return _Reading(decoded.body, problem)
    page = extract_links(decoded.body, job.url, kind, x_robots_tag=job.robots_tag, max_links=job.max_links)
    followed = () if page.nofollow else (link.target for link in page.links if "nofollow" not in link.rel)
    return _Reading(
        decoded.body,
        problem,
        html=True,
        targets=tuple(dict.fromkeys(followed)),
        links=len(page.links),
        noindex=page.noindex,
        links_truncated=page.links_truncated,
    )


# -- the process ---------------------------------------------------------------------------------------------

_LENGTH = struct.Struct("<I")


def pack(record: Job | Work) -> bytes:
    body = marshal.dumps(tuple(getattr(record, name) for name in record.__slots__))
    return _LENGTH.pack(len(body)) + body


def unpack(body: bytes | bytearray | memoryview) -> tuple[Any, ...]:
    return marshal.loads(body)


def _read_exactly(channel: socket.socket, size: int) -> bytes:
    pieces = []
    while size:
        piece = channel.recv(min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def main(descriptor: int, seconds: float) -> None:
    """Serve jobs until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the crawl decides when we end
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # not every system has such a limit
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    with socket.socket(fileno=descriptor) as channel:
        while True:
            try:
                (size,) = _LENGTH.unpack(_read_exactly(channel, _LENGTH.size))
                job = Job(*unpack(_read_exactly(channel, size)))
                signal.setitimer(signal.ITIMER_PROF, seconds)
                answer = pack(work_on(job))
                signal.setitimer(signal.ITIMER_PROF, 0)
                channel.sendall(answer)
            except (EOFError, ConnectionError):
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
