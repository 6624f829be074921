"""Agreement against sums over all permutations and over all pairs."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from periplus.communities import Tree, adjusted_mutual_information, dendrogram_purity


def information(first: np.ndarray, second: np.ndarray) -> float:
    total = 0.0
    for a in set(first.tolist()):
        for b in set(second.tolist()):
            both = np.mean((first == a) & (second == b))
            if both:
                total += both * np.log(both / (np.mean(first == a) * np.mean(second == b)))
    return total


def test_chance_is_the_mean_over_all_permutations() -> None:
    first, second = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 1, 2])
    expected = np.mean([information(first, np.array(order)) for order in permutations(second.tolist())])
    mean = (information(first, first) + information(second, second)) / 2
    adjusted = (information(first, second) - expected) / (mean - expected)
    assert adjusted_mutual_information(first, second) == pytest.approx(adjusted)


def test_the_same_grouping_and_none() -> None:
    labels = np.random.default_rng(1).integers(0, 5, 200)
    assert adjusted_mutual_information(labels, (labels + 3) % 5) == pytest.approx(1)
    other = np.random.default_rng(2).integers(0, 5, 200)
    assert abs(adjusted_mutual_information(labels, other)) < 0.05
    assert adjusted_mutual_information(np.where(labels == 0, -1, labels), labels) == pytest.approx(1)
    assert adjusted_mutual_information(np.zeros(4, int), np.zeros(4, int)) == 1
    assert adjusted_mutual_information(np.array([-1]), np.array([2])) == 1


def test_purity_is_the_mean_over_all_pairs() -> None:
    parents = np.array([-1, 0, 1, 1, 0, 4, 4])
    leaves = np.array([2, 2, 2, 3, 3, 5, 5, 6, 6, 6])
    classes = np.array([0, 0, 1, 1, 0, 2, 2, 1, 2, -1])
    tree = Tree("tree", leaves, extra={"parents": parents})
    shares = []
    for a, b in combinations(range(10), 2):
        if classes[a] == classes[b] >= 0:
            node = [x for x, y in zip(tree.path_of(a), tree.path_of(b), strict=False) if x == y][-1]
            known = [page for page in tree.pages_of(node) if classes[page] >= 0]
            shares.append(np.mean(classes[known] == classes[a]))
    assert dendrogram_purity(tree, classes) == pytest.approx(np.mean(shares))
