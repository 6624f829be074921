"""Sitemaps and feeds: what sites publish, and what hostile ones do (RELIABILITY, J)."""

from __future__ import annotations

import gzip
import time

import pytest

from periplus.pages.listing import MAX_BYTES, MAX_SITEMAPS, MAX_URLS, may_be_listing, read_listing

AT = "http://a.example/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap(*locs: str, tail: str = "</urlset>") -> bytes:
    rows = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NS}>{rows}{tail}'.encode()


def urls(body: bytes) -> list[str]:
    return [url for url, _ in read_listing(body, AT).urls]


LISTS = {
    "sitemap": (
        f'<urlset {NS} xmlns:image="i"><url><loc> /x?a=1&amp;b=2 </loc><lastmod>2024-05-01</lastmod>'
        "<image:image><image:loc>/no.png</image:loc></image:image></url></urlset>",
        [("http://a.example/x?a=1&b=2", "2024-05-01")],
    ),
    "prefixed": ("<s:urlset xmlns:s='s'><s:url><s:loc>/x</s:loc></s:url></s:urlset>", [("http://a.example/x", "")]),
    "index": (
        f"<sitemapindex {NS}><sitemap><loc>/s.xml.gz</loc></sitemap></sitemapindex>",
        [("http://a.example/s.xml.gz", "")],
    ),
    "rss": (
        "<rss version='2.0'><channel><link>/front</link><item><title>t</title><link>/1</link>"
        "<pubDate>Mon, 06 May 2024</pubDate></item><item><link><![CDATA[/2]]></link></item></channel></rss>",
        [("http://a.example/1", "Mon, 06 May 2024"), ("http://a.example/2", "")],
    ),
    "atom": (
        "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='/f'/><entry><link rel='edit' href='/no'/>"
        "<link href='/1'/><updated>2024-01-02T03:04:05Z</updated></entry></feed>",
        [("http://a.example/1", "2024-01-02T03:04:05Z")],
    ),
    "rdf": ("<rdf:RDF xmlns:rdf='r'><item><link>/1</link></item></rdf:RDF>", [("http://a.example/1", "")]),
}


@pytest.mark.parametrize("name", LISTS)
def test_what_lists_name(name: str) -> None:
    text, expected = LISTS[name]
    found = read_listing(text.encode(), AT, "application/xml")
    assert (list(found.urls), found.problem) == (expected, "")
    assert found.kind == {"prefixed": "sitemap", "index": "index", "sitemap": "sitemap"}.get(name, "feed")


def test_a_packed_list_and_one_behind_white_space() -> None:
    assert urls(gzip.compress(sitemap("/a", "/b"))) == ["http://a.example/a", "http://a.example/b"]
    assert urls(b"\n\n  " + sitemap("/a")) == ["http://a.example/a"]


def test_a_text_of_urls_is_a_sitemap_if_its_name_says_so() -> None:
    body = b"\xef\xbb\xbfhttp://a.example/1\r\nhttp://a.example/2\n"
    found = read_listing(body, "http://a.example/sitemap.txt", "text/plain")
    assert [url for url, _ in found.urls] == ["http://a.example/1", "http://a.example/2"]
    assert read_listing(body, "http://a.example/notes.txt", "text/plain") is None
    assert read_listing(b"some words", "http://a.example/sitemap.txt", "text/plain") is None


@pytest.mark.parametrize("body", [b"<html><a href='/x'>x</a></html>", b"<svg/>"])
def test_what_is_no_list(body: bytes) -> None:
    assert read_listing(body, AT) is None


@pytest.mark.parametrize("body", [b"", b"\x89PNG\r\n", b"<?xml version='1.0'?>", b"\x1f\x8b broken"])
def test_what_is_not_even_xml_is_told(body: bytes) -> None:
    found = read_listing(body, AT)
    assert (found.urls, bool(found.problem)) == ((), True)


def test_j01_too_many_urls_and_too_many_bytes() -> None:
    many = read_listing(sitemap(*(f"/{i}" for i in range(MAX_URLS + 10_000))), AT)
    assert (len(many.urls), many.problem) == (MAX_URLS, "more than 50,000 URLs")
    long = sitemap("/a", "/b", tail="<!--" + "x" * MAX_BYTES + "--></urlset>")
    assert [url for url, _ in read_listing(long, AT).urls] == ["http://a.example/a", "http://a.example/b"]
    assert "longer than 52,428,800 bytes" in read_listing(long, AT).problem
    spaces = gzip.compress(sitemap("/a", tail=" " * (MAX_BYTES + 10)))
    assert [url for url, _ in read_listing(spaces, AT).urls] == ["http://a.example/a"]


def test_j01_the_url_at_the_cut_is_dropped() -> None:
    cut = sitemap("/whole", "/cut-somewhere", tail="")[:-20]
    found = read_listing(cut, AT)
    assert [url for url, _ in found.urls] == ["http://a.example/whole"]
    assert "not well-formed" in found.problem


def test_j02_an_index_names_at_most_a_thousand_sitemaps() -> None:
    rows = "".join(f"<sitemap><loc>/{i}.xml</loc></sitemap>" for i in range(50_000))
    found = read_listing(f"<sitemapindex>{rows}</sitemapindex>".encode(), AT)
    assert len(found.urls) == MAX_SITEMAPS


def one(loc: str) -> str:
    return f"<urlset><url><loc>{loc}</loc></url></urlset>"


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
HOSTILE = {
    "laughs": f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "ha">{LAUGHS}]>{one("&l9;")}',
    "quadratic": f'<!DOCTYPE urlset [<!ENTITY a "{"a" * 50_000}">]>{one("&a;" * 50_000)}',
    "file": f'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]>{one("http://a.example/&x;")}',
    "external dtd": f'<!DOCTYPE urlset SYSTEM "http://canary.example/x.dtd">{one("/&x;")}',
    "xinclude": '<urlset xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/hostname"/></urlset>',
    "dtd of a megabyte": f"<!DOCTYPE urlset [{'<!ELEMENT a ANY>' * 65_000}]><urlset/>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_j03_j04_entities_and_files_give_nothing(name: str) -> None:
    started = time.process_time()
    found = read_listing(HOSTILE[name].encode(), AT)
    assert time.process_time() - started < 5  # 0.1 s; an expansion would take for ever
    assert found is None or all(url == "http://a.example/" for url, _ in found.urls)


def test_j07_dates_and_numbers_that_make_no_sense() -> None:
    odd = f"<lastmod>99999-99-99</lastmod><priority>NaN</priority><image:x>{'x' * 10**6}</image:x>"
    body = f"<urlset><url><loc>/a</loc>{odd}</url></urlset>"
    assert read_listing(body.encode(), AT).urls == (("http://a.example/a", "99999-99-99"),)


def test_j05_what_is_no_web_address_is_dropped() -> None:
    assert urls(sitemap("javascript:alert(1)", "file:///etc/passwd", "http://b.example/", "//a.example/x")) == [
        "http://b.example/",
        "http://a.example/x",
    ]


def test_types_that_may_be_lists() -> None:
    assert may_be_listing("application/rss+xml", "http://a.example/feed")
    assert may_be_listing("application/gzip", "http://a.example/s.xml.gz?x")
    assert not may_be_listing("application/gzip", "http://a.example/source.tar.gz")
    assert not may_be_listing("text/html", "http://a.example/sitemap.xml")
