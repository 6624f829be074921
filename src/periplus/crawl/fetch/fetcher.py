"""One HTTP exchange, bounded in time and size, with every way it can end given a name.

    OK                                       a whole response
    TRUNC_LENGTH TRUNC_TIME TRUNC_DISCONNECT a response cut by our limit, by the clock, by the server: kept, and marked
    ERR_CONNECT ERR_DNS ERR_TLS ERR_TIMEOUT  no response
    ERR_PROTOCOL                             bytes that are no HTTP
    BLOCKED_ADDR                             an address that `guard.py` refuses

Redirects are not followed here: each hop is a URL of its own, with its own robots.txt, guard, record and outcome. No
cookies, no credentials, no proxy from the environment. Bodies come as they were sent: they are decoded elsewhere.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

import aiohttp
from aiohttp import hdrs
from yarl import URL

from periplus.crawl.engine.options import CrawlOptions
from periplus.crawl.fetch.guard import BlockedAddressError, Guard, GuardedResolver, block_behind
from periplus.pages.warc import as_received, head_bytes

KEPT_TYPES = {"text/html", "application/xhtml+xml", "text/plain", ""}
"""Bodies of other types are not read: the response is stored without them, and marked."""

_MAX_ASIDE = 65536
_TRANSIENT = {"ERR_CONNECT", "ERR_TIMEOUT"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """How one request ended: an outcome, and the response where there was one."""

    outcome: str
    status: int = 0
    head: bytes = b""
    payload: bytes = b""
    content_type: str = ""
    location: str | None = None
    retry_after: str | None = None
    robots_tag: str | None = None
    truncated: str | None = None
    address: str | None = None
    request: bytes = b""
    fetched: datetime | None = None
    milliseconds: int = 0
    reason: str = ""

    @property
    def transient(self) -> bool:
        """True where trying again may help; 500 is not among them, it is mostly a page that is broken for good."""
        return self.outcome in _TRANSIENT or self.status in (429, 502, 503, 504)


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
        self._timeout = aiohttp.ClientTimeout(
            total=options.total_timeout, sock_connect=options.connect_timeout, sock_read=options.read_timeout
        )
        self._connector = aiohttp.TCPConnector(
            limit=options.concurrency,
            resolver=resolver or GuardedResolver(guard),
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

    async def get(self, url: str, *, max_body: int | None = None, any_type: bool = False) -> Exchange:
        """Fetch a URL; never raises for what a server or the network does."""
        started = time.perf_counter()
        fetched = datetime.now(UTC)
        exchange = await self._try(url, max_body or self.options.max_wire, any_type)
        took = int(1000 * (time.perf_counter() - started))
        return _timed(exchange, fetched, took)

    async def _try(self, url: str, max_body: int, any_type: bool) -> Exchange:
        try:
            self.guard.check_url(url)
            async with self._session.get(URL(url, encoded=True), allow_redirects=False) as response:
                return await self._read(url, response, max_body, any_type)
        except BlockedAddressError as error:
            return Exchange("BLOCKED_ADDR", reason=str(error))
        except Exception as error:
            return Exchange(_outcome(error), reason=_reason(error))

    async def _read(self, url: str, response: aiohttp.ClientResponse, max_body: int, any_type: bool) -> Exchange:
        address = _peer(response)
        kind = response.headers.get(hdrs.CONTENT_TYPE, "")
        media = kind.partition(";")[0].strip().lower()
        redirect = 300 <= response.status < 400
        if redirect:  # its body is for people without a browser; it is kept as sent and never decoded
            body, cut = await _body(response, _MAX_ASIDE)
        elif any_type or media in KEPT_TYPES:
            body, cut = await _body(response, max_body)
        else:
            body, cut = b"", "unspecified"
            response.close()
        headers = as_received(response.raw_headers, len(body))
        return Exchange(
            outcome=_CUT.get(cut or "", "OK"),
            status=response.status,
            head=head_bytes(response.status, response.reason or "", headers),
            payload=body,
            content_type=kind,
            location=response.headers.get(hdrs.LOCATION) if redirect else None,
            retry_after=response.headers.get(hdrs.RETRY_AFTER),
            robots_tag=", ".join(response.headers.getall("X-Robots-Tag", [])) or None,
            truncated=cut,
            address=address,
            request=self._request_head(url),
        )

    def _request_head(self, url: str) -> bytes:
        """The request as aiohttp sends it."""
        authority, slash, path = url.partition("://")[2].partition("/")
        lines = [f"GET {slash}{path} HTTP/1.1", f"Host: {authority}"]
        lines += [f"{name}: {value}" for name, value in self._headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


_CUT = {"length": "TRUNC_LENGTH", "time": "TRUNC_TIME", "disconnect": "TRUNC_DISCONNECT"}


async def _body(response: aiohttp.ClientResponse, limit: int) -> tuple[bytes, str | None]:
    """The body as sent, at most `limit` bytes of it, and why it is not whole where it is not."""
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
    # `response.connection` is already given back to the pool when a short response came in one piece.
    transport: Any = getattr(getattr(response, "_protocol", None), "transport", None)
    name = transport.get_extra_info("peername") if transport is not None else None
    return str(name[0]) if name else None


def _timed(exchange: Exchange, fetched: datetime, milliseconds: int) -> Exchange:
    # `dataclasses.replace` looks at every field of every exchange; this is a third of its cost.
    object.__setattr__(exchange, "fetched", fetched)
    object.__setattr__(exchange, "milliseconds", milliseconds)
    return exchange


def _outcome(error: Exception) -> str:
    if block_behind(error) is not None:
        return "BLOCKED_ADDR"
    for kinds, outcome in _OUTCOMES:
        if isinstance(error, kinds):
            return outcome
    return "ERR_PROTOCOL"


_OUTCOMES: list[tuple[tuple[type[BaseException], ...], str]] = [
    ((aiohttp.InvalidURL,), "FILTER_URL"),
    ((aiohttp.ClientConnectorDNSError,), "ERR_DNS"),
    ((aiohttp.ClientSSLError, aiohttp.ClientConnectorCertificateError), "ERR_TLS"),
    ((TimeoutError, asyncio.TimeoutError, aiohttp.ServerTimeoutError), "ERR_TIMEOUT"),
    ((aiohttp.ClientResponseError, aiohttp.ClientPayloadError, ValueError), "ERR_PROTOCOL"),
    ((aiohttp.ClientConnectionError, OSError), "ERR_CONNECT"),
]


def _reason(error: Exception) -> str:
    blocked = block_behind(error)
    if blocked is not None:
        return str(blocked)
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"{error.host}:{error.port}: {error.os_error.strerror or error.os_error}"
    return " ".join((str(error) or type(error).__name__).split())[:300]
