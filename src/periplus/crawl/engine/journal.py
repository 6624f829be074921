"""Where a page becomes done: WARC records first, then one transaction of the frontier, a batch at a time.

    1. append the records to the WARC file, and sync it to the disk
    2. append the lines to the log
    3. commit to the frontier: outcomes, links found, WARC offset, length of the log

A kill before 3 leaves records that the frontier does not know; the next run adopts them (`unaccounted`) instead of
fetching again, and cuts the log back to the length of the last commit. The work runs in a thread, so that fetching goes
on while the disk is busy; batches grow by themselves when it is slow.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from periplus.crawl.fetch.worker import Work
from periplus.crawl.frontier.store import Batch, Found, Frontier, translated
from periplus.crawl.politeness.hosts import Candidate, Host
from periplus.crawl.politeness.robots import Robots
from periplus.errors import storage
from periplus.pages.store import Entry, PageStore, PageWriter


@dataclass(slots=True)
class Finished:
    """One candidate that has come to an end, or to another try."""

    candidate: Candidate
    host: Host
    outcome: str
    status: int = 0
    work: Work | None = None
    found: list[Found] = field(default_factory=list)
    milliseconds: int = 0
    retry: bool = False
    stored: bool = False  # its records are in the WARC already: it was adopted
    page: bool = False
    reason: str = ""


@dataclass(slots=True)
class Pending:
    """What waits for the next commit."""

    finished: list[Finished] = field(default_factory=list)
    robots: dict[str, Robots] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    hosts: dict[int, Host] = field(default_factory=dict)
    capped: list[Host] = field(default_factory=list)
    accounted: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.finished or self.robots or self.found or self.capped or self.accounted)


class Journal:
    """Commits batches; used by one thread at a time."""

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
        """Stored pages that no commit knows of: the crash came between."""
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
        """The size of every WARC file of the crawl, for when all of them are accounted for."""
        names = [name for name in self.store.warc_names() if name.endswith("-crawl.warc.gz")]
        return {name: self.store.path_of(name).stat().st_size for name in names}

    def commit(self, pending: Pending) -> None:
        """Make a batch durable, all of it or nothing of it."""
        batch = Batch(hosts=dict(pending.hosts), robots=pending.robots, warcs=dict(pending.accounted))
        try:
            self.frontier.begin()
            for finished in pending.finished:
                self._settle(finished, batch)
            batch.found += pending.found
            for found in batch.found:
                batch.hosts[found.host.id] = found.host
            self.writer.sync()
            self._write_log(pending.finished)
            batch.totals = dict(self.totals)
            self._give_up(pending.capped)
            self.waiting += self.frontier.write(batch) - len(batch.outcomes)
        except sqlite3.Error as error:
            raise translated(error, self.frontier.path) from error
        finally:
            self.frontier.rollback()

    def close(self) -> None:
        """Close the WARC file and note its final size."""
        self.writer.close()
        self.frontier.begin()
        self.frontier.write(Batch(warcs=self.sizes()))
        self._log.close()

    def abandon(self) -> None:
        """Let go of everything as a crash would."""
        self.writer.abandon()
        self._log.close()

    def _settle(self, finished: Finished, batch: Batch) -> None:
        candidate, work = finished.candidate, finished.work
        batch.hosts[finished.host.id] = finished.host
        if finished.retry:
            batch.retries.append((candidate.tries, candidate.id))
            return
        if work is not None and finished.outcome == "OK" and not self.frontier.first_with(work.content, candidate.id):
            finished.outcome = "DUP"
        if work is not None and not finished.stored:
            entry = Entry(
                candidate.url, work.timestamp, work.status, work.mime, work.digest, "", 0, work.length, work.redirect,
                work.truncated,
            )  # fmt: skip
            self.writer.append_records(work.records, entry)
            batch.warcs[self.writer.filename] = self.writer.size
        if finished.page:
            finished.host.note_result(finished.outcome == "DUP")
            self.totals["pages"] = self.totals.get("pages", 0) + 1
            self.totals["links"] = self.totals.get("links", 0) + (work.links if work else 0)
        batch.outcomes.append((finished.outcome, candidate.id))
        batch.found += finished.found

    def _give_up(self, hosts: list[Host]) -> None:
        for host in hosts:
            if self.frontier.give_up(host.id, "FILTER_TRAP"):
                host.known = host.pages

    def _write_log(self, batch: list[Finished]) -> None:
        lines = b"".join(json.dumps(_log_record(item)).encode() + b"\n" for item in batch if not item.retry)
        with storage(self._log_path):
            self._log.write(lines)
            self._log.flush()
            self.totals["log_bytes"] = os.fstat(self._log.fileno()).st_size


def _log_record(item: Finished) -> dict[str, Any]:
    record: dict[str, Any] = {
        "url": item.candidate.url,
        "outcome": item.outcome,
        "status": item.status,
        "depth": item.candidate.depth,
        "hops": item.candidate.hops,
        "ms": item.milliseconds,
    }
    if item.work is not None:
        stamp = item.work.timestamp
        record["time"] = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[8:10]}:{stamp[10:12]}:{stamp[12:]}Z"
        record["mime"] = item.work.mime
        record["bytes"] = item.work.length
        record["links"] = item.work.links
        record["digest"] = item.work.digest
        if item.work.links_truncated:
            record["links_truncated"] = True
        if item.work.redirect:
            record["redirect"] = item.work.redirect
    if item.reason:
        record["reason"] = item.reason
    return record
