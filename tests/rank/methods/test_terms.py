"""The terms × pages matrix."""

from __future__ import annotations

import pytest

from periplus.errors import ParameterError
from periplus.rank.methods.terms import term_matrix, words


def test_words_are_lower_case_runs_of_letters_and_digits():
    assert words("http://Špánek.cz/Web_pages/g7?x=1") == {"http", "špánek", "cz", "web", "pages", "g7"}


def test_matrix_marks_each_page_once_a_term():
    terms = term_matrix(["sea sea ship", "ship", ""])
    assert terms.vocabulary == ("sea", "ship")
    assert terms.matrix.toarray().tolist() == [[1, 0, 0], [1, 1, 0]]
    assert terms.topic("SHIP").tolist() == [1, 1, 0]


def test_rare_terms_can_be_left_out():
    assert term_matrix(["sea ship", "ship"], least_pages=2).vocabulary == ("ship",)
    with pytest.raises(ParameterError, match="least_pages"):
        term_matrix([], least_pages=0)


def test_unknown_terms_are_an_error():
    with pytest.raises(ParameterError, match="term"):
        term_matrix(["sea"]).topic("land")


def test_no_texts():
    assert term_matrix([]).matrix.shape == (0, 0)


def test_a_word_that_is_not_there_is_answered_with_those_that_are_like_it():
    with pytest.raises(ParameterError, match="such as lighthouses"):
        term_matrix(["lighthouses and ships"]).number("lighthouse")
