"""`Outcome`: every way in which the visit of a URL can end, and what follows from it.

The value of an outcome is the word that stands in `crawl/log.jsonl` and in the frontier; it never changes. An HTTP
status that is neither 200 nor 203 is an outcome of its own (`HTTP_404`), made when it is first met.
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
_PASSING = _Kind(error=True, reopens=True, retryable=True)
_REFUSED = _Kind(reopens=True)
_NEITHER = _Kind()

_HTTP = re.compile(r"HTTP_\d+")
_BUSY = {429, 502, 503, 504}
"""Statuses that often pass. 500 is not among them: it is mostly a page that is broken for good."""

_TRUNCATED = {"length": "TRUNC_LENGTH", "time": "TRUNC_TIME", "disconnect": "TRUNC_DISCONNECT"}


class Outcome(StrEnum):
    """How the visit of a URL ended.

    `page`: it leaves a page in the collection. `error`: the report counts it as an error. `retryable`: trying again in
    the same run may help. `reopens`: the same command tries a seed again that ended so.
    """

    page: bool
    error: bool
    retryable: bool
    reopens: bool

    WAITING = "WAITING", _NEITHER  # not ended yet; never written
    OK = "OK", _PAGE  # a whole page
    DUP = "DUP", _PAGE  # a whole page; another had the same content before
    TRUNC_LENGTH = "TRUNC_LENGTH", _PAGE  # a page cut by our limit of length,
    TRUNC_TIME = "TRUNC_TIME", _PAGE  # of time,
    TRUNC_DISCONNECT = "TRUNC_DISCONNECT", _PAGE  # or by the server: kept, and marked
    SKIP_TYPE = "SKIP_TYPE", _NEITHER  # neither HTML nor text
    ERR_CONNECT = "ERR_CONNECT", _PASSING  # no response
    ERR_TIMEOUT = "ERR_TIMEOUT", _PASSING
    ERR_DNS = "ERR_DNS", _ERROR
    ERR_TLS = "ERR_TLS", _ERROR
    ERR_PROTOCOL = "ERR_PROTOCOL", _ERROR  # bytes that are not HTTP
    ERR_DECODE = "ERR_DECODE", _ERROR  # a content encoding that is broken
    ERR_PARSE = "ERR_PARSE", _ERROR  # the parser died, or ran out of CPU time
    ERR_REDIRECT = "ERR_REDIRECT", _ERROR  # to itself, or one too many
    ERR_ROBOTS = "ERR_ROBOTS", _ERROR  # robots.txt could not be read; `periplus sample` prints it, a crawl waits
    BLOCKED_ROBOTS = "BLOCKED_ROBOTS", _REFUSED
    BLOCKED_ADDR = "BLOCKED_ADDR", _REFUSED  # an address that `guard.py` refuses
    BLOCKED_SCHEME = "BLOCKED_SCHEME", _REFUSED  # a redirect to something else than http(s)
    FILTER_URL = "FILTER_URL", _NEITHER
    FILTER_TRAP = "FILTER_TRAP", _NEITHER

    def __new__(cls, slug: str, kind: _Kind = _NEITHER) -> Outcome:
        outcome = str.__new__(cls, slug)
        outcome._value_ = slug
        outcome.page, outcome.error, outcome.retryable, outcome.reopens = kind
        return outcome

    @classmethod
    def _missing_(cls, value: object) -> Outcome | None:
        """The outcome of an HTTP status."""
        if not isinstance(value, str) or not _HTTP.fullmatch(value):
            return None
        status = int(value[5:])
        kind = _PASSING if status in _BUSY else _ERROR if 400 <= status < 600 else _NEITHER
        outcome = str.__new__(cls, value)
        outcome._name_ = outcome._value_ = value
        outcome.page, outcome.error, outcome.retryable, outcome.reopens = kind
        cls._value2member_map_[value] = outcome
        return outcome

    @classmethod
    def of_response(cls, status: int, truncated: str | None) -> Outcome:
        """What a response is before its body is read; `truncated` as in `Capture`."""
        if status not in (200, 203):
            return cls(f"HTTP_{status}")
        if truncated == "unspecified":  # the body is of a type that is not kept
            return cls.SKIP_TYPE
        return cls(_TRUNCATED.get(truncated or "", "OK"))
