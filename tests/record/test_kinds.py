"""Components and bow-ties are labels; labels in general."""

from __future__ import annotations

import numpy as np
from tests.record.samples import GRAPHS

from periplus.record import (
    Group,
    PageLabels,
)
from periplus.structure import bowtie, strong_components
from periplus.structure.connectivity.bowtie import REGION_NAMES


def test_components_are_labels() -> None:
    strong = strong_components(GRAPHS["with URLs"])
    assert isinstance(strong, PageLabels)
    assert (strong.count, strong.largest, strong.singletons, strong.ties) == (5, 3, 4, 1)
    assert strong.sizes.tolist() == [strong.labels.tolist().count(label) for label in range(5)]
    assert strong.members(strong.largest_label).tolist() == [0, 1, 2]
    assert strong.top(1) == [Group(strong.largest_label, str(strong.largest_label), 3, 0, "https://example.org/0")]
    assert repr(strong) == "Components(strong, 7 pages in 5 groups)"
    assert strong.to_dict() == {"count": 5, "largest": 3, "singletons": 4, "ties": 1}


def test_the_bowtie_is_labels_with_names() -> None:
    tie = bowtie(GRAPHS["with URLs"])
    assert isinstance(tie, PageLabels)
    assert tie.regions is tie.labels
    assert tie.names == REGION_NAMES
    assert [tie.region(page) for page in range(7)] == ["scc"] * 3 + ["out", "in", "disconnected", "disconnected"]
    assert tie.region("https://example.org/4") == "in"
    assert tie.counts == {name: [tie.region(page) for page in range(7)].count(name) for name in REGION_NAMES}
    assert tie.sizes.tolist() == list(tie.counts.values())
    assert [(one.name, one.pages) for one in tie.top()] == [("scc", 3), ("disconnected", 2), ("in", 1), ("out", 1)]
    assert (tie.method, tie.core_page, tie.ties) == ("bowtie", 0, 1)


def test_pages_in_no_group_are_counted_nowhere() -> None:
    labels = PageLabels("mine", np.array([1, -1, 1, 3]), ["zero", "one"])
    assert labels.sizes.tolist() == [0, 2, 0, 1]
    assert labels.top() == [Group(1, "one", 2, 0, None), Group(3, "3", 1, 3, None)]
    assert labels.columns()["name"] == ["one", "", "one", "3"]
    assert labels.members(-1).tolist() == [1]
    assert PageLabels("mine", np.array([], np.int64), ["zero"]).sizes.tolist() == [0]
    assert PageLabels("mine", np.array([-1])).count == 0
