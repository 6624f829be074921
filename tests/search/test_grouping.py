"""Lists with less of the same: near-copies stand behind the best of them, a site shows two pages."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from periplus.errors import QueryError
from periplus.index import IndexDocument, build_index
from periplus.search import Searcher
from periplus.search.facets import FacetValue
from periplus.search.grouping import NEAR, near_copies

CHANCE = random.Random(3)
WORDS = [f"w{number}" for number in range(500)]


def prose(words: int) -> str:
    return " ".join(CHANCE.choices(WORDS, k=words))


SAME = prose(400)
TEXTS = [
    ("a.org", "html", "en", "20240102", f"tide {SAME}"),
    ("a.org", "html", "en", "20250102", f"tide {SAME} again"),
    ("b.org", "html", "en", "20250103", f"tide {SAME}"),
    *(("a.org", "php", "en", f"2026010{at}", f"tide {prose(400)}") for at in range(3, 7)),
    ("c.org", "html", "de", "20250104", f"tide tide {prose(400)}"),
    ("d.org", "html", "", "", "tide"),
    ("e.org", "html", "", "", "tide"),
]
URLS = [f"http://{site}/{at}.{ending}" for at, (site, ending, *_) in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("grouping") / "index"
    build_index(
        (
            IndexDocument(at, URLS[at], body=body, site=site, host=site, fetched=day, language=language)
            for at, (site, _, language, day, body) in enumerate(TEXTS)
        ),
        folder,
    )
    return Searcher(folder, scores={}, urls=URLS)


def test_near_copies_stand_behind_the_best_and_no_page_is_lost(searcher: Searcher) -> None:
    everything = searcher.search("tide", size=20, all_pages=True)
    assert everything.listed == everything.total == len(TEXTS)
    assert not any(result.copies or result.more_from for result in everything.results)
    shown = searcher.search("tide site:a.org", size=20)
    kept = next(result for result in shown.results if result.node in (0, 1))
    assert [url for url, _ in kept.copies] == [URLS[1 - kept.node]]
    assert kept.as_json()["near_copies"] == [URLS[1 - kept.node]]
    nodes = {result.node for result in shown.results}
    assert len(nodes) == shown.listed == 5
    assert nodes | {1 - kept.node} == {0, 1, 3, 4, 5, 6}


def many(folder: Path, sites: list[str]) -> Searcher:
    """A page of its own for each entry."""
    urls = [f"http://{site}/{at}" for at, site in enumerate(sites)]
    pages = (IndexDocument(at, url, body=f"tide {prose(60 + at)}", site=sites[at]) for at, url in enumerate(urls))
    build_index(pages, folder / "index")
    return Searcher(folder / "index", scores={}, urls=urls)


def test_a_site_shows_its_best_two_and_says_where_the_others_are(tmp_path: Path) -> None:
    searcher = many(tmp_path, ["a.org"] * 7 + [f"s{at}.org" for at in range(9)])
    found = searcher.search("tide", size=20)
    sites = [result.site for result in found.results]
    assert sites.count("a.org") == 2
    assert len(sites) == found.listed == 11
    last = [result for result in found.results if result.site == "a.org"][-1]
    assert last.more_from == "a.org"
    assert [result.more_from for result in found.results if result is not last] == [""] * (len(sites) - 1)
    assert found.total == 16
    ungrouped = [result.node for result in searcher.search("tide", size=20, all_pages=True).results]
    shown = [result.node for result in found.results]
    assert shown == [node for node in ungrouped if node in shown]  # the order stays


@pytest.mark.parametrize(("sites", "listed"), [(["a.org"] * 30 + ["b.org"], 10), (["a.org"] * 5 + ["b.org"] * 2, 7)])
def test_a_list_of_ten_is_filled_from_few_sites(tmp_path: Path, sites: list[str], listed: int) -> None:
    assert many(tmp_path, sites).search("tide", size=20).listed == listed


def test_pages_of_the_list_meet_without_gap_or_repetition(searcher: Searcher) -> None:
    whole = [result.node for result in searcher.search("tide", size=20).results]
    parts = [searcher.search("tide", size=2, offset=offset).results for offset in range(0, 20, 2)]
    assert [result.node for part in parts for result in part] == whole


def test_one_site_alone_is_not_grouped(tmp_path: Path) -> None:
    pages = [IndexDocument(at, f"http://a.org/{at}", body=f"tide {prose(50)}", site="a.org") for at in range(5)]
    build_index(pages, tmp_path / "index")
    found = Searcher(tmp_path / "index", scores={}, urls=[page.url for page in pages]).search("tide")
    assert len(found.results) == 5


def test_facets_count_every_page_found(searcher: Searcher) -> None:
    facets = searcher.search("tide", size=1, facts=True).facets
    assert [(one.value, one.count) for one in facets["site"]] == [
        ("a.org", 6), ("b.org", 1), ("c.org", 1), ("d.org", 1), ("e.org", 1),
    ]  # fmt: skip
    assert facets["language"][:2] == (FacetValue("en", 7, "lang:en"), FacetValue("de", 1, "lang:de"))
    assert [(one.value, one.count) for one in facets["year"]] == [("2026", 4), ("2025", 3), ("2024", 1)]
    assert [(one.value, one.count) for one in facets["type"]] == [("html", 6), ("php", 4)]
    for values in facets.values():
        for one in values:
            assert searcher.search(f"tide {one.narrows}").total == one.count
    assert searcher.search("tide").facets == {}


def test_newest_first(searcher: Searcher) -> None:
    found = searcher.search("tide", size=20, ranker="date", all_pages=True)
    days = [result.fetched[:8] for result in found.results]
    assert days == sorted(days, reverse=True)
    assert found.results[0].why
    assert all(result.link_score == 0 for result in found.results)


def test_newest_of_more_pages_than_are_ranked(tmp_path: Path) -> None:
    days = [f"2024{1 + at % 12:02}{1 + at % 28:02}" for at in range(1500)]
    pages = [
        IndexDocument(at, f"http://a.org/{at}", body="tide " * (1 + at % 7), fetched=day) for at, day in enumerate(days)
    ]
    build_index(pages, tmp_path / "index")
    found = Searcher(tmp_path / "index", scores={}).search("tide", size=100, ranker="date")
    newest = sorted(days, reverse=True)[:100]
    assert [result.fetched for result in found.results] == newest
    assert found.total == 1500


def test_a_region_asks_whoever_knows_regions(tmp_path: Path) -> None:
    pages = [IndexDocument(at, f"http://a.org/{at}", body="tide") for at in range(6)]
    build_index(pages, tmp_path / "index")
    regions = {"core": [0, 1, 2], "in": [3], "tendrils": []}
    known = Searcher(tmp_path / "index", scores={}, groups=lambda kind, said: np.array(regions[said], np.uint32))
    assert {result.node for result in known.search("tide region:core").results} == {0, 1, 2}
    assert {result.node for result in known.search("tide -region:core").results} == {3, 4, 5}
    assert known.search("region:in").results[0].why == "A page of the region you named"
    assert "no page is in the region “tendrils”" in known.search("tide region:tendrils").notes
    assert known.search("tide region:moon").notes  # no such region: words
    with pytest.raises(QueryError, match="region"):
        Searcher(tmp_path / "index", scores={}).search("tide region:core")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("tide site:b.org", "no page is of “b.org”"),
        ("lang:de", "no page passes “lang:de”"),
        ("tide before:2019-05", "no page passes “before:2019-05-01”"),
        ("(lang:de OR filetype:pdf) tide", "no page passes “filetype:pdf”"),
    ],
)
def test_a_place_without_pages_is_named(tmp_path: Path, query: str, said: str) -> None:
    pages = [IndexDocument(at, f"http://a.org/{at}", body="tide", fetched="20240101") for at in range(3)]
    build_index(pages, tmp_path / "index")
    assert said in Searcher(tmp_path / "index", scores={}).search(query).notes


def test_near_copies_equal_the_comparison_of_all_pairs() -> None:
    random_bits = np.random.default_rng(1)
    prints = random_bits.integers(0, 2**63, 20).astype(np.uint64)
    for _ in range(60):  # each made of an earlier one by changing some bits
        base = int(prints[random_bits.integers(len(prints))])
        for bit in random_bits.choice(64, random_bits.integers(0, 6), replace=False).tolist():
            base ^= 1 << bit
        prints = np.append(prints, np.uint64(base))
    prints[5] = prints[9] = 0
    kept: list[int] = []
    for at, one in enumerate(prints.tolist()):
        near = [other for other in kept if one and (one ^ int(prints[other])).bit_count() <= NEAR and prints[other]]
        assert near_copies(prints)[at] == (near[0] if near else at)
        if not near:
            kept.append(at)
