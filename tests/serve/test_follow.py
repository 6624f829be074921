"""A server shows what a later build made, within seconds, and drops no request meanwhile."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import uvicorn

from periplus.library import open_library
from periplus.serve.app import create_app
from periplus.serve.run import bind, configuration
from periplus.serve.state import follow


def add_page(folder: Path, target: Path, name: str, words: str) -> None:
    """Add and build as a person does beside a running server: by commands of their own."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.html").write_text(f"<title>{name}</title><p>{words}")
    for command in (["add", target, folder, "--base", "http://coast.example/"], ["build", target]):
        subprocess.run([sys.executable, "-m", "periplus", *map(str, command)], check=True, capture_output=True)


def found(port: int, words: str) -> list[str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", f"/api/search?q={words}")
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, body
    return [hit["url"] for hit in json.loads(body)["results"]]


def page_status(port: int) -> int:
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    page.request("GET", "/page?url=http://coast.example/harbour.html")
    return page.getresponse().status


def test_a_new_build_is_shown_and_no_request_is_dropped(tmp_path: Path) -> None:
    target = tmp_path / "coast.web"
    add_page(tmp_path / "one", target, "harbour", "deep water")
    library = open_library(target)
    library.open_all()
    app, stopped = create_app(library, rate=1e6, burst=1e6), threading.Event()
    answers: list[int] = []
    failures: list[str] = []
    with bind("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(configuration(app))
        threads = [threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)]
        threads[0].start()
        while not server.started:
            time.sleep(0.01)
        assert len(found(port, "water")) == 1  # each view is looked at once before many ask at a time
        assert page_status(port) == 200
        follow(app, every=0.05, stopped=stopped)

        def hammer() -> None:
            while not stopped.is_set():
                try:
                    answers.append(len(found(port, "water")))
                    status = page_status(port)
                    if status != 200:
                        failures.append(f"status {status}")
                except Exception as error:
                    failures.append(repr(error))

        threads += [threading.Thread(target=hammer, daemon=True) for _ in range(2)]
        for thread in threads[1:]:
            thread.start()
        assert found(port, "lighthouse") == []
        for round_, name in enumerate(("lighthouse", "pier", "mole")):
            add_page(tmp_path / f"more{round_}", target, name, f"{name} above the water")
            deadline = time.monotonic() + 10
            while not found(port, name) and time.monotonic() < deadline:
                time.sleep(0.05)
            assert found(port, name) == [f"http://coast.example/{name}.html"]
        stopped.set()
        for thread in threads[1:]:
            thread.join(timeout=10)
        server.should_exit = True
        threads[0].join(timeout=10)
    assert failures == []
    assert set(answers) <= {1, 2, 3, 4}
    assert answers[-1] >= 3
