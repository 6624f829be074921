"""A page store whose pages can kill or exhaust the process that reads them, as a hostile page might kill a parser."""

from __future__ import annotations

import os
import signal
from typing import Any

from periplus.pages import parsed
from periplus.pages.store import Entry, PageStore
from periplus.web.page import Page


class DeadlyStore(PageStore):
    """Dies on URLs that say "deadly", computes for ever on those that say "endless"."""

    def read(self, entry: Entry) -> Page:
        if "deadly" in entry.url:
            os.kill(os.getpid(), signal.SIGKILL)
        while "endless" in entry.url:
            pass
        return super().read(entry)


def parse_batch(job: tuple[Any, ...]) -> bytes:
    """The task of `periplus.pages.parsed`, on such a store."""
    parsed.PageStore = DeadlyStore  # in the sandboxed process alone
    return parsed.parse_batch(job)
