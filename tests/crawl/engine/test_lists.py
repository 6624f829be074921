"""Sitemaps, feeds and stubs that send readers on, in real crawls (RELIABILITY, J and D08)."""

from __future__ import annotations

import gzip

from tests.webs.server import response, site


def xml(root: str, *locs: str, inner: str = "url") -> bytes:
    return f"<{root}>{''.join(f'<{inner}><loc>{loc}</loc></{inner}>' for loc in locs)}</{root}>".encode()


def sent(body: bytes, kind: str = "application/xml") -> bytes:
    return response(body, content_type=kind)


def named(*sitemaps: str) -> bytes:
    return response("User-agent: *\n" + "".join(f"Sitemap: {url}\n" for url in sitemaps), content_type="text/plain")


HERE = "http://a.run.test"


def test_pages_that_only_a_sitemap_names_are_found(web) -> None:
    pages = {
        "/robots.txt": named(f"{HERE}/index.xml", "not a url"),
        "/index.xml": sent(xml("sitemapindex", "/one.xml.gz", "/two.xml", inner="sitemap")),
        "/one.xml.gz": sent(gzip.compress(xml("urlset", "/lonely")), "application/x-gzip"),
        "/two.xml": sent(xml("urlset", "/cut", "/") + b"<broken"),
        **{path: f"<p>{path}</p>" for path in ("/", "/lonely", "/cut")},
    }
    here = web(a=site(pages))
    report = here.crawl(f"{HERE}/")
    assert report.outcomes == {"OK": 3, "LIST": 3}
    assert "not well-formed" in here.log()["a/two.xml"]["reason"]
    assert here.store().find(f"{HERE}/one.xml.gz").status == 200  # kept like everything else
    here.crawl(f"{HERE}/")
    assert len(here.server.paths("a.run.test")) == 6  # and not asked for again


def test_sitemaps_are_left_alone_where_the_user_says_so(web) -> None:
    here = web(
        a=site({"/robots.txt": named(f"{HERE}/s.xml"), "/s.xml": sent(xml("urlset", "/x")), "/": "<p>front</p>"})
    )
    assert here.crawl(f"{HERE}/", sitemaps=False).outcomes == {"OK": 1}


def test_a_feed_that_a_page_names_is_read(web) -> None:
    feed = b"<rss><channel><item><link>/news</link></item></channel></rss>"
    front = '<link rel="alternate" type="application/rss+xml" href="/feed"><p>front</p>'
    here = web(a=site({"/": front, "/feed": sent(feed, "application/rss+xml"), "/news": "<p>news</p>"}))
    assert here.crawl(f"{HERE}/").outcomes == {"OK": 2, "LIST": 1}


def test_a_sitemap_or_a_feed_may_be_the_seed(web) -> None:
    here = web(a=site({"/s.xml": sent(xml("urlset", "/1", "/2")), "/1": "<p>1</p>", "/2": "<p>2</p>"}))
    assert here.crawl(f"{HERE}/s.xml").outcomes == {"OK": 2, "LIST": 1}


def test_j02_indexes_of_indexes_end(web) -> None:
    pages = {f"/{i}.xml": sent(xml("sitemapindex", f"/{i + 1}.xml", "/0.xml", inner="sitemap")) for i in range(100)}
    here = web(a=site({**pages, "/": "<p>front</p>", "/robots.txt": named(f"{HERE}/0.xml")}))
    here.crawl(f"{HERE}/")
    assert here.server.paths("a.run.test") == ["/", "/0.xml", "/1.xml", "/2.xml"]


def test_j05_a_sitemap_speaks_for_its_own_site_only(web) -> None:
    lists = sent(xml("urlset", "http://b.other.test/x", "http://127.0.0.1:1/", "javascript:alert(1)", "/mine"))
    here = web(
        a=site({"/": "<p>front</p>", "/mine": "<p>mine</p>", "/s.xml": lists, "/robots.txt": named(f"{HERE}/s.xml")})
    )
    assert here.crawl(f"{HERE}/", scope="any").outcomes == {"OK": 2, "LIST": 1}


def test_j06_a_robots_txt_names_at_most_a_hundred_sitemaps(web) -> None:
    here = web(a=site({"/": "<p>front</p>", "/robots.txt": named(*(f"{HERE}/{i}.xml" for i in range(10_000)))}))
    assert here.crawl(f"{HERE}/").outcomes == {"OK": 1, "HTTP_404": 100}


def test_j03_a_list_with_entities_is_an_error_and_gives_nothing(web) -> None:
    bomb = b'<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa">]><urlset><url><loc>/&a;</loc></url></urlset>'
    here = web(a=site({"/": "<p>front</p>", "/s.xml": sent(bomb), "/robots.txt": named(f"{HERE}/s.xml")}))
    assert here.crawl(f"{HERE}/").outcomes == {"OK": 1, "ERR_PARSE": 1}
    assert "entities are refused" in here.log()["a/s.xml"]["reason"]


def stub(target: str, seconds: str = "0") -> str:
    return f'<meta http-equiv="refresh" content="{seconds}; URL={target}"><a href="{target}">moved</a>'


def test_a_stub_that_sends_readers_on_is_a_redirect(web) -> None:
    pages = {
        "/": "<a href='/old'>x</a><a href='/slow'>y</a><a href='/new'>z</a>",
        "/old": stub("'new'"),
        "/new": "<p>here</p>",
    }
    here = web(a=site({**pages, "/slow": stub("/new", "30")}))
    report = here.crawl(f"{HERE}/")
    assert report.outcomes == {"OK": 3, "REFRESH": 1}
    assert here.log()["a/old"]["redirect"] == f"{HERE}/new"
    assert report.pages == 3


def test_d08_stubs_in_a_circle_end(web) -> None:
    here = web(a=site({"/": "<a href='/a'>x</a>", "/a": stub("/b"), "/b": stub("/a"), "/self": stub("/self")}))
    here.crawl(f"{HERE}/", f"{HERE}/self")
    log = here.log()
    assert log["a/self"]["outcome"] == "OK"  # a page that reloads itself is a page
    assert {log["a/a"]["outcome"], log["a/b"]["outcome"]} == {"REFRESH", "ERR_REDIRECT"}
    assert "redirect loop: " in log["a/b"]["reason"]
