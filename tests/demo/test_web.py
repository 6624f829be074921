"""The demonstration web: what it promises to hold, that it is the same every time, and that its true graph is true."""

from __future__ import annotations

import time
from collections import Counter
from functools import lru_cache

import networkx
import pytest

from periplus.demo.web import DEFAULT_SEED, DemoWeb
from periplus.errors import ParameterError
from periplus.web.html import parse_html
from periplus.web.url import canonical, host_of, site_of


@lru_cache(maxsize=1)
def demo() -> DemoWeb:
    return DemoWeb()


@lru_cache(maxsize=1)
def graph() -> networkx.DiGraph:
    made = networkx.DiGraph()
    made.add_nodes_from(demo().reachable)
    made.add_edges_from(demo().true_edges())
    return made


def test_size() -> None:
    web = demo()
    assert len(web.subjects) == 8
    sites = {site_of(url) for url, page in web.pages.items() if page.subject}
    assert len(sites) >= 48
    assert len(web.pages) >= 2_000
    assert all(host.endswith(".example") for host in web.hosts)
    per_subject = Counter(page.subject for page in web.pages.values())
    assert all(per_subject[key] >= 250 for key in web.subjects)


def test_the_same_seed_gives_the_same_web_and_another_seed_another() -> None:
    again, other = DemoWeb(DEFAULT_SEED), DemoWeb(7)
    assert again.pages == demo().pages
    assert again.facts == demo().facts
    assert again.true_edges() == demo().true_edges()
    assert other.true_edges() != demo().true_edges()
    assert len(other.pages) >= 2_000


