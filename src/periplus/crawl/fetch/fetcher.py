"""One HTTP exchange, bounded in time and size; every way it can end is an `Outcome`.

Redirects are not followed here: each hop is a URL of its own, with its own robots.txt, guard, record and outcome. No
cookies, no credentials, and no proxy from the environment are used. Bodies are kept as they were sent: the sandbox
decodes them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

import aiohttp
from aiohttp import hdrs
from yarl import URL

from periplus.crawl.fetch.courtesy import RequestLog
from periplus.crawl.fetch.guard import Guard, GuardedResolver, is_address, refusal_behind
from periplus.crawl.options import CrawlOptions
from periplus.crawl.outcome import Outcome
from periplus.crawl.visit import Visit
from periplus.pages.listing import MAX_BYTES, may_be_listing
from periplus.pages.warc import Capture, as_received, head_bytes
from periplus.web.url import Url, host_of

KEPT_TYPES = {"text/html", "application/xhtml+xml", "text/plain", ""}
"""Bodies of other types are not read: the response is stored without them, and marked."""

_MAX_REDIRECT_BODY = 65536
_LISTS_AT_ONCE = 2  # a sitemap may have 50 MiB


class Fetcher:
    """Sends requests; one for the whole crawl."""

    def __init__(self, options: CrawlOptions, guard: Guard, resolver: GuardedResolver | None = None) -> None:
        self.options = options
        self.guard = guard
        encodings = "gzip, deflate, br, zstd" if find_spec("brotli") else "gzip, deflate, zstd"
        self._headers = {
            "User-Agent": options.agent,
            "Accept": "text/html,application/xhtml+xml,text/plain;q=0.5,*/*;q=0.1",
            "Accept-Encoding": encodings,
        }
        self.sent = RequestLog()
        self._resolver = resolver or GuardedResolver(guard)
        self._lists = asyncio.Semaphore(_LISTS_AT_ONCE)
        self._usual_lines = _lines(self._headers)
        self._timeout = aiohttp.ClientTimeout(
            total=options.total_timeout, sock_connect=options.connect_timeout, sock_read=options.read_timeout
        )
        self._connector = aiohttp.TCPConnector(
            limit=options.concurrency,
            resolver=self._resolver,
            socket_factory=guard.make_socket,
            ttl_dns_cache=300,
            keepalive_timeout=max(15.0, 2 * options.delay),
        )
        self._session = aiohttp.ClientSession(
            connector=self._connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            timeout=self._timeout,
            auto_decompress=False,
            trust_env=False,
            max_line_size=8190,
            max_field_size=32768,
            max_headers=128,
        )

    async def close(self) -> None:
        await self._session.close()

    async def address_of(self, url: str) -> str:
        """The address of a URL's host; empty where it has none or may not be asked, as a request would tell."""
        parsed = Url(url)
        if is_address(parsed.host):
            return parsed.host
        with contextlib.suppress(Exception):
            return (await self._resolver.resolve(parsed.host, parsed.port))[0]["host"]
        return ""

    async def get(self, visit: Visit, *, max_body: int | None = None, any_type: bool = False) -> Visit:
        """Fetch the URL of a visit; never raises for what a server or the network does."""
        started, fetched = time.perf_counter(), datetime.now(UTC)
        ended: dict[str, Any]
        try:
            self.guard.check_url(visit.url)
            url = URL(visit.url, encoded=True)
            self.sent.asked(host_of(visit.url))
            async with self._session.get(url, allow_redirects=False, headers=visit.headers) as response:
                capture = await self._capture(visit, response, fetched, max_body or self.options.max_wire, any_type)
                outcome = Outcome.of_response(response.status, capture.truncated)
                ended = {"outcome": outcome, "status": response.status, "capture": capture}
        except Exception as error:
            ended = {"outcome": _outcome(error), "reason": _reason(error)}
        return replace(visit, milliseconds=int(1000 * (time.perf_counter() - started)), **ended)

    async def _capture(
        self, visit: Visit, response: aiohttp.ClientResponse, fetched: datetime, max_body: int, any_type: bool
    ) -> Capture:
        """The response as it came, its body read as far as it may be."""
        address = _peer(response)
        media = response.headers.get(hdrs.CONTENT_TYPE, "").partition(";")[0].strip().lower()
        truncated: str | None
        if 300 <= response.status < 400:  # its body is for people without a browser: kept as sent, never decoded
            body, truncated = await _body(response, _MAX_REDIRECT_BODY)
        elif any_type or media in KEPT_TYPES:
            body, truncated = await _body(response, max_body)
        elif may_be_listing(media, visit.url) and self.options.sitemaps:
            async with self._lists:
                body, truncated = await _body(response, MAX_BYTES)
        else:
            body, truncated = b"", "unspecified"
            response.close()
        headers = as_received(response.raw_headers, len(body))
        head = head_bytes(response.status, response.reason or "", headers)
        return Capture(visit.url, fetched, head, body, truncated, address, self._request_head(visit))

    def _request_head(self, visit: Visit) -> bytes:
        """The request as aiohttp sends it."""
        authority, slash, path = visit.url.partition("://")[2].partition("/")
        tail = _lines({**self._headers, **visit.headers}) if visit.headers else self._usual_lines
        return f"GET {slash}{path} HTTP/1.1\r\nHost: {authority}\r\n{tail}\r\n".encode("utf-8", "replace")


def _lines(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items())


async def _body(response: aiohttp.ClientResponse, limit: int) -> tuple[bytes, str | None]:
    """The body as sent, at most `limit` bytes of it, and why it is incomplete if it is."""
    pieces: list[bytes] = []
    size = 0
    try:
        async for piece in response.content.iter_any():
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                response.close()
                return b"".join(pieces)[:limit], "length"
    except (TimeoutError, aiohttp.ServerTimeoutError):
        return b"".join(pieces), "time"
    except (aiohttp.ClientError, OSError):
        return b"".join(pieces), "disconnect"
    return b"".join(pieces), None


def _peer(response: aiohttp.ClientResponse) -> str | None:
    # `response.connection` is None when a short response came in one piece: the pool has it back already.
    transport: Any = getattr(getattr(response, "_protocol", None), "transport", None)
    name = transport.get_extra_info("peername") if transport is not None else None
    return str(name[0]) if name else None


_OUTCOMES: list[tuple[tuple[type[BaseException], ...], Outcome]] = [
    ((aiohttp.InvalidURL,), Outcome.FILTER_URL),
    ((aiohttp.ClientConnectorDNSError,), Outcome.ERR_DNS),
    ((aiohttp.ClientSSLError, aiohttp.ClientConnectorCertificateError), Outcome.ERR_TLS),
    ((TimeoutError, asyncio.TimeoutError, aiohttp.ServerTimeoutError), Outcome.ERR_TIMEOUT),
    ((aiohttp.ClientResponseError, aiohttp.ClientPayloadError, ValueError), Outcome.ERR_PROTOCOL),
    ((aiohttp.ClientConnectionError, OSError), Outcome.ERR_CONNECT),
]


def _outcome(error: Exception) -> Outcome:
    """What an exception of the exchange means; the first row that fits."""
    if refusal_behind(error) is not None:
        return Outcome.BLOCKED_ADDR
    return next((outcome for kinds, outcome in _OUTCOMES if isinstance(error, kinds)), Outcome.ERR_PROTOCOL)


def _reason(error: Exception) -> str:
    blocked = refusal_behind(error)
    if blocked is not None:
        return str(blocked)
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"{error.host}:{error.port}: {error.os_error.strerror or error.os_error}"
    return " ".join((str(error) or type(error).__name__).split())[:300]
