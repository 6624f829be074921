"""The pages: what stands on them, and that nothing from the web can run in them."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from tests.serve.client import Client
from tests.serve.conftest import DIARY, FARM, HUB
from tests.serve.fake import FakeLibrary
from tests.serve.hostile import BAD_ADDRESSES, VECTORS

from periplus.record import Table
from periplus.serve.app import create_app
from periplus.serve.assets import assets
from periplus.serve.render import crumbs, day, web_address
from periplus.serve.tables import csv_answer


class Markup(HTMLParser):
    """Every tag with its attributes, and the text between."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


OURS = {
    "html", "head", "meta", "title", "link", "script", "body", "a", "header", "svg", "g", "circle", "path", "line",
    "text", "rect", "span", "form", "input", "button", "nav", "main", "footer", "p", "section", "h1", "h2", "h3", "ul",
    "ol", "li", "div", "q", "code", "aside", "article", "bdi", "time", "mark", "table", "caption", "thead", "tbody",
    "tr", "th", "td", "details", "summary", "pre",
}  # fmt: skip


def check_markup(page: str) -> Markup:
    """Only our own elements, no handlers, no styles, no scripts but ours, links to the web or to ourselves."""
    markup = Markup(page)
    for tag, attributes in markup.tags:
        assert tag in OURS, tag
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "srcdoc")]
        if tag == "script":
            assert (attributes["src"] or "").startswith("/static/app.js?v=")
        if tag in ("a", "link"):
            assert re.match(r"(/|#|https?://)", attributes["href"] or ""), attributes
        if tag == "form":
            assert re.fullmatch(r"/search|/site/[\w.-]+/with", attributes["action"] or ""), attributes
    assert not re.search(r"<script(?! src=\"/static/)", page)
    return markup


def test_home(client: Client, library: FakeLibrary) -> None:
    page = client.get("/")
    text = check_markup(page.text).text
    assert f"{library.graph.nodes} pages" in text
    assert "charted 15 Nov 2026" in text
    assert "All pages form the core" in text
    assert "Wind farm" in text


def test_search(client: Client) -> None:
    page = client.get("/search", params={"q": "wind farm"})
    text = check_markup(page.text).text
    assert page.status == 200
    assert "3 pages for wind farm" in text
    assert "Your words are its title" in text
    assert page.text.count("<mark>") >= 2
    assert f"/page?url={quote(FARM, safe='')}" in page.text
    assert 'aria-current="true">PageRank' in page.text


def test_search_goes_on_to_the_next_page(client: Client) -> None:
    first = client.get("/search", params={"q": "tides", "all": "true"}).text
    assert "25 pages" in first
    after = re.search(r'rel="next" href="([^"]+)"', first)
    assert after is not None
    second = client.get(after.group(1).replace("&amp;", "&")).text
    assert 'rel="prev"' in second
    assert "11–20 of 25" in second


def test_a_site_shows_two_pages_until_all_are_asked_for(client: Client) -> None:
    page = client.get("/search?q=tides").text
    more = re.search(r'href="([^"]+)">more from ([\w.]+)<', page)
    assert more is not None
    assert f"site%3A{more[2]}" in more[1]
    every = re.search(r'href="([^"]+)">Show every page by itself', page)
    assert every is not None
    whole = client.get(every[1].replace("&amp;", "&")).text
    assert "more from" not in whole
    assert "Show every page by itself" not in whole


def test_facets_are_links_that_narrow(client: Client) -> None:
    page = client.get("/search?q=wind+OR+tides").text
    narrow = re.search(r'<li><a href="([^"]+site%3A[^"]+)">([\w.]+)</a><span class="n">(\d+)</span>', page)
    assert narrow is not None
    assert f"{narrow[3]} page" in client.get(narrow[1].replace("&amp;", "&")).text


def test_newest_first_is_one_of_the_rankers(client: Client) -> None:
    page = client.get("/search?q=tides&ranker=date").text
    assert 'aria-current="true">Newest first' in page
    assert "newest first" in page


def test_search_without_words_goes_home(client: Client) -> None:
    answer = client.get("/search?q=+")
    assert (answer.status, answer.headers["location"]) == (303, "/")


