"""HTML: title, words, links and robots as the standard's tree has them, from any bytes, in bounded time."""

from __future__ import annotations

import tarfile
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path

from periplus.web.html import extract_links, is_html, parse_html
from periplus.web.url import canonical

PAGE = "http://www.site.example/dir/page.html"


def read(html: str, **options: object):
    return parse_html(html.encode(), PAGE, "text/html; charset=utf-8", **options)


def targets(html: str) -> list[str]:
    found = [link.target for link in read(html).links]
    assert found == [link.target for link in extract_links(html.encode(), PAGE).links]
    return found


def test_title_headings_text_language() -> None:
    page = read(
        "<html lang=en-GB><head><title> A \n title &amp; more </title><style>p{}</style></head><body>"
        "<h1>One</h1><p>First<b>ly</b>.</p><p>Next</p><ul><li>a<li>b</ul>line<br>break<script>no()</script>"
        "<noscript>no</noscript><template>no</template><h3>Two <i>words</i></h3><h2> </h2></body>"
    )
    assert page.title == "A title & more"
    assert page.headings == ("One", "Two words")
    assert page.text.split("\n") == ["One", "Firstly.", "Next", "a", "b", "line break", "Two words"]
    assert page.language == "en-gb"
    assert not page.flattened


def test_title_is_cut_and_the_first_html_one_counts() -> None:
    assert len(read(f"<title>{'long ' * 200}</title>").title) <= 256
    assert read("<body><svg><title>drawing</title></svg><title>page</title><title>third</title>").title == "page"
    assert read("<p>none").title == ""


def test_links_in_order_with_duplicates_anchor_and_rel() -> None:
    page = read(
        "<a href=b.html>to <b>b</b></a><a href='/c?x=1&amp;y=2' rel='NoFollow  ugc'>c</a><a href=b.html#part>again</a>"
        "<map><area href=d alt='the d'></map><a href=e><img alt='picture of e'></a><a name=x>no</a>"
    )
    assert [(link.target, link.anchor) for link in page.links] == [
        ("http://www.site.example/dir/b.html", "to b"),
        ("http://www.site.example/c?x=1&y=2", "c"),
        ("http://www.site.example/dir/b.html", "again"),
        ("http://www.site.example/dir/d", "the d"),
        ("http://www.site.example/dir/e", "picture of e"),
    ]
    assert page.links[1].rel == {"nofollow", "ugc"}
    assert not page.links[1].followed
    assert page.links[0].followed
    assert page.links[0].navigational
    assert {link.source for link in page.links} == {PAGE}


def test_what_is_no_hyperlink() -> None:
    assert (
        targets(
            "<!-- <a href=a> --><script>'<a href=b>'</script><textarea><a href=c></textarea><title><a href=d></title>"
        )
        == []
    )
    assert targets("<template><a href=e>e</a></template><iframe src=f></iframe><img src=g><link rel=next href=h>") == []
    assert (
        targets("<a href='mailto:a@b.example'>m</a><a href='javascript:x()'>j</a><a href='http://'>bad</a><a>none</a>")
        == []
    )
    assert targets("<a href='ftp://f.example/'>f</a><a href='data:text/html,x'>d</a>") == []


def test_links_without_scripts_count() -> None:
    assert targets("<noscript><a href=x>x</a></noscript>") == ["http://www.site.example/dir/x"]


def test_fragments_are_dropped_and_self_links_kept() -> None:
    assert targets("<a href=#top>up</a><a href=' #x'>up</a>") == []
    assert targets("<a href=''>self</a><a href=page.html#x>self</a>") == [PAGE, PAGE]


def test_base() -> None:
    assert targets("<base href=/lib/><a href=x>x</a>") == ["http://www.site.example/lib/x"]
    assert targets("<base target=_top><base href=/one/><base href=/two/><a href=x>x</a>") == [
        "http://www.site.example/one/x"
    ]
    assert targets("<a href=x>x</a><base href=//other.example/>") == ["http://other.example/x"]
    assert targets("<base href='javascript:x'><a href=x>x</a>") == ["http://www.site.example/dir/x"]
    assert targets("<base href=/lib/><a href=#top>under a base this leaves the page</a>") == [
        "http://www.site.example/lib/"
    ]


@pytest.mark.parametrize(
    ("html", "noindex", "nofollow"),
    [
        ("<meta name=robots content=noindex>", True, False),
        ("<META NAME=Robots CONTENT='NoFollow, NOINDEX'>", True, True),
        ("<meta name=robots content=noindex><meta name=ROBOTS content='nofollow'>", True, True),
        ("<head></head><body><p>x<meta name=robots content=none>", True, True),
        ("<meta name=robots content='index,follow'>", False, False),
        ("<meta name=otherbot content=noindex>", False, False),
        ("<meta name=robots>", False, False),
    ],
)
def test_robots_meta(html: str, noindex: bool, nofollow: bool) -> None:
    page = read(html)
    assert (page.noindex, page.nofollow) == (noindex, nofollow)
    again = extract_links(html.encode(), PAGE)
    assert (again.noindex, again.nofollow) == (noindex, nofollow)


