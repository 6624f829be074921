"""`Reader`: reads each response in the sandbox, and decides what this means for its outcome."""

from __future__ import annotations

from dataclasses import replace

from periplus.crawl.fetch.reading import TASK, Reading, is_unchanged, jobs_of, revisit_of
from periplus.crawl.options import CrawlOptions
from periplus.crawl.outcome import Outcome
from periplus.crawl.visit import Visit
from periplus.sandbox.pool import ProcessDiedError, Sandbox


class Reader:
    """Reads responses in sandboxed processes; one reader for the whole crawl."""

    def __init__(self, options: CrawlOptions, processes: int | None = None) -> None:
        self.options = options
        count = options.workers if processes is None else processes
        self._sandbox = Sandbox(TASK, cpu_seconds=options.parse_timeout, processes=count)

    async def start(self) -> None:
        await self._sandbox.start()

    async def close(self) -> None:
        await self._sandbox.close()

    async def read(self, visit: Visit) -> Visit:
        """The visit with the reading of its response; only possible pages are parsed, the rest is just compressed."""
        capture = visit.capture
        if capture is None:
            return visit
        if visit.known is not None and is_unchanged(capture, visit.known):
            outcome = Outcome.UNCHANGED if Outcome.of_response(visit.known.status, None).page else visit.outcome
            return replace(visit, outcome=outcome, reading=revisit_of(capture, visit.known), capture=None)
        limits = {"max_decoded": self.options.max_decoded, "max_links": self.options.max_links}
        jobs = jobs_of(capture, parse=visit.outcome.page, **limits)
        try:
            reading = Reading.from_plain(await self._sandbox.run(*jobs))
        except ProcessDiedError:
            died = "the worker process died on this page"
            return replace(visit, outcome=Outcome.ERR_PARSE, reason=died, capture=None)
        outcome = _outcome(visit.outcome, reading)
        return replace(visit, outcome=outcome, reason=visit.reason or reading.flaw, reading=reading, capture=None)


def _outcome(before: Outcome, reading: Reading) -> Outcome:
    """The outcome of a response after it was read."""
    if not before.page:
        return before
    if not reading.parsed:  # the process died on it, and survived without parsing it
        return Outcome.ERR_PARSE
    if reading.problem == "decode":
        return Outcome.ERR_DECODE
    if reading.refresh:
        return Outcome.REFRESH
    if reading.listed:
        return Outcome.ERR_PARSE if reading.flaw and not reading.targets else Outcome.LIST
    if not reading.html and reading.entry.mime != "text/plain":
        return Outcome.SKIP_TYPE
    return Outcome.TRUNC_LENGTH if reading.problem == "length" else before
