"""URLs: every case of the WHATWG suite, and the promises of canonical form, site and sort key."""

from __future__ import annotations

import json
import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path

from periplus.errors import UrlError
from periplus.web.url import (
    MAX_URL_LENGTH,
    Resolver,
    Url,
    canonical,
    host_of,
    same_site,
    site_of,
    sort_key,
    url_of_key,
    whatwg_href,
)


def wpt_cases() -> list[dict[str, str]]:
    with lzma.open(data_path("wpt-url") / "urltestdata.json.xz") as file:
        return [case for case in json.load(file) if isinstance(case, dict)]


def test_every_case_of_the_whatwg_suite_parses_and_serialises_as_the_standard_says() -> None:
    cases = wpt_cases()
    assert len(cases) == 891
    wrong = [
        case
        for case in cases
        if whatwg_href(case["input"], case["base"]) != (None if case.get("failure") else case["href"])
    ]
    assert wrong == []


def test_parts_of_every_http_case_of_the_whatwg_suite() -> None:
    seen = 0
    for case in wpt_cases():
        if case.get("failure") or case["protocol"] not in ("http:", "https:"):
            continue
        seen += 1
        url = Url.parse(case["input"], case["base"])
        assert f"{url.scheme}:" == case["protocol"]
        assert url.host == case["hostname"]
        assert url.port == int(case["port"] or {"http:": 80, "https:": 443}[case["protocol"]])
        assert url.path == case["pathname"]
        assert url.query == (case["search"][1:] if case["search"] else ("" if "?" in url.href else None))
        if "origin" in case:
            assert url.origin == case["origin"]
        # Fragment and userinfo gone, nothing else changed.
        whole = case["href"].partition("#")[0]
        assert url.href == whole.replace(f"//{whole.split('//')[1].split('/')[0]}", f"//{case['host']}", 1)
        assert Url.from_sort_key(url.sort_key) == url
    assert seen == 247


def test_failures_and_other_schemes_of_the_whatwg_suite_are_no_urls_here() -> None:
    refused = 0
    for case in wpt_cases():
        if case.get("failure") or case["protocol"] not in ("http:", "https:"):
            assert canonical(case["input"], case["base"]) is None
            with pytest.raises(UrlError):
                Url.parse(case["input"], case["base"])
            refused += 1
    assert refused == 891 - 247


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTP://User:Pw@EXAMPLE.com:80/a/../b?z=1&a=2#frag", "http://example.com/b?z=1&a=2"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com/?", "https://example.com/?"),
        ("https://example.com/a@b?c@d", "https://example.com/a@b?c@d"),
        ("http://user@example.com/a@b", "http://example.com/a@b"),
        ("http://münchen.example/straße", "http://xn--mnchen-3ya.example/stra%C3%9Fe"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("  http://example.com/a b\n", "http://example.com/a%20b"),
    ],
)
def test_canonical_form(text: str, expected: str) -> None:
    assert canonical(text) == expected
    assert canonical(expected) == expected


@pytest.mark.parametrize(
    "text",
    ["", "mailto:a@b.example", "javascript:alert(1)", "ftp://example.com/", "//example.com/", "no url", "http://"],
)
def test_what_is_no_http_url_is_refused_by_name(text: str) -> None:
    assert canonical(text) is None
    with pytest.raises(UrlError) as caught:
        Url.parse(text)
    assert repr(text) in str(caught.value)


def test_urls_longer_than_the_limit_are_refused() -> None:
    prefix = "http://example.com/"
    longest = prefix + "a" * (MAX_URL_LENGTH - len(prefix))
    assert canonical(longest) == longest
    assert canonical(longest + "a") is None
    with pytest.raises(UrlError) as caught:
        Url.parse(longest * 100)
    assert len(str(caught.value)) < 400


def test_relative_references_resolve_against_the_base() -> None:
    assert canonical("../c", "http://example.com/a/b/") == "http://example.com/a/c"
    assert canonical("?q", "http://example.com/a/b") == "http://example.com/a/b?q"
    assert canonical("//other.example/x", "https://example.com/") == "https://other.example/x"
    assert Url.parse("d", Url.parse("http://example.com/a/")).href == "http://example.com/a/d"


bases = st.sampled_from(
    ["http://example.com/", "https://example.com/a/b/c.html?d=/e/f", "http://example.com:81/a/b/", "http://[::1]/x?"]
)
references = st.one_of(
    st.text("ab./-_~#?:%@\\ é", max_size=14),
    st.lists(st.sampled_from(["..", ".", "a", "b.html", ".hid", "c~d", ""]), max_size=6).map("/".join),
)


@settings(max_examples=100, derandomize=True)
@given(bases, st.lists(references, min_size=20, max_size=60))
def test_resolver_gives_what_canonical_gives(base: str, texts: list[str]) -> None:
    resolve = Resolver(base)
    assert [resolve(text) for text in texts + texts] == [canonical(text, base) for text in texts + texts]


def test_resolver_refuses_what_is_too_long() -> None:
    resolve = Resolver("http://example.com/dir/")
    assert resolve("a" * (MAX_URL_LENGTH - len("http://example.com/dir/"))) is not None
    assert resolve("a" * MAX_URL_LENGTH) is None
    assert resolve("../" * 30 + "x") == "http://example.com/x"


