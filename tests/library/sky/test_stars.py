"""The stars as bytes: read back with plain numpy, they are the sky that was packed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.library.sky.web import small_web

from periplus.errors import MissingStageError, ParameterError
from periplus.library.sky import figures_of, find_stars, has_sky, links_of_star, places_of, star_facts, stars_of
from periplus.library.sky.names import MOST_ARCS, MOST_STARS
from periplus.library.sky.stars import FULL, MARGIN, STAR, Stars


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    return small_web(tmp_path_factory.mktemp("sky") / "index")


@pytest.fixture(scope="module")
def stars(library) -> Stars:
    return stars_of(library)


def test_eight_bytes_a_star_hold_its_place_and_its_mass(library, stars: Stars) -> None:
    assert STAR.itemsize == 8
    read = np.frombuffer(stars.packed, STAR)
    assert len(read) == len(library.graph.urls)
    sky = library.skies["sky"]
    found = read["place"] / FULL * stars.span
    assert np.abs(found - sky.positions[stars.pages]).max() <= stars.span / FULL
    masses = sky.extra["masses"][stars.pages]
    assert np.all(np.diff(masses) <= 0)
    assert np.all(np.diff(read["mass"].astype(int)) <= 0)
    assert (read["mass"][0], read["mass"][-1]) == (255, 0)


def test_every_beginning_is_the_sky_of_the_heaviest(library, stars: Stars) -> None:
    heaviest = np.argsort(-library.skies["sky"].extra["masses"], kind="stable")[:10]
    assert stars.pages[:10].tolist() == heaviest.tolist()
    assert np.array_equal(stars.place_of[stars.pages], np.arange(len(stars)))


def test_the_last_moment_is_where_the_stars_are(library, stars: Stars) -> None:
    last = np.frombuffer(stars.moment(len(stars.steps) - 1, 7), "<i2").reshape(-1, 3)
    assert len(last) == 7
    here = np.frombuffer(stars.packed, STAR)["place"][:7] * stars.span / FULL
    assert np.abs(last * stars.reaches[-1] / FULL - here).max() <= 2 * stars.span / FULL
    with pytest.raises(ParameterError, match="from 0 to 3"):
        stars.moment(4, 7)


def test_a_star_thrown_far_out_does_not_cost_the_others_their_digits(library) -> None:
    sky = library.skies["sky"]
    places = sky.positions.copy()
    places[3] = 1e9
    far = type(sky)("gravity", places, extra=sky.extra, urls=sky.urls)
    stars = Stars(far, np.asarray(sky.extra["order"], np.int64), np.zeros(len(places), np.uint8))
    assert stars.span == pytest.approx(MARGIN * stars.reaches[-1])
    assert np.abs(stars.places).max() == 1.0


def test_a_web_of_one_page_and_pages_at_one_point(library) -> None:
    sky = library.skies["sky"]
    none = np.zeros((1, 3), np.float32)
    one = type(sky)("gravity", none, extra={"masses": np.ones(1), "order": np.zeros(1, np.uint32)})
    stars = Stars(one, np.zeros(1, np.int64), np.zeros(1, np.uint8))
    assert (stars.span, stars.filmed, len(stars.packed)) == (1.0, 0, 8)


def test_without_a_sky_the_command_is_named(library, tmp_path: Path) -> None:
    bare = small_web(tmp_path / "index")
    bare.skies = {}
    assert not has_sky(bare)
    with pytest.raises(MissingStageError, match="periplus build"):
        stars_of(bare)


def test_communities_stand_where_their_pages_are(library, stars: Stars) -> None:
    tree = library.memberships.tree
    found = places_of(library, stars)
    assert found
    by_name = {(tree.name(node), depth): node for node, depth in enumerate(tree.depths.tolist())}
    for place in found:
        pages = tree.pages_of(by_name[place.name, place.depth])
        assert place.pages == len(pages)
        at = stars.places[stars.place_of[pages]].astype(float)
        masses = stars.masses[stars.place_of[pages]].astype(float)
        middle = (masses[:, None] * at).sum(axis=0) / masses.sum()
        assert np.allclose(middle, place.at, atol=1e-4)
        spread = np.sqrt((masses * ((at - middle) ** 2).sum(axis=1)).sum() / masses.sum())
        assert place.radius == pytest.approx(spread, abs=1e-4)


def test_facts_links_and_finding_agree_with_the_graph(library, stars: Stars) -> None:
    graph = library.graph
    for star in star_facts(library, stars, [0, 5, len(stars) - 1]):
        page = graph.urls.find(star.url)
        assert stars.pages[star.star] == page
        assert (star.in_links, star.out_links) == (graph.in_degrees[page], graph.out_degrees[page])
        links = links_of_star(library, stars, star.star)
        assert {int(stars.pages[end]) for end in links.linked} == set(graph.successors(page).tolist()) - {page}
        assert {int(stars.pages[end]) for end in links.linking} == set(graph.predecessors(page).tolist()) - {page}
        assert list(links.linked) == sorted(links.linked)
        assert max(len(links.linked), len(links.linking)) <= MOST_ARCS
    assert [star.url for star in find_stars(library, stars, "harbour 7")][:1] == ["http://harbour.example.org/7"]


def test_what_no_star_has_is_refused(library, stars: Stars) -> None:
    with pytest.raises(ParameterError, match="at most 100"):
        star_facts(library, stars, range(MOST_STARS + 1))
    with pytest.raises(ParameterError, match="from 0 to"):
        links_of_star(library, stars, len(stars))
    with pytest.raises(ParameterError, match="from 0 to"):
        star_facts(library, stars, [-1])


def test_figures_join_heavy_stars_that_are_linked(library, stars: Stars) -> None:
    graph, lines = library.graph, figures_of(library, stars)
    assert lines
    assert len(set(lines)) == len(lines)
    for one, other in lines:
        pages = int(stars.pages[one]), int(stars.pages[other])
        assert one < other
        assert pages[1] in graph.successors(pages[0]) or pages[0] in graph.successors(pages[1])
