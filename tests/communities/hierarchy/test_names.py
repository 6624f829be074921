"""Names: the likelihood ratio against the textbook, plurals, function words, and siblings that are alike."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from periplus.communities.hierarchy.names import likelihood, names_of, naming_terms
from periplus.rank.methods.terms import term_matrix


@pytest.mark.parametrize(("inside", "pages", "outside", "others"), [(5, 10, 3, 40), (10, 10, 0, 7), (1, 9, 0, 3)])
def test_the_ratio_is_that_of_the_table(inside: int, pages: int, outside: int, others: int) -> None:
    table = [[inside, outside], [pages - inside, others - outside]]
    if min(map(sum, table)) == 0:
        whole, everyone = inside + outside, pages + others
        cells = ((inside, whole * pages / everyone), (outside, whole * others / everyone))
        expected = 2 * sum(seen * np.log(seen / due) for seen, due in cells if seen)
    else:
        expected = chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    found = likelihood(*(np.array([float(one)]) for one in (inside, pages, outside, others)))
    assert found[0] == pytest.approx(expected)
    assert likelihood(*(np.array([float(one)]) for one in (outside, others, inside, pages)))[0] == 0


def test_names_tell_siblings_apart() -> None:
    texts = ["the wind farms", "wind farm and sea", "wind turbine", "bread ovens", "bread and rye", "bread oven 1999"]
    names = names_of(np.array([-1, 0, 0]), [np.array([1, 1, 1, 2, 2, 2])], term_matrix(texts))
    assert names[0] == "all pages"
    assert names[1].startswith("wind")
    assert names[2].startswith("bread")
    assert "the" not in names[1].split(" · ")
    assert not {"farm", "farms"} <= set(names[1].split(" · "))
    assert "1999" not in names[2]


def test_no_two_siblings_are_called_alike() -> None:
    texts = ["same words"] * 6
    names = names_of(np.array([-1, 0, 0, 0]), [np.array([1, 1, 2, 2, 3, 3])], term_matrix(texts))
    assert len(set(names)) == 4
    named = names_of(np.array([-1, 0, 0]), [np.array([1, 1, 1, 2, 2, 2])], term_matrix(texts), elsewhere=2)
    assert named[2] == "elsewhere"


def test_terms_are_those_that_call_two_pages_where_these_are_called_or_say_so() -> None:
    called = term_matrix(["wind farm", "wind", "bread", "alone"])
    said = term_matrix(["turbines", "farm and sea", "wind in the oven", "bread, bread and wind"])
    found = naming_terms(called, said)
    assert found.vocabulary == ("wind",)  # the others call one page at most, whatever pages say
    assert found.matrix.toarray().tolist() == [[1, 1, 1, 1]]
    twice = naming_terms(term_matrix(["bread", "bread oven", "oven", "tide"]), said)
    assert twice.vocabulary == ("bread", "oven")
    assert twice.matrix.toarray().tolist() == [[1, 1, 0, 1], [0, 1, 1, 0]]
    assert naming_terms(term_matrix(["one", "two"]), term_matrix(["one", "one"])).vocabulary == ()
    assert naming_terms(term_matrix([]), term_matrix([])).matrix.shape == (0, 0)
