"""The gate: what may come in, and what goes out with every answer."""

from __future__ import annotations

import pytest
from tests.serve.client import Client
from tests.serve.conftest import FARM
from tests.serve.fake import FakeLibrary

from periplus.serve.app import create_app
from periplus.serve.gate import Bucket

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
ADDRESSES = [
    "/",
    "/search?q=wind",
    "/search?q=(((((((((((((((((((",
    "/search",
    f"/page?url={FARM}",
    "/page?url=nothing",
    "/sites",
    "/site/example.org",
    "/site/none.example",
    "/static/style.css",
    "/static/nothing",
    "/favicon.ico",
    "/robots.txt",
    "/api/search?q=wind",
    "/api/search",
    f"/api/page?url={FARM}",
    "/api/info",
    "/api/openapi.json",
    "/health",
    "/nowhere",
    "/docs",
    "/redoc",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "OPTIONS", "TRACE"])
def test_every_answer_carries_the_headers(client: Client, address: str, method: str) -> None:
    answer = client.ask(method, address)
    assert [value for name, value in answer.header_lines if name == "content-security-policy"] == [POLICY]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in answer.headers
    assert (answer.status == 405) == (method not in ("GET", "HEAD"))
    if method == "HEAD":
        assert answer.content == b""
        assert answer.status == client.get(address).status


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8080", True),
        ("LOCALHOST:1", True),
        ("[::1]:80", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("a/b?#", False),
        ("127.0.0.1:x", False),
        ("127.0.0.1@evil.example", False),
        ("", False),
    ],
)
def test_only_our_own_names_are_answered(client: Client, host: str, known: bool) -> None:
    answer = client.get("/health", host=host)
    assert answer.status == (200 if known else 400)


def test_a_name_given_is_answered(library: FakeLibrary) -> None:
    client = Client(create_app(library, hosts=["chart.lan"]), host="chart.lan")
    assert client.get("/health").status == 200
    assert client.get("/health", host="localhost").status == 400


def test_too_long_too_many_twice_and_with_a_body(client: Client) -> None:
    assert client.get("/search?q=" + "x" * 9000).status == 414
    assert client.get("/health", headers={f"x-{n}": "1" for n in range(200)}).status == 431
    assert client.get("/search?q=a&q=b").status == 400
    assert client.get("/health", headers={"content-length": "4"}).status == 400
    assert client.get("/health", headers={"transfer-encoding": "chunked"}).status == 400


def test_refusals_of_the_api_are_json(client: Client) -> None:
    refused = client.get("/api/search?q=a&q=b")
    assert refused.json()["error"] == "parameter"
    assert "give each once" in refused.json()["message"]


@pytest.mark.parametrize("address", ["/broken", "/api/broken"])
def test_what_breaks_inside_is_told_without_details_and_with_the_headers(library: FakeLibrary, address: str) -> None:
    app = create_app(library)

    @app.get(address)
    def broken() -> None:
        raise RuntimeError("a secret")

    answer = Client(app).get(address)
    assert answer.status == 500
    assert "secret" not in answer.text
    assert "log" in answer.text
    assert answer.headers["content-security-policy"] == POLICY


def test_a_burst_is_stopped_and_says_when_to_come_back(library: FakeLibrary) -> None:
    client = Client(create_app(library, rate=0.001, burst=5))
    answers = [client.get("/health") for _ in range(7)]
    assert [answer.status for answer in answers] == [200] * 5 + [429] * 2
    assert answers[-1].headers["retry-after"] == "1"


def test_the_bucket_fills_again_and_forgets_old_addresses() -> None:
    bucket = Bucket(rate=2.0, burst=2.0)
    assert [bucket.allows("a", 0.0) for _ in range(3)] == [True, True, False]
    assert bucket.allows("a", 0.5)
    for number in range(10_000):
        bucket.allows(str(number), 1.0)
    assert len(bucket._levels) <= 4096


@pytest.mark.parametrize(
    "spelling",
    [
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/%2e%2e%2fapp.py",
        "/static/..%5capp.py", "/static/%252e%252e%252fapp.py", "/static//etc/passwd", "/static/%2fetc%2fpasswd",
        "/static/style.css%00.py", "/static/./../app.py", "/static/....//app.py", "/static/%c0%ae%c0%ae/app.py",
        "/static/style.css/", "/static/", "/static", "/static/STYLE.CSS",
    ],
)  # fmt: skip
def test_static_files_stay_inside(client: Client, spelling: str) -> None:
    answer = client.get(spelling)
    assert answer.status == 404
    assert "create_app" not in answer.text
    assert "root:" not in answer.text