@pytest.mark.parametrize(
    ("header", "noindex", "nofollow"),
    [
        ("noindex", True, False),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow", False, True),
        ("otherbot: noindex, nofollow", False, False),
        ("otherbot: noindex\nnofollow", False, True),
        ("periplus: none", True, True),
        ("", False, False),
    ],
)
def test_robots_header(header: str, noindex: bool, nofollow: bool) -> None:
    page = read("<p>x", x_robots_tag=header)
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


def test_canonical_stays_on_the_site_and_in_the_head() -> None:
    assert read("<link rel='Canonical' href=/real>").canonical == "http://www.site.example/real"
    assert read("<link rel=canonical href=http://m.site.example/>").canonical == "http://m.site.example/"
    assert read("<link rel=canonical href=http://other.example/>").canonical is None
    assert read("<body><p>x<link rel=canonical href=/real>").canonical is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://host.example", ["http://other.example/x", "http://host.example/y"]),
        ("HTTP://Host.example:80/a", ["http://other.example/x", "http://host.example/y"]),
        ("file:///a/b", ["http://other.example/x"]),
        ("urn:x", ["http://other.example/x"]),
        ("no url", []),
        ("", []),
    ],
)
def test_a_page_whose_url_is_not_canonical_is_still_read(url: str, expected: list[str]) -> None:
    page = parse_html(b"<link rel=canonical href=/c><a href=http://other.example/x>x</a><a href=y>y</a>", url)
    assert [link.target for link in page.links] == expected


def test_more_links_than_are_kept() -> None:
    html = "".join(f"<a href={number}>n</a>" for number in range(12))
    page = read(html, max_links=10)
    assert len(page.links) == 10
    assert page.links_truncated
    assert not read(html, max_links=12).links_truncated


def test_charset_is_used_and_named() -> None:
    for charset in ("koi8-r", "shift_jis", "utf-16le", "windows-1251"):
        word = "日本" if charset == "shift_jis" else "привет"
        page = parse_html(
            f"<title>{word}</title><a href='/{word}'>{word}</a>".encode(charset), PAGE, f"text/html;charset={charset}"
        )
        assert (page.title, page.links[0].anchor, page.charset) == (word, word, charset)
        assert page.links[0].target == canonical(f"/{word}", PAGE)
    broken = parse_html(b"<title>a\xffb</title>", PAGE, "text/html; charset=utf-8")
    assert broken.title == "a\ufffdb"


def tree_construction_cases() -> list[tuple[str, int]]:
    """The input and the number of anchors in the expected tree, of the cases that are whole documents."""
    cases = []
    with tarfile.open(data_path("html5lib-tests") / "html5lib-tests.tar.xz") as tar:
        for member in tar.getmembers():
            if "tree-construction" not in member.name or not member.name.endswith(".dat") or "scripted" in member.name:
                continue
            for block in tar.extractfile(member).read().decode("utf-8", "replace").split("\n#data\n"):
                data, _, rest = block.removeprefix("#data\n").partition("\n#errors")
                if "\n#document-fragment" in rest or "\n#script-on" in rest or "#document\n" not in rest:
                    continue
                cases.append((data, anchors_of_dump(rest.partition("#document\n")[2])))
    return cases


def anchors_of_dump(dump: str) -> int:
    """Count the `<a>` elements of an expected tree; what lies below the `content` of a template is inert."""
    count, inert = 0, None
    for line in dump.splitlines():
        indent = len(line) - len(line[1:].lstrip()) if line.startswith("|") else 10**6
        if inert is not None and indent > inert:
            continue
        inert = indent if line.strip("| ") == "content" else None
        count += line.startswith("| ") and line.strip("| ") in ("<a>", "<svg a>", "<math a>")
    return count


def test_anchors_are_those_of_the_expected_trees() -> None:
    """Giving every bare `<a>` the same href leaves the expected tree as it is, so each one must become a link."""
    cases = [(data, count) for data, count in tree_construction_cases() if "<a>" in data and "<a " not in data]
    assert len(cases) == 39
    wrong = []
    for data, count in cases:
        page = extract_links(data.replace("<a>", "<a href=x>").encode(), PAGE)
        if len(page.links) != count:
            wrong.append((data, count, len(page.links)))
    assert wrong == []


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.binary(max_size=400), st.one_of(st.none(), st.text(max_size=30)))
def test_any_bytes_are_read(body: bytes, content_type: str | None) -> None:
    page = parse_html(body, PAGE, content_type, x_robots_tag=content_type)
    assert page.links == extract_links(body, PAGE, content_type).links
    page.text.encode("utf-8")


FRAGMENTS = [
    "<a href=x>",
    "</a>",
    "<b>",
    "<p>",
    "<table>",
    "<td>",
    "<svg>",
    "<title>",
    "<!--",
    "-->",
    "<script>",
    "&amp",
    "'",
    '"',
    "<",
    ">",
]


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))
def test_any_soup_of_tags_is_read(html: str) -> None:
    assert isinstance(read(html).text, str)


