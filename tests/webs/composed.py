"""A collection composed answer by answer, as a crawl or an archive would have left it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.pages.store import store_of
from periplus.pipeline import build
from periplus.web.page import Page

FETCHED = datetime(2026, 11, 16, 5, 52, 58, tzinfo=UTC)


def html(*body: str, title: str = "", head: str = "") -> str:
    """A page; without a title it has none."""
    named = f"<title>{title}</title>" if title else ""
    return f'<!doctype html><html lang="en"><head>{named}{head}</head><body>{" ".join(body)}</body></html>'


def link(url: str, text: str = "") -> str:
    return f'<a href="{url}">{text}</a>'


def composed(
    folder: Path,
    answers: Mapping[str, str | int | tuple[int, str]],
    *,
    seeds: Sequence[str] = (),
    log: Sequence[Mapping[str, Any]] = (),
    built: bool = True,
) -> Collection:
    """A collection of these answers: a page (its HTML), a status without a page, or (status, where it redirects to).

    Every answer is a second younger than the one before.
    """
    collection = Collection.create(folder, seeds=seeds)
    with store_of(collection).writer("added") as writer:
        for number, (url, answer) in enumerate(answers.items()):
            moment = FETCHED + timedelta(seconds=number)
            if isinstance(answer, str):
                writer.append(Page(url, 200, {"content-type": "text/html"}, answer.encode(), moment))
            elif isinstance(answer, int):
                writer.append(Page(url, answer, {"content-type": "text/plain"}, b"", moment))
            else:
                headers = {"content-type": "text/plain", "location": answer[1]}
                writer.append(Page(url, answer[0], headers, b"", moment))
    if log:
        collection.crawl_log_path.write_text("".join(json.dumps(line) + "\n" for line in log))
    if built:
        build(collection)
    return collection
