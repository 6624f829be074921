"""URL spaces without end, told by their shape."""

from __future__ import annotations

import pytest

from periplus.crawl.frontier.traps import is_trap


@pytest.mark.parametrize(
    "path",
    ["/a/a/a/", "/x/a/a/a", "/a/b/a/b/a/b/", "/a/b/c/a/b/c/a/b/c", "/" + "/".join(map(str, range(21))), "/q/a/a/a?x=1"],
)
def test_traps(path: str) -> None:
    assert is_trap(f"http://h.example{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a/a/",
        "/a/b/a/b/",
        "/2011/11/12/",
        "/" + "/".join(map(str, range(20))),
        "/?a/a/a/a",
        "/a/b/a/c/a/d/a",
        "/a//b//c",
    ],
)
def test_honest_paths(path: str) -> None:
    assert not is_trap(f"http://h.example{path}")
