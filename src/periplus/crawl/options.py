"""`CrawlOptions`: every setting and limit of a crawl, in one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from periplus import __version__
from periplus.crawl.frontier.order import ORDERS
from periplus.errors import ParameterError

SCOPES = ("site", "host", "prefix", "any")


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How far, how fast and how patiently to crawl; sizes in bytes, times in seconds."""

    max_pages: int | None = None
    max_depth: int | None = None
    scope: str = "site"
    order: str = "breadth-first"
    delay: float = 1.0  # between two requests to one host
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
        for name in ("max_pages", "concurrency", "max_host_pages", "max_wire", "max_decoded", "max_links"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ParameterError(name, value, "at least 1")
        for name in ("max_depth", "delay", "max_delay", "max_redirects", "retries", "retry_delay", "patience"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise ParameterError(name, value, "zero or more")
        for name in ("connect_timeout", "read_timeout", "total_timeout", "parse_timeout"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ParameterError(name, getattr(self, name), "more than zero")
        if self.scope not in SCOPES:
            raise ParameterError("scope", self.scope, f"one of {', '.join(SCOPES)}")
        if self.order not in ORDERS:
            raise ParameterError("order", self.order, f"one of {', '.join(ORDERS)}")

    @property
    def agent(self) -> str:
        """The `User-Agent` of every request."""
        name = " ".join(self.user_agent.split()) or "periplus"
        return f"{name} (+{' '.join(self.contact.split())})" if self.contact.strip() else name


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
            chosen[name] = tuple(value) if isinstance(value, list) else value
    try:
        return replace(CrawlOptions(), **chosen)
    except TypeError as error:
        raise ParameterError("[policy]", dict(policy), f"numbers where numbers are expected ({error})") from error
