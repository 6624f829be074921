"""The hostile web: one virtual host a way in which servers are broken or mean; the letters are those of the test plan.

Every host serves its trap at `/`, answers robots.txt with 404 unless robots.txt is the trap, and is crawled at the same
time as an honest control site that must not suffer.
"""

from __future__ import annotations

import asyncio
import gzip
import importlib
import socket
import zlib
from importlib.util import find_spec

import zstandard
from tests.webs.server import Asked, Site, Writer, honest_site, not_found, response, site

CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
DOMAIN = "hw.test"
MIB = 1024 * 1024


def raw(data: bytes, *, close: bool = True) -> Site:
    """Send these very bytes for any path but robots.txt."""

    async def serve(asked: Asked, writer: Writer) -> None:
        if asked.path == "/robots.txt":
            await not_found(asked, writer)
            return
        writer.write(data)
        await writer.drain()
        if close:
            writer.close()

    return serve


def encoded(body: bytes, encoding: str) -> Site:
    return site({"/": response(body, Content_Encoding=encoding)})


# -- A: time -------------------------------------------------------------------------------------------------


async def never_answers(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    await asyncio.sleep(60)


async def drips(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    writer.write(response("<p>", length=100_000))
    for _ in range(100_000):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.2)


async def endless_headers(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1_000_000):
        writer.write(b"X-Header-%d: value\r\n" % number)
        await writer.drain()


async def endless_body(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    # A small buffer of the server's own: `sent` is then what the crawler let it send, whatever the machine's settings.
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
    writer.write(CHUNKED)
    while not writer.is_closing():
        writer.write(b"10000\r\n" + b"a" * 0x10000 + b"\r\n")
        asked.sent += 0x10000
        await writer.drain()


# -- B: size and compression ---------------------------------------------------------------------------------


def _zeros(packer: zlib._Compress, mebibytes: int) -> bytes:
    return b"".join(packer.compress(bytes(MIB)) for _ in range(mebibytes)) + packer.flush()


def gzip_bomb(mebibytes: int = 200) -> bytes:
    return _zeros(zlib.compressobj(1, zlib.DEFLATED, 31), mebibytes)


def layered(times: int) -> bytes:
    body = b"<p>many layers</p>"
    for _ in range(times):
        body = gzip.compress(body, 1)
    return body


# -- D, E: redirects and addresses ---------------------------------------------------------------------------


def redirect(location: str, status: str = "302 Found", body: bytes = b"") -> bytes:
    return response(body, status, "text/html", Location=location, Set_Cookie="secret=1; Path=/")


def spellings(port: int) -> list[str]:
    """Ways to write an address inside; all of them must stay unvisited."""
    hosts = """127.0.0.1 127.1 0x7f.1 0177.0.0.1 2130706433 0x7f000001 017700000001 0 0.0.0.0 [::1] [::]
        [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:0:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]
        [2001:0:7f00:1::] [fd00:ec2::254] [fec0::1] [fe80::1] [ff02::1] ①②⑦.0.0.1 127。0。0。1 %31%32%37.0.0.1
        localhost localhost. LOCALHOST 127.0.0.2 127.255.255.254 169.254.169.254 169.254.0.1 100.64.0.1 10.0.0.1
        10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1
        203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 0.0.0.1 127.0.0.1."""
    return [f"http://{host}:{port}/" for host in hosts.split()]


# -- G: spaces without end -----------------------------------------------------------------------------------


async def calendar(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    day = int(asked.path.rpartition("/")[2] or 1)
    writer.write(response(f"<p>day {day}</p><a href='/cal/{day + 1}'>next</a> <a href='/cal/{day + 2}'>later</a>"))


async def piling_up(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    writer.write(response(f"<p>{asked.path}</p><a href='a/'>deeper</a> <a href='b/'>and deeper</a>"))


async def sessions(asked: Asked, writer: Writer) -> None:
    if asked.path == "/robots.txt":
        await not_found(asked, writer)
        return
    writer.write(response("<p>the same page</p>" + SAME_LINKS))


SAME_LINKS = " ".join(f"<a href='/?sid=fixed{i}'>again</a>" for i in range(500))


# -- F: robots.txt -------------------------------------------------------------------------------------------


def robots(answer: bytes) -> Site:
    return site({"/robots.txt": answer, "/": "<p>front</p><a href='/secret'>s</a> <a href='/open'>o</a>",
                 "/secret": "<p>secret</p>", "/open": "<p>open</p>"})  # fmt: skip


async def robots_reset(asked: Asked, writer: Writer) -> None:
    writer.transport.abort()


RULES = b"User-agent: *\nDisallow: /secret\n"


def hops(count: int, last: bytes) -> dict[str, bytes | str]:
    pages: dict[str, bytes | str] = {"/robots.txt": redirect("/r1")}
    for number in range(1, count):
        pages[f"/r{number}"] = redirect(f"/r{number + 1}")
    pages[f"/r{count}"] = last
    return pages


# -- all of them ---------------------------------------------------------------------------------------------


def hosts(canary_port: int) -> dict[str, Site]:
    """Every hostile host, and the honest one."""
    ok = "<p>fine</p>"
    plain = response(ok)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    all_hosts: dict[str, Site] = {
        "control": site(honest_site(50)),
        "a01": never_answers,
        "a03": drips,
        "a05": endless_headers,
        "a07": endless_body,
        "b01": encoded(gzip_bomb(), "gzip"),
        "b03-zlib": encoded(_zeros(zlib.compressobj(9, zlib.DEFLATED, 15), 50), "deflate"),
        "b03-raw": encoded(_zeros(deflate, 50), "deflate"),
        "b03-zstd": encoded(zstandard.ZstdCompressor().compress(bytes(50 * MIB)), "zstd"),
        "b04-two": encoded(layered(2), "gzip, gzip"),
        "b04-three": encoded(layered(3), "gzip, gzip, gzip"),
        "b04-fifty": encoded(layered(50), ", ".join(["gzip"] * 50)),
        "b05": encoded(gzip.compress(b"", 1) * 20_000, "gzip"),
        "b06": site({"/": response(gzip_bomb(8), "302 Found", Location="/next", Content_Encoding="gzip"), "/next": ok}),
        "b08-plain": encoded(b"<p>not gzip at all</p>", "gzip"),
        "b08-torn": encoded(gzip.compress(b"<p>words before the tear</p>" * 500)[:-40], "gzip"),
        "b10-shorter": raw(response("<p>short</p>and much more than it said", length=12)),
        "b10-longer": raw(response("<p>long</p>", length=5000)),
        "b10-both": raw(response("3\r\nabc\r\n0\r\n\r\n", Transfer_Encoding="chunked")),
        "b10-two": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n<p>abcd"),
        "c03-nul": raw(response("<p>a", X_A="a\0b")),
        "c03-cr": raw(response("<p>a", X_A="a\rX-B: b")),
        "c03-lf": raw(b"HTTP/1.1 200 OK\nX-A: a\nContent-Length: 4\nContent-Type: text/html\n\n<p>a"),
        "c03-long": raw(response("<p>a", X_A="v" * MIB)),
        "c03-bytes": raw(response(ok, X_A="caf\xe9")),
        "c04-huge": raw(CHUNKED + b"FFFFFFFFFFFFFFFF\r\n<p>a"),
        "c04-minus": raw(CHUNKED + b"-5\r\n<p>ab\r\n0\r\n\r\n"),
        "c04-hex": raw(CHUNKED + b"0x5\r\n<p>ab\r\n0\r\n\r\n"),
        "c04-unfinished": raw(CHUNKED + b"5\r\n<p>ab\r\n"),
        "c04-extension": raw(CHUNKED + b"5;" + b"e" * MIB + b"\r\n<p>ab\r\n0\r\n\r\n"),
        "c05-headers": raw(b"HTTP/1.1 200 OK\r\nContent-Ty"),
        "c05-body": raw(response("<p>half", length=14)),
        "c05-nothing": raw(b""),
        "c06": raw(plain + response("<p>smuggled</p>"), close=False),
        "d01-self": site({"/": redirect("/")}),
        "d01-two": site({"/": redirect("/b"), "/b": redirect("/")}),
        "d01-long": site({"/" if i == 0 else f"/{i}": redirect(f"/{i + 1}") for i in range(1000)}),
        "d03": site({"/": "<p>links</p>" + "".join(f"<a href='/{code}'>x</a>" for code in _CODES)}
                    | {f"/{code}": redirect(f"http://d03-other.{DOMAIN}/{code}", f"{code} Moved") for code in _CODES}),
        "d03-other": site({f"/{code}": ok + str(code) for code in _CODES}),
        "e01": site({"/": "<p>inside</p>" + "".join(f"<a href='{url}'>x</a>" for url in spellings(canary_port))}),
        "e04": site({"/": "<p>by redirect</p>" + "".join(f"<a href='/{i}'>x</a>" for i in range(len(spellings(1))))}
                    | {f"/{i}": redirect(url) for i, url in enumerate(spellings(canary_port))}),
        "f02-503": robots(response("busy", "503 Service Unavailable", "text/plain")),
        "f02-reset": robots_reset,
        "f03": site({**hops(5, response(RULES, content_type="text/plain")),
                     "/": "<p>front</p><a href='/secret'>s</a><a href='/open'>o</a>", "/open": "<p>o</p>"}),
        "f04": site({**hops(7, response(RULES, content_type="text/plain")), "/": ok}),
        "f07-bom": robots(response(b"\xef\xbb\xbf" + RULES, content_type="text/plain")),
        "f07-cr": robots(response(RULES.replace(b"\n", b"\r"), content_type="text/plain")),
        "f07-nul": robots(response(b"\0" + RULES.replace(b"\n", b"\0\n"), content_type="text/plain")),
        "f07-utf16": robots(response(RULES.decode().encode("utf-16"), content_type="text/plain")),
        "f07-html": robots(response("<html><p>User-agent: *\nDisallow: /\n")),
        "f08-minus": robots(response(b"User-agent: *\nCrawl-delay: -5\n", content_type="text/plain")),
        "f08-nan": robots(response(b"User-agent: *\nCrawl-delay: nan\n", content_type="text/plain")),
        "g01": calendar,
        "g02": piling_up,
        "g03": sessions,
        "g05": site({"/": "<p>many</p>" + "".join(f"<a href='/x{i}'>x</a>" for i in range(60_000)),
                     "/robots.txt": response(b"User-agent: *\nDisallow: /x\n", content_type="text/plain")}),
        "h01": site({"/": "<div>" * 100_000 + "deep"}),
        "h02": site({"/": "<p " + " ".join(f"a{i}=1" for i in range(100_000)) + ">wide</p>"}),
        "h03": site({"/": "<div>" * 400 + "<a href='/found'>deep link</a>", "/found": "<p>found</p>"}),
        "h04-comment": site({"/": "<p>seen</p><!-- <a href='/hidden'>x</a>", "/hidden": "<p>hidden</p>"}),
        "h04-script": site({"/": "<p>seen</p><script> '<a href=\"/hidden\">x</a>'", "/hidden": "<p>hidden</p>"}),
        "h04-textarea": site({"/": "<p>seen</p><textarea><a href='/hidden'>x</a>", "/hidden": "<p>hidden</p>"}),
        "h04-plaintext": site({"/": "<p>seen</p><plaintext><a href='/hidden'>x</a>", "/hidden": "<p>hidden</p>"}),
        "i04": site({"/": response(b"\x89PNG\r\n\x1a\n" + bytes(2000))}),
    }  # fmt: skip
    for code in ("401 Unauthorized", "403 Forbidden", "404 Not Found", "410 Gone"):
        all_hosts[f"f01-{code[:3]}"] = robots(response("no", code, "text/plain"))
    for number, location in enumerate(_SCHEMES):
        all_hosts[f"d05-{number}"] = site({"/": redirect(location)})
    for number in range(8):
        all_hosts[f"g08-{number}"] = site(honest_site(12, "mirrored"))
    if find_spec("brotli"):
        all_hosts["b02"] = encoded(importlib.import_module("brotli").compress(bytes(50 * MIB), quality=5), "br")
    return {f"{name}.{DOMAIN}": serve for name, serve in all_hosts.items()}


_CODES = (301, 302, 303, 307, 308)
_SCHEMES = (
    "file:///etc/hostname",
    "data:text/html,x",
    "ftp://127.0.0.1/",
    "javascript:alert(1)",
    "gopher://127.0.0.1/",
)
