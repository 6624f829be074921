"""What was read out of stored pages: complete segments, in order, whatever happens to the processes that read."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from periplus.errors import FormatError
from periplus.pages import parsed
from periplus.pages.parsed import BATCH, ParsedPages
from periplus.pages.store import PageStore
from periplus.web.page import Document, Page

ROOT = Path(__file__).parents[2]
HTML = {"Content-Type": "text/html; charset=utf-8"}


def page(url: str, body: str = "", status: int = 200, **headers: str) -> Page:
    return Page(url, status, {**HTML, **headers}, body.encode())


def stored(folder: Path, pages: list[Page]) -> PageStore:
    folder.mkdir()
    store = PageStore(folder, folder / "pages.cdxj")
    with store.writer() as writer:
        for one in pages:
            writer.append(one)
    return store


def read(tmp_path: Path, store: PageStore) -> list[parsed.Capture]:
    segments = ParsedPages(tmp_path / "parsed")
    segments.folder.mkdir(exist_ok=True)
    names = store.warc_names()
    segments.parse(store, segments.missing(names))
    assert segments.missing(names) == []
    assert [path.name for path in segments.folder.iterdir()] == [f"{name}.2.jsonl.zst" for name in names]
    return list(segments.read(names))


def test_what_is_not_asked_for_is_left_out_and_the_rest_is_the_same(tmp_path: Path) -> None:
    """Texts that look like the keys of a stored line change nothing."""
    trap = '", "document": {"links": [], "canonical": null}} "document": { "links": [ , "canonical": '
    store = stored(
        tmp_path / "pages",
        [
            page("http://a.example/", f'<title>{trap}</title><p>{trap}<a href="/b?{trap}">{trap}</a><a href=/c>c</a>'),
            page("http://a.example/moved", status=301, Location="/b"),
            page("http://a.example/none", "<p>no links"),
        ],
    )
    whole = read(tmp_path, store)
    assert [len(one.document.links) for one in whole if one.document] == [2, 0]
    segments, names = ParsedPages(tmp_path / "parsed"), store.warc_names()
    heads, words = list(segments.read(names, upto="heads")), list(segments.read(names, upto="words"))
    for all_of_it, head, word in zip(whole, heads, words, strict=True):
        document = all_of_it.document
        assert head == replace(all_of_it, document=document and Document(all_of_it.url))
        assert word == replace(all_of_it, document=document and replace(document, links=()))


def test_documents_redirects_and_others(tmp_path: Path) -> None:
    store = stored(
        tmp_path / "pages",
        [
            page("http://a.example/", '<title>Tïtle</title><h1>One</h1><p>text <a href="/b" rel=nofollow>bee</a>'),
            page("http://a.example/moved", status=301, Location="/b"),
            page("http://a.example/gone", "<title>gone</title>", status=404),
            Page("http://a.example/x.png", 200, {"Content-Type": "image/png"}, b"\x89PNG\r\n"),
            page("http://a.example/quiet", "<title>q</title>", **{"X-Robots-Tag": "noindex, nofollow"}),
        ],
    )
    found = {capture.url.removeprefix("http://a.example"): capture for capture in read(tmp_path, store)}
    document = found["/"].document
    assert document is not None
    assert (document.title, document.headings) == ("Tïtle", ("One",))
    assert [(link.target, link.anchor, link.rel) for link in document.links] == [
        ("http://a.example/b", "bee", frozenset({"nofollow"}))
    ]
    assert found["/moved"].redirect == "http://a.example/b"
    assert found["/moved"].document is None
    assert found["/gone"].document is None
    assert found["/x.png"].document is None
    quiet = found["/quiet"].document
    assert quiet is not None
    assert quiet.noindex
    assert quiet.nofollow


def test_a_page_that_kills_its_reader_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed, "TASK", "tests.webs.deadly_store:parse_batch")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, sys.path)]))
    urls = [f"http://a.example/{number:04d}" for number in range(3 * BATCH)]
    urls[BATCH + 5] = "http://a.example/0069-deadly"
    urls[2 * BATCH + 1] = "http://a.example/0129-endless"
    store = stored(tmp_path / "pages", [page(url, f"<title>{url}</title>") for url in urls])
    found = read(tmp_path, store)
    assert [capture.url for capture in found] == sorted(urls)
    failed = [capture.url for capture in found if capture.failed]
    assert failed == ["http://a.example/0069-deadly", "http://a.example/0129-endless"]
    assert all(capture.document for capture in found if not capture.failed)


def test_a_damaged_segment_is_named(tmp_path: Path) -> None:
    store = stored(tmp_path / "pages", [page("http://a.example/", "<title>a</title>")])
    read(tmp_path, store)
    segments = ParsedPages(tmp_path / "parsed")
    (name,) = store.warc_names()
    path = segments.segment(name)
    path.write_bytes(path.read_bytes()[:-3] + b"xyz")
    with pytest.raises(FormatError, match=path.name):
        list(segments.read([name]))


def test_nothing_stored_nothing_read(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    assert read(tmp_path, PageStore(tmp_path / "pages", tmp_path / "pages" / "pages.cdxj")) == []


def test_pages_are_read_in_a_notebook_too(tmp_path: Path) -> None:
    """Where an event loop already runs in this thread."""
    store = stored(tmp_path / "pages", [page("http://a.example/", "<title>a</title>")])

    async def cell() -> list[parsed.Capture]:
        return read(tmp_path, store)

    assert [capture.document.title for capture in asyncio.run(cell()) if capture.document] == ["a"]