def test_search_for_what_is_not_there_says_what_to_do(client: Client) -> None:
    page = client.get("/search?q=xylophone")
    assert page.status == 200
    assert "periplus crawl" in check_markup(page.text).text


def test_search_explained(client: Client) -> None:
    assert "Score:" in check_markup(client.get("/search?q=wind+farm&explain=true").text).text


def test_search_by_another_ranker(client: Client) -> None:
    assert 'aria-current="true">In-links' in client.get("/search?q=wind&ranker=indegree").text


def test_a_query_without_words_says_nothing_of_words(client: Client) -> None:
    """`site:` asks for no word, so none can be missing; a word that stands elsewhere is said to be missing."""
    page = client.get("/search?q=site:example.edu").text
    assert "Paper 1" in page
    assert "Your words are not in its text" not in page
    assert "Your words are not in its text" in client.get("/search?q=title:day").text


def test_a_page_beyond_the_last_result_says_so_and_leads_back(client: Client) -> None:
    page = client.get("/search?q=tides&offset=900&all=true")
    assert "There are no more: 25 in all" in Markup(page.text).text
    assert "901" not in Markup(page.text).text
    before = next(a["href"] for tag, a in Markup(page.text).tags if tag == "a" and a.get("rel") == "prev")
    assert "21–25 of 25" in Markup(client.get(str(before)).text).text


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/search?q=" + "(" * 17, "Nothing to look for"),
        ("/search?q=wind&offset=1000000000", "at most 1,000"),
        ("/search?q=wind&offset=-1", "offset = "),
        ("/search?q=wind&offset=1e3", "offset = "),
        ("/search?q=wind&offset=NaN", "offset = "),
        ("/search?q=wind&ranker=magic", "one of pagerank"),
        ("/search?q=%2a", "Nothing to look for"),
    ],
)
def test_bad_queries_get_a_page_that_says_so(client: Client, address: str, message: str) -> None:
    page = client.get(address)
    assert page.status == 400
    assert message in check_markup(page.text).text


@pytest.mark.parametrize("query", ["%ff", "%00", "%ed%a0%80", "%e2%80%aeabc", "e%cc%81" * 100, "%F0%9F%8C%8A"])
def test_odd_bytes_get_an_answer(client: Client, query: str) -> None:
    page = client.get(f"/search?q=wind+{query}")
    assert page.status in (200, 400)
    page.content.decode("utf-8")


def test_portrait(client: Client) -> None:
    page = client.get("/page", params={"url": FARM})
    text = check_markup(page.text).text
    assert page.status == 200
    for expected in (
        "Known as",
        "wind farm 2",
        "Who links here",
        "example.edu",
        "Its place",
        "1st of",
        "The stored text",
    ):
        assert expected in text, expected
    assert "Core (SCC)" in text


def test_portrait_of_a_page_without_links(client: Client) -> None:
    text = check_markup(client.get("/page", params={"url": HUB}).text).text
    assert "No page of this collection links here" in text
    assert "it links to 2" in text


def test_portraits_are_found_however_the_url_is_spelt(client: Client) -> None:
    assert client.get("/page", params={"url": "HTTP://WIND.example.org:80/farm.html#top"}).status == 200


@pytest.mark.parametrize("url", [*BAD_ADDRESSES, "http://not.here/", "x" * 3000, "http://a.org/\x00"])
def test_portrait_of_what_is_not_here(client: Client, url: str) -> None:
    page = client.get("/page", params={"url": url})
    assert page.status == 404
    assert "is not in this collection" in check_markup(page.text).text


def test_sites(client: Client) -> None:
    text = check_markup(client.get("/sites").text).text
    assert "example.edu 25" in text
    site = check_markup(client.get("/site/example.org").text).text
    assert "2 pages charted" in site
    assert "example.edu 25 links" in site
    host = check_markup(client.get("/site/h3.example.com").text).text
    assert "A host of example.com" in host
    assert client.get("/site/nothing.example").status == 404
    assert client.get("/site/..%2f..").status == 404


