"""`periplus serve`: opens, says where, and names what is in the way."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.serve.fake import FakeLibrary, FakePage

from periplus import library as home
from periplus.cli.main import main
from periplus.collection import Collection
from periplus.serve import run as serving

opened: list[dict[str, Any]] = []


@pytest.fixture
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    made = Collection.create(tmp_path / "my.web")
    opened.clear()
    library = FakeLibrary([FakePage("http://a.org/", "Wind")], tmp_path / "index")
    monkeypatch.setattr(home, "open_library", lambda path, **options: opened.append(options) or library, raising=False)
    return str(made.path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", *arguments])
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the command hands to the server, which here only says that it is ready."""
    told: dict[str, Any] = {}

    def serve(library: Any, listening: socket.socket, *, names: tuple[str, ...], token: Any, ready: Any) -> None:
        told.update(library=library, address=listening.getsockname(), names=names, token=token)
        ready()

    monkeypatch.setattr(serving, "serve", serve)
    return told


def test_it_says_where_it_listens(collection: str, served: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, collection, "--port", "0", "--name", "chart.lan")
    host, port = served["address"]
    assert code == 0
    assert host == "127.0.0.1"
    assert f"http://127.0.0.1:{port}/" in out
    assert "Ctrl-C" in out
    assert served["names"] == ("chart.lan",)
    assert opened == [{"public": False}]


def test_beyond_this_machine_noindex_is_obeyed(
    collection: str, served: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, collection, "--host", "0.0.0.0", "--port", "0", "--public")
    assert opened == [{"public": True}]
    assert served["token"] is None


def test_beyond_this_machine_it_asks_for_a_token(
    collection: str, served: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = run(capsys, collection, "--host", "0.0.0.0", "--port", "0")
    assert code == 2
    assert "set a token with --token or $PERIPLUS_TOKEN, or say --public" in err
    assert not opened
    monkeypatch.setenv("PERIPLUS_TOKEN", "a-long-and-secret-word")
    assert run(capsys, collection, "--host", "0.0.0.0", "--port", "0")[0] == 0
    assert served["token"] is not None
    assert run(capsys, collection, "--token", "short")[0] == 2


def test_json_is_one_object(collection: str, served: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, collection, "--port", "0", "--json")
    assert json.loads(out) == {"address": f"http://127.0.0.1:{served['address'][1]}/", "collection": collection}


def test_a_busy_port_is_named(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    with serving.bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        code, _, err = run(capsys, collection, "--port", str(port))
    assert code == 2
    assert err == (
        f"periplus: 127.0.0.1:{port} is taken by another program: choose another with --port, "
        "or --port 0 for any free one\n"
    )


def test_a_port_that_is_none(collection: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, collection, "--port", "70000")
    assert code == 2
    assert "port" in err


def test_a_folder_that_is_no_collection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, str(tmp_path / "nothing"))
    assert code == 4
    assert "does not exist" in err
