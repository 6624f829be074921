"""Where the crawler may connect: addresses in every disguise, names that resolve inside, answers that change."""

from __future__ import annotations

import asyncio
import socket

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from tests.webs.hostile import spellings
from tests.webs.server import WebServer, site

from periplus.crawl.fetch.fetcher import Fetcher
from periplus.crawl.fetch.guard import (
    BlockedAddressError,
    Guard,
    GuardedResolver,
    NoContactError,
    guard_for,
    is_public,
)
from periplus.crawl.options import CrawlOptions
from periplus.crawl.visit import Visit
from periplus.errors import ParameterError, UsageError
from periplus.web.url import canonical

PRIVATE = [
    "127.0.0.1",
    "127.255.255.255",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "[::1]",
    "nonsense",
]
PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "1.1.1.1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "[2001:4860:4860::8888]",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(address)


def test_allow_net_permits_exactly_what_it_names() -> None:
    guard = Guard(["127.0.0.1:8123", "10.1.0.0/16", "[::1]:99", "fd00::/8"])
    assert guard.allows("127.0.0.1", 8123)
    assert not guard.allows("127.0.0.1", 8124)
    assert not guard.allows("127.0.0.2", 8123)
    assert guard.allows("10.1.255.1", 80)
    assert not guard.allows("10.2.0.1", 80)
    assert guard.allows("::1", 99)
    assert not guard.allows("::1", 80)
    assert guard.allows("fd00::5", 80)


def test_only_web_ports_and_those_of_the_seeds() -> None:
    guard = Guard(ports=[8080])
    assert guard.allows("8.8.8.8", 80)
    assert guard.allows("8.8.8.8", 443)
    assert guard.allows("8.8.8.8", 8080)
    for port in (25, 6379, 22, 8081):
        assert not guard.allows("8.8.8.8", port)
    with pytest.raises(BlockedAddressError):
        guard.check_url("http://example.org:6379/")
    guard.check_url("https://example.org/")


LOOPBACK = ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"]


@pytest.mark.parametrize("host", LOOPBACK)
def test_this_machine_needs_no_contact(host: str) -> None:
    Guard().check_contact(host)


@pytest.mark.parametrize(
    "host", ["example.org", "10.0.0.1", "[2001:db8::1]", "localhost.example.org", "127.0.0.1.nip.test"]
)
def test_anyone_else_needs_one(host: str) -> None:
    with pytest.raises(NoContactError, match="--contact"):
        Guard(["10.0.0.0/8"]).check_contact(host)
    Guard(contact="me@home.test").check_contact(host)
    with pytest.raises(UsageError, match="--contact"):
        guard_for(CrawlOptions(), [f"http://{host}/"])


def test_a_socket_leaves_this_machine_only_with_a_contact() -> None:
    where = (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("93.184.216.34", 80))
    with pytest.raises(NoContactError):
        Guard().make_socket(where)
    Guard(contact="me@home.test").make_socket(where).close()


def test_a_route_counts_as_where_it_leads() -> None:
    guard = Guard(connect_to=["*.here=127.0.0.1:8123", "*.there=93.184.216.34:80"])
    guard.check_contact("www.here")
    with pytest.raises(NoContactError):
        guard.check_contact("www.there")


def test_connect_to_sends_names_elsewhere_and_no_literal() -> None:
    guard = Guard(connect_to=["*.example=127.0.0.1:8123", "one.test=[::1]:99"])
    assert guard.route("a.b.example") == ("127.0.0.1", 8123)
    assert guard.route("one.test") == ("::1", 99)
    assert guard.route("two.test") is None
    guard.check_url("http://www.example/")
    with pytest.raises(BlockedAddressError):
        guard.check_url("http://127.0.0.1:8123/")


@pytest.mark.parametrize("text", ["", "nonsense", "127.0.0.1:99999", "1.2.3.4/99", "example.org:80"])
def test_bad_allow_net(text: str) -> None:
    with pytest.raises(ParameterError, match="allow-net"):
        Guard([text])


