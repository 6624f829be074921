"""What a collection's folder tells of the crawl or build under way."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from periplus.collection import Collection, StageRecord
from periplus.crawl.frontier.store import Batch, FoundUrl, Frontier
from periplus.crawl.politeness.hosts import Host
from periplus.errors import DamagedError, LockedError
from periplus.library.activity import LAST, TAIL, activity


def crawled(path: Path, visits: int) -> Collection:
    """A collection whose crawl has made so many visits, one a second, every third an error, and has URLs left."""
    collection = Collection.create(path)
    frontier = Frontier(collection.frontier_path)
    host = Host(0, "a.org")
    found = [FoundUrl(f"http://a.org/{number}", host, 0, 0, float(number)) for number in range(visits + 5)]
    frontier.begin()
    frontier.write(Batch(found=found, hosts={0: host}, totals={"pages": visits}))
    frontier.begin()
    frontier.write(Batch(outcomes=[("OK", number + 1) for number in range(visits)]))
    frontier.close()
    first = datetime(2026, 11, 20, tzinfo=UTC)
    with collection.crawl_log_path.open("w") as log:
        for number in range(visits):
            outcome = "ERR_TIMEOUT" if number % 3 == 0 else "OK"
            record = {"url": f"http://a.org/{number}", "outcome": outcome, "ms": 5}
            record["time"] = (first + timedelta(seconds=number)).isoformat()
            log.write(json.dumps(record) + "\n")
        log.write('{"url": "http://a.org/being-wri')
    return collection


def test_a_crawl_by_its_folder(tmp_path: Path) -> None:
    collection = crawled(tmp_path / "my.web", 90)
    idle = activity(collection)
    assert (idle.doing, idle.process) == ("", "")
    assert (idle.pages, idle.waiting, idle.hosts) == (90, 5, 1)
    assert (idle.outcomes, idle.errors) == ({"OK": 60, "ERR_TIMEOUT": 30}, 30)
    assert idle.rate == 1.0
    assert [one["url"] for one in idle.visits] == [f"http://a.org/{89 - number}" for number in range(LAST)]
    assert [(one.name, one.waiting) for one in idle.busiest] == [("a.org", 5)]
    assert set(idle.stages.values()) == {"to come"}
    with collection.writing():
        (tmp_path / "my.web" / "crawl" / "log.jsonl").touch()
        now = activity(collection)
        assert now.doing == "crawl"
        assert now.process.startswith("process ")
        with pytest.raises(LockedError), collection.writing():  # whoever looks has not taken the lock away
            pass
    assert activity(collection).doing == ""


def test_a_build_says_which_stage(tmp_path: Path) -> None:
    collection = Collection.create(tmp_path / "my.web")
    with collection.writing(), collection.building():
        collection.record(StageRecord("parsed", {}, {}, {}))
        seen = activity(Collection.open(tmp_path / "my.web"))
    assert seen.doing == "build"
    assert list(seen.stages.values())[:2] == ["done", "under way"]


def test_only_the_end_of_a_long_log_is_read(tmp_path: Path) -> None:
    collection = crawled(tmp_path / "my.web", 4000)
    assert collection.crawl_log_path.stat().st_size > TAIL
    assert 100 < sum(activity(collection).outcomes.values()) < 4000


def test_what_is_damaged_is_named(tmp_path: Path) -> None:
    collection = crawled(tmp_path / "my.web", 3)
    good = b'{"url": "http://a.org/", "outcome": "OK", "time": "never"}\n'
    collection.crawl_log_path.write_bytes(b'\xff\n[]\n{"outcome": 5}\n' + good + b"nonsense\n")
    assert activity(collection).outcomes == {"OK": 1}
    collection.frontier_path.write_bytes(b"no database" * 100)
    with pytest.raises(DamagedError, match=r"frontier\.sqlite"):
        activity(collection)
