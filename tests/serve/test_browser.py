"""The pages in a real browser: search, follow, come back, keys, both with and without JavaScript."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from tests.serve.conftest import FARM
from tests.serve.fake import FakeLibrary
from tests.serve.hostile import VECTORS
from tests.serve.live import live_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def base(library: FakeLibrary) -> Iterator[str]:
    with live_server(library) as port:
        yield f"http://127.0.0.1:{port}"


class Watched:
    """A page and everything that it said, asked for, or tried to open."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base = page, base
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: self.said.append("dialog"))
        page.on("request", lambda request: self.asked.append(request.url))

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def check(self) -> None:
        assert self.said == []
        assert [url for url in self.asked if not url.startswith(self.base + "/")] == []


@pytest.fixture(params=[True, False], ids=["with-javascript", "without-javascript"])
def watched(browser: Browser, base: str, request: Any) -> Iterator[Watched]:
    context = browser.new_context(java_script_enabled=request.param)
    yield Watched(context.new_page(), base)
    context.close()


def test_search_follow_a_result_and_come_back(watched: Watched) -> None:
    page = watched.page
    watched.go("/")
    page.fill("input[name=q]", "wind farm")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector(".result")
    assert page.inner_text(".result .title") == "Wind farm"
    assert page.inner_text(".result mark").lower() == "wind"
    page.click(".result .title")
    page.wait_for_selector(".page-title")
    assert page.inner_text(".page-title") == "Wind farm"
    page.click(".stored summary")
    assert "turns wind into power" in page.inner_text(".stored .prose")
    page.go_back()
    assert page.input_value("input[name=q]") == "wind farm"
    watched.check()


def test_rankers_sites_and_errors(watched: Watched) -> None:
    page = watched.page
    watched.go("/search?q=tides&all=true")
    page.click("text=In-links")
    assert "ranker=indegree" in page.url
    page.click("text=after →")
    assert "11–20 of 25" in page.inner_text(".pager")
    page.click("header >> text=Sites")
    page.click("table >> text=example.edu")
    assert "25 pages charted" in page.inner_text(".lead")
    watched.check()
    watched.go("/search?q=!!!")
    assert "Nothing to look for" in page.inner_text(".lead")


def test_another_ranking_and_two_side_by_side(watched: Watched) -> None:
    page = watched.page
    watched.go("/search?q=wind")
    page.click(".rankers >> text=Authorities")
    assert "rank=hits" in page.url
    assert "Hubs beside them" in page.inner_text(".margin")
    page.click("text=compare")
    page.wait_for_selector(".way")
    heads = [box["y"] for one in page.query_selector_all(".way ol li:first-child") if (box := one.bounding_box())]
    assert len(heads) == 2
    assert heads[0] == heads[1]
    lines, rows = page.query_selector(".strands").bounding_box(), page.query_selector(".way ol").bounding_box()
    assert abs(lines["y"] - rows["y"]) <= 2  # the lines end at the rows that they join
    assert lines["x"] >= rows["x"] + rows["width"] - 1
    page.select_option("select[name=c]", "salsa")
    page.click(".picks button")
    page.wait_for_selector(".versus.trio")
    page.click(".way .title >> nth=0")
    page.wait_for_selector(".portrait")
    watched.check()


@pytest.mark.parametrize("watched", [True], indirect=True, ids=["with-javascript"])
def test_the_box_offers_what_the_words_may_become(watched: Watched) -> None:
    page = watched.page
    watched.go("/")
    page.type("input[name=q]", "wind f")
    page.wait_for_selector("datalist option", state="attached")
    offered = page.eval_on_selector_all("datalist option", "options => options.map(one => one.value)")
    assert "Wind farm" in offered
    watched.check()