def test_all_links_of_a_page_in_parts_by_site_and_as_csv(client: Client) -> None:
    portrait = client.get("/page", params={"url": FARM}).text
    assert re.search(r'side=in&amp;site=example.edu">and 22 more</a>', portrait)
    whole = check_markup(client.get("/page/links", params={"url": FARM, "side": "in"}).text).text
    told = re.search(r"(\d+) pages, best-ranked first", whole)
    assert told is not None
    count = int(told[1])
    assert f"1–50 of {count}" in whole
    some = client.get("/page/links", params={"url": FARM, "side": "in", "site": "example.edu"}).text
    assert f"25 of {count} pages, on example.edu" in check_markup(some).text
    rows = list(csv.DictReader(client.get("/page/links.csv", params={"url": FARM}).text.splitlines()))
    assert len({row["url"] for row in rows}) == count
    assert {row["text"] for row in rows if row["url"] == DIARY} == {"a farm I saw", "wind farm"}
    out = check_markup(client.get("/page/links", params={"url": HUB, "side": "out"}).text).text
    assert "2 pages, best-ranked first" in out
    assert "Wind farm" in out
    none = check_markup(client.get("/page/links", params={"url": HUB, "side": "in"}).text).text
    assert "There are none" in none


@pytest.mark.parametrize(
    ("address", "status", "message"),
    [
        ("/page/links?url=http://not.here/", 404, "is not in this collection"),
        (f"/page/links?url={HUB}&side=both", 400, "side = "),
        (f"/page/links?url={FARM}&offset=9000", 400, "offset"),
        (f"/page/links?url={FARM}&offset=-1", 400, "offset = "),
        (f"/page/links.csv?url={FARM}&side=up", 400, "side = "),
        ("/site/example.edu?offset=9000", 400, "offset"),
        ("/site/example.org/with/nowhere.example", 404, "No page of nowhere.example"),
        ("/site/example.org/with/example.edu?offset=9000", 400, "offset"),
        ("/audit?site=nowhere.example", 404, "No page of nowhere.example"),
        ("/audit/no-check.csv", 404, "no such check"),
    ],
)
def test_what_is_not_there_is_told(client: Client, address: str, status: int, message: str) -> None:
    answer = client.get(address)
    assert answer.status == status
    assert message in check_markup(answer.text).text


def test_two_sites_and_the_links_between(client: Client) -> None:
    text = check_markup(client.get("/site/example.org/with/example.net").text).text
    assert "example.org → example.net: 1 link" in text
    assert "example.net → example.org: 1 link" in text
    assert "a farm I saw" in text
    rows = list(csv.DictReader(client.get("/site/example.org/with/example.net.csv").text.splitlines()))
    assert {(row["source"], row["target"], row["text"]) for row in rows} == {
        (HUB, DIARY, ""),
        (DIARY, FARM, "a farm I saw"),
        (DIARY, FARM, "wind farm"),
    }


def test_a_site_says_where_it_links_and_lies(client: Client) -> None:
    text = check_markup(client.get("/site/example.org").text).text
    for expected in ("Where it links", "example.net 1 link", "Core (SCC) 100 %", "Audit it"):
        assert expected in text, expected


def test_others_are_not_shown_the_audit(library: FakeLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "public", True)
    shown = Client(create_app(library, rate=1e9, burst=1e9))
    assert shown.get("/audit").status == 404
    assert "/audit" not in shown.get("/site/example.org").text


