"""A small web in which one page was captured three times."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.webs.composed import FETCHED, html, link

from periplus.collection import Collection
from periplus.library import Library, open_library
from periplus.pages.store import store_of
from periplus.pipeline import build
from periplus.web.page import Page

TIDES, MOON = "http://tide.example/", "http://moon.example/"
TIMES = ("20261116055258", "20261119055258", "20261122055258")
OLD = ["The tide rises.", "It falls after six hours.", *(f"Line {at} of a long table." for at in range(9)), "The end."]
NEW = [OLD[0], "It falls after six hours &amp; a quarter.", *OLD[2:], "Dues: &lt;script&gt;alert(1)&lt;/script&gt;"]


def page_of(*lines: str) -> str:
    return html(*(f"<p>{line}</p>" for line in lines), link(MOON, "the moon"), title="Tides")


def library_in(folder: Path) -> Library:
    """Tides in three captures, the first two alike; six lists that link there; the moon."""
    collection = Collection.create(folder, seeds=[])
    with store_of(collection).writer("added") as writer:

        def write(url: str, text: str, days: int = 0) -> None:
            writer.append(Page(url, 200, {"content-type": "text/html"}, text.encode(), FETCHED + timedelta(days=days)))

        for days, lines in zip((0, 3, 6), (OLD, OLD, NEW), strict=True):
            write(TIDES, page_of(*lines), days)
        for number in range(6):
            write(f"http://s{number}.example/", html(link(TIDES, "tide tables"), title=f"Tide tables {number}"))
        write(MOON, html("The moon", link(TIDES, "tides"), title="Moon"))
    build(collection)
    return open_library(folder)
