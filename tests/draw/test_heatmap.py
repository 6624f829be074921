"""The heat map is well-formed, fits its width, and says in words what its shades show."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from periplus.draw.heatmap import heatmap

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("width", [360, 640])
@pytest.mark.parametrize("size", [1, 2, 12])
def test_a_square_for_every_pair_within_the_width(size: int, width: int) -> None:
    names = [f"group <{at}> & a long name of a group" for at in range(size)]
    shares = [[(i + j) % 3 / 3 for j in range(size)] for i in range(size)]
    root = ElementTree.fromstring(heatmap(names, shares, title="who links to whom", notes=["note"], width=width))
    cells = root.findall(f"{SVG}rect")
    assert len(cells) == size * size
    assert float(root.attrib["width"]) == width
    assert all(float(cell.attrib["x"]) + float(cell.attrib["width"]) <= width for cell in cells)
    assert cells[0].findtext(f"{SVG}title") == f"{names[0]} → {names[0]}: 0.0 %"


def test_shades_rise_with_the_share_and_numbers_stand_out() -> None:
    root = ElementTree.fromstring(heatmap(["a", "b"], [[1.0, 0.0], [0.25, float("nan")]], title="t"))
    shades = [float(cell.attrib["fill-opacity"]) for cell in root.findall(f"{SVG}rect")]
    assert shades == [0.9, 0.04, 0.26, 0.0]
    assert [each.text for each in root.findall(f"{SVG}text") if each.get("class") == "on"] == ["100"]
    assert "b: no links" in [title.text for title in root.iter(f"{SVG}title")]
