"""The icicle: areas to scale, columns that can be read, nothing that can run."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from periplus.draw.icicle import Piece, icicle

SVG = "{http://www.w3.org/2000/svg}"


def drawn(pieces: list[Piece], **options: int) -> ElementTree.Element:
    return ElementTree.fromstring(icicle(pieces, title="Two branches", **options))


def boxes(picture: ElementTree.Element) -> dict[str, dict[str, float]]:
    """Each piece by the name in its title."""
    return {
        str(rect.findtext(f"{SVG}title")).partition(":")[0]: {
            name: float(rect.get(name, "nan")) for name in ("x", "y", "width", "height")
        }
        for rect in picture.iter(f"{SVG}rect")
    }


def nested(sizes: list[int]) -> list[Piece]:
    """Pieces of these sizes, each of four parts, each of these of four."""
    return [
        Piece(
            f"p{at}",
            size,
            f"/tree/{at}",
            [
                Piece(f"p{at}.{n}", size // 4, "", [Piece(f"p{at}.{n}.{m}", size // 16) for m in range(4)])
                for n in range(4)
            ],
        )
        for at, size in enumerate(sizes)
    ]


def test_heights_are_shares_and_parts_fill_their_whole() -> None:
    placed = boxes(drawn(nested([320, 160, 160])))
    assert placed["p0"]["height"] == 2 * placed["p1"]["height"]
    parts = [placed[f"p0.{n}"] for n in range(4)]
    assert abs(sum(one["height"] for one in parts) - placed["p0"]["height"]) < 0.5
    assert parts[0]["y"] == placed["p0"]["y"]
    assert parts[0]["x"] == placed["p0"]["x"] + placed["p0"]["width"]


def test_a_level_too_fine_for_letters_is_not_drawn_nor_a_third_on_a_phone() -> None:
    few, many = boxes(drawn(nested([160]))), boxes(drawn(nested([160] * 20)))
    assert "p0.0.0" in few
    assert "p0.0.0" not in boxes(drawn(nested([160]), width=358))
    assert "p0.0" in boxes(drawn(nested([160]), width=358))
    assert "p19" in many
    assert "p0.0.0" not in many


def test_letters_stand_only_where_they_fit_and_inside_their_piece() -> None:
    pieces = [Piece("a name as long as a long sentence " * 3, 990), Piece("tiny", 10)]
    picture = drawn(pieces, width=358)
    words = [one.text for one in picture.iter(f"{SVG}text") if one.get("class") != "chart-title"]
    assert len(words) == 2
    assert words[0] is not None
    assert words[0].endswith("…")
    assert len(words[0]) * 7 <= 358
    assert "tiny" in boxes(picture)  # told when pointed at


def test_what_is_nothing_is_left_out_and_no_piece_is_no_picture_of_any() -> None:
    assert boxes(drawn([Piece("all", 100_000), Piece("none", 1)])).keys() == {"all"}
    assert boxes(drawn([])) == {}


def test_links_and_hostile_names() -> None:
    svg = icicle([Piece('"><script>alert(1)</script>', 5, "/tree/1?a=1&b=2"), Piece("x", 5)], title="<b>")
    assert not re.search(r"<script|<b>|style=|onload=", svg)
    assert '<a href="/tree/1?a=1&amp;b=2" tabindex="-1">' in svg
    assert svg.count("<a ") == 1
