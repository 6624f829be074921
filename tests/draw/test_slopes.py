"""Slopes: every page is a line through its places; the named ones can be told apart and read."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.draw.slopes import Slope, slopes

SVG = "{http://www.w3.org/2000/svg}"


def lines_of(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    found = [path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    return {(path.findtext(f"{SVG}title") or "").partition(":")[0]: path for path in found}


def test_a_line_goes_through_its_places_the_first_on_top() -> None:
    given_ = [Slope("up", (100, 1), True), Slope("stays", (10, 10))]
    root = ElementTree.fromstring(slopes(("A", "B (of x)"), given_, title="t"))
    found = lines_of(root)
    (_, y0), (_, y1) = re.findall(r"([\d.]+) ([\d.]+)", found["up"].get("d", ""))
    (_, z0), (_, z1) = re.findall(r"([\d.]+) ([\d.]+)", found["stays"].get("d", ""))
    assert z0 == z1
    assert float(y1) < float(z0) < float(y0)
    assert float(z0) == pytest.approx((float(y0) + float(y1)) / 2, abs=0.2)  # ten is half way from 1 to 100
    assert found["up"].findtext(f"{SVG}title") == "up: 100th by A, 1st by B (of x)"
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert texts.count("up") == 2
    assert "stays" not in texts
    assert {"B", "(of x)"} <= set(texts)


def test_named_lines_differ_by_more_than_their_grey() -> None:
    named = [Slope(f"page {at}", (at + 1, 12 - at), True) for at in range(6)]
    root = ElementTree.fromstring(slopes(("A", "B"), [*named, Slope("plain", (3, 3))], title="t"))
    found = lines_of(root)
    dashes = [found[line.name].get("stroke-dasharray", "") for line in named]
    assert len(set(dashes)) == 6
    assert found["plain"].get("class") == "grid"
    assert not [line.name for line in named if found[line.name].get("class") in ("grid", "s3", "muted")]


@given(
    st.lists(st.tuples(st.integers(1, 9999), st.integers(1, 9999)), min_size=1, max_size=8),
    st.sampled_from([358, 510, 640, 723]),
)
@settings(max_examples=60, deadline=None)
def test_names_never_stand_on_each_other_and_stay_inside(places: list[tuple[int, int]], width: int) -> None:
    named = [Slope(f"a.very.long.name.example/of/a/page/{at}", pair, True) for at, pair in enumerate(places)]
    root = ElementTree.fromstring(slopes(("A", "B"), named, title="t", width=width))
    high = float(root.get("height", ""))
    for anchor in ("start", "end"):
        heights = sorted(
            float(node.get("y", ""))
            for node in root.iter(f"{SVG}text")
            if node.get("text-anchor") == anchor and "…" in (node.text or "")
        )
        assert len(heights) == len(places)
        assert all(b - a >= 13.8 for a, b in pairwise(heights))
        assert heights[-1] <= high
