"""Web-server logs in the Common and the Combined Log Format, plain, gzip or xz, line by line.

    host ident user [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.0" 200 2326 "referrer" "user agent"

Counted are successful GETs of people: robots by their name, and visitors who read robots.txt, are left out. The address
and the agent of a visitor become eight bytes of a keyed hash (BLAKE2b) as soon as they are read; neither is kept. A
line longer than `LONGEST` is passed over without being read into memory.

Cost: one regular expression and a hash a line, some five microseconds.
"""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from calendar import timegm
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO, NamedTuple

from periplus.errors import FormatError, storage

LONGEST = 1 << 16
_LINE = re.compile(
    rb'(\S+) \S+ [^\[]*\[([^\]]{20,30})\] "(?:(\w+) )?([^" ]*)[^"]*" (\d{3}) \S+(?: "([^"]*)" "([^"]*)")?'
)
_ROBOT = re.compile(
    rb"bot\b|bot[/;_-]|crawl|spider|slurp|archiver|fetch|monitor|curl|wget|python|scrapy|java/|libwww|http-?client|preview",
    re.IGNORECASE,
)
_MONTHS = {name: number for number, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
_GOOD = (b"200", b"203", b"206", b"304")
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\0"


class Hit(NamedTuple):
    """One page asked for by a person: who (a hash), when (seconds), which path, from where (empty where not said)."""

    visitor: bytes
    time: int
    path: bytes
    referrer: bytes


class Log:
    """The hits of one log; `counts` says afterwards what was read and what was left out, and why."""

    def __init__(self, path: str | Path, key: bytes) -> None:
        self.path = Path(path)
        self.counts: Counter[str] = Counter()
        self._key = key
        self._minutes: dict[bytes, int] = {}
        self._robots: dict[bytes, bool] = {}
        self.robots: set[bytes] = set()

    def __iter__(self) -> Iterator[Hit]:
        with storage(self.path), opened(self.path) as stream:
            yield from self._hits(short_lines(stream, self.path))
        if self.counts["lines"] and self.counts["lines"] == self.counts["not a log line"]:
            raise FormatError(self.path, "no line of it is in the Common or Combined Log Format", line=1)

    def _hits(self, lines: Iterator[bytes]) -> Iterator[Hit]:
        counts, match, good = self.counts, _LINE.match, _GOOD
        for line in lines:
            counts["lines"] += 1
            found = match(line)
            time = self._time(found[2]) if found is not None else None
            if found is None or time is None:
                counts["not a log line"] += 1
                continue
            address, _, method, path, status, referrer, agent = found.groups()
            if self._is_robot(agent or b""):
                counts["robots"] += 1
                continue
            visitor = blake2b(address + b"\0" + (agent or b""), key=self._key, digest_size=8).digest()
            if path == b"/robots.txt":
                self.robots.add(visitor)
            if method != b"GET" or status not in good:
                counts["no page"] += 1
                continue
            yield Hit(visitor, time, path, b"" if referrer is None or referrer == b"-" else referrer)

    def _is_robot(self, agent: bytes) -> bool:
        known = self._robots.get(agent)
        if known is None:
            known = self._robots[agent] = _ROBOT.search(agent) is not None
        return known

    def _time(self, text: bytes) -> int | None:
        """Seconds since 1970 of `10/Oct/2000:13:55:36 -0700`; None where it is no time."""
        minute = text[:17] + text[20:]
        begin = self._minutes.get(minute)
        try:
            if begin is None:
                begin = self._minutes[minute] = _begin(text)
            return begin + int(text[18:20])
        except (ValueError, KeyError, IndexError):
            return None


def _begin(text: bytes) -> int:
    day, month, year = int(text[:2]), _MONTHS[text[3:6]], int(text[7:11])
    zone = text[21:26]
    ahead = (int(zone[1:3]) * 60 + int(zone[3:5])) * 60 * (-1 if zone[:1] == b"-" else 1) if zone else 0
    return timegm((year, month, day, int(text[12:14]), int(text[15:17]), 0)) - ahead


def opened(path: Path) -> IO[bytes]:
    """A file to read line by line: plain, or gzip or xz by its first bytes."""
    with path.open("rb") as raw:
        begin = raw.read(len(_XZ))
    if begin.startswith(_GZIP):
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return lzma.open(path, "rb") if begin == _XZ else path.open("rb", buffering=1 << 20)


def short_lines(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    """The lines of a stream; one longer than `LONGEST` is passed over and comes as an empty one."""
    try:
        while line := stream.readline(LONGEST):
            if len(line) == LONGEST and not line.endswith(b"\n"):
                while (rest := stream.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
                line = b""
            yield line
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise FormatError(path, f"the compression is damaged ({error}): copy it again") from error
