"""Every check on a web with known defects, where exactly these are found; on the demonstration web; on odd ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.library.audit.defects import ANSWERS, BLOG, DEFECTS, LOG, SEEDS, SHOP, page
from tests.webs.composed import composed, html, link

from periplus.collection import Collection
from periplus.errors import MissingStageError, ParameterError
from periplus.graph import Graph
from periplus.library import open_library
from periplus.library.audit import CHECKS, Audit, audit_of
from periplus.library.audit.evidence import clicks_from


def audited(folder: Path, answers, **options) -> Audit:
    return audit_of(open_library(composed(folder, answers, **options).path))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    return audited(tmp_path_factory.mktemp("audit") / "shop.web", ANSWERS, seeds=SEEDS, log=LOG)


def test_every_check_has_its_defects() -> None:
    assert [check.name for check in CHECKS] == list(DEFECTS)


@pytest.mark.parametrize("name", DEFECTS)
def test_exactly_the_known_defects_are_found(found: Audit, name: str) -> None:
    section = found.section(name)
    assert section is not None
    told = {one.url: (one.says, [tuple(place) for place in one.places]) for one in section.findings}
    assert told == DEFECTS[name]
    assert len(told) == len(section.findings)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_why_is_one_sentence(check) -> None:
    assert check.why.endswith(".")
    assert check.why.count(". ") == 0
    assert check.find.__doc__


def test_a_site_has_the_findings_that_concern_it(found: Audit) -> None:
    ours = found.of_site("blog.example")
    assert {section.name: len(section.findings) for section in ours.sections if section.findings} == {"broken-links": 1}
    assert found.of_site("www.shop.example").count == found.count
    assert found.of_site("nowhere.example").count == 0


def test_json_and_tables_hold_everything(found: Audit) -> None:
    told = json.loads(json.dumps(found.to_dict()))
    assert [one["name"] for one in told["sections"]] == [check.name for check in CHECKS]
    for section in found.sections:
        rows = list(section.table().rows())
        assert {row[0] for row in rows} == {one.url for one in section.findings}
        assert len(rows) == sum(max(len(one.places), 1) for one in section.findings)
    assert [row[2] for row in found.table().rows()] == [len(section.findings) for section in found.sections]


def test_rank_is_wasted_on_dead_links_and_hoarded_at_dead_ends(tmp_path: Path) -> None:
    """A star: all pages link to the middle, of whose two links one is dead and one leads to a dead end."""
    pages = {f"{SHOP}/{n}": page(f"n{n}", link("/middle", "m")) for n in range(20)}
    middle = page("middle", link("/dead", "x"), link("/end", "e"))
    answers = {
        **pages,
        f"{SHOP}/middle": middle,
        f"{SHOP}/end": page("end", link("/end", "itself")),
        f"{SHOP}/dead": 410,
    }
    made = composed(tmp_path / "star.web", answers)
    library = open_library(made.path)
    found = audit_of(library)
    ranks = library.scores["pagerank"].values * library.graph.nodes
    nodes = {name: library.graph.urls.find(f"{SHOP}/{name}") for name in ("middle", "end")}
    assert ranks[nodes["middle"]] / 2 > 1 > ranks.min() / 2
    (wasted,) = found.section("rank-wasted").findings
    assert wasted.url == f"{SHOP}/middle"
    assert wasted.says.startswith(f"gives {ranks[nodes['middle']] / 2:.1f} times")
    assert wasted.says.endswith("1 of its 2 links are dead")
    (hoarded,) = found.section("rank-hoarded").findings
    assert hoarded.url == f"{SHOP}/end"
    assert f"{ranks[nodes['end']]:.1f} times" in hoarded.says


def test_an_archive_without_a_crawl_tells_of_absent_targets_on_its_own_hosts(tmp_path: Path) -> None:
    answers = {
        f"{SHOP}/": page("home", link("/not-there", "x"), link("/old", "o"), link("https://elsewhere.example/", "e")),
        f"{SHOP}/old": (301, f"{SHOP}/new"),
    }
    found = audited(tmp_path / "archive.web", answers)
    (absent, moved) = sorted(found.section("absent-targets").findings, key=lambda one: one.url)
    assert (absent.url, absent.says) == (f"{SHOP}/not-there", "is not in the collection")
    assert (moved.url, moved.says) == (f"{SHOP}/old", f"redirects to {SHOP}/new, which is not in the collection")
    assert not found.section("broken-links").findings


def test_a_stored_sitemap_tells_of_pages_that_are_not_linked(tmp_path: Path) -> None:
    from periplus.pages.store import store_of
    from periplus.pipeline import build
    from periplus.web.page import Page

    answers = {
        f"{SHOP}/": page("home", link("/known", "k")),
        f"{SHOP}/stored": page("stored"),
        f"{SHOP}/known": (301, "/"),
    }
    log = [{"url": f"{SHOP}/", "outcome": "OK", "depth": 0}]
    collection = composed(tmp_path / "mapped.web", answers, log=log, built=False)
    listed = [f"{SHOP}/", f"{SHOP}/stored", f"{SHOP}/other?a=1&amp;b=2", f"{SHOP}/known"]
    xml = "<urlset>" + "".join(f"<url><loc>\n{url}</loc></url>" for url in listed) + "</urlset>"
    with store_of(collection).writer("added") as writer:
        writer.append(Page(f"{SHOP}/sitemap.xml", 200, {"content-type": "application/xml"}, xml.encode()))
    build(collection)
    told = {one.url: one.says for one in audit_of(open_library(collection.path)).section("orphans").findings}
    assert told == {
        f"{SHOP}/stored": "stands in the sitemap, but is linked from no page",
        f"{SHOP}/other?a=1&b=2": "stands in the sitemap, but is linked from no page, and it is not stored",
    }


def test_copies_that_name_each_other_as_canonical_have_said_enough(tmp_path: Path) -> None:
    body = html("copy", title="C", head=f'<link rel="canonical" href="{SHOP}/a">')
    found = audited(tmp_path / "canonical.web", {f"{SHOP}/{name}": body for name in "abc"})
    assert not found.section("duplicates").findings
    assert not found.section("canonical-contradictions").findings


def test_a_page_that_fails_now_is_told_though_its_words_are_kept(tmp_path: Path) -> None:
    from periplus.pages.store import store_of
    from periplus.pipeline import build
    from periplus.web.page import Page

    collection = composed(tmp_path / "failed.web", {f"{SHOP}/": page("home", link("/b", "b")), f"{SHOP}/b": page("b")})
    with store_of(collection).writer("added") as writer:
        writer.append(Page(f"{SHOP}/b", 500, {"content-type": "text/html"}, b""))
    stale = audit_of(open_library(collection.path))
    assert any("periplus build" in note for note in stale.notes)
    build(collection)
    found = audit_of(open_library(collection.path))
    assert [one.says for one in found.section("failing-links").findings] == ["answers 500 (Internal Server Error)"]
    assert not found.section("broken-links").findings
    assert found.notes == ()


def test_a_collection_without_front_page_or_seed_says_so(tmp_path: Path) -> None:
    found = audited(tmp_path / "deep.web", {f"{SHOP}/a/b": page("b")})
    assert any("no front page" in note for note in found.notes)
    assert not found.section("islands").findings


def test_a_collection_without_a_page(tmp_path: Path) -> None:
    found = audited(tmp_path / "none.web", {f"{SHOP}/": 404})
    assert (found.count, found.pages) == (0, 0)
    assert "The collection holds no page." in found.notes


def test_what_is_refused(found: Audit, tmp_path: Path) -> None:
    library = open_library(composed(tmp_path / "a.web", {f"{SHOP}/": page("home")}).path)
    with pytest.raises(ParameterError, match="at least 1"):
        audit_of(library, clicks=0)
    with pytest.raises(MissingStageError, match="periplus build"):
        open_library(Collection.create(tmp_path / "empty.web").path)


def test_clicks_are_those_of_a_search_page_by_page() -> None:
    random = np.random.default_rng(1)
    graph = Graph.from_edges(*random.integers(0, 200, (2, 260)), 200)
    found = clicks_from(graph, (3, 50))
    oracle = {3: 0, 50: 0}
    waiting = [3, 50]
    for at in waiting:
        for target in graph.successors(at).tolist():
            if target not in oracle:
                oracle[target] = oracle[at] + 1
                waiting.append(target)
    assert found.tolist() == [oracle.get(node, -1) for node in range(200)]
    assert max(oracle.values()) > 3


def test_the_demonstration_web_has_its_planted_facts(charted: Path) -> None:
    from periplus.demo.web import DemoWeb

    facts = DemoWeb().facts
    found = audit_of(open_library(charted))
    told = {section.name: {one.url for one in section.findings} for section in found.sections}
    lost = {url for url, target in facts.redirects.items() if target.endswith("/nothing-here.html")}
    assert told["broken-links"] == set(facts.missing) | lost
    assert told["redirect-loops"] == {url for url, target in facts.redirects.items() if url == target}
    closed = {url for url, target in facts.redirects.items() if target in facts.disallowed}
    assert told["blocked-links"] == set(facts.disallowed) | closed
    assert told["noindex-linked"] == {facts.noindex}
    assert (
        told["redirect-chains"]
        == {url for url, target in facts.redirects.items() if target in facts.redirects} - told["redirect-loops"]
    )
    pairs = {frozenset((one.url, *(place.url for place in one.places))) for one in found.section("duplicates").findings}
    assert pairs == {frozenset(pair) for pair in facts.mirrors.items()}
    quiet = ("failing-links", "canonical-contradictions", "orphans", "islands", "mixed-content", "near-duplicates")
    assert {name: told[name] for name in (*quiet, "missing-titles", "absent-targets")} == {
        name: set() for name in (*quiet, "missing-titles", "absent-targets")
    }


@pytest.fixture(scope="module")
def charted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from periplus.cli.main import main

    target = tmp_path_factory.mktemp("demo") / "demo.web"
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--no-serve", "--into", str(target), "--json"])
    assert not ended.value.code
    return target


def test_blog_and_shop_are_two_sites() -> None:
    assert BLOG.partition("//")[2] not in SHOP


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_check_is_documented(check) -> None:
    page = (Path(__file__).parents[3] / "docs" / "for-site-owners.md").read_text()
    assert f"| `{check.name}` | {check.title} | {check.why} |" in page