@pytest.mark.parametrize("watched", [True], indirect=True, ids=["with-javascript"])
def test_hostile_text_neither_runs_nor_loads(watched: Watched) -> None:
    for number in range(len(VECTORS)):
        watched.go(f"/page?url=http://h{number}.example.com/hostile")
        watched.go(f"/search?q=hostile+site:h{number}.example.com")
    watched.go(f"/page?url={FARM}")
    watched.check()


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen_and_contrast_is_enough(
    browser: Browser, base: str, width: int, theme: Any
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=theme)
    watched = Watched(context.new_page(), base)
    for path in PATHS:
        watched.go(path)
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert watched.page.evaluate(LEAST_CONTRAST) >= 4.5, path
    watched.said = [line for line in watched.said if "status of 40" not in line]  # two of the pages are refusals
    watched.check()
    context.close()


@pytest.mark.parametrize("width", [390, 700, 1160, 1440])
def test_labels_of_pictures_can_be_read_at_every_width(browser: Browser, base: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    watched = Watched(context.new_page(), base)
    for path in ("/structure", "/lab", "/lab?model=kleinberg"):
        watched.go(path)
        watched.page.wait_for_selector(".narrow svg.chart" if width == 390 else ".wide svg.chart")
        sizes = watched.page.evaluate(LABELS)
        assert len(sizes) > 20
        assert min(size for size, _, _ in sizes) >= 11, path
        assert [text for _, outside, text in sizes if outside] == [], path
    watched.check()
    context.close()


def test_a_region_of_the_bow_tie_leads_to_its_pages(watched: Watched) -> None:
    page = watched.page
    watched.go("/structure")
    page.wait_for_selector(".wide svg.bowtie")
    page.click(".wide a[href='/structure/region/in'] text >> nth=0")
    page.wait_for_selector("table.pages")
    assert page.inner_text("h1").startswith("IN: ")
    assert page.get_attribute(".data a", "href") == "/structure/region/in.csv"
    watched.check()


def test_the_form_of_the_laboratory_follows_the_model_and_keeps_what_was_typed(watched: Watched) -> None:
    page = watched.page
    watched.go("/lab")
    page.click(".models >> text=kleinberg")
    assert page.input_value("input[name=r]") == "2.0"
    page.fill("input[name=r]", "-3")
    page.fill("input[name=n]", "100")
    page.click("text=Grow it")
    assert "0 ≤ r ≤ 100" in page.inner_text("[role=alert]")
    assert (page.input_value("input[name=r]"), page.input_value("input[name=n]")) == ("-3", "100")
    page.fill("input[name=r]", "1")
    page.click("text=Grow it")
    assert "100 pages" in page.inner_text("main")


def test_keys(browser: Browser, base: str) -> None:
    context = browser.new_context()
    watched = Watched(context.new_page(), base)
    page = watched.page
    watched.go("/search?q=tides")
    focused = "document.activeElement.textContent"
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.evaluate(focused)
    page.keyboard.press("k")
    assert page.evaluate(focused) != second
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector(".page-title")
    watched.check()
    context.close()


PATHS = (
    "/",
    "/search?q=wind+OR+hostile&explain=true",
    "/search?q=xylophone+wind+site:example.edu",
    f"/page?url={FARM}",
    "/sites",
    "/site/example.com",
    "/structure",
    "/structure/region/scc",
    "/lab",
    "/lab?model=kleinberg&r=-3",
    "/nowhere",
)

# Of every visible text of a picture: its size on the screen, whether it leaves its picture, and what it says.
LABELS = """
() => [...document.querySelectorAll("svg.chart text")].filter((one) => one.checkVisibility()).map((one) => {
  const [picture, label] = [one.ownerSVGElement, one.getBoundingClientRect()];
  const frame = picture.getBoundingClientRect();
  const scale = frame.width / picture.viewBox.baseVal.width;
  const size = parseFloat(getComputedStyle(one).fontSize) * scale;
  return [size, label.left < frame.left - 1 || label.right > frame.right + 1, one.textContent];
})
"""

# The smallest contrast of any visible text with the nearest painted background behind it (WCAG 2 formula).
LEAST_CONTRAST = """
() => {
  const numbers = (colour) => (colour.match(/[0-9.]+/g) || []).map(Number);
  const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = numbers(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  let least = 21;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !element.checkVisibility()) continue;
    if (element.closest("svg,.sep,.skip")) continue;
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least;
}
"""
