"""Where a visit becomes done: WARC records first, then one transaction of the frontier, batch by batch.

    1. append the records to the WARC file, and sync it to the disk
    2. append the lines to the log
    3. commit to the frontier: outcomes, links found, WARC offset, length of the log

A kill before step 3 leaves records that the frontier does not know. The next run adopts them (`unaccounted`) instead of
fetching again, and cuts the log back to its length at the last commit.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from periplus.crawl.frontier.growth import Verdict
from periplus.crawl.frontier.store import Batch, FoundUrl, Frontier, translate_sqlite_error
from periplus.crawl.outcome import Outcome
from periplus.crawl.politeness.hosts import Host
from periplus.crawl.politeness.robots import Robots
from periplus.crawl.visit import Visit
from periplus.errors import storage
from periplus.pages.store import Entry, PageStore, PageWriter


@dataclass(slots=True)
class Pending:
    """What waits for the next commit."""

    ended: list[Visit] = field(default_factory=list)
    retried: list[Visit] = field(default_factory=list)
    found: list[FoundUrl] = field(default_factory=list)
    links: list[tuple[int, list[str]]] = field(default_factory=list)  # (id of a page, URLs it links to)
    hosts: dict[int, Host] = field(default_factory=dict)
    given_up: dict[int, Visit] = field(default_factory=dict)  # by host: how everything that waits on it ends
    robots: dict[str, Robots] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    accounted: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.ended or self.retried or self.found or self.hosts or self.given_up or self.robots)


class Journal:
    """Writes batches to WARC file, log and frontier; used by one thread at a time."""

    def __init__(self, frontier: Frontier, store: PageStore, log_path: Path, totals: dict[str, int]) -> None:
        self.frontier = frontier
        self.store = store
        self.writer: PageWriter = store.writer("crawl")
        self.totals = totals
        self.waiting = frontier.count_waiting()
        self._log_path = log_path
        with storage(log_path):
            self._log = log_path.open("ab")
            self._log.truncate(totals.get("log_bytes", 0))

    def unaccounted(self) -> Iterator[Entry]:
        """Stored pages that no commit has accounted for, because a crash came between."""
        accounted = self.frontier.warcs()
        for name in self.store.warc_names():
            if not name.endswith("-crawl.warc.gz"):
                continue
            known = accounted.get(name, 0)
            if self.store.path_of(name).stat().st_size > known:
                yield from sorted(
                    (entry for entry in self.store.entries(name) if entry.offset >= known), key=lambda e: e.offset
                )

    def sizes(self) -> dict[str, int]:
        """The size of every WARC file of the crawl."""
        names = [name for name in self.store.warc_names() if name.endswith("-crawl.warc.gz")]
        return {name: self.store.path_of(name).stat().st_size for name in names}

    def commit(self, pending: Pending) -> list[Visit]:
        """Make a batch durable, all of it or none of it; returns the ended visits with their final outcomes."""
        batch = Batch(found=pending.found, hosts=dict(pending.hosts), robots=pending.robots, warcs=pending.accounted)
        batch.links, batch.verdicts = pending.links, pending.verdicts
        batch.retries = [(visit.tries, visit.id) for visit in pending.retried]
        for host in (*(visit.host for visit in pending.retried), *(found.host for found in pending.found)):
            batch.hosts[host.id] = host
        try:
            self.frontier.begin()
            ended = [self._store(visit, batch) for visit in pending.ended]
            for visit in ended:
                self.frontier.order.fetched(visit)
            self.writer.sync()
            self._write_log(ended)
            batch.totals = dict(self.totals)
            self._give_up(pending.given_up)
            self.waiting += self.frontier.write(batch) - len(batch.outcomes)
        except sqlite3.Error as error:
            raise translate_sqlite_error(error, self.frontier.path) from error
        finally:
            self.frontier.rollback()
        return ended

    def close(self) -> None:
        """Close the WARC file and save its final size."""
        self.writer.close()
        self.frontier.begin()
        self.frontier.write(Batch(warcs=self.sizes()))
        self._log.close()

    def abandon(self) -> None:
        """Close all files as a crash would, without finishing them."""
        self.writer.abandon()
        self._log.close()

    def _store(self, visit: Visit, batch: Batch) -> Visit:
        """Append the records of a visit and count it; a page whose content is known becomes a duplicate."""
        host, reading = visit.host, visit.reading
        batch.hosts[host.id] = host
        if reading is not None:
            if visit.outcome is Outcome.OK and not self.frontier.first_with(reading.content, visit.id):
                visit = replace(visit, outcome=Outcome.DUP)
            if not visit.stored:
                self.writer.append_records(reading.records, reading.entry)
                batch.warcs[self.writer.filename] = self.writer.size
        if visit.outcome.page and not _was_page(visit):
            host.note_page(is_duplicate=visit.outcome is Outcome.DUP)
            self.totals["pages"] = self.totals.get("pages", 0) + 1
            self.totals["links"] = self.totals.get("links", 0) + (reading.links if reading else 0)
        kept = visit.earlier if visit.outcome is Outcome.UNCHANGED and visit.earlier else visit.outcome.value
        batch.outcomes.append((kept, visit.id))
        return visit

    def _give_up(self, given_up: dict[int, Visit]) -> None:
        for visit in given_up.values():
            if self.frontier.give_up(visit.host.id, visit.outcome.value):
                visit.host.known = visit.host.pages

    def _write_log(self, ended: list[Visit]) -> None:
        lines = b"".join(json.dumps(_log_record(visit)).encode() + b"\n" for visit in ended)
        with storage(self._log_path):
            self._log.write(lines)
            self._log.flush()
            self.totals["log_bytes"] = os.fstat(self._log.fileno()).st_size


def _was_page(visit: Visit) -> bool:
    """Whether the collection has a page of this URL from an earlier visit."""
    try:
        return bool(visit.earlier) and Outcome(visit.earlier).page
    except ValueError:  # of a newer version
        return False


def _log_record(visit: Visit) -> dict[str, Any]:
    record: dict[str, Any] = {
        "url": visit.url,
        "outcome": visit.outcome.value,
        "status": visit.status,
        "depth": visit.depth,
        "hops": visit.hops,
        "ms": visit.milliseconds,
    }
    if visit.reading is not None:
        entry, stamp = visit.reading.entry, visit.reading.entry.timestamp
        record["time"] = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}Z"
        record["mime"] = entry.mime
        record["bytes"] = entry.length
        record["links"] = visit.reading.links
        record["digest"] = entry.digest
        if visit.reading.links_truncated:
            record["links_truncated"] = True
        if entry.redirect or visit.reading.refresh:
            record["redirect"] = entry.redirect or visit.reading.refresh
    if visit.reason:
        record["reason"] = visit.reason
    return record
