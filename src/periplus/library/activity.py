"""What is being done to a collection now, as its folder tells: nothing is asked of the process that writes.

The lock says whether somebody writes and since when, the frontier what waits, the end of the crawl's log what was
visited last and how it went. Cost: the hosts of the frontier, and the last `TAIL` bytes of the log.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from periplus.collection import LOCK, Collection
from periplus.crawl.frontier.store import translate_sqlite_error
from periplus.crawl.outcome import Outcome
from periplus.pipeline.stages import STAGES

TAIL = 256 * 1024
HOSTS = 10
LAST = 12
_RECENT = 60.0
_TOLD = ("url", "outcome", "ms", "time")


@dataclass(frozen=True, slots=True)
class HostNow:
    """A host of the crawl: pages stored, URLs known and waiting, seconds between two requests, when it may be asked."""

    name: str
    pages: int
    known: int
    waiting: int
    delay: float
    ready_in: float


@dataclass(frozen=True, slots=True)
class Activity:
    """How a collection stands at a moment.

    `doing`: "crawl", "build" (or an addition of pages), or "" where nobody writes; `process` is who writes and `since`
    for how many seconds. `rate` is in visits per second over the last minute of the log; `outcomes` and `visits` are of
    the end of the log, newest first. `stages` says of each stage of the build whether it is done, under way or to come.
    """

    name: str
    doing: str
    process: str
    since: float
    pages: int
    waiting: int
    hosts: int
    rate: float
    outcomes: dict[str, int]
    errors: int
    busiest: tuple[HostNow, ...]
    visits: tuple[dict[str, Any], ...]
    stages: dict[str, str]
    archive_bytes: int
    free_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def activity(collection: Collection) -> Activity:
    """What is being done to a collection now."""
    path = collection.path
    process, began = _writer(path / LOCK)
    log = path / "crawl" / "log.jsonl"
    records = _tail(log)
    crawls = bool(process) and log.exists() and log.stat().st_mtime >= began
    pages, waiting, hosts, busiest = _frontier(path / "crawl" / "frontier.sqlite")
    outcomes = Counter(record["outcome"] for record in records)
    return Activity(
        name=collection.settings.name,
        doing=("crawl" if crawls else "build") if process else "",
        process=process,
        since=round(max(0.0, time.time() - began), 1) if process else 0.0,
        pages=pages,
        waiting=waiting,
        hosts=hosts,
        rate=_rate(records),
        outcomes=dict(outcomes.most_common()),
        errors=sum(count for outcome, count in outcomes.items() if _is_error(outcome)),
        busiest=busiest,
        visits=tuple({name: record.get(name) for name in _TOLD} for record in records[: -LAST - 1 : -1]),
        stages=_stages(collection, building=bool(process) and not crawls),
        archive_bytes=sum(one.stat().st_size for one in (path / "pages").glob("*.warc*")),
        free_bytes=shutil.disk_usage(path).free,
    )


def _writer(lock: Path) -> tuple[str, float]:
    """Who holds the lock, and since when; ("", 0) where nobody does."""
    try:
        found, holder = lock.stat(), lock.read_text().strip()
    except OSError:
        return "", 0.0
    if not _is_held(found.st_ino, holder):
        return "", 0.0
    return holder, found.st_mtime


def _is_held(inode: int, holder: str) -> bool:
    """Whether a process holds the lock; it is not tried, since whoever tries holds it for a moment."""
    try:
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return any("FLOCK" in line and any(word.endswith(f":{inode}") for word in line) for line in held)
    except OSError:  # not Linux
        number = holder.rpartition(" ")[2]
    try:
        os.kill(int(number), 0)
    except (ValueError, OSError):
        return False
    return True


def _tail(log: Path) -> list[dict[str, Any]]:
    """The last records of the log, oldest first; a line that is being written is left out."""
    try:
        with log.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            lines = file.read().split(b"\n")
    except OSError:
        return []
    found = []
    for line in lines[1 if size > TAIL else 0 : -1]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("url"), str) and isinstance(record.get("outcome"), str):
            found.append(record)
    return found


def _rate(records: list[dict[str, Any]]) -> float:
    """Visits per second over the last minute that the log tells of."""
    stamps = [stamp for record in records if (stamp := _seconds(record.get("time")))]
    if len(stamps) < 2:
        return 0.0
    recent = [stamp for stamp in stamps if stamp >= stamps[-1] - _RECENT]
    return round((len(recent) - 1) / max(1.0, recent[-1] - recent[0]), 2)


def _seconds(stamp: object) -> float:
    try:
        return datetime.fromisoformat(str(stamp)).timestamp()
    except ValueError:
        return 0.0


def _is_error(outcome: str) -> bool:
    try:
        return Outcome(outcome).error
    except ValueError:  # of a newer version
        return False


def _frontier(path: Path) -> tuple[int, int, int, tuple[HostNow, ...]]:
    """Pages, URLs that wait, hosts, and the hosts with most pages; zeros before the first crawl."""
    if not path.exists():
        return 0, 0, 0, ()
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1.0)) as frontier:
            totals = dict(frontier.execute("SELECT name, value FROM totals"))
            waiting = frontier.execute("SELECT count(*) FROM urls WHERE state = 0").fetchone()[0]
            hosts = frontier.execute("SELECT count(*) FROM hosts").fetchone()[0]
            rows = frontier.execute(
                "SELECT name, pages, known, (SELECT count(*) FROM urls WHERE host = hosts.id AND state = 0), delay, "
                "ready_at FROM hosts ORDER BY pages DESC, id LIMIT ?",
                (HOSTS,),
            ).fetchall()
    except sqlite3.Error as error:
        raise translate_sqlite_error(error, path) from error
    now = time.time()
    busiest = tuple(
        HostNow(name, pages, known, waits, delay, round(max(0.0, ready_at - now), 1))
        for name, pages, known, waits, delay, ready_at in rows
    )
    return int(totals.get("pages", 0)), int(waiting), int(hosts), busiest


def _stages(collection: Collection, *, building: bool) -> dict[str, str]:
    """Every stage of the build: "done", "under way" or "to come"."""
    made, finished = collection.stages(), collection.finished_since()
    states = {}
    for name in STAGES:
        done = name in finished or (name in made and not building)
        states[name] = "done" if done else "to come"
    if building and (next_one := next((name for name, state in states.items() if state != "done"), "")):
        states[next_one] = "under way"
    return states