LINK = "<a href=/found>found</a>"
HOSTILE = {
    "100,000 nested divs": LINK + "<div>" * 100_000 + LINK,
    "100,000 nested and closed divs": "<div>" * 100_000 + LINK + "</div>" * 100_000,
    "5,000 nested divs under 60,000 paragraphs": "<div>" * 5_000 + "<p>x" * 60_000 + LINK,
    "100,000 attributes": LINK + "<i " + " ".join(f"a{n}" for n in range(100_000)) + ">" + LINK,
    "100,000 quoted attributes with markup in them": LINK
    + "<i "
    + "".join(f"a{n}='>'" for n in range(100_000))
    + ">"
    + LINK,
    "8,000 unclosed formatting elements": "".join(f"<p><b a{n}>x" for n in range(8_000)) + LINK,
    "8,000 of them hidden behind a comment": "<!-- <b x='-->" + "".join(f"<p><b a{n}>x" for n in range(8_000)) + LINK,
    "attributes behind a script": "<script><b x='</script>"
    + LINK
    + "<i "
    + " ".join(f"a{n}" for n in range(99_999))
    + ">",
    "attributes behind a comment": LINK + "<!-- <b x='--><i " + " ".join(f"a{n}" for n in range(99_999)) + ">",
    "formatting behind a script": LINK + "<script><!--</script>" + "".join(f"<p><b a{n}>x" for n in range(8_000)),
    "end tags inside comments": LINK + "<div><!--</div>-->" * 100_000,
    "end tags inside comments, fewer": LINK + "<div><!--</div>-->" * 14_000,
    "slashes for spaces": LINK + "<a/x=" * 100_000,
    "formatting tags that never end": LINK + "<b/x=" * 29_000,
    "a million opening brackets": "<" * 1_000_000 + LINK,
    "100,000 unclosed comments": LINK + "<!--" * 100_000,
    "100,000 unclosed quotes": LINK + '<a href="' * 100_000,
    "50,000 nested tables": "<table><tr><td>" * 50_000 + LINK,
    "100,000 nested formatting elements": "<font>" * 100_000 + LINK,
    "50,000 misnested pairs": "<b><i></b></i>" * 50_000 + LINK,
    "a megabyte of entities": "&lt;" * 250_000 + LINK,
    "a title that never ends": LINK + "<title>" + "x" * 1_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_bounded_time_and_keep_their_links(name: str) -> None:
    start = time.process_time()
    page = parse_html(HOSTILE[name].encode(), PAGE)
    assert time.process_time() - start < 2
    assert "http://www.site.example/found" in {link.target for link in page.links}


def test_real_pages_are_read_as_trees() -> None:
    with tarfile.open(data_path("wikispeedia") / "wpcd-html.tar.xz") as tar:
        seen = 0
        for member in tar:
            if member.name.endswith(".htm") and member.size > 20_000:
                page = parse_html(tar.extractfile(member).read(), "http://wiki.example/" + member.name)
                assert not page.flattened
                assert page.title
                assert page.links
                seen += 1
                if seen == 100:
                    return


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/html", b"anything", True),
        ("Text/HTML; charset=x", b"", True),
        ("application/xhtml+xml", b"<?xml?>", True),
        ("text/plain", b"<html>", False),
        ("application/json", b"<html>", False),
        ("text/html", b"\x89PNG\r\n\x1a\n", False),
        ("text/html", b"PK\x03\x04", False),
        ("text/html", b"%PDF-1.4", False),
        ("text/html", b"\x7fELF", False),
        (None, b"  <!DOCTYPE html><p>", True),
        ("", b"\xef\xbb\xbf<HTML>", True),
        (None, b"plain words", False),
        (None, b"", False),
    ],
)
def test_is_html(content_type: str | None, body: bytes, expected: bool) -> None:
    assert is_html(content_type, body) is expected


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/next", "http://a.example/next"),
        ("0;URL='next.html'", "http://a.example/next.html"),
        (' 1 , url = "/q?a=b" ', "http://a.example/q?a=b"),
        ("url=/next", "http://a.example/next"),
        (".5;url=/next", "http://a.example/next"),
        ("5; url=/next", None),
        ("0", None),
        ("0; url=/", None),
        ("0; url=#place", None),
        ("0; url=javascript:alert(1)", None),
    ],
)
@pytest.mark.parametrize("many", [0, 200_000])
def test_where_a_page_sends_its_readers_at_once(content: str, target: str | None, many: int) -> None:
    body = f'<meta http-equiv=Refresh content="{content.replace(chr(34), "&quot;")}">'
    document = extract_links((body + "<i>" * many).encode(), "http://a.example/", "text/html")
    assert (document.refresh, document.flattened) == (target, bool(many))


def test_a_refresh_for_readers_without_scripts_does_not_count() -> None:
    body = b"<noscript><meta http-equiv=refresh content='0; url=/plain'></noscript><p>text"
    assert extract_links(body, "http://a.example/", "text/html").refresh is None


def test_the_feeds_that_a_page_names() -> None:
    body = b"<link rel=alternate type=application/atom+xml href=/f><link rel=alternate hreflang=de href=/de>"
    assert extract_links(body, "http://a.example/", "text/html").feeds == ("http://a.example/f",)