def test_tables_as_csv(client: Client, library: FakeLibrary) -> None:
    table = client.get("/sites.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    sites = {row["site"]: row for row in csv.DictReader(table.text.splitlines())}
    assert (sites["example.edu"]["pages"], sites["example.edu"]["links_from_other_sites"]) == ("25", "0")
    pages = list(csv.DictReader(client.get("/site/example.org/pages.csv").text.splitlines()))
    assert [(row["url"], row["title"]) for row in pages] == [(FARM, "Wind farm"), (HUB, "All about wind")]
    whole = list(csv.DictReader(client.get("/pages.csv").text.splitlines()))
    assert len(whole) == library.graph.nodes
    links = list(csv.DictReader(client.get("/links.csv").text.splitlines()))
    assert {(row["source"], row["text"]) for row in links if row["target"] == DIARY} == {(HUB, "")}
    assert client.get("/site/nothing.example/pages.csv").status == 404


def test_cells_that_a_spreadsheet_would_run_are_defused() -> None:
    table = Table.of_rows(("a",), [("=1+1",), ("@x",), ("-2",), (-2,), ("fine",)])
    app = Starlette(routes=[Route("/x.csv", lambda request: csv_answer("x", table))])
    body = Client(app).get("/x.csv").text
    assert body.splitlines() == ["a", "'=1+1", "'@x", "'-2", "-2", "fine"]


def test_nowhere_says_where_to_go(client: Client) -> None:
    page = client.get("/nowhere")
    assert page.status == 404
    assert "Begin again" in check_markup(page.text).text


@pytest.mark.parametrize("number", range(len(VECTORS)))
def test_nothing_from_the_web_becomes_markup(client: Client, number: int) -> None:
    url = f"http://h{number}.example.com/hostile"
    for address, parameters in (
        ("/search", {"q": f"hostile site:h{number}.example.com", "explain": "true"}),
        ("/page", {"url": url}),
        ("/site/example.com", {}),
    ):
        page = client.get(address, params=parameters)
        assert page.status == 200, page.text[:300]
        check_markup(page.text)
    shown = Markup(client.get("/page", params={"url": url}).text).text
    if VECTORS[number] == "<script>alert(1)</script>":
        assert "hostile <script>alert(1)</script>" in shown


@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_from_the_address_becomes_markup(client: Client, vector: str) -> None:
    typed = vector.encode("utf-8", "replace").decode()
    for address, name in (("/search", "q"), ("/page", "url"), ("/search", "ranker")):
        parameters = {"q": "wind", name: typed} if name == "ranker" else {name: typed}
        check_markup(client.get(address, params=parameters).text)
    check_markup(client.get("/" + quote(typed[:200])).text)
    check_markup(client.get("/site/" + quote(typed[:200], safe="")).text)


@pytest.mark.parametrize("url", BAD_ADDRESSES)
def test_only_web_addresses_may_be_followed(url: str) -> None:
    assert web_address(url) is None


def test_web_addresses_may_be_followed() -> None:
    assert web_address(DIARY) == DIARY


def test_small_words() -> None:
    assert crumbs("http://a.org/x/%C3%A9t%C3%A9/%E2%80%AEx") == ["a.org", "x", "été", "%E2%80%AEx"]
    assert crumbs("http://a.org/" + "b/" * 20)[-1] == "…"
    assert day("2026-11-16T05:52:58Z") == "16 Nov 2026"
    assert day("20261116055258") == "16 Nov 2026"
    assert day("yesterday") == ""


def test_what_the_pages_load_is_small_and_ours() -> None:
    found = assets()
    assert len(found["style.css"].content) < 30_000
    assert len(found["app.js"].content) < 10_000
    elsewhere = re.compile(rb"url\((?!rhumb\.svg|sky\.svg)|@import|//[a-z]+\.[a-z]")
    for asset in found.values():
        assert not elsewhere.search(asset.content.replace(b"http://www.w3.org", b""))


def test_the_pages_of_a_region_are_paged_and_all_in_the_csv(client: Client, library: FakeLibrary) -> None:
    first = client.get("/structure/region/scc")
    text = check_markup(first.text).text
    assert f"Core (SCC): {library.graph.nodes} pages" in text
    rows = client.get("/structure/region/scc.csv").text.splitlines()
    assert rows[0] == "url,title,place,in_links"
    assert rows[1].startswith(FARM + ",Wind farm,1,")
    assert len(rows) == 1 + library.graph.nodes
    seen = len(re.findall(r'<a href="/page\?url=', first.text))
    address = re.search(r'rel="next" href="([^"]+)"', first.text)
    if address is not None:
        seen += len(re.findall(r'<a href="/page\?url=', client.get(address.group(1)).text))
    assert seen == library.graph.nodes
    assert "IN: 0 pages" in check_markup(client.get("/structure/region/in").text).text
    assert client.get("/structure/region/nonsense").status == 400
    assert client.get("/structure/region/nonsense.csv").status == 400
