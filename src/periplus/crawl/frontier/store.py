"""`Frontier`: every URL that the crawl has met, in SQLite, and the only place where a page counts as done.

    urls      one row per URL: waiting (state 0) or done (state 1) with its outcome; a key that orders the waiting ones
    hosts     when a host may be asked again, its pause, its counts
    robots    the robots.txt of each origin, so that a restart does not ask again within a day
    digests   the first page with each content, so that copies are recognised
    warcs     up to which byte each WARC file is accounted for
    totals    counters, and the length of the log
    verdicts  what the crawl has learned of a host: spaces without end, parameters that change nothing
    links     the URLs that each page links to, where the order of the crawl asks for them

One transaction commits a batch of pages: outcomes, links found, hosts, WARC offsets. The WARC records are on disk
before it. So when the process dies, each page is either done and stored, or stored and adopted by the next run, or
waiting. URLs that are being fetched count as waiting: nothing has to be undone after a crash.

Write-ahead logging lets the scheduler read while another thread writes a batch.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from periplus.crawl.frontier.growth import Verdict
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders.order import Order
from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.hosts import Host
from periplus.crawl.politeness.robots import Robots
from periplus.crawl.visit import BEFORE_ALL, Visit
from periplus.errors import DamagedError, StorageError

WAITING, DONE = 0, 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS urls (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host INTEGER NOT NULL, depth INTEGER NOT NULL,
    hops INTEGER NOT NULL DEFAULT 0, key REAL NOT NULL, state INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0, outcome TEXT);
CREATE INDEX IF NOT EXISTS waiting ON urls (host, key, id) WHERE state = 0;
CREATE TABLE IF NOT EXISTS hosts (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, ready_at REAL NOT NULL DEFAULT 0, delay REAL NOT NULL DEFAULT 0,
    pages INTEGER NOT NULL DEFAULT 0, duplicates INTEGER NOT NULL DEFAULT 0, known INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS robots (origin TEXT PRIMARY KEY, fetched REAL NOT NULL, status INTEGER NOT NULL, body BLOB);
CREATE TABLE IF NOT EXISTS digests (digest BLOB PRIMARY KEY, url INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS warcs (name TEXT PRIMARY KEY, accounted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS verdicts (host TEXT NOT NULL, what TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS links (page INTEGER PRIMARY KEY, urls BLOB NOT NULL);
"""


# What becomes of a URL that still waits and is found again
_SHORTEST_PATH = "SET depth = excluded.depth, key = excluded.key WHERE state = 0 AND excluded.depth < depth"
_ADD_KEYS = "SET depth = min(depth, excluded.depth), key = key + excluded.key WHERE state = 0"


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """A URL that was found; the frontier may know it already."""

    url: str
    host: Host
    depth: int
    hops: int
    key: float


class Row(NamedTuple):
    """The row of one URL in the frontier."""

    id: int
    depth: int
    hops: int
    tries: int
    key: float
    state: int
    outcome: str | None


@dataclass(slots=True)
class Batch:
    """What one transaction writes."""

    outcomes: list[tuple[str, int]] = field(default_factory=list)  # (outcome, id) of done URLs
    retries: list[tuple[int, int]] = field(default_factory=list)  # (tries, id) of URLs that still wait
    found: list[FoundUrl] = field(default_factory=list)
    links: list[tuple[int, list[str]]] = field(default_factory=list)  # (id of a page, URLs it links to)
    hosts: dict[int, Host] = field(default_factory=dict)
    robots: dict[str, Robots] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    warcs: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)


