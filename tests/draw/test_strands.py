"""Lines between two lists: one for each page that both have, of the right kind, and nothing that could be markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from periplus.draw.strands import ROW, strands


def kinds(svg: str) -> list[str]:
    return [path.attrib["class"] for path in ElementTree.fromstring(svg).iter("path")]


def test_a_line_for_each_page_on_both_sides() -> None:
    assert kinds(strands("abcd", "badx", 4)) == ["fell", "rose", "rose"]
    assert kinds(strands("ab", "ab", 2)) == ["same", "same"]
    assert kinds(strands("ab", "cd", 2)) == []


def test_a_page_further_down_has_a_dashed_end_on_its_own_side() -> None:
    svg = strands("abc", "cxa", 2)
    assert kinds(svg) == ["gone", "gone"]
    assert re.findall(r'd="M(\d+)', svg) == ["0", "100"]
    assert 'aria-label="0 of these' in svg


def test_it_is_as_high_as_the_longer_list_and_has_no_lines_of_empty_ones() -> None:
    assert f'height="{3 * ROW}"' in strands("abc", "a", 10)
    assert kinds(strands("", "", 10)) == []


def test_names_are_escaped() -> None:
    assert "<script>" not in strands(["a"], ["a"], 1, names={"a": "<script>alert(1)</script>"})