@pytest.mark.parametrize("seed", ["1", 1.5, None, True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(ParameterError):
        DemoWeb(seed)  # type: ignore[arg-type]


def test_it_is_made_within_a_second() -> None:
    start = time.process_time()
    DemoWeb(3)
    assert time.process_time() - start < 2  # a second on an idle machine


def test_every_url_is_canonical() -> None:
    web = demo()
    for url in [*web.pages, *web.facts.redirects, *web.facts.redirects.values(), *web.facts.missing, *web.seeds]:
        assert canonical(url) == url


def test_every_page_says_exactly_the_links_that_it_was_meant_to_have() -> None:
    for url, page in demo().pages.items():
        read = parse_html(page.body, url, page.content_type)
        assert [(link.target, link.anchor) for link in read.links] == list(page.links), url
        assert read.title.startswith(page.title)
        assert read.noindex == page.noindex
        assert read.language == "en"
        assert "\ufffd" not in read.text


def crawl_by_responses(web: DemoWeb) -> set[tuple[str, str]]:
    """A crawl that knows only responses: fetch, obey robots.txt, follow redirects and links: the oracle."""

    def allowed(url: str) -> bool:
        status, _, body = web.response(host_of(url), "/robots.txt")
        return status != 200 or b"Disallow: /private/" not in body or "/private/" not in url

    def fetch(url: str) -> tuple[str, str, bytes] | None:
        for _ in range(6):
            if not allowed(url):
                return None
            host = host_of(url)
            status, headers, body = web.response(f"{host}:8080", url[len("http://") + len(host) :])
            if status == 200:
                return url, headers["Content-Type"], body
            if status != 301:
                return None
            url = headers["Location"]
        return None

    final: dict[str, str | None] = {}
    links: dict[str, list[str]] = {}
    waiting = list(web.seeds)
    while waiting:
        url = waiting.pop()
        if url in final:
            continue
        got = fetch(url)
        final[url] = got[0] if got else None
        if got and got[1].startswith("text/html") and got[0] not in links:
            links[got[0]] = [link.target for link in parse_html(got[2], got[0], got[1]).links]
            waiting += links[got[0]]
    return {(page, final[target]) for page, found in links.items() for target in found if final[target] in links}


def test_a_crawl_that_only_sees_responses_finds_the_true_graph() -> None:
    assert crawl_by_responses(demo()) == demo().true_edges()


def test_titles_tell_pages_apart() -> None:
    web = demo()
    mirrored = set(web.facts.mirrors.values())
    titles = Counter(page.title for url, page in web.pages.items() if url not in mirrored and page.kind != "private")
    assert [title for title, count in titles.items() if count > 1] == []


def test_pages_read_as_english() -> None:
    for page in demo().pages.values():
        if page.kind == "article" and page.subject:
            text = parse_html(page.body, page.url, page.content_type).text
            assert len(text.split()) > 120, page.url
            assert "{" not in text
            assert " a oil" not in text


def test_the_page_known_only_by_what_others_call_it() -> None:
    web = demo()
    phrase = web.facts.anchor_only_phrase
    page = parse_html(web.pages[web.facts.anchor_only].body, web.facts.anchor_only)
    for word in phrase.split():
        assert word not in f"{page.title} {page.text} {web.facts.anchor_only}".lower()
    callers = [url for url, found in web.pages.items() if (web.facts.anchor_only, f"the {phrase}") in found.links]
    assert len(callers) == 9
    first_word = phrase.split()[0]
    saying = {url for url, found in web.pages.items() if first_word in parse_html(found.body, url).text}
    assert saying == set(callers) | {web.facts.mirrors[url] for url in callers if url in web.facts.mirrors}
    assert len({host_of(url) for url in callers}) > 3


def test_the_mirror_is_byte_for_byte() -> None:
    web = demo()
    assert len(web.facts.mirrors) > 40
    for url, copy in web.facts.mirrors.items():
        assert web.pages[copy].body == web.pages[url].body
        assert host_of(copy) != host_of(url)
        assert copy in web.reachable


def test_authorities_and_hubs_stand_out() -> None:
    web = demo()
    across = [(a, b) for a, b in web.true_edges() if host_of(a) != host_of(b)]
    in_degree, out_degree = Counter(b for _, b in across), Counter(a for a, _ in across)
    typical = sorted(in_degree[url] for url, page in web.pages.items() if page.kind == "article")
    for key in web.subjects:
        assert len(web.facts.authorities[key]) == 2
        assert all(in_degree[url] > typical[int(len(typical) * 0.95)] for url in web.facts.authorities[key])
        assert out_degree[web.facts.hubs[key]] > 30


def test_links_keep_to_their_subject_but_for_a_few() -> None:
    web = demo()
    pairs = [
        (web.pages[a].subject, web.pages[b].subject)
        for a, b in web.true_edges()
        if host_of(a) != host_of(b) and web.pages[a].subject and web.pages[b].subject
    ]
    across = sum(a != b for a, b in pairs)
    assert 0 < across < 0.05 * len(pairs)


def test_bow_tie() -> None:
    web = demo()
    core = max(networkx.strongly_connected_components(graph()), key=len)
    assert 0.6 * len(web.reachable) < len(core) < 0.9 * len(web.reachable)
    before, behind = (
        networkx.ancestors(graph(), next(iter(core))) - core,
        networkx.descendants(graph(), next(iter(core))) - core,
    )
    assert {url for url in web.pages if host_of(url) in web.facts.in_sites} <= before
    assert {url for url in web.pages if host_of(url) in web.facts.out_sites} <= behind
    assert not set(web.facts.tendrils) & (core | before | behind)
    assert set(web.facts.tendrils) < web.reachable
    assert networkx.node_connected_component(graph().to_undirected(), web.facts.corner[0]) == set(web.facts.corner)
    assert all(graph().out_degree(url) == 0 for url in web.facts.dead_ends)


def test_in_degrees_have_a_heavy_tail() -> None:
    """Most pages have few links from other hosts, a few have very many: the mark of copying."""
    web = demo()
    degrees = Counter(b for a, b in web.true_edges() if host_of(a) != host_of(b))
    articles = sorted((degrees[url] for url, page in web.pages.items() if page.kind == "article"), reverse=True)
    top = sum(articles[: len(articles) // 20])
    assert top > 0.4 * sum(articles)
    assert articles[len(articles) // 2] <= 2


def test_what_robots_forbid_and_what_lies_behind_is_not_reached() -> None:
    web = demo()
    assert len(web.facts.disallowed) == 8
    for url in [*web.facts.disallowed, *web.facts.hidden]:
        assert url in web.pages
        assert url not in web.reachable
    linked = {target for url in web.reachable for target, _ in web.pages[url].links}
    assert set(web.facts.disallowed) <= linked
    for url in web.facts.disallowed:
        assert b"Disallow: /private/" in web.response(host_of(url), "/robots.txt")[2]


def test_redirects_and_missing_pages() -> None:
    web = demo()
    linked = {target for url in web.reachable for target, _ in web.pages[url].links}
    kinds = Counter(
        "chain" if web.facts.redirects[url] in web.facts.redirects else "page" if web.final_target(url) else "nowhere"
        for url in web.facts.redirects
    )
    assert kinds["page"] > 30
    assert kinds["chain"] > 3
    assert kinds["nowhere"] == 2
    assert len(set(web.facts.missing) & linked) == len(web.facts.missing) == 40
    for url in web.facts.missing:
        assert web.response(host_of(url), url.split(host_of(url))[1])[0] == 404
    assert web.facts.noindex in web.reachable
    assert len(set(web.facts.files) & linked) == len(web.facts.files) == 16
    assert {web.response(host_of(url), url.split(host_of(url))[1])[1]["Content-Type"] for url in web.facts.files} == {
        "image/png",
        "application/pdf",
    }


def test_responses_by_host_name() -> None:
    web = demo()
    status, headers, body = web.response("Tidewatch.Example:8000", "/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert body == web.pages["http://tidewatch.example/"].body
    assert web.response("nobody.example", "/")[0] == 404
    assert web.response("tidewatch.example", "/robots.txt")[0] == 404
    assert web.response("", "")[0] == 404


def test_every_way_of_writing_links_and_charsets_occurs() -> None:
    bodies = [page.body.replace(b"\0", b"") for page in demo().pages.values()]
    for piece in (
        b'href="../',
        b'href="//',
        b'href="?page=',
        b'href="HTTP://',
        b'href=""',
        b"<base href=",
        b"&amp;lang",
        b"#part-2",
    ):
        assert any(piece in body for body in bodies), piece
    types = {page.content_type for page in demo().pages.values()}
    assert types == {"text/html", "text/html; charset=utf-8", "text/html; charset=iso-8859-1"}
    assert any(body.startswith(b"\xff\xfe") for body in bodies)
    assert any(b"charset=windows-1252" in body for body in bodies)
