"""`Guard`: where the crawler may connect. Public addresses on web ports, and addresses that the user allows.

Nothing but this machine is asked before the user has named a contact: an administrator must be able to complain.

A page may link to `http://169.254.169.254/`, a redirect may point to `http://localhost:6379/`, and a name may resolve
to a public address when it is checked and to a private one when it is used. So the check is made where the socket is
created (`make_socket`; aiohttp passes the address that it is about to connect to). A second check is made where names
are resolved: a name with any private address is refused. The `is_global` of Python is not enough: it accepts
multicast, 6to4, NAT64, IPv4-compatible and site-local addresses of private hosts.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from periplus.crawl.options import CrawlOptions
from periplus.errors import ParameterError, UsageError
from periplus.web.url import Url

RECEIVE_BUFFER = 512 * 1024
"""Bytes that the kernel may buffer before we read them (it reserves twice as many). With this limit a server cannot
send much more than the limit of a body, and a connection with 200 ms latency still carries 2.5 MB/s (1 MB/s if the
system grants only the usual 208 KiB)."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_REFUSED_NETWORKS = [
    ipaddress.ip_network(text)
    for text in ("::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10", "100.64.0.0/10")
]
_REFUSAL = "refused address"
_MAX_ADDRESSES = 8


class BlockedAddressError(OSError):
    """The address is private or reserved, or the port is not a web port."""

    def __init__(self, address: str, port: int) -> None:
        super().__init__(
            f"{_REFUSAL}: {address}:{port} is private, or not on a web port; --allow-net {address}:{port} allows it"
        )
        self.address, self.port = address, port


class NoContactError(BlockedAddressError):
    """The address is not of this machine, and nobody said whom its administrators can write to."""

    def __init__(self, host: str) -> None:
        OSError.__init__(
            self,
            f"{_REFUSAL}: {host} is not this machine, so --contact must say where its administrators can reach you",
        )
        self.host = host


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own, without asking anyone."""
    name = host.strip("[]").partition("%")[0].rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """Whether the host of a URL is an address, in brackets or not."""
    return host.startswith("[") or host.replace(".", "").isdigit()


def is_public(text: str) -> bool:
    """Whether an IP address is on the public Internet; IPv6 forms of IPv4 addresses count as the latter."""
    try:
        address: Address = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(str(address.ipv4_mapped))
        if address in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
    refused = address.is_multicast or address.is_reserved or any(address in network for network in _REFUSED_NETWORKS)
    return address.is_global and not refused


def refusal_behind(error: BaseException) -> BaseException | None:
    """The refusal that caused an error, or None; aiohttp wraps and sometimes rewrites the original."""
    seen: BaseException | None = error
    while seen is not None:
        inner = getattr(seen, "os_error", None)
        for cause in (inner, seen):
            if isinstance(cause, BlockedAddressError) or (cause is not None and _REFUSAL in str(cause)):
                return cause
        seen = seen.__cause__ or seen.__context__
    return None


def guard_for(options: CrawlOptions, urls: Sequence[str]) -> Guard:
    """The guard of a run that begins with these URLs; refuses the run where a contact is needed and missing."""
    parsed = [Url(url) for url in urls]
    guard = Guard(options.allow_net, options.connect_to, {url.port for url in parsed}, options.contact)
    try:
        for url in parsed:
            guard.check_contact(url.host)
    except NoContactError as error:
        raise UsageError(
            f"{error.host}: --contact must say where its administrators can reach you, "
            "as a mail address or a URL (or set contact under [policy] in collection.toml)"
        ) from error
    return guard


class Guard:
    """Allowed addresses, ports and routes, made once from the options."""

    def __init__(
        self,
        allow_net: Iterable[str] = (),
        connect_to: Iterable[str] = (),
        ports: Iterable[int] = (),
        contact: str = "",
    ) -> None:
        self._contact = contact.strip()
        self._allowed = [_parse_net(text) for text in allow_net]
        self._routes = [_parse_route(text) for text in connect_to]
        self._targets = {(address, port) for _, address, port in self._routes}
        self._ports = {80, 443, *ports}

    def allows(self, address: str, port: int) -> bool:
        """Whether the crawler may connect to this address and port."""
        parsed = ipaddress.ip_address(address.strip("[]").partition("%")[0])
        for network, allowed_port in self._allowed:
            if parsed in network and allowed_port in (None, port):
                return True
        return port in self._ports and is_public(address)

    def check_contact(self, host: str) -> None:
        """Raise if a host is not of this machine and no contact is set; a host on a route is where the route leads."""
        where = self.route(host)
        if not self._contact and not is_loopback(where[0] if where else host):
            raise NoContactError(host)

    def check_url(self, url: str) -> None:
        """Raise if the host of a URL is an address that is not allowed, or if its port is not a web port."""
        parsed = Url(url)
        host, port = parsed.host, parsed.port
        if self.route(host) is not None:
            return
        if is_address(host):
            if not self.allows(host, port):
                raise BlockedAddressError(host, port)
        elif port not in self._ports and not any(allowed == port for _, allowed in self._allowed):
            raise BlockedAddressError(host, port)

    def route(self, host: str) -> tuple[str, int] | None:
        """The address and port that `--connect-to` sets for a host name, or None."""
        for pattern, address, port in self._routes:
            if fnmatchcase(host, pattern):
                return address, port
        return None

    def make_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address that aiohttp is about to connect to; the final check of every connection."""
        family, kind, protocol, _, where = info
        address, port = str(where[0]), int(where[1])
        if (address, port) not in self._targets and not self.allows(address, port):
            raise BlockedAddressError(address, port)
        if not self._contact and not is_loopback(address):
            raise NoContactError(address)
        made = socket.socket(family=family, type=kind, proto=protocol)
        made.setblocking(False)
        # By default the kernel buffers tens of mebibytes from a fast server, which nobody will ever read.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        return made


