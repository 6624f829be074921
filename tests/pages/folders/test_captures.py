"""Folders as people have them: mirrors of wget and HTTrack, saved pages, inner folders; and 8,281 pages of 1997."""

from __future__ import annotations

import lzma
import tarfile
from pathlib import Path

import pytest
from tests.conftest import data_path

from periplus.errors import InputError
from periplus.pages.add import AddReport, add_files
from periplus.pages.store import PageStore
from periplus.web.url import canonical

HOST = "https://www.example.org"


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    folder = tmp_path / "store"
    folder.mkdir()
    return PageStore(folder, folder / "pages.cdxj")


def folder_of(where: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return where


def urls(store: PageStore) -> dict[str, str | None]:
    """Every URL that was stored, and where it redirects to."""
    return {entry.url: entry.redirect for entry in store.entries()}


def note(report: AddReport, words: str) -> str:
    return next((text for text in report.notes if words in text), "")


def linked(*targets: str) -> str:
    return "<html>" + "".join(f"<a href='{target}'>x</a>" for target in targets)


def test_a_mirror_of_wget_stands_at_its_host(tmp_path, store) -> None:
    mirror = folder_of(
        tmp_path / "www.example.org",
        {
            "index.html": linked("about", "?p=2", "/docs/"), "index.html?p=2": linked("/"), "about": linked("https://www.example.org/"),
            "docs/index.html": linked("../about", "a.pdf"), "docs/a.pdf": "%PDF", "logo.png": "\x00",
        },
    )  # fmt: skip
    report = add_files(store, [mirror])
    assert urls(store) == {
        f"{HOST}/": None, f"{HOST}/index.html": f"{HOST}/", f"{HOST}/about": None,
        f"{HOST}/?p=2": None, f"{HOST}/index.html?p=2": f"{HOST}/?p=2", f"{HOST}/index.html%3Fp=2": f"{HOST}/?p=2",
        f"{HOST}/docs/": None, f"{HOST}/docs/index.html": f"{HOST}/docs/",
    }  # fmt: skip
    assert report.skipped == {".pdf file": 1, ".png file": 1}
    assert note(report, "stand under https://www.example.org/")
    assert not note(report, "lead to no file")
    assert not note(report, "--base")


def test_several_hosts_below_one_folder(tmp_path, store) -> None:
    add_files(store, [folder_of(tmp_path / "out", {
        "www.a.org/x.html": linked("http://www.b.org:81/y"), "www.b.org:81/y": linked("/"), "https/c.org/z.html": "<p>",
    })])  # fmt: skip
    assert set(urls(store)) == {"http://www.a.org/x.html", "http://www.b.org:81/y", "https://c.org/z.html"}


def test_a_project_of_httrack(tmp_path, store) -> None:
    own = "<!-- Mirrored from {} by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 02 Dec 2019 -->"
    report = add_files(store, [folder_of(tmp_path / "my project", {
        "index.html": "<html><title>Local index - HTTrack", "hts-log.txt": "log", "hts-cache/new.txt": "x",
        "www.example.org/index.html": linked("list4f3a.html") + own.format("www.example.org/"),
        "www.example.org/list4f3a.html": linked("index.html") + own.format("www.example.org/list.php?id=1"),
    })])  # fmt: skip
    found = urls(store)
    assert found["http://www.example.org/list.php?id=1"] == "http://www.example.org/list4f3a.html"
    assert found["http://www.example.org/"] is None
    assert len(found) == 4
    assert report.skipped == {"file of HTTrack's own": 3}


@pytest.mark.parametrize("told", ["<link rel=canonical href='{}'>", "<!-- saved from url=(0027){} -->"])
def test_pages_that_tell_their_own_url_tell_the_base(tmp_path, store, told: str) -> None:
    report = add_files(store, [folder_of(tmp_path / "saved", {
        "index.html": linked("guide/a.html") + told.format("https://docs.example.org/v2/"),
        "guide/a.html": linked("../") + told.format("https://docs.example.org/v2/guide/a.html"),
        "guide/b.html": linked("a.html"),
    })])  # fmt: skip
    assert {url for url, moved in urls(store).items() if moved is None} == {
        f"https://docs.example.org/v2/{end}" for end in ("", "guide/a.html", "guide/b.html")
    }
    assert not note(report, "lead to no file")


def test_pages_of_many_sites_keep_their_own_urls(tmp_path, store) -> None:
    add_files(store, [folder_of(tmp_path / "saved", {
        "one.html": "<link rel=canonical href='https://a.example/x'>",
        "two.html": "<link href='https://b.example/' rel=canonical>",
        "three.html": "<link rel=canonical href='https://a.example/x'>",
    })])  # fmt: skip
    assert urls(store) == {
        "https://a.example/x": None, "http://saved.local/one.html": "https://a.example/x",
        "https://b.example/": None, "http://saved.local/two.html": "https://b.example/",
        "http://saved.local/three.html": None,
    }  # fmt: skip


def site(where: Path) -> Path:
    names = [f"wp/{letter}/{number}.html" for letter in "abc" for number in range(10)]
    return folder_of(where, {name: linked(*(f"../../{other}" for other in names)) for name in names})


def test_the_inner_folder_instead_of_the_outer(tmp_path, store) -> None:
    """Its links find each other as in the outer folder, and what the rest of them need is said."""
    outer = site(tmp_path / "copy")
    report = add_files(store, [outer / "wp" / "a"])
    assert set(urls(store)) == {f"http://copy.local/wp/a/{number}.html" for number in range(10)}
    assert "69.0% of its 290 links" in note(report, "lead to no file")
    assert note(report, f"200 of these lead to files beside it: add {outer.resolve()} instead")
    assert note(report, "--base URL names it")
    again = add_files(store, [outer])
    assert (again.pages, again.known) == (20, 10)
    assert not note(again, "lead to no file")


def test_links_from_the_root_tell_the_root(tmp_path, store) -> None:
    pages = {"index.html": linked("/docs/a.html"), "a.html": linked("/docs/index.html", "/docs/")}
    add_files(store, [folder_of(tmp_path / "site" / "docs", pages)])
    assert "http://site.local/docs/a.html" in urls(store)


def test_a_folder_within_a_host_is_known_by_the_links(tmp_path, store) -> None:
    inner = folder_of(tmp_path / "www.example.org" / "docs", {"a.html": linked("https://www.example.org/docs/b.html")})
    add_files(store, [inner])
    assert set(urls(store)) == {"https://www.example.org/docs/a.html"}


def test_links_that_lead_nowhere_are_counted_with_a_remedy(tmp_path, store) -> None:
    pages = {"a.html": linked("b.html", *[f"gone{n}.html" for n in range(3)]), "b.html": linked("a.html", "gone1.html")}
    text = note(add_files(store, [folder_of(tmp_path / "part", pages)]), "lead to no file")
    assert "66.7% of its 6 links" in text
    assert "most often to http://part.local/gone1.html: save these pages too" in text
    assert "--base URL" in text


def test_a_base_that_is_given_holds_for_all(tmp_path, store) -> None:
    folder = folder_of(tmp_path / "www.example.org", {"a": "<link rel=canonical href='https://x.example/'><p>"})
    (folder / "a").write_text("<html><link rel=canonical href='https://x.example/'>")
    add_files(store, [folder], base="https://said.example/docs")
    assert set(urls(store)) == {"https://said.example/docs/a"}


def test_a_folder_without_a_page_is_refused(tmp_path, store) -> None:
    with pytest.raises(InputError, match="neither HTML"):
        add_files(store, [folder_of(tmp_path / "empty", {"notes.txt": "words", "data": "1 2 3"})])


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.long)])
def test_every_page_of_webkb_stands_at_its_own_url(tmp_path, store, every: int) -> None:
    """8,281 files named after their URLs, with HTTP heads; the URLs were listed by another program."""
    source = data_path("webkb")
    lines = lzma.decompress((source / "index.tsv.xz").read_bytes()).decode().splitlines()[1::every]
    wanted = {name: url for name, _, _, url, _ in (line.split("\t") for line in lines)}
    with tarfile.open(source / "webkb-html.tar.xz") as bundle:
        bundle.extractall(tmp_path, (member for member in bundle if member.name in wanted), filter="data")
    report = add_files(store, [tmp_path / "webkb"])
    assert (report.pages + report.redirects, report.known, report.skipped) == (len(wanted), 0, {})
    assert report.files == len(wanted)
    assert len(wanted) == (8281 if every == 1 else 518)
    http = {url.replace("ftp:", "http:").replace("file:", "http:") for url in wanted.values()}
    assert {canonical(url) for url in http} == set(urls(store))
    dated = [entry for entry in store.entries() if entry.fetched.year in (1996, 1997)]
    assert len(dated) > 0.95 * len(wanted)
