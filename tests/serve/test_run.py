"""The real server on loopback: a busy port, slow clients, Ctrl-C."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.serve.fake import FakeLibrary
from tests.serve.live import live_server

from periplus.errors import UsageError
from periplus.serve import run

SERVER = """
import sys
from pathlib import Path
from periplus.serve.run import bind, serve
from tests.serve.fake import FakeLibrary, FakePage
library = FakeLibrary([FakePage("http://a.org/", "Wind")], Path(sys.argv[1]) / "index")
listening = bind("127.0.0.1", 0)
serve(library, listening, ready=lambda: print(listening.getsockname()[1], flush=True))
print("stopped", flush=True)
"""


def test_a_busy_port_is_named() -> None:
    with run.bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(UsageError, match=f"127.0.0.1:{port} is taken by another program: choose another"):
            run.bind("127.0.0.1", port)


def test_an_address_that_is_not_ours_is_named() -> None:
    with pytest.raises(UsageError, match=r"192\.0\.2\.1:8080 cannot be used"):
        run.bind("192.0.2.1", 8080, open_to_others=True)


def test_one_socket_answers_and_ctrl_c_stops_it_cleanly(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/search?q=wind")
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.getheader("server") is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert (out, err, process.returncode) == ("stopped\n", "", 0)
    finally:
        process.kill()
        process.wait()


def test_a_connection_that_never_asks_is_closed(library: FakeLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PATIENCE", 0.3)
    with live_server(library) as port:
        slow = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(20)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-")
        honest = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        honest.request("GET", "/health")
        assert honest.getresponse().read() == b'{"status":"ok"}'
        began = time.monotonic()
        assert all(connection.recv(1000) == b"" for connection in slow)
        assert time.monotonic() - began < 3
        time.sleep(0.4)
        honest.request("GET", "/health")
        assert honest.getresponse().status == 200


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\x00\xff nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    ],
    ids=["huge-header", "huge-address", "nonsense", "no-host", "two-hosts", "other-host"],
)
def test_malformed_requests_are_refused_and_the_next_is_answered(library: FakeLibrary, request_bytes: bytes) -> None:
    with live_server(library) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            try:
                connection.sendall(request_bytes)
                answer = connection.recv(1000)
            except ConnectionError:  # closed while we were still sending
                answer = b""
        assert answer == b"" or answer.split(b" ")[1][:1] == b"4"
        honest = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        honest.request("GET", "/health")
        assert honest.getresponse().status == 200
