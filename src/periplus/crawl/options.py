"""`CrawlOptions`: every setting and limit of a crawl, in one record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from periplus import __version__
from periplus.crawl.orders import ORDERS
from periplus.errors import ParameterError
from periplus.numeric.memory import parse_size

SCOPES = ("site", "host", "prefix", "any")
_AT_LEAST_ONE = (
    "max_pages",
    "max_visits",
    "max_bytes",
    "concurrency",
    "max_host_pages",
    "max_wire",
    "max_decoded",
    "max_links",
)
_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)")


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How far, how fast and how patiently to crawl; sizes in bytes, times in seconds."""

    max_pages: int | None = None
    max_depth: int | None = None
    max_seconds: float | None = None  # of one run
    max_visits: int | None = None  # of one run
    max_bytes: int | None = None  # of the archive of the crawl, those of earlier runs included
    scope: str = "site"
    include: tuple[str, ...] = ()  # regular expressions: a URL must match one of these, if there are any,
    exclude: tuple[str, ...] = ()  # and none of these; seeds are always fetched
    order: str = "breadth-first"
    sitemaps: bool = True  # those that robots.txt names, and feeds that pages link to, are read for URLs
    delay: float = 1.0  # between two requests to one host
    address_delay: float | None = None  # between two requests to one address; None: a quarter of `delay`
    max_delay: float = 30.0  # a longer Crawl-delay is cut to this
    concurrency: int = 64  # requests at the same time, over all hosts
    contact: str = ""  # an address or URL in the User-Agent, so that an administrator knows whom to write to
    user_agent: str = f"periplus/{__version__}"
    allow_net: tuple[str, ...] = ()  # private addresses that are allowed: 127.0.0.1:8123, 10.0.0.0/8
    connect_to: tuple[str, ...] = ()  # PATTERN=ADDRESS:PORT, as in curl: the address of these host names
    max_redirects: int = 5
    max_wire: int = 4 * 1024 * 1024  # bytes of a body as sent
    max_decoded: int = 8 * 1024 * 1024  # bytes of a decoded body
    max_links: int = 5000  # per page
    learn: bool = True  # which URL spaces have no end, while crawling
    max_host_pages: int = 10_000  # a host with more pages is a trap, or needs its own crawl
    connect_timeout: float = 5.0
    read_timeout: float = 10.0  # until the first byte, and between two reads
    total_timeout: float = 30.0  # of one exchange, however slowly the server sends
    parse_timeout: float = 5.0  # of CPU time, per page
    retries: int = 2
    retry_delay: float = 5.0  # doubles with each try
    patience: float = 60.0  # a host that asks us to wait longer is left for the next run
    workers: int = 0  # processes that parse and compress; 0: one per core

    def __post_init__(self) -> None:
        for name in _AT_LEAST_ONE:
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ParameterError(name, value, "at least 1")
        for name in (
            "max_depth",
            "delay",
            "address_delay",
            "max_delay",
            "max_redirects",
            "retries",
            "retry_delay",
            "patience",
        ):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise ParameterError(name, value, "zero or more")
        for name in ("connect_timeout", "read_timeout", "total_timeout", "parse_timeout", "max_seconds"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise ParameterError(name, value, "more than zero")
        for name in ("include", "exclude"):
            for pattern in getattr(self, name):
                _check_pattern(name, pattern)
        if self.scope not in SCOPES:
            raise ParameterError("scope", self.scope, f"one of {', '.join(SCOPES)}")
        if self.order not in ORDERS:
            raise ParameterError("order", self.order, f"one of {', '.join(ORDERS)}")

    @property
    def agent(self) -> str:
        """The `User-Agent` of every request."""
        name = " ".join(self.user_agent.split()) or "periplus"
        return f"{name} (+{' '.join(self.contact.split())})" if self.contact.strip() else name


def parse_duration(text: str | float) -> float:
    """Seconds in `"90"`, `"30s"`, `"10 min"`, `"2h"`, `"1.5d"` or a plain number."""
    if not isinstance(text, str):
        return text
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None or match[2] not in _SECONDS:
        raise ParameterError("time", text, 'a time such as "90s", "30min", "2h" or "1.5d"')
    return float(match[1]) * _SECONDS[match[2]]


def _check_pattern(name: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, TypeError) as error:
        raise ParameterError(name, pattern, f"a regular expression ({error})") from error


_READ = {"max_seconds": parse_duration, "max_bytes": parse_size}


def from_policy(policy: Mapping[str, Any], given: Mapping[str, Any]) -> CrawlOptions:
    """Options from `[policy]` in collection.toml; `given` ones take precedence, unknown names are errors."""
    known = {field.name for field in fields(CrawlOptions)}
    chosen: dict[str, Any] = {}
    for source in (policy, given):
        for name, value in source.items():
            name = name.replace("-", "_")
            if name not in known:
                raise ParameterError(name, value, f"a crawl option: {', '.join(sorted(known))}")
            if value is None or value == ():
                continue
            value = _READ[name](value) if name in _READ else value
            chosen[name] = tuple(value) if isinstance(value, list) else value
    try:
        return replace(CrawlOptions(), **chosen)
    except TypeError as error:
        raise ParameterError("[policy]", dict(policy), f"numbers where numbers are expected ({error})") from error
