"""Main text and navigation are told apart by structure and links, in every language, whatever the page does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.web.blocks import LINK, LINK_END, REGION, REGION_END, main_lines, read_blocks
from periplus.web.html import parse_html
from periplus.web.page import Document

PROSE = "Otters sleep on their backs and hold each other by the paw, so that the tide does not part them."
MENU = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(8))


def main_of(body: str) -> list[str]:
    return main_text(parse_html(f"<!doctype html><body>{body}".encode(), "http://a.example/"))


def main_text(page: Document) -> list[str]:
    lines = page.text.split("\n")
    return [line for line, main in zip(lines, main_lines(page.text, page.kinds), strict=True) if main]


@pytest.mark.parametrize(
    "menu",
    [
        f"<nav><p>Contents of this site, in the order of its chapters</p><ul>{MENU}</ul></nav>",
        f"<ul>{MENU}</ul>",
        "<table><tr>" + "".join(f"<td><a href=/{n}>章节 {n}</a> | " for n in range(8)) + "</table>",
        "<div role=navigation>You are here: the shore</div>",
        "<header>The web of the sea, since 1996, with everything about tides</header>",
        "<footer>© 2026 The authors. Every right is reserved, as far as there is one.</footer>",
    ],
)
def test_menus_are_left_out_of_the_main_text(menu: str) -> None:
    assert main_of(f"{menu}<h1>Otters</h1><p>{PROSE}</p>{menu}") == ["Otters", PROSE]


def test_links_inside_the_main_text_belong_to_it() -> None:
    rows = "".join(f"<tr><td><a href=/{n}>paw{n}</a><td>What paw number {n} does with a shell" for n in range(5))
    see = f'<p>{PROSE} See <a href="/tide">tides</a>.</p>'
    found = main_of(f"<article><header>By a diver</header>{see}<table>{rows}</table></article>")
    assert {"By a diver", "paw3", f"{PROSE} See tides."} <= set(found)


def test_a_page_of_links_has_these_as_its_text() -> None:
    assert main_of(f"<h1>All sections</h1><ul>{MENU}</ul>")[:3] == ["All sections", "Section 0", "Section 1"]


def test_a_page_that_is_navigation_alone_keeps_its_text() -> None:
    assert main_of("<nav>Nothing but this</nav>") == ["Nothing but this"]


def test_line_breaks_part_no_paragraph() -> None:
    assert main_of("<p>One sentence<br>goes on.</p>") == ["One sentence goes on."]


def test_a_page_read_tag_by_tag_is_told_apart_too() -> None:
    page = parse_html((f"<nav>{MENU}</nav><p>{PROSE}</p>" + "<b>" * 40_000).encode(), "http://a.example/")
    assert page.flattened
    assert main_text(page) == [PROSE]


@given(st.text(alphabet=f"ab \u2029\n{LINK}{LINK_END}{REGION}{REGION_END}", max_size=80))
@settings(max_examples=200, derandomize=True)
def test_any_marks_leave_the_words_whole(marked: str) -> None:
    text, kinds = read_blocks(marked)
    assert len(kinds) == (text.count("\n") + 1 if text else 0)
    bare = "".join(letter for letter in marked if letter not in LINK + LINK_END + REGION + REGION_END)
    assert text.split() == bare.split()
    assert not kinds or "m" in kinds