class GuardedResolver(AbstractResolver):
    """Resolves names with `--connect-to`, then with the system; refuses a name that has any refused address."""

    def __init__(self, guard: Guard, inner: AbstractResolver | None = None) -> None:
        self._guard = guard
        self._inner = inner or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        route = self._guard.route(host)
        if route is not None:
            kind = socket.AF_INET6 if ":" in route[0] else socket.AF_INET
            return [ResolveResult(hostname=host, host=route[0], port=route[1], family=kind, proto=0, flags=0)]
        found = await self._inner.resolve(host, port, family)
        for result in found:
            if not self._guard.allows(result["host"], port):
                raise BlockedAddressError(result["host"], port)
        return found[:_MAX_ADDRESSES]

    async def close(self) -> None:
        await self._inner.close()


def _parse_net(text: str) -> tuple[Network, int | None]:
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]") or (text.count(":") > 1 and not text.startswith("[")):
        host, port = text, ""
    try:
        network = ipaddress.ip_network(host.strip("[]"), strict=False)
        return network, _parse_port(port) if port else None
    except ValueError as error:
        raise ParameterError("--allow-net", text, "ADDRESS, ADDRESS:PORT or ADDRESS/BITS") from error


def _parse_route(text: str) -> tuple[str, str, int]:
    pattern, equals, place = text.partition("=")
    address, _, port = place.rpartition(":")
    try:
        if not equals or not pattern:
            raise ValueError
        return pattern.lower(), str(ipaddress.ip_address(address.strip("[]"))), _parse_port(port)
    except ValueError as error:
        raise ParameterError("--connect-to", text, "PATTERN=ADDRESS:PORT, e.g. '*.example=127.0.0.1:8123'") from error


def _parse_port(text: str) -> int:
    port = int(text)
    if not 0 < port < 65536:
        raise ValueError(text)
    return port
