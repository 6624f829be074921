"""The flat reader agrees with the tree on well-formed pages, and is chosen only where a tree would cost too much."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.web.flat import costly, read_flat
from periplus.web.harvest import Harvest
from periplus.web.html import parse_html
from periplus.web.page import Document
from periplus.web.tags import ATTRIBUTE, TOKEN

PAGE = "http://www.site.example/dir/page.html"


def flat(html: str) -> Document:
    return read_flat(html.encode(), Harvest(PAGE, 5000)).document("utf-8")


WELL_FORMED = """<!DOCTYPE html><html lang="en"><head><title>A &amp; B</title><base href="/lib/">
<meta name="robots" content="nofollow"><link rel="canonical" href="real"><style>a{}</style></head><body>
<nav><a href="one" rel="nofollow">One</a></nav><h1>Head <i>ing</i></h1><p>Some <b>words</b>, <a href='two?a=1&amp;b=2'>
two words</a>.</p><!-- <a href="no">no</a> --><ul><li>x</li><li>y</li></ul><script>"<a href=no>"</script>
<noscript><a href="three">three</a></noscript><template><a href="no">no</a></template><a href="#top">top</a>
<a href="four"><img src="i" alt="picture four"></a><map><area href="five" alt="five"></map><textarea>typed</textarea>
</body></html>"""


def test_flat_reading_equals_the_tree_on_a_well_formed_page() -> None:
    tree = parse_html(WELL_FORMED.encode(), PAGE, "text/html; charset=utf-8")
    assert not tree.flattened
    assert flat(WELL_FORMED) == tree
    assert len(tree.links) == 6


WITH_PARTS = """<!DOCTYPE html><html><head><title>t</title><meta name="Description" content=" What  it is. ">
<meta name="description" content="second"><base href="http://cdn.example/x/">
<link rel="stylesheet" href="s.css"><link rel="alternate" href="feed.xml"><script src="http://b.example/a.js"></script>
</head><body><img src="i.png"><img src="https://safe.example/i.png"><img src="i.png"><img alt="none">
<iframe src="//c.example/f"></iframe><object data="o.swf"></object><a href="http://b.example/">b</a>
<template><img src="http://no.example/"></template><!-- <img src="http://no.example/"> --></body></html>"""


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_description_and_what_comes_over_plain_http(scheme: str) -> None:
    page = f"{scheme}://www.site.example/"
    tree = parse_html(WITH_PARTS.encode(), page, "text/html; charset=utf-8")
    assert read_flat(WITH_PARTS.encode(), Harvest(page, 5000)).document("utf-8") == tree
    assert tree.description == "What it is."
    parts = {"s.css", "i.png", "o.swf"}
    loaded = {f"http://cdn.example/x/{name}" for name in parts} | {"http://b.example/a.js", "http://c.example/f"}
    assert set(tree.insecure or ()) == (loaded if scheme == "https" else set())
    assert len(tree.insecure or ()) == len(set(tree.insecure or ()))


words = st.text("abc &<é", min_size=1, max_size=12).map(lambda text: text.replace("<", "&lt;"))
blocks = st.recursive(
    st.one_of(
        words,
        st.builds('<a href="{}">{}</a>'.format, st.sampled_from(["x", "/y", "z?a=1&amp;b=2", "#f", "mailto:q"]), words),
        st.builds("<h2>{}</h2>".format, words),
        st.builds("<!-- {} -->".format, words),
    ),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "ul", "section"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(blocks)
def test_flat_reading_equals_the_tree_on_generated_pages(html: str) -> None:
    html = f"<!DOCTYPE html><html><head><title>t</title></head><body>{html}</body></html>"
    assert flat(html) == parse_html(html.encode(), PAGE, "text/html; charset=utf-8")


def test_ordinary_pages_are_not_costly() -> None:
    assert not costly(WELL_FORMED.encode())
    assert not costly(b"")
    assert not costly(b"<table>" + b"<tr><td class=a><b>x</b></td><td><i>y</i></td></tr>\n" * 5_000 + b"</table>")
    assert not costly(b"<p><font size=2>words</font><br>" * 3_000)
    assert not costly(b"<p>unclosed paragraph and <br> and <li>item\n" * 10_000)
    assert not costly(b"<p>" + b"many words of text " * 50_000)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 10_000,
        "<div>" * 10_000 + "</div>" * 10_000,
        "<i " + " ".join(f"a{n}" for n in range(20_000)) + ">",
        "".join(f"<p><b a{n}>x" for n in range(2_000)),
        "<p>" * 50_000,
    ],
)
def test_costly_pages_are_known_before_they_are_parsed(html: str) -> None:
    assert costly(html.encode())
    assert parse_html(html.encode(), PAGE).flattened


def attributes(tag: str) -> list[tuple[str, str]]:
    match = TOKEN.match(tag)
    assert match is not None
    assert match[4] == ">"
    return [(a[1], a[2] or a[3] or a[4] or "") for a in ATTRIBUTE.finditer(match[3])]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<a b=c d='e' f=\"g\" h>", [("b", "c"), ("d", "e"), ("f", "g"), ("h", "")]),
        ("<a b = 'c>d' e>", [("b", "c>d"), ("e", "")]),
        ("<a b='c'd='e'>", [("b", "c"), ("d", "e")]),
        ("<a/b/c=d/e>", [("b", ""), ("c", "d/e")]),
        ("<a =b=c>", [("=b", "c")]),
        ('<a "b">', [('"b"', "")]),
        ("<a b=>", [("b", "")]),
        ("<a b=c=d>", [("b", "c=d")]),
        ("<a\n\tb\r\n=\n'c'>", [("b", "c")]),
        ("<a b==c>", [("b", "=c")]),
    ],
)
def test_attributes_are_read_as_the_tokenizer_reads_them(tag: str, expected: list[tuple[str, str]]) -> None:
    assert attributes(tag) == expected