class Frontier:
    """The frontier file; one connection writes, the other reads. It tells `order` what was linked.

    `revisions`: how often the order gave URLs that wait new keys.
    """

    def __init__(self, path: Path, order: Order | None = None) -> None:
        self.path = path
        self.order = order or Order(CrawlOptions())
        self.revisions = 0
        try:
            self._write = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._write.execute("PRAGMA journal_mode = WAL")
            self._write.execute("PRAGMA synchronous = FULL")
            self._write.execute("PRAGMA cache_size = -16384")
            self._write.executescript(_SCHEMA)
            self._read = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            self._read.execute("PRAGMA cache_size = -4096")
        except sqlite3.Error as error:
            raise translate_sqlite_error(error, path) from error
        if self.order.keeps_links:
            told = "SELECT page, depth, links.urls FROM links JOIN urls ON id = page ORDER BY page"
            for page, depth, urls in self._read.execute(told):
                self.order.linked(page, depth, array("I", urls))

    def close(self) -> None:
        """Merge the write-ahead log into the file and close it."""
        self._read.close()
        with contextlib.suppress(sqlite3.Error):  # on a full disk the log stays, and the next run merges it
            self._write.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._write.close()

    # -- what is known at the start --------------------------------------------------------------------------

    def hosts(self) -> Iterator[Host]:
        rows = self._read.execute("SELECT id, name, ready_at, delay, pages, duplicates, known FROM hosts ORDER BY id")
        for row in rows:
            yield Host(*row)

    def hosts_waiting(self) -> set[int]:
        """The ids of the hosts that have URLs waiting; skips through the index from host to host."""
        step = "SELECT min(host) FROM urls WHERE state = 0 AND host > ?"
        found: set[int] = set()
        at = self._one(step, -1)
        while at is not None:
            found.add(at)
            at = self._one(step, at)
        return found

    def robots(self, origin: str) -> Robots | None:
        row = self._read.execute("SELECT status, body, fetched FROM robots WHERE origin = ?", (origin,)).fetchone()
        return Robots(row[0], row[1], row[2]) if row else None

    def warcs(self) -> dict[str, int]:
        return dict(self._read.execute("SELECT name, accounted FROM warcs"))

    def totals(self) -> dict[str, int]:
        return dict(self._read.execute("SELECT name, value FROM totals"))

    def verdicts(self) -> list[Verdict]:
        """What earlier runs have learned of hosts."""
        return [Verdict(*row) for row in self._read.execute("SELECT host, what, reason FROM verdicts")]

    def roots(self) -> list[str]:
        """The seeds and their redirect targets, which define the scope."""
        return [url for (url,) in self._read.execute("SELECT url FROM urls WHERE depth = 0")]

    def find(self, url: str) -> Row | None:
        """The row of a URL, or None."""
        columns = ", ".join(Row._fields)
        row = self._read.execute(f"SELECT {columns} FROM urls WHERE url = ?", (url,)).fetchone()
        return Row(*row) if row else None

    # -- scheduling ------------------------------------------------------------------------------------------

    def waiting(self, host: Host, limit: int, held: Collection[int], max_depth: int | None) -> list[Visit]:
        """The next URLs of a host in the order of their keys, without those that are held in memory."""
        rows = self._read.execute(
            "SELECT url, id, depth, hops, tries, key FROM urls "
            "WHERE state = 0 AND host = ? AND depth <= ? ORDER BY key, id LIMIT ?",
            (host.id, 1 << 30 if max_depth is None else max_depth, limit + len(held)),
        )
        return [Visit(url, host, *row) for url, *row in rows if row[0] not in held]

    def count_waiting(self, max_depth: int | None = None) -> int:
        limit = 1 << 30 if max_depth is None else max_depth
        return self._one("SELECT count(*) FROM urls WHERE state = 0 AND depth <= ?", limit) or 0

    def outcomes(self) -> dict[str, int]:
        rows = self._read.execute("SELECT outcome, count(*) FROM urls WHERE state = 1 GROUP BY outcome ORDER BY 1")
        return dict(rows)

    def _one(self, statement: str, value: object) -> int | None:
        row = self._read.execute(statement, (value,)).fetchone()
        return row[0] if row else None

    # -- writing ---------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._write.execute("BEGIN IMMEDIATE")

    def rollback(self) -> None:
        if self._write.in_transaction:
            self._write.execute("ROLLBACK")

    def first_with(self, digest: bytes, url_id: int) -> bool:
        """Whether no earlier page has this content; call it within a transaction."""
        if self._write.execute("INSERT OR IGNORE INTO digests VALUES (?, ?)", (digest, url_id)).rowcount == 1:
            return True
        return self._write.execute("SELECT url FROM digests WHERE digest = ?", (digest,)).fetchone()[0] == url_id

    def write(self, batch: Batch) -> int:
        """Write a batch and commit the transaction that `begin` opened; returns the number of new URLs."""
        run = self._write.executemany
        run("UPDATE urls SET state = 1, outcome = ? WHERE id = ?", batch.outcomes)
        run("UPDATE urls SET state = 0, tries = ? WHERE id = ?", batch.retries)
        run(
            "INSERT INTO hosts VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
            "ready_at = excluded.ready_at, delay = excluded.delay, pages = excluded.pages, "
            "duplicates = excluded.duplicates, known = excluded.known",
            [(h.id, h.name, h.ready_at, h.delay, h.pages, h.duplicates, h.known) for h in batch.hosts.values()],
        )
        before = self._write.execute("SELECT max(id) FROM urls").fetchone()[0] or 0
        run(
            "INSERT INTO urls (url, host, depth, hops, key) VALUES (?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE "
            + (_ADD_KEYS if self.order.adds else _SHORTEST_PATH),
            [(f.url, f.host.id, f.depth, f.hops, f.key) for f in batch.found],
        )
        new = (self._write.execute("SELECT max(id) FROM urls").fetchone()[0] or 0) - before
        for page, urls in batch.links:
            self._link(page, urls)
        self._revise()
        run(
            "INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)",
            [(origin, r.fetched, r.status, r.body) for origin, r in batch.robots.items()],
        )
        run("INSERT INTO verdicts VALUES (?, ?, ?)", batch.verdicts)
        run("INSERT OR REPLACE INTO warcs VALUES (?, ?)", list(batch.warcs.items()))
        run("INSERT OR REPLACE INTO totals VALUES (?, ?)", list(batch.totals.items()))
        self._write.execute("COMMIT")
        return new

    def _link(self, page: int, urls: list[str]) -> None:
        """Keep what a page links to, and tell the order."""
        find, deep = "SELECT id FROM urls WHERE url = ?", "SELECT depth FROM urls WHERE id = ?"
        ids = array("I", [self._write.execute(find, (url,)).fetchone()[0] for url in urls])
        self._write.execute("INSERT OR REPLACE INTO links VALUES (?, ?)", (page, ids.tobytes()))
        self.order.linked(page, self._write.execute(deep, (page,)).fetchone()[0], ids)

    def _revise(self) -> None:
        keys = list(self.order.revised())
        if keys:
            self._write.executemany("UPDATE urls SET key = ? WHERE id = ? AND state = 0", keys)
            self.revisions += 1

    def give_up(self, host: int, outcome: str) -> int:
        """Mark all waiting URLs of a host as done with one outcome; returns their number."""
        statement = "UPDATE urls SET state = 1, outcome = ? WHERE state = 0 AND host = ?"
        return self._write.execute(statement, (outcome, host)).rowcount

    def reopen(self, urls: Iterable[str]) -> None:
        """Let done URLs wait again if their outcome says that another run may succeed."""
        for url in urls:
            row = self.find(url)
            if row is not None and row.state == DONE and _may_reopen(row.outcome or ""):
                self._write.execute("UPDATE urls SET state = 0, tries = 0 WHERE id = ?", (row.id,))

    def start_round(self, urls: Sequence[str] | None = None) -> None:
        """Let these URLs wait for another visit, in this order and before all others; None stands for all visited ones.

        A round of all that was not ended goes on instead, so that a kill costs no visit. One of some is planned anew.
        """
        if urls is None and self.totals().get("round_open"):
            return
        self.begin()
        self._note(round_at=int(time.time()))
        if urls is None:
            outcomes = [outcome for outcome in self.outcomes() if _may_be_revisited(outcome)]
            marks = ", ".join("?" * len(outcomes))
            self._write.execute(
                f"UPDATE urls SET state = 0, tries = 0 WHERE state = 1 AND outcome IN ({marks})", outcomes
            )
            self._note(round_open=1)
        else:
            again = "UPDATE urls SET state = 0, tries = 0, key = ? WHERE url = ?"
            self._write.executemany(again, [(BEFORE_ALL + place, url) for place, url in enumerate(urls)])
        self._write.execute("COMMIT")

    def end_round(self) -> None:
        """All visits of the round were made; the next one begins anew."""
        self._note(round_open=0)

    def _note(self, **totals: int) -> None:
        self._write.executemany("INSERT OR REPLACE INTO totals VALUES (?, ?)", list(totals.items()))

    def check(self) -> list[str]:
        """The problems that the integrity check of SQLite finds."""
        rows = [row[0] for row in self._read.execute("PRAGMA integrity_check")]
        return [] if rows == ["ok"] else rows


def stored_totals(path: Path) -> dict[str, int]:
    """The counters of a frontier, read without touching the file."""
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return dict(connection.execute("SELECT name, value FROM totals"))
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise translate_sqlite_error(error, path) from error


def _may_be_revisited(outcome: str) -> bool:
    """Whether a new round asks for the URL again: not where its address alone was the reason."""
    return not outcome.startswith(("FILTER_", "BLOCKED_ADDR", "BLOCKED_SCHEME"))


def _may_reopen(outcome: str) -> bool:
    """Whether another run may succeed; an outcome that this version does not know is left alone."""
    try:
        return Outcome(outcome).reopens
    except ValueError:
        return False


def translate_sqlite_error(error: sqlite3.Error, path: Path) -> Exception:
    """The Periplus error for an error of SQLite: `StorageError` if the disk refused, else `DamagedError`."""
    text = str(error)
    if any(word in text for word in ("full", "disk I/O", "readonly", "unable to open")):
        return StorageError(f"{path}: {text}. What was written before is safe; make room and run the command again.")
    return DamagedError(f"{path}: {text}. Move it away to start the crawl again; the stored pages are kept")
