"""The token: who has not shown it gets nothing, in whatever way it is asked for."""

from __future__ import annotations

import pytest
from tests.serve.client import Client
from tests.serve.conftest import FARM
from tests.serve.fake import FakeLibrary

from periplus.errors import UsageError
from periplus.serve import run
from periplus.serve.app import VIEWS, addresses, create_app
from periplus.serve.token import Token

WORD = "a-long-and-secret-word"


@pytest.fixture(scope="module")
def guarded(library: FakeLibrary) -> Client:
    return Client(create_app(library, rate=1e9, burst=1e9, token=Token(WORD)))


@pytest.mark.parametrize("address", [path for view in VIEWS for path, _ in addresses(view)])
def test_nothing_is_told_without_it(guarded: Client, address: str) -> None:
    told = address in ("/health", "/robots.txt", "/favicon.ico")
    for spelt in (address, f"{address}?token=wrong", f"{address}?url={FARM}&q=wind", "/" + address, f"/.{address}"):
        answer = guarded.get(spelt)
        assert answer.status in ((200, 401) if told else (401,))
        assert "wind" not in answer.text.lower()
        assert answer.headers["content-security-policy"]
    if not told:
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_programs_send_it_as_bearer(guarded: Client) -> None:
    assert guarded.get("/api/info", headers={"authorization": f"Bearer {WORD}"}).status == 200
    assert guarded.get("/api/info").json() == {"error": "token", "message": "this server asks for its token"}
    for wrong in (f"Bearer {WORD}x", f"Basic {WORD}", "Bearer", "Bearer \xff", WORD):
        assert guarded.get("/api/info", headers={"authorization": wrong}).status == 401


def test_people_open_an_address_with_it_once(guarded: Client) -> None:
    first = guarded.get("/search", params={"q": "wind é", "token": WORD})
    assert (first.status, first.headers["location"]) == (303, "/search?q=wind+%C3%A9")
    cookie = first.headers["set-cookie"]
    assert WORD not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    value = cookie.partition(";")[0]
    assert guarded.get("/search?q=wind", headers={"cookie": f"other=1; {value}"}).status == 200
    for wrong in (value[:-1], "periplus=", f"periplus={WORD}", "\x00=;;", "periplus=\xff"):
        assert guarded.get("/", headers={"cookie": wrong}).status == 401


@pytest.mark.parametrize("path", ["//evil.example/", "/%2f/evil.example", "/\\evil.example", "/%5cevil.example"])
def test_it_leads_nowhere_else(guarded: Client, path: str) -> None:
    leads_to = guarded.get(f"{path}?token={WORD}").headers["location"]
    assert leads_to[0] == "/"
    assert leads_to[1:2] not in ("/", "\\")


@pytest.mark.parametrize("word", ["", "short", "with a space in it", "ünglücklicherweise-lang", "x" * 20 + "\n"])
def test_a_token_is_long_and_plain(word: str) -> None:
    with pytest.raises(UsageError, match="at least 16"):
        Token(word)


def test_other_machines_are_let_in_only_when_asked() -> None:
    for host in ("0.0.0.0", "::"):
        with pytest.raises(UsageError, match="--token or \\$PERIPLUS_TOKEN, or say --public"):
            run.bind(host, 0)
    for host in ("127.0.0.1", "localhost", "127.0.0.2", "::1"):
        run.bind(host, 0).close()
    run.bind("0.0.0.0", 0, open_to_others=True).close()
