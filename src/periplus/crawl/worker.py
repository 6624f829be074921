"""The work that one page makes, done in a process of its own: decode, parse, digest, compress.

A small page can keep a parser busy for minutes. Here it has a limit of CPU time, set in the kernel before each page:
when it is used up the process dies, the crawl marks that one page `ERR_PARSE`, and a new process takes its place. The
same processes spread the work over the cores. Messages are length-prefixed `marshal` tuples of plain values, which
cannot name a class to construct: a process that reads the hostile web is not trusted with more.
"""

from __future__ import annotations

import marshal
import resource
import signal
import socket
import struct
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from typing import Any

from periplus.pages import cdx
from periplus.pages.warc import Capture, records
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


def work_on(job: Job) -> Work:
    """Do all that a page needs."""
    fetched = datetime.fromtimestamp(job.fetched, UTC)
    capture = Capture(job.url, fetched, job.head, job.payload, job.truncated, job.address, job.request)
    problem, content, html = None, b"", False
    targets: list[str] = []
    links, noindex, links_truncated = 0, False, False
    if job.parse:
        decoded = capture.decoded(job.max_decoded)
        problem = decoded.problem if not (job.truncated and decoded.problem == "decode") else None
        content = sha1(decoded.body, usedforsecurity=False).digest()
        kind = capture.header("content-type")
        html = is_html(kind, decoded.body)
        if html:
            page = extract_links(decoded.body, job.url, kind, x_robots_tag=job.robots_tag, max_links=job.max_links)
            links, noindex, links_truncated = len(page.links), page.noindex, page.links_truncated
            if not page.nofollow:
                targets = list(dict.fromkeys(link.target for link in page.links if "nofollow" not in link.rel))
        if problem == "length":
            capture = Capture(job.url, fetched, job.head, job.payload, "length", job.address, job.request)
    data, length = records(capture)
    return Work(
        data,
        length,
        cdx.timestamp(fetched),
        capture.status,
        capture.media_type or "unk",
        capture.digest(),
        capture.redirect,
        capture.truncated,
        content,
        targets,
        links,
        problem,
        html,
        noindex,
        links_truncated,
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
