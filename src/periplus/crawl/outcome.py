"""`Outcome`: every way in which the visit of a URL can end, and what follows from it.

The value of an outcome is its word in `crawl/log.jsonl` and in the frontier, and never changes. An HTTP status other
than 200 and 203 is an outcome of its own (`HTTP_404`), created when it is first met.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class _Kind(NamedTuple):
    page: bool = False
    error: bool = False
    retryable: bool = False
    reopens: bool = False


_PAGE = _Kind(page=True)
_ERROR = _Kind(error=True, reopens=True)
_TRANSIENT = _Kind(error=True, reopens=True, retryable=True)
_REFUSED = _Kind(reopens=True)
_NEITHER = _Kind()

_HTTP = re.compile(r"HTTP_\d+")
_BUSY = {429, 502, 503, 504}
"""Statuses that are often temporary. 500 is not among them: it mostly means a page that stays broken."""


class Outcome(StrEnum):
    """How the visit of a URL ended.

    `page`: the collection has a page of it. `error`: the report counts it as an error. `retryable`: another try in the
    same run may succeed. `reopens`: the next run tries a seed with this outcome again.
    """

    page: bool
    error: bool
    retryable: bool
    reopens: bool

    WAITING = "WAITING", _NEITHER  # not ended yet; never written
    OK = "OK", _PAGE  # a complete page
    UNCHANGED = "UNCHANGED", _PAGE  # as at the visit before: the server says so (304), or the bytes are equal
    DUP = "DUP", _PAGE  # a complete page; an earlier one had the same content
    TRUNC_LENGTH = "TRUNC_LENGTH", _PAGE  # a page that was cut at our limit of length,
    TRUNC_TIME = "TRUNC_TIME", _PAGE  # at our limit of time,
    TRUNC_DISCONNECT = "TRUNC_DISCONNECT", _PAGE  # or by the server; it is kept and marked
    REFRESH = "REFRESH", _NEITHER  # a stub of HTML that sends its readers on at once: a redirect
    LIST = "LIST", _NEITHER  # a sitemap or feed: no page, but its URLs may be followed
    SKIP_TYPE = "SKIP_TYPE", _NEITHER  # neither HTML nor text
    ERR_CONNECT = "ERR_CONNECT", _TRANSIENT  # no response
    ERR_TIMEOUT = "ERR_TIMEOUT", _TRANSIENT
    ERR_DNS = "ERR_DNS", _ERROR
    ERR_TLS = "ERR_TLS", _ERROR
    ERR_PROTOCOL = "ERR_PROTOCOL", _ERROR  # bytes that are not HTTP
    ERR_DECODE = "ERR_DECODE", _ERROR  # a broken content encoding
    ERR_PARSE = "ERR_PARSE", _ERROR  # the parser died, or ran out of CPU time
    ERR_REDIRECT = "ERR_REDIRECT", _ERROR  # a redirect that closes a loop, or one too many
    ERR_ROBOTS = "ERR_ROBOTS", _ERROR  # robots.txt cannot be fetched; only `periplus sample` prints it, a crawl waits
    BLOCKED_ROBOTS = "BLOCKED_ROBOTS", _REFUSED
    BLOCKED_ADDR = "BLOCKED_ADDR", _REFUSED  # an address that `guard.py` refuses
    BLOCKED_SCHEME = "BLOCKED_SCHEME", _REFUSED  # a redirect to something that is not http(s)
    FILTER_URL = "FILTER_URL", _NEITHER
    FILTER_TRAP = "FILTER_TRAP", _NEITHER

    def __new__(cls, slug: str, kind: _Kind = _NEITHER) -> Outcome:
        outcome = str.__new__(cls, slug)
        outcome._value_ = slug
        outcome._set_kind(kind)
        return outcome

    def _set_kind(self, kind: _Kind) -> None:
        self.page, self.error, self.retryable, self.reopens = kind

    @classmethod
    def _missing_(cls, value: object) -> Outcome | None:
        """The outcome of an HTTP status."""
        if not isinstance(value, str) or not _HTTP.fullmatch(value):
            return None
        status = int(value[5:])
        kind = _TRANSIENT if status in _BUSY else _ERROR if 400 <= status < 600 else _NEITHER
        outcome = str.__new__(cls, value)
        outcome._name_ = outcome._value_ = value
        outcome._set_kind(kind)
        cls._value2member_map_[value] = outcome
        return outcome

    @classmethod
    def of_response(cls, status: int, truncated: str | None) -> Outcome:
        """What a response is before its body is read; `truncated` as in `Capture`."""
        if status not in (200, 203):
            return cls(f"HTTP_{status}")
        return _BY_TRUNCATION.get(truncated, cls.OK)


_BY_TRUNCATION: dict[str | None, Outcome] = {
    "length": Outcome.TRUNC_LENGTH,
    "time": Outcome.TRUNC_TIME,
    "disconnect": Outcome.TRUNC_DISCONNECT,
    "unspecified": Outcome.SKIP_TYPE,  # the body is of a type that is not kept
}
