"""Topics: the largest branches of a tree, each page in one."""

from __future__ import annotations

import numpy as np
from tests.communities.webs import blocks

from periplus.communities import tree
from periplus.library.topics import topics_of


def test_each_page_is_in_one_branch_and_the_large_ones_are_split_first() -> None:
    made = tree(blocks(4, 3, 20, links=(400, 120, 60)))
    for count in (1, 4, 9, 1000):
        topics = topics_of(made, count)
        nodes = np.unique(topics)
        assert all(np.array_equal(np.flatnonzero(topics == node), made.pages_of(node)) for node in nodes.tolist())
        assert (topics >= 0).all()
        splittable = [node for node in nodes.tolist() if made.children[node]]
        assert len(nodes) >= count or not splittable
