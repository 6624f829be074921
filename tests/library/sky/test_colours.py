"""The colours of stars, counted by plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from tests.library.sky.web import PAGES, SITES, small_web

from periplus.errors import ParameterError
from periplus.library.sky import COLOURINGS, coloured, stars_of
from periplus.library.sky.colours import LISTED, NONE, OTHERS, TOP, Coloured, _grouped


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    return small_web(tmp_path_factory.mktemp("sky") / "index")


def found(library, by: str) -> tuple[Coloured, np.ndarray]:
    stars = stars_of(library)
    return coloured(library, by, stars.pages, stars.masses), stars.pages


@pytest.mark.parametrize("by", COLOURINGS)
def test_every_star_has_a_colour_and_the_legend_counts_them(library, by: str) -> None:
    made, pages = found(library, by)
    assert made.numbers.dtype == np.uint8
    assert len(made.numbers) == len(pages)
    counts = Counter(made.numbers.tolist())
    for entry in made.legend:
        assert entry.words
        if entry.colour < OTHERS:
            assert entry.pages == counts[entry.colour]
    if made.scale:
        assert made.numbers.max() <= TOP or NONE in made.numbers
    else:
        assert sum(entry.pages for entry in made.legend) == len(pages)


def test_hosts_colour_a_web_of_one_site(library) -> None:
    made, pages = found(library, "site")
    assert sorted(entry.words for entry in made.legend) == sorted(f"{site}.example.org" for site in SITES)
    assert {entry.pages for entry in made.legend} == {PAGES}
    names = {entry.colour: entry.words for entry in made.legend}
    for number, page in zip(made.numbers.tolist(), pages.tolist(), strict=True):
        assert names[number] in library.graph.urls[page]


def test_groups_are_numbered_by_their_mass() -> None:
    random = np.random.default_rng(1)
    groups, masses = random.integers(-1, 300, 4000), random.random(4000)
    made = _grouped(groups, masses, str)
    weights: defaultdict[int, float] = defaultdict(float)
    for group, mass in zip(groups.tolist(), masses.tolist(), strict=True):
        weights[group] += mass
    del weights[-1]
    order = sorted(weights, key=lambda group: -weights[group])
    wanted = {group: min(at, OTHERS) for at, group in enumerate(order)} | {-1: NONE}
    assert made.numbers.tolist() == [wanted[group] for group in groups.tolist()]
    assert [entry.words for entry in made.legend[:LISTED]] == [str(group) for group in order[:LISTED]]
    assert [entry.words for entry in made.legend[LISTED:]] == ["others", "none"]


def test_better_ranked_pages_have_higher_numbers(library) -> None:
    made, pages = found(library, "rank")
    values = np.asarray(library.scores[library.searcher.rankers.default].values)[pages]
    assert made.scale
    order = np.argsort(-values, kind="stable")
    assert np.all(np.diff(made.numbers[order].astype(int)) <= 0)


def test_pages_fetched_on_one_day_have_one_colour(library) -> None:
    made, _ = found(library, "age")
    assert len(set(made.numbers.tolist())) == 1
    assert "15 Nov 2026" in made.legend[0].words


def test_a_colouring_that_there_is_not(library) -> None:
    with pytest.raises(ParameterError, match="community, site, region, rank, age"):
        found(library, "taste")


def test_the_community_of_a_legend_holds_its_pages(library) -> None:
    made, pages = found(library, "community")
    tree = library.memberships.tree
    flat = np.asarray(tree.extra["flat"])
    for entry in made.legend:
        if entry.colour < OTHERS:
            members = pages[made.numbers == entry.colour]
            assert len(set(flat[members].tolist())) == 1
            leaves = {tree.name(node) for page in members.tolist() for node in tree.path_of(page)}
            assert entry.words in leaves
