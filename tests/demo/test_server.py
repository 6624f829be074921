"""The demonstration web over real HTTP: by host name, byte for byte, and gone when the context ends."""

from __future__ import annotations

import asyncio
import http.client
import socket
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from periplus.demo.server import running_demo, serve_demo
from periplus.demo.web import DemoWeb
from periplus.errors import NetworkError
from periplus.web.url import host_of


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb()


def get(port: int, host: str, path: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": host})
    response = connection.getresponse()
    try:
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def test_pages_come_by_host_name_byte_for_byte(web: DemoWeb) -> None:
    with running_demo(web) as running:
        assert running.web is web
        for url in list(web.pages)[::50]:
            host = host_of(url)
            status, headers, body = get(running.port, host, url[len("http://") + len(host) :])
            assert status == 200
            assert body == web.pages[url].body
            assert headers["Content-Type"] == web.pages[url].content_type
            assert int(headers["Content-Length"]) == len(body)


def test_redirects_missing_pages_and_strange_requests(web: DemoWeb) -> None:
    with running_demo(web) as running:
        source, target = next(iter(web.facts.redirects.items()))
        status, headers, _ = get(running.port, host_of(source), source[len("http://") + len(host_of(source)) :])
        assert (status, headers["Location"]) == (301, target)
        assert get(running.port, "nobody.example", "/")[0] == 404
        assert get(running.port, "tidewatch.example", "/" + "x" * 3000)[0] == 404
        with socket.create_connection(("127.0.0.1", running.port), timeout=10) as raw:
            raw.sendall(b"nonsense\r\n\r\n")
            assert b" 400 " in raw.recv(1000)
        assert get(running.port, "tidewatch.example", "/")[0] == 200


def test_one_connection_serves_many_hosts(web: DemoWeb) -> None:
    with running_demo(web) as running:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)
        for host in web.hosts:
            connection.request("GET", "/robots.txt", headers={"Host": host})
            response = connection.getresponse()
            response.read()
            assert response.status in (200, 404)
        connection.close()


def test_nothing_listens_afterwards(web: DemoWeb) -> None:
    with running_demo(web) as running:
        port = running.port
    with pytest.raises(URLError):
        urlopen(f"http://127.0.0.1:{port}/", timeout=2)


def test_a_port_that_is_taken_is_said_so(web: DemoWeb) -> None:
    with (
        running_demo(web) as running,
        pytest.raises(NetworkError, match=str(running.port)),
        running_demo(web, running.port),
    ):
        pass


def test_asynchronous_use(web: DemoWeb) -> None:
    async def ask() -> bytes:
        async with serve_demo(web) as port:
            return (await asyncio.to_thread(get, port, "attic.example", "/"))[2]

    assert asyncio.run(ask()) == web.pages["http://attic.example/"].body
