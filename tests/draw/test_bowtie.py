"""The picture of the bow-tie: areas are shares, every region is named, nothing breaks at the edges."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

from periplus.draw.bowtie import BRODER_1999, bowtie_picture
from periplus.draw.strips import strips

SVG = "{http://www.w3.org/2000/svg}"


def shape(root: ElementTree.Element, name: str) -> str:
    found = root.find(f".//{SVG}path[@class='region {name}']")
    assert found is not None
    return found.get("d", "")


def core_area(picture: str) -> float:
    radius = float(re.search(r"a([\d.]+) ", shape(ElementTree.fromstring(picture), "scc")).group(1))  # type: ignore[union-attr]
    return math.pi * radius**2


def wing_area(picture: str, name: str) -> float:
    numbers = [float(x) for x in re.findall(r"-?[\d.]+", shape(ElementTree.fromstring(picture), name))]
    near, inner_top, far, outer_top, outer_bottom, _, inner_bottom = numbers
    return abs(far - near) * ((outer_bottom - outer_top) + (inner_bottom - inner_top)) / 2


def test_areas_are_shares_in_one_scale() -> None:
    picture = bowtie_picture(BRODER_1999, title="1999")
    other = bowtie_picture({**BRODER_1999, "in": 0, "out": 2 * BRODER_1999["out"]}, title="lopsided")
    whole = core_area(picture) / 0.2774
    assert wing_area(picture, "in") == pytest.approx(0.2129 * whole, rel=0.02)
    assert wing_area(picture, "out") == pytest.approx(0.2121 * whole, rel=0.02)
    total = sum(BRODER_1999.values()) - BRODER_1999["in"] + BRODER_1999["out"]
    assert wing_area(other, "out") == pytest.approx(2 * BRODER_1999["out"] / total * whole, rel=0.02)


def test_broders_regions_add_up_to_his_pages() -> None:
    assert sum(BRODER_1999.values()) == 203_549_046


def test_every_region_has_its_share_in_words() -> None:
    picture = bowtie_picture(BRODER_1999, title="1999")
    for words in ("SCC 27.7 %", "IN 21.3 %", "OUT 21.2 %", "TENDRILS 21.5 %", "TUBES 0.0 %", "DISCONNECTED 8.2 %"):
        assert words in picture.replace("\u00a0", " ")
    assert "style=" not in picture


@pytest.mark.parametrize("name", ["scc", "in", "out", "tendrils", "tubes", "disconnected"])
def test_one_region_alone_and_nothing_at_all(name: str) -> None:
    nothing = dict.fromkeys(BRODER_1999, 0)
    for counts in (nothing, {**nothing, name: 1}):
        root = ElementTree.fromstring(bowtie_picture(counts, title="<edge>"))
        assert "nan" not in ElementTree.tostring(root, encoding="unicode")


def test_strips_are_as_long_as_their_shares() -> None:
    rows = [("a<b", {"x": 0.25, "y": 0.75}), ("empty", {"x": 0.0, "y": 0.0})]
    root = ElementTree.fromstring(strips(rows, title="Parts", parts=("x", "y")))
    bars = [path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
    widths = [float(re.search(r"h([\d.]+)", bar.get("d", "")).group(1)) for bar in bars]  # type: ignore[union-attr]
    assert widths[1] == pytest.approx(3 * widths[0], abs=0.2)
    assert len(bars) == 2


@pytest.mark.parametrize("width", [320, 358, 510, 640, 900])
def test_labels_stand_apart_and_inside_at_every_width(width: int) -> None:
    picture = bowtie_picture(BRODER_1999, title="AltaVista, May 1999", note="203,549,046 pages", width=width)
    root = ElementTree.fromstring(picture)
    rows: dict[str, list[tuple[float, float]]] = {}
    for label in root.iter(f"{SVG}text"):
        half = 3.5 * len(label.text or "")  # letters of 12 pixels
        if label.get("text-anchor") == "middle":
            x = float(label.get("x", ""))
            rows.setdefault(label.get("y", ""), []).append((x - half, x + half))
    assert len(rows) == (6 if width < 480 else 4)
    for row in rows.values():
        edges = [edge for span in sorted(row) for edge in span]
        if width >= 358:
            assert edges == sorted(edges)
            assert edges[0] >= 0
            assert edges[-1] <= width


def test_regions_lead_where_they_are_told_and_tell_their_size() -> None:
    picture = bowtie_picture(BRODER_1999, title="1999", links={"in": "/region/in?a&b"})
    root = ElementTree.fromstring(picture)
    links = root.findall(f".//{SVG}a")
    assert [link.get("href") for link in links] == ["/region/in?a&b"] * 2  # the shape and the label
    assert shape(links[0], "in")
    assert "IN: 43,343,168 pages, 21.3 % of all" in [node.text for node in root.iter(f"{SVG}title")]


def test_narrow_strips_have_their_names_above() -> None:
    rows = [("a long name of a site.example", {"x": 0.25, "y": 0.75})]
    for width in (358, 640):
        root = ElementTree.fromstring(strips(rows, title="Parts", parts=("x", "y"), width=width))
        assert float(root.get("width", "")) == width
        bars = [path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
        begins = float(re.match(r"M([\d.]+)", bars[0].get("d", "")).group(1))  # type: ignore[union-attr]
        assert begins == (12 if width == 358 else 210)
