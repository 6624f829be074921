"""Charts are well-formed SVG that shows what it was given, whatever it was given."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.draw.axes import Axis, fit_axis, label
from periplus.draw.charts import CHART_CSS, Series, chart, series_csv
from periplus.errors import ParameterError

SVG = "{http://www.w3.org/2000/svg}"


def drawn(series: list[Series], **options: object) -> ElementTree.Element:
    settings_ = {"title": "Finding", "x_label": "clicks", "y_label": "share", **options}
    return ElementTree.fromstring(chart(series, **settings_))


def texts(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def test_title_axes_legend_and_note_are_there() -> None:
    root = drawn(
        [Series("ours", [1, 2], [3, 4]), Series("theirs", [1, 2], [4, 3], kind="line", muted=True)],
        note="2 pages",
    )
    assert {"Finding", "clicks", "share", "ours", "theirs", "2 pages"} <= set(texts(root))
    assert root.get("aria-label") == "Finding"


def test_a_single_series_needs_no_legend() -> None:
    assert "alone" not in texts(drawn([Series("alone", [1], [1])]))


@pytest.mark.parametrize("kind", ["points", "line", "bars", "steps"])
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_every_kind_draws_on_every_scale(kind: str, scale: str) -> None:
    empty = chart([Series("a", [], [], kind=kind)], title="t", x_label="x", y_label="y", x_scale=scale, y_scale=scale)
    full = chart(
        [Series("a", [1, 10, 100], [5, 1, 3], kind=kind)], title="t", x_label="x", y_label="y", x_scale=scale,
        y_scale=scale,
    )  # fmt: skip
    assert "no data" in empty
    assert "no data" not in full
    assert 'class="s0' not in empty
    assert 'class="s0' in full


def test_no_style_attribute_script_or_reference_for_the_strictest_policy() -> None:
    picture = chart([Series("<b>&\"'", [1], [1])], title="<script>alert(1)</script>", x_label="&", y_label='"')
    assert "style=" not in picture
    assert "<script" not in picture
    assert "href" not in picture
    assert "url(" not in CHART_CSS


def test_zero_and_negative_values_do_not_stand_on_a_log_axis() -> None:
    root = drawn([Series("a", [0, -1, 1, 10], [1, 1, 1, 1])], x_scale="log")
    marks = root.find(f"{SVG}path[@class='s0 full']")
    assert marks is not None
    assert marks.get("d", "").count("M") == 2


def test_points_on_the_same_pixel_are_drawn_once() -> None:
    x = np.repeat(np.arange(10.0), 20_000)
    picture = chart([Series("a", x, x)], title="t", x_label="x", y_label="y")
    assert len(picture) < 10_000


def test_higher_values_are_drawn_higher() -> None:
    root = drawn([Series("a", [1, 2], [1, 2])])
    marks = root.find(f"{SVG}path[@class='s0 full']")
    assert marks is not None
    starts = re.findall(r"M([\d.]+) ([\d.]+)", marks.get("d", ""))
    assert float(starts[1][0]) > float(starts[0][0])
    assert float(starts[1][1]) < float(starts[0][1])


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ParameterError, match="as many values as x"):
        chart([Series("a", [1, 2], [1])], title="t", x_label="x", y_label="y")


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(ParameterError, match="linear or log"):
        chart([Series("a", [1], [1])], title="t", x_label="x", y_label="y", x_scale="cubic")  # type: ignore[arg-type]


def test_csv_gives_the_data_back() -> None:
    rows = list(csv.reader(io.StringIO(series_csv([Series('a "b", c', [1, 2.5], [3, 4])]))))
    assert rows == [["series", "x", "y"], ['a "b", c', "1", "3"], ['a "b", c', "2.5", "4"]]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"), (1, "1"), (-2, "−2"), (0.25, "0.25"), (1000, "1,000"), (10_000, "10,000"), (1e6, "10⁶"),
        (2e6, "2×10⁶"), (1e-5, "10⁻⁵"), (-1e6, "−10⁶"), (0.001, "0.001"),
    ],
)  # fmt: skip
def test_labels(value: float, shown: str) -> None:
    assert label(value) == shown


def test_decades_thinned_to_two_stay_decades() -> None:
    assert fit_axis([1.0, 0.001], "log", (0.0, 100.0)).ticks(3) == [0.01, 1.0]


finite = st.floats(-1e12, 1e12, allow_nan=False)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(finite, min_size=1, max_size=20), st.sampled_from(["linear", "log"]), st.integers(3, 9))
def test_ticks_are_few_increasing_and_inside(values: list[float], scale: str, count: int) -> None:
    axis: Axis = fit_axis(values, scale, (0.0, 100.0))  # type: ignore[arg-type]
    ticks = axis.ticks(count)
    assert 0 < len(ticks) <= 3 * count
    assert ticks == sorted(set(ticks))
    assert all(-0.01 <= axis(tick) <= 100.01 for tick in ticks)


def test_pointed_at_a_place_tells_its_values_where_there_is_a_pointer() -> None:
    series = [Series("pages", [1, 1000], [0.25, -3])]
    said = [node.text for node in drawn(series).iter(f"{SVG}title")]
    assert said == ["pages: 1, 0.25", "pages: 1,000, −3"]
    assert not list(drawn(series, width=358).iter(f"{SVG}title"))
    many = drawn([Series("a", list(range(1000)), list(range(1000)))])
    assert 20 < len(list(many.iter(f"{SVG}title"))) <= 48


@pytest.mark.parametrize("width", [358, 640])
def test_a_long_title_takes_as_many_lines_as_it_needs_and_breaks_no_number(width: int) -> None:
    title = "In-degree follows a power law: exponent 2.09 ± 0.02 from 14 links on, and 81 % of the pairs are joined"
    lines = [node.text or "" for node in drawn([Series("a", [1], [1])], title=title, width=width).iter(f"{SVG}text")]
    lines = [line for line in lines if line in title.replace(" ±", "\u00a0±") or "±" in line or "%" in line]
    assert [line for line in lines if "2.09\u00a0±\u00a00.02" in line]
    assert [line for line in lines if "81\u00a0%" in line]
    assert all(len(line) <= (width - 24) / 9.9 for line in lines)
