"""`Link`: what is navigational, what is followed."""

from __future__ import annotations

import pytest

from periplus.web.link import Link


@pytest.mark.parametrize(
    ("source", "target", "navigational"),
    [
        ("http://www.a.example/", "http://blog.a.example/x", True),
        ("http://www.a.example/", "https://www.a.example/", True),
        ("http://a.co.uk/", "http://b.co.uk/", False),
        ("http://127.0.0.1/", "http://127.0.0.2/", False),
    ],
)
def test_navigational_means_one_site(source: str, target: str, navigational: bool) -> None:
    assert Link(source, target).navigational is navigational


@pytest.mark.parametrize(
    ("rel", "followed"), [("", True), ("noopener", True), ("nofollow", False), ("ugc x", False), ("sponsored", False)]
)
def test_followed(rel: str, followed: bool) -> None:
    assert Link("http://a.example/", "http://b.example/", rel=frozenset(rel.split())).followed is followed
