"""Flipped bits in a built collection: told by `verify`, explained by every command, mended by `build` where derived."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
from pathlib import Path

import pytest
from tests.webs.crawled import Web
from tests.webs.server import honest_site, site

from periplus.cli.main import main
from periplus.collection import Collection
from periplus.durable import DIGESTS
from periplus.library import verify
from periplus.pipeline import build

SITES = {"a": site(honest_site(40, "lamp")), "b": site(honest_site(30, "compass"))}
PAGE = "http://a.run.test/7"
ASKED = [
    ["info"],
    ["search", "lamp page"],
    ["search", "compass -text", "--ranker", "indegree"],
    ["page", PAGE],
    ["page", PAGE, "--links", "in"],
    ["sites"],
    ["sites", "run.test"],
    ["tree"],
]
RETOLD = {"ms", "seconds", "finished", "path"}


@pytest.fixture(scope="module")
def charted(tmp_path_factory) -> Path:
    web = Web(tmp_path_factory.mktemp("damage"), SITES)
    with web.server:
        web.crawl("http://a.run.test/", "http://b.run.test/")
    build(web.folder)
    return web.folder


def _plain(value):
    """An answer without what differs from run to run."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items() if name not in RETOLD}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def told(path: Path, command: list[str]) -> tuple[int, object]:
    """The exit code and the answer of a command; a traceback is an exception here."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([command[0], str(path), *command[1:], "--json"])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    answer = out.getvalue()
    return code, _plain(json.loads(answer)) if answer else err.getvalue()


def in_a_child(path: Path, work) -> object:
    """The result of some work in a process of its own, which may die."""
    result = path.parent / "result.json"
    result.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        try:
            result.write_text(json.dumps(work()))
        except BaseException as error:
            result.write_text(json.dumps({"traceback": repr(error)}))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return json.loads(result.read_text()) if status == 0 and result.exists() else {"died": status}


def answers(path: Path) -> list:
    return [told(path, command) for command in ASKED]


def places(path: Path) -> list[tuple[Path, int]]:
    """Every file of a collection with its size; what is small is hit as often as what is large."""
    files = [one for one in sorted(path.rglob("*")) if one.is_file() and one.name != "lock"]
    return [(one, one.stat().st_size) for one in files if one.stat().st_size]


def flips(path: Path, count: int, seed: int) -> list[str]:
    """What went wrong in so many flips, one sentence each."""
    chance, wrong = random.Random(seed), []
    sound = in_a_child(path, lambda: answers(path))
    assert isinstance(sound, list), sound
    assert not any(code for code, _ in sound), sound
    files = places(path)
    for number in range(count):
        file, size = files[number % len(files)] if number < len(files) else chance.choice(files)
        at, bit = chance.randrange(size), chance.randrange(8)
        stored = file.read_bytes()
        file.write_bytes(stored[:at] + bytes([stored[at] ^ 1 << bit]) + stored[at + 1 :])
        where = f"SEED={seed}: {file.relative_to(path)}, byte {at}, bit {bit}"
        found = in_a_child(path, lambda: [told(path, ["verify"]), *answers(path)])
        file.write_bytes(stored)
        if not isinstance(found, list):
            wrong.append(f"{where}: {found}")
            continue
        (code, _), *now = found
        if code == 0 and now != sound:
            wrong.append(f"{where}: not told, and an answer changed")
        wrong += [f"{where}: {text}" for code, text in now if code not in (0, 2, 4)]
    return wrong


def test_twenty_flips(charted: Path) -> None:
    assert flips(charted, 20, seed=20261119) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_a_thousand_flips(charted: Path, seed: int) -> None:
    assert flips(charted, 200, seed) == []


def test_every_file_has_a_digest_that_verify_reads(charted: Path, tmp_path: Path) -> None:
    """A byte in the middle of each file: what decides an answer, and what only may."""
    for file, size in places(charted):
        copy = tmp_path / "copy.web"
        shutil.copytree(charted, copy)
        damaged = copy / file.relative_to(charted)
        stored = damaged.read_bytes()
        damaged.write_bytes(stored[: size // 2] + bytes([stored[size // 2] ^ 1]) + stored[size // 2 + 1 :])
        code, said = told(copy, ["verify"])
        assert code == 4, file
        assert file.name in str(said) or file.name == DIGESTS, f"{file}: {said}"
        shutil.rmtree(copy)


def test_build_mends_what_is_derived(charted: Path, tmp_path: Path) -> None:
    sound = in_a_child(charted, lambda: answers(charted))
    copy = tmp_path / "copy.web"
    shutil.copytree(charted, copy)
    names = (
        "manifest.json",
        "parsed/*.zst",
        "pages/pages.cdxj",
        "pages/0*.cdxj",
        "index/g*/meta.json",
        "graph/g*/*.npy",
    )
    for pattern in names:
        file = sorted(copy.glob(pattern))[0]
        stored = file.read_bytes()
        file.write_bytes(stored[: len(stored) // 2] + b"?" + stored[len(stored) // 2 + 1 :])
    assert in_a_child(copy, lambda: told(copy, ["verify"]))[0] == 4
    assert build(copy).mended
    assert verify(Collection.open(copy)).problems == ()
    assert in_a_child(copy, lambda: answers(copy)) == sound
