"""Companion against the literal transcription; one site; unknown URLs; mirrors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.oracles import similar_links as oracle
from tests.similar.conftest import ordered_web

from periplus.errors import ParameterError, UnknownPageError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.record import rounded
from periplus.similar import companion
from periplus.similar.companion import Companion
from periplus.similar.mirrors import merged
from periplus.similar.vicinity import Reach, vicinity


def named(hosts: list[int]) -> NameTable:
    return NameTable.from_names([f"http://h{host}.example/p{page}" for page, host in enumerate(hosts)])


def stopped(found: Companion) -> set[int]:
    return set(np.flatnonzero(found.stoplist).tolist())


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("sizes", [(2, 3, 2), (8, 50, 8), (5, 0, 3)])
def test_the_vicinity_is_that_of_the_transcription(seed: int, sizes: tuple[int, int, int]) -> None:
    graph, places, web = ordered_web(40, 25, seed)
    found = companion(graph, positions=places, back_forward=sizes[0], forward=sizes[1], forward_back=sizes[2])
    for page in range(0, 40, 3):
        expected = oracle.vicinity(web, page, oracle.Sizes(*sizes), stopped(found))
        assert vicinity(found.links, [page], found.reach).tolist() == sorted(expected)


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_the_transcription(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hosts = rng.integers(0, 9, 36).tolist()
    graph, places, web = ordered_web(36, 24, seed, urls=named(hosts))
    found = companion(graph, positions=places, back_forward=4, forward=6, forward_back=3)
    for page in range(0, 36, 5):
        expected = oracle.companions(web, page, hosts, oracle.Sizes(4, 6, 3), stopped(found))
        got = {one.id: one.score for one in found.nearest(page, 100)}
        assert {one for one, score in expected.items() if score > 1e-9} == set(got)
        for one, score in got.items():
            assert score == pytest.approx(expected[one], abs=2e-5)


def test_pages_that_everyone_links_to_are_left_out_unless_they_are_asked_about() -> None:
    # Thirty hosts link to page 0 and to their own pair of neighbours.
    ends = [(page, target) for page in range(3, 33) for target in (0, 1, 2)] + [(3, 4), (4, 3)]
    graph = Graph.from_edges(*np.array(ends).T, 33, urls=named(list(range(33))))
    found = companion(graph)
    assert found.stoplist[:3].all()
    assert not found.stoplist[3:].any()
    assert found.nearest(3).pages == [4]
    assert found.nearest(0).pages[:2] == [1, 2]
    assert companion(graph, stop_share=1.0).nearest(1).pages[:2] == [0, 2]


def test_on_one_site_directories_count_as_hosts_then_pages_and_a_note_says_so() -> None:
    names = ["a/hub", "b/hub", "c/one", "c/two", "d/three"]
    ends = np.array([(0, 2), (0, 3), (0, 4), (1, 2), (1, 4)])
    one_site = [f"http://wiki.example/{name}" for name in names]
    found = companion(Graph.from_edges(*ends.T, 5, urls=NameTable.from_names(one_site))).nearest(2)
    assert found.pages == [4, 3]
    assert "each directory counts as a host" in found.notes[0]
    one_folder = NameTable.from_names([name.replace("/", "-") for name in one_site])
    assert "each page counts" in companion(Graph.from_edges(*ends.T, 5, urls=one_folder)).nearest(2).notes[0]
    several = companion(Graph.from_edges(*ends.T, 5, urls=named([0, 1, 2, 3, 4]))).nearest(2)
    assert not any("counts as a host" in note for note in several.notes)


def test_of_several_hosts_a_page_linked_within_its_own_only_is_answered_too() -> None:
    names = ["http://x.example/", *(f"http://wiki.example/{name}" for name in ("a/h", "b/h", "c/u", "d/v"))]
    ends = np.array([(0, 1), (1, 3), (1, 4), (2, 3), (2, 4)])
    found = companion(Graph.from_edges(*ends.T, 5, urls=NameTable.from_names(names)), forward=0).nearest(3)
    assert found.pages == [4]
    assert "each directory counts as a host" in found.notes[0]


def test_why_names_the_hubs_that_link_to_both() -> None:
    ends = np.array([(0, 2), (0, 3), (1, 2), (1, 3), (1, 4)])
    graph = Graph.from_edges(*ends.T, 5, urls=named([0, 1, 2, 3, 4]))
    found = companion(graph).nearest("http://h2.example/p2")
    assert found[0].url == "http://h3.example/p3"
    assert found[0].why == "2 pages around link to both, first http://h1.example/p1, http://h0.example/p0"
    assert companion(Graph.from_edges(*ends.T, 5)).nearest(2)[0].why.endswith("page 1, page 0")


def test_a_url_that_is_not_here_is_chopped_up() -> None:
    names = ["http://hub.example/", "http://other.example/", "http://a.example/x/", "http://b.example/"]
    ends = np.array([(0, 2), (0, 3), (1, 2), (1, 3)])
    found = companion(Graph.from_edges(*ends.T, 4, urls=NameTable.from_names(names)))
    answer = found.nearest("http://a.example/x/y/z?q=1")
    assert answer.pages == found.nearest(2).pages == [3]
    assert answer.notes[0] == "http://a.example/x/y/z?q=1 is not here: http://a.example/x/ stands for it"
    for nowhere in ("http://elsewhere.example/a/b", "no URL at all", ""):
        with pytest.raises(UnknownPageError, match="is not here, nor is any page above it"):
            found.nearest(nowhere)


def test_from_several_pages_none_of_them_is_an_answer() -> None:
    graph, places, _ = ordered_web(40, 25, 3)
    found = companion(graph, positions=places)
    answer = found.nearest([1, 2, np.int64(5)])
    assert answer.of == (1, 2, 5)
    assert answer.pages
    assert not {1, 2, 5} & set(answer.pages)


def test_of_many_parents_a_random_choice_that_the_seed_repeats() -> None:
    graph, places, _ = ordered_web(60, 40, 7)
    small = companion(graph, positions=places, back=3, seed=1).nearest(5)
    assert small == companion(graph, positions=places, back=3, seed=1).nearest(5)
    links = companion(graph, positions=places).links
    assert len(vicinity(links, [5], Reach(3, 2, 0, 0, 0))) <= 1 + 3 * 3


def test_a_page_without_links_has_no_companions() -> None:
    lonely = companion(Graph.from_edges(np.array([0]), np.array([1]), 3))
    assert lonely.nearest(2).results == ()
    assert companion(Graph.from_edges(np.zeros(0, int), np.zeros(0, int), 2)).nearest(0).results == ()


@pytest.mark.parametrize("pages", [7, -1, 1.5, None, [], [1, 9], "http://a.example/", [[1]], object(), True])
def test_what_is_no_page_is_refused(pages: object) -> None:
    graph, places, _ = ordered_web(5, 3, 0)
    with pytest.raises(ParameterError, match="pages"):
        companion(graph, positions=places).nearest(pages)


def test_other_mistakes_are_named() -> None:
    graph, places, _ = ordered_web(8, 4, 0)
    with pytest.raises(ParameterError, match="positions"):
        companion(graph, positions=places[1:])
    with pytest.raises(ParameterError, match="count"):
        companion(graph).nearest(1, 0)
    with pytest.raises(ParameterError, match="no URLs to read hosts from"):
        companion(graph, voice="host").nearest(1)


@pytest.mark.parametrize("seed", range(6))
def test_near_duplicates_are_all_found(seed: int) -> None:
    graph, _, web = ordered_web(120, 60, seed)
    pages = np.arange(120, dtype=np.uint32)
    stands = merged(graph, pages)
    found = sorted(sorted(np.flatnonzero(stands == one).tolist()) for one in np.unique(stands))
    assert found == sorted(map(sorted, oracle.groups_of(web, set(range(120)))))
    assert len(found) < 120
    for one in np.unique(stands):
        group = np.flatnonzero(stands == one)
        assert graph.in_degrees[one] == graph.in_degrees[group].max()


def test_scores_that_tie_come_by_id() -> None:
    ends = np.array([(0, 1), (0, 2), (0, 3), (4, 1), (4, 3), (4, 2)])
    found = companion(Graph.from_edges(*ends.T, 5)).nearest(1)
    assert found.pages == [2, 3]
    assert len(set(rounded(np.array([one.score for one in found])).tolist())) == 1


def test_pages_of_the_same_content_are_one_and_so_are_those_that_link_to_either() -> None:
    # 0 and 1 are mirrors: each links to its own copies, 2 to 13 and 14 to 25.
    ends = [(0, page) for page in range(2, 14)] + [(1, page) for page in range(14, 26)] + [(26, 0), (26, 1), (26, 2)]
    graph = Graph.from_edges(*np.array(ends).T, 27)
    pages = np.arange(27, dtype=np.uint32)
    assert np.array_equal(merged(graph, pages), pages)
    copies = pages.copy()
    copies[14:26] = pages[2:14]
    stands = merged(graph, pages, copies)
    assert stands[0] == stands[1]
    assert np.array_equal(stands[14:26], stands[2:14])
    assert len(np.unique(stands)) == 27 - 13
    found = replace(companion(graph, forward=0), copies=copies)
    assert 1 not in found.nearest(0).pages
    assert 1 in companion(graph, forward=0).nearest(0).pages
