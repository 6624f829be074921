"""How well a grouping or a tree agrees with given classes.

*Adjusted mutual information* (Vinh, Epps & Bailey 2010): (I − E) / (mean of both entropies − E), where I is the mutual
information of the two groupings and E what it would be by chance with the same sizes; 1 for the same grouping, 0 for
one at random.

*Dendrogram purity* (Heller & Ghahramani 2005): take two pages of one class at random, and the smallest node that has
both; the share of that class among the node's pages, on average over all such pairs.

Pages with a label below 0 on either side are left out.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from periplus.catalog import checked
from periplus.communities.hierarchy.tree import Tree
from periplus.numeric.arrays import AnyArray


def adjusted_mutual_information(first: AnyArray, second: AnyArray) -> float:
    """The agreement of two groupings, corrected for chance; O(groups · groups) tables."""
    both = (np.asarray(first) >= 0) & (np.asarray(second) >= 0)
    table = _table(np.asarray(first)[both], np.asarray(second)[both])
    total = table.sum()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    if total == 0 or (len(rows) == 1 and len(columns) == 1):
        return 1.0
    found = table[table > 0] / total
    chance = np.outer(rows, columns)[table > 0] / total**2
    information = float((found * np.log(found / chance)).sum())
    expected = _expected_information(rows, columns, int(total))
    mean = (_entropy(rows / total) + _entropy(columns / total)) / 2
    return (information - expected) / (mean - expected) if mean > expected else 1.0


def _table(first: AnyArray, second: AnyArray) -> AnyArray:
    """How many pages each pair of groups shares."""
    rows, row = np.unique(first, return_inverse=True)
    columns, column = np.unique(second, return_inverse=True)
    table = np.zeros((len(rows), len(columns)), np.int64)
    np.add.at(table, (row, column), 1)
    return table


def _entropy(shares: AnyArray) -> float:
    return float(-(shares * np.log(shares)).sum())


def _expected_information(rows: AnyArray, columns: AnyArray, total: int) -> float:
    """E: over all tables with these margins, each cell being hypergeometric."""
    log_factorial = gammaln(np.arange(total + 1) + 1.0)
    found = 0.0
    sizes, counts = np.unique(columns, return_counts=True)
    for a in rows.tolist():
        for b, times in zip(sizes.tolist(), counts.tolist(), strict=True):
            n = np.arange(max(1, a + b - total), min(a, b) + 1)
            log_chance = log_factorial[[a, b, total - a, total - b]].sum() - log_factorial[total]
            log_chance = log_chance - log_factorial[n] - log_factorial[a - n] - log_factorial[b - n]
            log_chance = log_chance - log_factorial[total - a - b + n]
            found += times * float((n / total * np.log(total * n / (a * b)) * np.exp(log_chance)).sum())
    return found


@checked
def dendrogram_purity(tree: Tree, classes: AnyArray) -> float:
    """The purity of the smallest node that has two pages of one class, on average over all such pairs."""
    known = np.asarray(classes) >= 0
    kinds = int(np.asarray(classes)[known].max(initial=-1)) + 1
    counts = np.zeros((len(tree.parents), max(kinds, 1)))
    np.add.at(counts, (tree.labels[known], np.asarray(classes)[known]), 1)
    below = np.zeros_like(counts)  # pairs that meet in a child
    summed, pairs = 0.0, 0.0
    for node in range(len(counts) - 1, -1, -1):  # children come after their parents
        whole = counts[node] * (counts[node] - 1) / 2
        meeting = whole - below[node]
        summed += float((meeting * counts[node]).sum()) / max(float(counts[node].sum()), 1.0)
        pairs += float(meeting.sum())
        if node:
            counts[tree.parents[node]] += counts[node]
            below[tree.parents[node]] += whole
    return summed / pairs if pairs else 1.0
