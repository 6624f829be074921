"""Pages like one of a collection: what is read, what is kept, what a new build throws away."""

from __future__ import annotations

from pathlib import Path

import pytest

from periplus.collection import Collection
from periplus.errors import ParameterError, UnknownPageError
from periplus.library import open_library, verify
from periplus.library.related import RelatedPages
from periplus.pipeline import build
from periplus.pipeline.gather import add_pages
from periplus.pipeline.similar import nearest_in, similar
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.similar import load_heard
from periplus.pipeline.terms import naming_terms
from periplus.similar import SIMILAR

PAGES = {
    "index": '<title>Home</title><a href="otter.html">o</a><a href="seal.html">s</a><a href="mill.html">m</a>',
    "list": '<title>List</title><a href="otter.html">otters</a><a href="seal.html">seals</a>',
    "otter": "<title>Otters</title>The otter swims in the river and eats fish. Otter fur keeps warm.",
    "seal": "<title>Seals</title>The seal swims in the sea and eats fish. Seal fur keeps warm.",
    "mill": '<title>Mills</title>The mill grinds flour with its stones. <a href="list.html" rel="nofollow">list</a>',
    "bakery": "<title>Bakery</title>The bakery takes flour from the mill; stones of the oven.",
}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("related") / "otters.web"
    add_pages(target, {url(name): f"<!doctype html><html>{body}</html>" for name, body in PAGES.items()})
    build(Collection.open(target))
    return target


def url(name: str) -> str:
    return f"http://otters.example/{name}.html"


@pytest.mark.parametrize("method", [name for name, row in SIMILAR.items() if "paths" not in row.needs])
def test_every_method_answers_for_a_collection(web: Path, method: str) -> None:
    record = similar(web, method)
    assert record.urls is not None
    found = record.nearest(url("otter"))
    assert found.method == method
    assert all(one.url.startswith("http://otters.example/") for one in found)
    if method not in ("lsi-links", "lsi-both-ways", "association-links"):  # the two have words and parents in common
        assert found[0].url == url("seal")
        assert found[0].why


