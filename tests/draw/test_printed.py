"""Figures for print: on white, as wide as stated, in the stated font, every style resolved."""

from __future__ import annotations

import builtins
import re
import struct
import zlib
from pathlib import Path

import pytest

from periplus.draw.bowtie import BRODER_1999, bowtie_picture
from periplus.draw.charts import Series, chart
from periplus.draw.printed import on_white, pixels, printed
from periplus.draw.style import standalone
from periplus.errors import MissingDependencyError, ParameterError


def picture(width_mm: float) -> str:
    series = [Series("α of ρ ≤ 10⁻⁴", [1, 2, 3], [1, 4, 9]), Series("theory", [1, 3], [1, 9], kind="line")]
    return chart(series, title="Exponent 2.09 ± 0.02", x_label="x", y_label="y", width=pixels(width_mm))


@pytest.mark.parametrize("width_mm", [85.0, 120.0, 174.0])
def test_the_width_of_a_pdf_is_what_was_asked_and_its_font_is_inside(width_mm: float) -> None:
    pytest.importorskip("typst")
    made = printed(picture(width_mm), "x.pdf", width_mm=width_mm)
    assert made.startswith(b"%PDF-")
    objects = made + b"".join(_inflated(made))
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", objects)
    assert box is not None
    assert float(box[1]) == pytest.approx(width_mm / 25.4 * 72, abs=0.1)
    assert b"LibertinusSerif" in objects
    assert b"/FontFile3" in objects or b"/FontFile2" in objects


def _inflated(pdf: bytes) -> list[bytes]:
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            found.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return found


def test_a_png_has_300_dots_an_inch_and_white_corners() -> None:
    pytest.importorskip("typst")
    made = printed(picture(85), Path("x.PNG"), width_mm=85)
    assert made.startswith(b"\x89PNG")
    wide, high, depth, colours = struct.unpack(">IIBB", made[16:26])
    assert wide == pytest.approx(85 / 25.4 * 300, abs=1)
    assert high > 500
    data = b"".join(content for name, content in _chunks(made) if name == b"IDAT")
    first = zlib.decompress(data)[: 1 + 4 * depth // 8]  # the filter of the first row, then its first pixel
    assert colours in (2, 6)
    assert first[1:4] == b"\xff\xff\xff"


def _chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    at, found = 8, []
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        found.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def test_the_picture_for_print_has_no_variables_and_one_font() -> None:
    svg = on_white(picture(120), width_mm=120, font="Libertinus Serif")
    assert "var(" not in svg
    assert "@media" not in svg
    assert set(re.findall(r'font-family="([^"]*)"', svg)) == {"Libertinus Serif"}
    assert re.search(r'width="120mm" height="[\d.]+mm"', svg)
    assert '<rect width="100%" height="100%" fill="#ffffff"/>' in svg


def test_letters_have_eight_points_at_every_width() -> None:
    for width_mm in (60, 85, 120, 400):
        points = 12 * width_mm / 25.4 * 72 / pixels(width_mm)
        assert points == pytest.approx(8, abs=0.05)


def test_a_file_for_browsers_has_both_themes_and_no_variables() -> None:
    svg = standalone(bowtie_picture(BRODER_1999, title="1999"))
    assert "var(" not in svg
    assert "@media (prefers-color-scheme:dark)" in svg
    assert "#0e1320" in svg


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("x.jpg", {}, ".svg, .pdf or .png"),
        ("x.svg", {"width_mm": 5}, "60 ≤ width_mm ≤ 400"),
        ("x.pdf", {"font": "No Such Font"}, "Libertinus Serif"),
    ],
)
def test_what_cannot_be_printed_is_refused_by_name(name: str, options: dict[str, object], says: str) -> None:
    if name.endswith("pdf"):
        pytest.importorskip("typst")
    with pytest.raises(ParameterError, match=re.escape(says)):
        printed(picture(120), name, **options)  # type: ignore[arg-type]


def test_without_the_package_the_error_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name == "typst":
            raise ImportError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("importlib.import_module", without)
    with pytest.raises(MissingDependencyError, match=r"periplus\[figures\]"):
        printed(picture(120), "x.pdf")
    assert printed(picture(120), "x.svg").startswith(b"<svg")
