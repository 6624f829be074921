"""`Page`: the media type as its headers give it."""

from __future__ import annotations

import pytest

from periplus.web.page import Page


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Content-Type": "Text/HTML; charset=utf-8"}, "text/html"),
        ({"content-type": " application/pdf "}, "application/pdf"),
        ({"X-Other": "text/html"}, ""),
        ({}, ""),
    ],
)
def test_content_type(headers: dict[str, str], expected: str) -> None:
    assert Page("http://a.example/", 200, headers, b"").content_type == expected