def test_words_and_vectors_are_kept_and_read_again(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = similar(web, "lsi-words").nearest(url("otter"))
    folder = Collection.open(web).current("similar")
    assert (folder / "lsi-words.json").exists()
    assert (folder / "words.txt").exists()
    monkeypatch.setattr("periplus.pipeline.similar.page_words", lambda *_: pytest.fail("the words were counted again"))
    assert similar(web, "lsi-words").nearest(url("otter")) == first
    similar(web, "lsi-words", k=2)
    assert "both say" in similar(web, "lsi-stacked").nearest(url("mill"))[0].why


def test_the_stage_is_stale_after_new_pages_and_its_vectors_go(web: Path) -> None:
    similar(web, "lsi-words")
    add_pages(web, {url("whale"): "<html><title>Whales</title>The whale swims in the sea and eats fish.</html>"})
    assert "similar" in build(Collection.open(web)).ran
    assert not (Collection.open(web).current("similar") / "lsi-words.json").exists()
    found = similar(web, "lsi-words").nearest(url("otter"))
    assert {one.url for one in found} >= {url("seal"), url("whale")}


def test_links_that_are_not_to_be_followed_say_nothing(web: Path) -> None:
    assert similar(web, "cocitation").graph.links == 5


def test_a_build_counts_the_hosts_that_link_to_each_page(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, graph = load_heard(Collection.open(web)), similar(web, "companion").graph
    assert kept is not None
    # One host, one directory: each page has a voice of its own.
    assert kept.tolist() == graph.in_degrees.tolist()
    monkeypatch.setattr("periplus.similar.voices._voices_heard", lambda *_: pytest.fail("they were counted again"))
    assert not similar(web, "companion").stoplist.any()


def test_a_url_that_is_linked_to_and_not_stored_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, away = tmp_path / "away.web", "http://away.example/x"
    links = f'<a href="/seal">s</a> <a href="{away}">x</a> <a rel="nofollow" href="http://no.example/">n</a>'
    add_pages(
        target, {f"http://h{n}.example/": f"<html>{links.replace('/seal', url('seal'))}</html>" for n in range(3)}
    )
    add_pages(target, {url("seal"): "<html>Seal</html>"})
    build(Collection.open(target))
    found = similar(target, "cocitation", enough=1).nearest(away)
    assert [(one.url, one.score) for one in found] == [(url("seal"), 3.0)]
    assert found.notes[0] == f"{away} is not stored: the links from 3 pages speak for it"
    assert similar(target, "companion").nearest(away)[0].url == url("seal")
    monkeypatch.setattr("periplus.pipeline.similar.outside_links", lambda _: pytest.fail("they were gathered again"))
    assert similar(target, "cocitation", enough=1).nearest(away).pages == found.pages
    assert verify(Collection.open(target)).problems == ()
    with pytest.raises(UnknownPageError):
        similar(target, "companion").nearest("http://no.example/")
    monkeypatch.setattr("periplus.library.related.SMALL", 0)
    assert RelatedPages(open_library(target)).nearest(away, "companion").pages == found.pages


def test_a_method_that_reads_words_needs_a_collection(tmp_path: Path) -> None:
    path = tmp_path / "small.tsv"
    path.write_text("0\t1\n")
    with pytest.raises(ParameterError, match="companion, cocitation, lsi-links, lsi-both-ways, association-links"):
        similar(path, "lsi-words")


def test_a_library_offers_all_on_a_small_collection_and_prefers_what_is_kept(
    web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = RelatedPages(open_library(web))
    assert pages.methods() == [name for name, row in SIMILAR.items() if "paths" not in row.needs]
    assert pages.nearest(url("otter"), "cosine")[0].url == url("seal")
    similar(web, "lsi-smoothed")
    assert RelatedPages(open_library(web)).strip(url("otter")).method == "lsi-smoothed"
    monkeypatch.setattr("periplus.library.related.SMALL", 2)
    large = RelatedPages(open_library(web))
    assert "companion" in large.methods()
    assert "cosine" not in large.methods()
    with pytest.raises(ParameterError, match="--method cosine` works out the others"):
        large.nearest(url("otter"), "cosine")
    with pytest.raises(ParameterError, match="one of companion"):
        large.nearest(url("otter"), "magic")


def test_each_content_is_shown_once(tmp_path: Path) -> None:
    target, texts = (
        tmp_path / "copies.web",
        {"a": "Sea and ship.", "b": "Sea and ship and sail.", "c": "A ship, a sail."},
    )
    pages = {f"http://{host}.example/{name}": f"<html>{texts[name]}</html>" for host in "xy" for name in texts}
    add_pages(target, pages)
    build(Collection.open(target))
    found = RelatedPages(open_library(target)).nearest("http://x.example/a", "cosine")
    assert sorted(one.url[-1] for one in found) == ["b", "c"]
    record = similar(target, "cosine")
    assert len(record.nearest("http://x.example/a")) == 5
    assert nearest_in(target, record, ["http://x.example/a"], 10).pages == found.pages
    assert len(nearest_in(target, record, ["http://x.example/a"], 1)) == 1


def test_names_of_branches_have_no_word_of_a_page_that_asks_not_to_be_indexed(tmp_path: Path) -> None:
    target, pages = tmp_path / "names.web", "http://sea.example/"
    head = '<title>zebra</title><meta name="robots" content="noindex">'
    links = "".join(f'<a href="/p{n}">ship {n}</a>' for n in range(3)) + '<a href="/zorro">zulu</a>'
    htmls = {f"{pages}p{n}": f"<html><title>Ship</title>{links} ship</html>" for n in range(3)}
    add_pages(
        target, {**htmls, f"{pages}zorro": f"<html><head>{head}</head>zebra <a href='/p0'>zenith</a> ship</html>"}
    )
    build(Collection.open(target))
    found = naming_terms(Collection.open(target), load_links(Collection.open(target)))
    assert "ship" in found.vocabulary
    assert not [word for word in found.vocabulary if word.startswith("z")]


def test_the_public_sees_no_page_that_asks_not_to_be_indexed(tmp_path: Path) -> None:
    heads = {"a": "", "b": "", "c": '<meta name="robots" content="noindex">'}
    target, pages = tmp_path / "sea.web", "http://sea.example/"
    add_pages(
        target, {pages + name: f"<html><head>{head}</head>Sea and ship {name}.</html>" for name, head in heads.items()}
    )
    build(Collection.open(target))
    for public, expected in ((False, ["b", "c"]), (True, ["b"])):
        found = RelatedPages(open_library(target, public=public)).nearest(pages + "a", "cosine")
        assert sorted(one.url for one in found) == [pages + name for name in expected]