def test_lone_surrogates_become_replacement_characters() -> None:
    assert canonical("http://example.com/\ud800x") == "http://example.com/%EF%BF%BDx"
    assert canonical("x", "http://example.com/\udfff/") == "http://example.com/%EF%BF%BD/x"


@pytest.mark.parametrize(
    ("url", "host", "site"),
    [
        ("http://www.example.com/a", "www.example.com", "example.com"),
        ("http://example.com:8080/", "example.com", "example.com"),
        ("https://news.bbc.co.uk/", "news.bbc.co.uk", "bbc.co.uk"),
        ("https://a.b.city.kawasaki.jp/", "a.b.city.kawasaki.jp", "city.kawasaki.jp"),
        ("https://co.uk/", "co.uk", "co.uk"),
        ("https://user.github.io/", "user.github.io", "user.github.io"),
        ("http://127.0.0.1:8000/", "127.0.0.1", "127.0.0.1"),
        ("http://[2001:db8::1]:8000/", "[2001:db8::1]", "[2001:db8::1]"),
        ("http://[::1]/", "[::1]", "[::1]"),
        ("http://localhost/", "localhost", "localhost"),
        ("http://a.tidewatch.example/", "a.tidewatch.example", "tidewatch.example"),
        ("http://www.example.com./", "www.example.com.", "example.com."),
    ],
)
def test_host_and_site(url: str, host: str, site: str) -> None:
    assert canonical(url) == url
    assert host_of(url) == host
    assert site_of(url) == site
    assert Url.parse(url).site == site


def test_same_site() -> None:
    assert same_site("http://a.example.com/", "https://b.example.com:99/x")
    assert not same_site("http://a.co.uk/", "http://b.co.uk/")
    assert not same_site("http://10.0.0.1/", "http://9.0.0.1/")


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.com/a?b", "com,example,www)http/a?b"),
        ("https://example.com:8443/", "com,example)https:8443/"),
        ("http://192.0.2.7/x", "192.0.2.7)http/x"),
        ("http://[2001:db8::1]:81/", "[2001:db8::1])http:81/"),
        ("http://localhost/", "localhost)http/"),
        ("http://example.com./", ",com,example)http/"),
        ("http://a,b)c.com/", "com,a%2Cb%29c)http/"),
    ],
)
def test_sort_key_is_exactly(url: str, key: str) -> None:
    assert sort_key(url) == key
    assert url_of_key(key) == url


@pytest.mark.parametrize("text", ["", "com,example", "com,example)", "com,example)http", "com)ftp/x", "http://a/"])
def test_texts_that_are_no_sort_key_are_refused(text: str) -> None:
    with pytest.raises(UrlError):
        url_of_key(text)


# Every printable ASCII character that the standard allows in a host, so that the separators of the key are among them.
HOST_CHARACTERS = "ab19-_!\"$&'()*+,;=`{}~."
hosts = st.one_of(
    st.text(HOST_CHARACTERS, min_size=1, max_size=12),
    st.sampled_from(["192.0.2.1", "[::1]", "[2001:db8::ff]", "example.com", "www.example.com", "1.2.3.com"]),
)
urls = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https"]),
    hosts,
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.text("/ab).,:?%é", max_size=8).map("/".__add__),
).map(canonical)


@settings(max_examples=100, derandomize=True)
@given(urls.filter(bool))
def test_sort_key_can_be_turned_back(url: str) -> None:
    assert url_of_key(sort_key(url)) == url
    assert canonical(url) == url


def contiguous(groups: list[str]) -> bool:
    starts = [group for i, group in enumerate(groups) if i == 0 or group != groups[i - 1]]
    return len(starts) == len(set(starts))


@settings(max_examples=100, derandomize=True)
@given(st.lists(urls.filter(bool), min_size=2, max_size=30))
def test_each_host_and_each_site_is_one_range_of_the_sorted_keys(drawn: list[str]) -> None:
    ordered = [url_of_key(key) for key in sorted({sort_key(url) for url in drawn})]
    assert contiguous([host_of(url) for url in ordered])
    assert contiguous([site_of(url) for url in ordered])


def test_neighbouring_names_do_not_break_a_site_apart() -> None:
    hosts = ["example.com", "example-a.com", "www.example.com", "example+a.com", "example*.com", "a.www.example.com"]
    made = [f"{scheme}://{host}/{path}" for host in hosts for scheme in ("http", "https") for path in ("", "a", "~")]
    ordered = [url_of_key(key) for key in sorted(map(sort_key, made))]
    assert contiguous([host_of(url) for url in ordered])
    assert contiguous([site_of(url) for url in ordered])
    assert {site_of(url) for url in ordered} == {"example.com", "example-a.com", "example+a.com", "example*.com"}


def test_url_is_a_value() -> None:
    url = Url.parse("http://Example.com/a#b")
    assert url == Url.parse("HTTP://example.com:80/a")
    assert str(url) == "http://example.com/a"
    assert {url} == {Url("http://example.com/a")}
    with pytest.raises(AttributeError):
        url.href = "http://other.example/"  # type: ignore[misc]
