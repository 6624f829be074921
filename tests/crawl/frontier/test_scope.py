"""Which URLs belong to a crawl."""

from __future__ import annotations

from periplus.crawl.frontier.scope import Scope


def test_scopes() -> None:
    seed = "https://www.example.co.uk/docs/start.html"
    assert "https://shop.example.co.uk/" in Scope("site", [seed])
    assert "https://other.co.uk/" not in Scope("site", [seed])
    assert "https://www.example.co.uk/else" in Scope("host", [seed])
    assert "https://shop.example.co.uk/" not in Scope("host", [seed])
    assert "https://www.example.co.uk/docs/x" in Scope("prefix", [seed])
    assert "https://www.example.co.uk/other" not in Scope("prefix", [seed])
    assert "http://anything.at.all/" in Scope("any", [seed])
    moved = Scope("site", [seed])
    moved.widen("https://example.org/")
    assert "https://a.example.org/" in moved
