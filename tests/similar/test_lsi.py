"""Cosine and LSI: against dense linear algebra, fold-in, reasons, pages with nothing on them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, hstack
from tests.similar.conftest import ordered_web

from periplus.errors import ParameterError, UnknownPageError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.similar import SIMILAR, cosine, lsi_both_ways, lsi_links, lsi_smoothed, lsi_stacked, lsi_words
from periplus.similar.lsi import reasons_for
from periplus.similar.vectors import PageVectors
from periplus.similar.weighting import WEIGHTINGS, unit_rows, weighted
from periplus.similar.words import Words, word_matrix

TEXTS = [
    "The sea, the sea: a ship and a sail.",
    "A ship at sea sails on.",
    "Sail and ship and mast",
    "A garden of roses; roses and bees",
    "Bees love a garden",
    "",
]
LINKS = np.array([(0, 1), (1, 2), (3, 4), (4, 3), (0, 3)])


def web(texts: list[str] = TEXTS) -> tuple[Graph, Words]:
    urls = NameTable.from_names([f"http://a.example/{page}" for page in range(len(texts))])
    return Graph.from_edges(*LINKS.T, len(texts), urls=urls), word_matrix(texts)


def dense_cosines(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1)
    unit = rows / np.where(lengths > 0, lengths, 1)[:, None]
    return unit @ unit.T


def counts(pages: int = 300, words: int = 500, seed: int = 2) -> csr_array:
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, 6, pages)
    rates = rng.random((6, words)) ** 8
    return csr_array(rng.poisson(rates[topics]).astype(np.float32))


def test_words_are_counted_and_rare_ones_left_out() -> None:
    words = word_matrix(TEXTS, least_pages=2)
    assert list(words.vocabulary) == ["and", "bees", "garden", "sail", "sea", "ship"]
    assert words.matrix.toarray()[0].tolist() == [1, 0, 0, 1, 2, 1]
    assert repr(words) == "Words(6 pages, 6 words)"
    assert word_matrix([], least_pages=1).matrix.shape == (0, 0)
    assert word_matrix(["one", "two"]).matrix.shape == (2, 0)
    with pytest.raises(ParameterError, match="least_pages"):
        word_matrix(TEXTS, least_pages=0)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_weights_are_those_of_the_formula(weighting: str) -> None:
    matrix = counts(20, 30)
    tf, n = matrix.toarray().astype(np.float64), 20
    df = np.maximum((tf > 0).sum(axis=0), 1)
    length = tf.sum(axis=1, keepdims=True)
    expected = {
        "tf": tf,
        "log-tf": np.where(tf > 0, 1 + np.log(np.maximum(tf, 1)), 0),
        "tf-idf": tf * np.log(n / df),
        "bm25": np.log(1 + (n - df + 0.5) / (df + 0.5))
        * tf
        * 2.2
        / (tf + 1.2 * (0.25 + 0.75 * length / length.mean())),
    }[weighting]
    assert np.allclose(weighted(matrix, weighting).toarray(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_cosine_is_the_textbook_s(weighting: str) -> None:
    matrix = counts()
    graph = Graph.from_edges(np.array([0]), np.array([1]), 300)
    expected = dense_cosines(weighted(matrix, weighting).toarray().astype(np.float64))
    record = cosine(graph, matrix, weighting=weighting)
    for page in (0, 7, 299):
        found = record.nearest(page, 5)
        best = np.sort(np.delete(expected[page], page))[::-1][:5]
        assert [one.score for one in found] == pytest.approx(best.tolist(), abs=1e-5)


def test_words_alone_group_pages_by_subject_and_say_which_words() -> None:
    graph, words = web()
    for method in (cosine, lsi_words):
        found = method(graph, words).nearest("http://a.example/0", 2)
        assert sorted(found.pages) == [1, 2]
        assert "ship" in found[0].why
        assert found[0].url == f"http://a.example/{found[0].id}"


def test_lsi_with_all_dimensions_is_cosine() -> None:
    matrix = counts(80, 120)
    graph = Graph.from_edges(np.array([0]), np.array([1]), 80)
    exact = dense_cosines(weighted(matrix, "bm25").toarray().astype(np.float64))
    found = lsi_words(graph, matrix, k=80)
    for one in found.nearest(3, 79):
        assert one.score == pytest.approx(exact[3, one.id], abs=1e-4)


def test_lsi_is_the_projection_on_the_first_directions() -> None:
    matrix, graph = counts(300, 500), Graph.from_edges(np.array([0]), np.array([1]), 300)
    rows = unit_rows(weighted(matrix, "bm25")).toarray().astype(np.float64)
    left, values, _ = np.linalg.svd(rows, full_matrices=False)
    exact = dense_cosines(left[:, :10] * values[:10])
    found = lsi_words(graph, matrix, k=10)
    assert np.allclose(dense_cosines(found.vectors), exact, atol=0.02)
    assert found.extra["singular_values"] == pytest.approx(values[:10], rel=1e-3)
    assert found.vectors.dtype == np.float32


def test_links_alone_stacked_and_smoothed() -> None:
    graph, _, _ = ordered_web(50, 12, 4)
    sources = np.repeat(np.arange(50), graph.out_degrees)
    out = coo_array((np.ones(graph.links), (sources, graph.out_targets.astype(int))), shape=(50, 50)).toarray()
    literal = lsi_links(graph, k=50)
    assert np.allclose(dense_cosines(literal.vectors), dense_cosines(out), atol=1e-4)
    itself = np.eye(50)
    both = np.hstack([np.minimum(out + itself, 1), np.minimum(out.T + itself, 1)])
    rows = both * np.log(50 / both.sum(axis=0))
    exact = dense_cosines(rows)
    assert np.allclose(dense_cosines(lsi_both_ways(graph, k=50).vectors), exact, atol=1e-3)
    matrix = counts(50, 80)
    said = dense_cosines(weighted(matrix, "bm25").toarray())
    stacked = dense_cosines(lsi_stacked(graph, matrix, mixing=0.25, k=50).vectors)
    assert np.allclose(stacked, (said * 0.0625 + exact * 0.5625) / 0.625, atol=0.01)
    for mixing, alone in ((1.0, said), (0.0, exact)):
        assert np.allclose(dense_cosines(lsi_stacked(graph, matrix, mixing=mixing, k=50).vectors), alone, atol=1e-3)


def test_smoothing_is_the_mean_over_neighbours() -> None:
    graph, _, _ = ordered_web(40, 6, 2)
    matrix = counts(40, 60)
    alone = lsi_words(graph, matrix, k=40).vectors
    unit = alone / np.linalg.norm(alone, axis=1, keepdims=True)
    expected = np.zeros_like(unit)
    for page in range(40):
        near = {page, *graph.successors(page).tolist(), *graph.predecessors(page).tolist()}
        expected[page] = unit[sorted(near)].mean(axis=0)
    found = lsi_smoothed(graph, matrix, k=40, rounds=1).vectors
    assert np.allclose(dense_cosines(found), dense_cosines(expected), atol=1e-3)
    none = lsi_smoothed(graph, matrix, k=40, rounds=0).vectors
    assert np.allclose(dense_cosines(none), dense_cosines(alone), atol=1e-4)


def test_a_page_without_words_takes_its_neighbours_when_smoothed() -> None:
    graph = Graph.from_edges(np.array([5, 5]), np.array([0, 1]), 6)
    words = word_matrix(TEXTS)
    assert lsi_words(graph, words).nearest(5).results == ()
    assert sorted(lsi_smoothed(graph, words).nearest(5, 2).pages) == [0, 1]


@pytest.mark.parametrize("name", [name for name in SIMILAR if SIMILAR[name].returns == ("vectors",)])
def test_a_page_with_nothing_on_it_says_so(name: str) -> None:
    graph, words = web()
    call = SIMILAR[name].function()
    found = (call(graph, words) if "words" in SIMILAR[name].needs else call(graph)).nearest(5)
    assert found.results == ()
    assert "nothing to compare" in found.notes[0]


def test_new_pages_are_folded_in_where_they_would_have_been() -> None:
    matrix, graph = counts(300, 500), Graph.from_edges(np.array([0]), np.array([1]), 300)
    record = lsi_words(graph, matrix, k=20)
    folded = record.fold_in(matrix[[4, 9]])
    assert np.allclose(folded, record.vectors[[4, 9]], atol=2e-3)
    assert record.nearest_to(folded[0], 1).pages == [4]
    assert record.nearest_to(folded[0], 1)[0].score == pytest.approx(1, abs=1e-4)
    stacked = lsi_stacked(graph, matrix, k=20)
    with pytest.raises(ParameterError, match="500 columns and 600 columns"):
        stacked.fold_in(matrix)
    with pytest.raises(ParameterError, match="500 columns"):
        record.fold_in(matrix[:, :3])
    with pytest.raises(ParameterError, match="20 numbers"):
        record.nearest_to(np.ones(3))


def test_vectors_are_kept_on_disk_and_come_back(tmp_path) -> None:
    graph, words = web()
    made = lsi_words(graph, words)
    made.save(tmp_path)
    again = PageVectors.load(tmp_path, "lsi-words", urls=graph.urls)
    assert again == made
    assert again.nearest(0).pages == made.nearest(0).pages
    assert again.nearest(0)[0].why
    with pytest.raises(ParameterError, match="without the words"):
        again.fold_in(words.matrix)
    assert list(made.columns())[:3] == ["page", "url", "x0"]


def test_k_beyond_the_rank_and_an_empty_vocabulary() -> None:
    graph, words = web()
    assert lsi_words(graph, words, k=100).vectors.shape[1] <= 6
    with pytest.raises(ParameterError, match="at least one word"):
        lsi_words(graph, word_matrix([""] * 6))
    with pytest.raises(ParameterError, match="counts ≥ 0"):
        lsi_words(graph, csr_array(-np.eye(6)))
    with pytest.raises(ParameterError, match="k = 0"):
        lsi_words(graph, words, k=0)


def test_an_unknown_url_is_named() -> None:
    graph, words = web()
    with pytest.raises(UnknownPageError, match=r"http://b\.example/ is not here"):
        cosine(graph, words).nearest("http://b.example/")


def test_several_pages_are_one_direction() -> None:
    graph, words = web()
    found = cosine(graph, words).nearest([3, 0], 6)
    assert not {0, 3} & set(found.pages)
    assert set(found.pages) == {1, 2, 4}


def test_why_tells_of_shared_neighbours() -> None:
    graph = Graph.from_edges(*np.array([(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)]).T, 4)
    found = lsi_both_ways(graph).nearest(1, 1)[0]
    assert found.id in (2, 0, 3)
    why = {one.id: one.why for one in lsi_both_ways(graph).nearest(1, 4)}
    assert (
        why[2]
        == "1 page links to both, among them page 0; both link to 1 page, among them page 3; one links to the other"
    )


def test_matrices_of_any_format_are_read() -> None:
    graph, words = web()
    for form in ("csc", "coo", "lil"):
        found = cosine(graph, words.matrix.asformat(form)).nearest(0)
        assert found.pages == cosine(graph, words).nearest(0).pages
        assert found[0].why.startswith("both say word ")
    assert hstack([words.matrix, words.matrix]).shape[0] == 6


def test_what_every_page_says_is_named_last_among_reasons() -> None:
    texts = ["the the the sea", "the the the sea", "the the the moor", "the moor"]
    graph = Graph.from_edges([0], [1], 4)
    assert cosine(graph, word_matrix(texts)).nearest(0)[0].why == "both say sea, the"


def test_links_are_no_reason_of_a_method_that_reads_words_alone() -> None:
    graph, words = web()
    assert reasons_for("lsi-words", graph, words)([0], 1) == lsi_words(graph, words).nearest(0)[0].why
    assert "one links to the other" in reasons_for("lsi-stacked", graph, words)([0], 1)


def test_a_method_that_cannot_chop_up_a_url_says_which_can() -> None:
    graph, words = web()
    with pytest.raises(UnknownPageError, match="is not here; companion and cocitation can"):
        cosine(graph, words).nearest("http://a.example/0/x")
