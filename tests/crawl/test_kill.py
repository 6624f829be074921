"""`kill -9` at any moment: the same command again goes on, nothing acknowledged is lost, nothing is fetched in vain.

A real `periplus crawl` process is killed at random moments, started again until it ends, and compared with a run that
was never killed. The seed of the moments is printed with every failure.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.webs.server import WebServer, honest_site, redirect_site, site
from warcio.archiveiterator import ArchiveIterator

from periplus.collection import Collection
from periplus.crawl.frontier.store import Frontier
from periplus.pages.store import store_of

HOSTS, PAGES = 4, 150


@pytest.fixture(scope="module")
def server():
    sites = {f"k{i}.kill.test": site(honest_site(PAGES, f"host {i}")) for i in range(HOSTS - 1)}
    sites["k3.kill.test"] = redirect_site(40)
    with WebServer(sites) as running:
        yield running


def command(server: WebServer, folder: Path, delay: str = "0.001") -> list[str]:
    seeds = [f"http://{host}/" for host in sorted(server.sites)]
    return [sys.executable, "-m", "periplus.cli.main", "crawl", str(folder), *seeds, "--scope", "host", "--delay",
            delay, "--connect-to", f"*.kill.test=127.0.0.1:{server.port}", "--json"]  # fmt: skip


def contents(folder: Path) -> tuple[dict[str, tuple[int, str]], dict[str, str]]:
    """What a crawl left: payload digest and status by URL, and outcome by URL."""
    collection = Collection.open(folder)
    store = store_of(collection)
    assert store.verify() == []
    entries = list(store.entries())
    assert len({entry.url for entry in entries}) == len(entries), "a page was stored twice"
    frontier = Frontier(collection.frontier_path)
    assert frontier.check() == []
    assert frontier.count_waiting() == 0
    frontier.close()
    log = [json.loads(line) for line in collection.crawl_log_path.read_text().splitlines()]
    outcomes = {record["url"]: record["outcome"] for record in log}
    assert len(outcomes) == len(log), "a URL has two outcomes"
    return {entry.url: (entry.status, entry.digest) for entry in entries}, outcomes


def run_with_kills(server: WebServer, folder: Path, kills: int, seed: int) -> int:
    chance, done = random.Random(seed), 0
    slow = command(server, folder, delay="0.01")  # 150 pages take 1.5 s: three kills of 0.4 s each always fit in
    while done < kills:
        process = subprocess.Popen(slow, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        before, deadline = len(server.asked), time.monotonic() + 20
        while len(server.asked) == before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(chance.random() * 0.4)
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        done += 1
    subprocess.run(command(server, folder), check=True, capture_output=True, timeout=60)
    return done


def trial(server: WebServer, folder: Path, kills: int, seed: int) -> None:
    server.asked.clear()
    subprocess.run(command(server, folder / "whole.web"), check=True, capture_output=True, timeout=60)
    whole, whole_outcomes = contents(folder / "whole.web")
    assert len(whole) == (HOSTS - 1) * PAGES + 81
    server.asked.clear()
    done = run_with_kills(server, folder / "killed.web", kills, seed)
    killed, killed_outcomes = contents(folder / "killed.web")
    assert killed == whole, f"SEED={seed}"
    assert {u: o.replace("DUP", "OK") for u, o in killed_outcomes.items()} == {
        u: o.replace("DUP", "OK") for u, o in whole_outcomes.items()
    }
    asked = Counter((a.host, a.path) for a in server.asked)
    assert max(asked.values()) <= 1 + done
    again = sum(count - 1 for (_, path), count in asked.items() if path != "/robots.txt")
    assert again <= done * 64, f"SEED={seed}: {again} requests were made again after {done} kills"
    assert done >= min(kills, 3), f"the crawl ended before it could be killed (SEED={seed})"


def test_five_kills(server, tmp_path) -> None:
    trial(server, tmp_path, 5, seed=20261116)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_many_kills(server, tmp_path, seed: int) -> None:
    trial(server, tmp_path, 6, seed)


def test_the_same_command_after_the_end_asks_nothing(server, tmp_path) -> None:
    folder = tmp_path / "again.web"
    subprocess.run(command(server, folder), check=True, capture_output=True, timeout=60)
    server.asked.clear()
    second = subprocess.run(command(server, folder), check=True, capture_output=True, timeout=60)
    assert server.asked == []
    report = json.loads(second.stdout)
    assert report["pages"] == 0
    assert report["resumed"] is True


def test_closed_files_are_read_by_another_reader(server, tmp_path) -> None:
    folder = tmp_path / "read.web"
    run_with_kills(server, folder, 2, seed=7)
    collection = Collection.open(folder)
    seen = set()
    for path in sorted(collection.pages_dir.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
                if record.rec_type == "response":
                    seen.add(record.rec_headers.get_header("WARC-Target-URI"))
    assert seen == {e.url for e in store_of(collection).entries()}


STEPS = [
    *(("fsync", number) for number in (1, 2, 3, 5, 8)),
    *(("fdatasync", number) for number in (1, 2, 3, 5, 8)),
    *(("pwrite64", number) for number in (1, 3, 10, 40, 100)),
    *(("write", number) for number in (30, 60, 120, 240)),
    *(("rename", number) for number in (1, 2, 3, 4)),
    *(("ftruncate", number) for number in (1, 2)),
    *(("unlink", number) for number in (1, 2)),
]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not here")
@pytest.mark.parametrize(("call", "number"), STEPS)
def test_killed_at_a_system_call(server, tmp_path, call: str, number: int) -> None:
    """The N-th write, sync, rename … kills the process: in the middle of a record, of a commit, of closing a file."""
    folder = tmp_path / "step.web"
    Collection.create(folder)
    inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    inject += ["-e", f"inject={call}:signal=SIGKILL:when={number}"]
    for _ in range(3):  # and again while it recovers
        subprocess.run([*inject, *command(server, folder)], check=False, capture_output=True, timeout=120)
    subprocess.run(command(server, folder), check=True, capture_output=True, timeout=60)
    killed, _ = contents(folder)
    assert len(killed) == (HOSTS - 1) * PAGES + 81