@pytest.mark.parametrize("text", ["", "=127.0.0.1:80", "*.x=example.org:80", "*.x=127.0.0.1", "*.x=127.0.0.1:0"])
def test_bad_connect_to(text: str) -> None:
    with pytest.raises(ParameterError, match="connect-to"):
        Guard(connect_to=[text])


class Names(AbstractResolver):
    """A resolver with answers of our own; a list of lists gives another answer each time."""

    def __init__(self, answers: list[list[str]]) -> None:
        self.answers = answers

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            ResolveResult(hostname=host, host=address, port=port, proto=0, flags=0,
                          family=socket.AF_INET6 if ":" in address else socket.AF_INET)
            for address in addresses
        ]  # fmt: skip

    async def close(self) -> None:
        return None


def fetch(urls: list[str], guard: Guard, names: AbstractResolver | None = None) -> list[Visit]:
    async def run() -> list[Visit]:
        options = CrawlOptions(connect_timeout=1, read_timeout=1, total_timeout=2)
        fetcher = Fetcher(options, guard, GuardedResolver(guard, names))
        try:
            return [await fetcher.get(Visit(url)) for url in urls]
        finally:
            await fetcher.close()

    return asyncio.run(run())


@pytest.mark.parametrize("answer", [["127.0.0.2"], ["::1"], ["93.184.216.34", "127.0.0.1"], ["169.254.169.254"]])
def test_a_name_with_any_private_address_is_refused_whole(answer: list[str]) -> None:
    """E02."""
    visit = fetch(["http://name.example/"], Guard(), Names([answer]))[0]
    assert visit.outcome == "BLOCKED_ADDR"


def test_a_name_that_changes_its_answer_reaches_nothing_inside() -> None:
    """E03: first an address that is allowed, then one inside; each connection is checked by itself."""
    with WebServer({"rebind.example": site({"/": "<p>first</p>"})}) as server:
        guard = Guard([f"127.0.0.1:{server.port}"])
        names = Names([["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]])
        url = f"http://rebind.example:{server.port}/"

        async def run() -> list[Visit]:
            fetcher = Fetcher(CrawlOptions(), guard, GuardedResolver(guard, names))
            fetcher._connector._use_dns_cache = False  # a hostile name has a lifetime of zero
            fetcher._connector._force_close = True
            try:
                return [await fetcher.get(Visit(url)) for _ in range(3)]
            finally:
                await fetcher.close()

        outcomes = [visit.outcome for visit in asyncio.run(run())]
    assert outcomes == ["OK", "BLOCKED_ADDR", "OK"]


def test_the_socket_has_the_last_word() -> None:
    """Even if a resolver lies, no socket is made for an address that is refused."""

    class Lying(GuardedResolver):
        async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
            return await Names([["127.0.0.1"]]).resolve(host, port)

    async def run(port: int) -> Visit:
        guard = Guard(ports=[port])
        fetcher = Fetcher(CrawlOptions(), guard, Lying(guard))
        try:
            return await fetcher.get(Visit(f"http://name.example:{port}/"))
        finally:
            await fetcher.close()

    with WebServer({}) as server:
        visit = asyncio.run(run(server.canary_port))
        assert server.canary_hits == 0
    assert visit.outcome == "BLOCKED_ADDR"


def test_no_spelling_reaches_a_private_address() -> None:
    """E01: fetched one by one, past every check but the guard itself."""
    with WebServer({}) as server:
        urls = [url for url in map(canonical, spellings(server.canary_port)) if url]
        visits = fetch(urls, Guard(ports=[server.canary_port]))
        assert server.canary_hits == 0
    assert {visit.outcome for visit in visits} <= {"BLOCKED_ADDR", "ERR_DNS", "FILTER_URL"}
    assert len(urls) > 40
