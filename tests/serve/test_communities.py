"""`/communities`, `/tree`, their JSON, CSV and GEXF, and where they show on the other pages."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from tests.serve.client import Client
from tests.serve.fake import FakeLibrary, FakePage
from tests.serve.hostile import VECTORS
from tests.serve.live import live_server
from tests.serve.test_browser import LABELS, LEAST_CONTRAST, Watched, browser  # noqa: F401 - a fixture
from tests.serve.test_pages import OURS, Markup
from tests.webs.composed import composed, html, link
from tests.webs.subjects import HIDDEN, HOSTILE, SUBJECTS, centres, subjects_web

from periplus.cli.main import app
from periplus.graph import read_graph
from periplus.library import Library, open_library
from periplus.serve.app import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return subjects_web(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def client(library: Library) -> Client:
    return Client(create_app(library, rate=1e9, burst=1e9))


def text_of(client: Client, target: str, **parameters: str) -> str:
    """What a page says, its markup checked."""
    answer = client.get(target, parameters or None)
    assert answer.status == 200, answer.text
    markup = Markup(answer.text)
    for tag, attributes in markup.tags:
        assert tag in OURS | {"figure", "figcaption", "dl", "dt", "dd"}, tag
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "srcdoc")]
        if tag == "form":
            assert attributes["action"] in ("/search", "/communities")
        if tag == "a":
            assert re.match(r"(/|#|https?://)", attributes["href"] or ""), attributes
    return markup.text


def number_of(client: Client, subject: str) -> int:
    return int(client.get("/api/communities", {"q": subject}).json()["communities"][0]["id"])


def test_the_list_and_the_search_for_communities(client: Client) -> None:
    listed = text_of(client, "/communities")
    assert "3 communities, grown from" in listed
    assert all(subject in listed for subject in SUBJECTS)
    about = text_of(client, "/communities", q="whale")
    assert "1 of 3 communities" in about
    assert "In the tree" in about
    assert "None is called so" in text_of(client, "/communities", q="zither")
    assert "zither" in client.get("/communities", {"q": "zither"}).text


def test_one_community(client: Client) -> None:
    number = number_of(client, "whale")
    shown = text_of(client, f"/communities/{number}")
    for words in ("Authorities", "Hubs", "The core", "Where its name comes from", "The whale centre", "whale-east"):
        assert words in shown
    assert f"/search?q=community%3A{number}" in client.get(f"/communities/{number}").text


def test_the_tree_leads_down_to_its_pages(client: Client) -> None:
    root = client.get("/tree")
    assert "The tree of" in text_of(client, "/tree")
    assert root.text.count('<svg class="chart icicle"') == 2
    child = re.search(r'<div class="outline">.*?href="(/tree/\d+)"', root.text, re.S)
    assert child is not None
    shown, markup = text_of(client, child[1]), client.get(child[1]).text
    assert "of all possible links among them are there" in shown
    assert '<a href="/tree">All pages</a>' in markup
    assert "Where its name comes from" in shown
    assert "/page?url=" in markup
    answer = client.get("/tree/1", {"offset": "500"})
    assert answer.status == 400


def test_json(client: Client, library: Library) -> None:
    told = client.get("/api/communities", {"q": "whale", "size": "1"}).json()
    assert set(told) == {"query", "total", "communities"}
    one = told["communities"][0]
    assert set(one["centres"]) == set(centres("whale"))
    assert one == client.get(f"/api/communities/{one['id']}").json()
    assert client.get("/api/communities", {"offset": "3"}).json()["communities"] == []
    root = client.get("/api/tree/0", {"depth": "3"}).json()
    assert root["path"] == []
    assert root["node"]["size"] == library.graph.nodes == sum(n["size"] for n in root["nodes"] if n["parent"] == 0)
    first = client.get("/api/tree/1").json()
    assert first["path"] == [{"id": 0, "label": "all pages"}]
    whole = client.get("/tree.json").json()
    assert len(whole["leaf_of"]) == library.graph.nodes
    assert [node["label"] for node in whole["nodes"]][1:] == [node["label"] for node in root["nodes"]]


def test_the_command_line_says_the_same(client: Client, library: Library) -> None:
    path = str(library.collection.path)

    def printed(*arguments: str) -> Any:
        import json

        result = CliRunner().invoke(app, [*arguments, "--json"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    assert printed("kb", path, "whale") == client.get("/api/communities", {"q": "whale"}).json()
    assert printed("kb", path, "--number", "1") == client.get("/api/communities/1").json()
    assert printed("tree", path, "--node", "2") == client.get("/api/tree/2").json()
    assert printed("tree", path) == client.get("/tree.json").json()
    page = printed("page", path, centres("whale")[0])
    assert page == client.get("/api/page", {"url": centres("whale")[0]}).json()
    found = printed("search", path, "centre", "community:whale")
    asked = client.get("/api/search", {"q": "centre community:whale"}).json()
    assert {**found, "ms": 0} == {**asked, "ms": 0}
    assert found["total"] >= 3
    words = CliRunner().invoke(app, ["kb", path, "--number", "1"]).stdout
    assert "centres\n  http" in words
    assert "all pages › " in CliRunner().invoke(app, ["tree", path, "--node", "2"]).stdout
    assert "In the tree: " in CliRunner().invoke(app, ["page", path, centres("whale")[0]]).stdout


def test_tables_and_graphs(client: Client, library: Library, tmp_path: Path) -> None:
    def rows(target: str) -> list[dict[str, str]]:
        answer = client.get(target)
        assert answer.headers["content-type"].startswith("text/csv")
        return list(csv.DictReader(StringIO(answer.text)))

    number = number_of(client, "whale")
    assert [row["id"] for row in rows("/communities.csv")] == ["0", "1", "2"]
    members = rows(f"/communities/{number}.csv")
    assert {row["url"] for row in members} >= set(centres("whale"))
    assert all("whale" in row["communities"] for row in members)
    assert [row["id"] for row in rows("/tree.csv")][:2] == ["0", "1"]
    assert len(rows("/tree/0.csv")) == library.graph.nodes
    for target, pages in ((f"/communities/{number}.gexf", len(members)), ("/tree/0.gexf", library.graph.nodes)):
        path = tmp_path / "graph.gexf"
        path.write_bytes(client.get(target).content)
        graph = read_graph(path)
        assert graph.nodes == pages
        assert {"title", "subject", "tree", "communities"} <= set(graph.node_attributes)


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/communities/3", 404),
        ("/communities/-1", 400),
        ("/communities/x", 400),
        ("/communities/3.csv", 404),
        ("/communities/9999999999999999999999.gexf", 404),
        ("/communities?offset=99", 400),
        ("/communities?q=" + "x" * 600, 400),
        ("/tree/9999", 404),
        ("/tree/9999.csv", 404),
        ("/tree/1e3", 400),
        ("/api/communities/3", 404),
        ("/api/communities?size=0", 400),
        ("/api/tree/9999", 404),
        ("/api/tree/0?depth=9", 400),
        ("/search?q=community:99", 400),
    ],
)
def test_what_is_not_there_and_what_is_wrong(client: Client, target: str, status: int) -> None:
    assert client.get(target).status == status


def test_the_first_page_offers_subjects_and_the_others_lead_to_communities(client: Client) -> None:
    home = client.get("/").text
    assert "Subjects to begin with" in home
    assert home.count('<a href="/tree/') == 3
    portrait = text_of(client, "/page", url=centres("whale")[0])
    assert "Its place in the tree" in portrait
    assert "Its communities" in portrait
    site = client.get("/site/whale0.example").text
    assert "In the tree" in site
    assert "/search?q=site%3Awhale0.example+tree%3A" in site
    results = text_of(client, "/search", q="whale")
    for words in ("Good hubs", "Where they belong", "Communities about this", "Branches of the tree"):
        assert words in results
    assert "tree%3A" in client.get("/search", {"q": "whale"}).text


def test_before_the_communities_are_found_pages_say_which_command_finds_them(tmp_path: Path) -> None:
    pages = [FakePage("http://a.example/", "One", links=[("http://b.example/", "two")]), FakePage("http://b.example/")]
    bare = Client(create_app(FakeLibrary(pages, tmp_path / "index", communities=False)))
    for target in ("/communities", "/tree", "/api/communities", "/api/tree/0", "/tree.csv"):
        answer = bare.get(target)
        assert answer.status == 404
        assert "periplus build" in answer.text
    assert bare.get("/").status == bare.get("/page", {"url": "http://a.example/"}).status == 200


def test_the_public_is_not_shown_what_asks_not_to_be_indexed(library: Library) -> None:
    public = Client(create_app(open_library(library.collection.path, public=True), rate=1e9, burst=1e9))
    tree, hidden = public.get("/tree.json").json(), library.graph.urls.find(HIDDEN)
    leaf = tree["leaf_of"][hidden]
    title = library.told[hidden].title
    assert title in Client(create_app(library)).get(f"/tree/{leaf}").text
    assert f">{title}<" not in public.get(f"/tree/{leaf}").text
    assert HIDDEN not in public.get("/tree/0.gexf").text


def test_where_no_core_is_found_the_subjects_stand_in_their_place(tmp_path: Path) -> None:
    answers = {
        f"http://a.example/{n}": html(*(link(f"http://a.example/{(n + k) % 50}", f"page {n % 7}") for k in (1, 2, 3)))
        for n in range(50)
    }
    client = Client(create_app(open_library(composed(tmp_path / "one.web", answers).path), rate=1e9, burst=1e9))
    page = client.get("/communities")
    assert "No core was found here" in page.text
    assert page.text.count('<a class="title" href="/tree/') == len(client.get("/api/tree/0").json()["nodes"]) > 1
    assert client.get("/communities", {"q": "page"}).status == 200


def test_hostile_names_and_titles_are_text(tmp_path: Path, client: Client, library: Library) -> None:
    leaf = client.get("/api/page", {"url": HOSTILE}).json()["tree"][-1]["id"]
    assert "<img" not in client.get(f"/tree/{leaf}").text
    assert "&lt;img src=x onerror=alert(1)&gt;" in client.get(f"/tree/{leaf}").text
    pages = [FakePage(f"http://a{n}.example/", f"page {n % 9}") for n in range(60)]
    pages = [replace(one, links=[(pages[(n + k) % 60].url, "x") for k in (1, 2, 3)]) for n, one in enumerate(pages)]
    fake = FakeLibrary(pages, tmp_path / "index")
    tree = fake.memberships.tree
    for vector in VECTORS:
        fake.memberships.tree = replace(tree, names=[vector] * len(tree.parents))
        asked = Client(create_app(fake, rate=1e9, burst=1e9))
        for target in ("/", "/tree", "/tree/1", "/communities", "/communities?q=x", f"/page?url={pages[0].url}"):
            answer = asked.get(target)
            assert answer.status == 200
            assert not re.search(r"<(img|iframe|base|meta http|math|template|b>|svg onload)", answer.text), vector
            assert answer.text.count("<script") == 1


# -- in the browser ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def base(library: Library) -> Iterator[str]:
    with live_server(library) as port:
        yield f"http://127.0.0.1:{port}"


PATHS = ("/", "/communities", "/communities?q=whale", "/communities/0", "/tree", "/tree/1", "/search?q=whale")


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen_and_contrast_is_enough(
    browser: Browser,  # noqa: F811
    base: str,
    width: int,
    theme: Any,
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=theme)
    watched = Watched(context.new_page(), base)
    for path in PATHS:
        watched.go(path)
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert watched.page.evaluate(LEAST_CONTRAST) >= 4.5, path
    watched.check()
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 700, 970, 1160])
def test_names_in_the_icicle_can_be_read(browser: Browser, base: str, width: int) -> None:  # noqa: F811
    context = browser.new_context(viewport={"width": width, "height": 844})
    watched = Watched(context.new_page(), base)
    watched.go("/tree")
    sizes = watched.page.evaluate(LABELS)
    assert len(sizes) > 3
    assert min(size for size, _, _ in sizes) >= 11
    assert [text for _, outside, text in sizes if outside] == []
    context.close()


@pytest.mark.browser
def test_the_tree_is_walked_without_javascript_and_by_the_pointer(browser: Browser, base: str) -> None:  # noqa: F811
    context = browser.new_context(java_script_enabled=False)
    watched = Watched(context.new_page(), base)
    page = watched.page
    watched.go("/tree")
    name = page.inner_text(".outline a >> nth=0")
    page.click(".outline a >> nth=0")
    assert page.inner_text("h1") == name
    page.click("nav.crumbs >> text=All pages")
    page.click(".wide .icicle rect >> nth=0")
    assert page.inner_text("h1") == name
    page.click("text=Search them")
    assert page.locator(".result").count()
    page.fill(".top input[name=q]", "whale")
    page.press(".top input[name=q]", "Enter")
    page.click("aside >> a[href*='tree%3A'] >> nth=0")
    assert "tree:" in page.input_value(".top input[name=q]")
    watched.check()
    context.close()


OUTLINE = """<div class="outline"><ul>
<li><details><summary><a href="/tree/1">one</a></summary><ul>
<li class="leaf"><a href="/tree/2">two</a></li><li class="leaf"><a href="/tree/3">three</a></li></ul></details></li>
<li class="leaf"><a href="/tree/4">four</a></li></ul></div>"""


@pytest.mark.browser
def test_the_outline_is_walked_by_the_keyboard(browser: Browser, base: str) -> None:  # noqa: F811
    """Down, up, into a branch and out of it; Enter follows. The outline is one with two levels, whatever was grown."""
    context = browser.new_context()
    watched = Watched(context.new_page(), base)
    page = watched.page
    page.route("**/tree", lambda route: _with_outline(route))
    watched.go("/tree")
    page.focus(".outline summary")
    said = []
    for key in ("Right", "Right", "Down", "Down", "Down", "Up", "Left", "Left", "Down", "Up", "Left"):
        page.keyboard.press(f"Arrow{key}")
        said.append(page.evaluate("document.activeElement.textContent"))
    assert said == ["one", "two", "three", "four", "four", "three", "one", "one", "four", "one", "one"]
    assert not page.evaluate("document.querySelector('.outline details').open")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tree/4")
    context.close()


def _with_outline(route: Any) -> None:
    answer = route.fetch()
    whole = re.sub(r'<div class="outline">.*?</div>', OUTLINE, answer.text(), flags=re.S)
    route.fulfill(response=answer, body=whole)
