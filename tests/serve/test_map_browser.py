"""The sky in a real Chromium with WebGL on the processor: stars load, search flies, a click reaches a page."""

from __future__ import annotations

import base64
import itertools
import json
import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from tests.library.sky.web import small_web
from tests.serve.live import live_server
from tests.serve.test_browser import CHROMIUM, LEAST_CONTRAST, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
WEBGL = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
READY = "#sky-stage[data-ready]"
PATIENCE = 60_000  # milliseconds: a busy machine draws few frames a second


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=WEBGL)
        yield started
        started.close()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_server(small_web(tmp_path_factory.mktemp("map") / "index")) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def sky(browser: Browser, base: str) -> Iterator[Watched]:
    """The sky, loaded; motion is unwanted, so that every journey ends at once."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1200, "height": 800})
    watched = Watched(context.new_page(), base)
    watched.page.set_default_timeout(PATIENCE)
    watched.go("/map")
    watched.page.wait_for_selector(READY)
    yield watched
    context.close()


def told(sky: Watched) -> dict[str, str]:
    return dict(sky.page.evaluate("({...document.getElementById('sky-stage').dataset})"))


def view(sky: Watched) -> list[float]:
    """Where the camera stands and where it looks, as the address says."""
    address = sky.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('view')")
    return [float(number) for number in (address or "").split(",") if number]


def address(numbers: list[float]) -> str:
    """A view as the address spells it, as far as its first number."""
    return f"{numbers[0]:g}%2C"


def until(page: Page, expression: str) -> None:
    """Wait until an expression is true; the policy forbids what Playwright itself would do."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(50)


def choose(sky: Watched, words: str) -> None:
    """Find a page and fly to it."""
    sky.page.fill("#sky-find", words)
    sky.page.wait_for_selector("#sky-found [role=option]")
    sky.page.press("#sky-find", "Enter")
    sky.page.wait_for_selector("#sky-card:not([hidden])")
    until(sky.page, "location.hash.includes('page=')")


def test_all_stars_load_and_nothing_leaves(sky: Watched) -> None:
    found = told(sky)
    assert found["loaded"] == found["drawn"] == found["stars"] == "180"
    assert sky.page.eval_on_selector_all("#sky-legend li", "all => all.length") >= 3
    sky.page.wait_for_selector("#sky-names > *")
    sky.check()


def test_something_is_drawn(sky: Watched) -> None:
    """The canvas holds more than paper: stars in several colours."""
    taken = base64.b64encode(sky.page.locator(".sky-canvas").screenshot()).decode()
    blank = sky.page.context.new_page()  # a page without our policy, which lets no data: picture in
    assert blank.evaluate(COLOURS_OF, taken) > 300


def test_search_flies_and_a_click_reaches_the_page(sky: Watched) -> None:
    page = sky.page
    before = view(sky)
    assert len(before) == 6
    choose(sky, "harbour 7")
    assert "harbour 7" in page.inner_text("#sky-card")
    after = view(sky)
    assert after != before
    assert page.evaluate("new URLSearchParams(location.hash.slice(1)).get('page')") == "http://harbour.example.org/7"
    page.wait_for_selector("#sky-mark", state="visible")  # drawn with the next frame
    mark = page.locator("#sky-mark").bounding_box()
    assert mark is not None
    x, y = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    assert (x, y) == pytest.approx((600, 58 + (800 - 58) / 2), abs=3)  # one flies until the star is in the middle
    page.mouse.move(x + 2, y)
    page.mouse.click(x, y)
    page.wait_for_url("**/page?url=*")
    assert page.inner_text(".page-title") == "harbour 7"
    page.go_back()
    page.wait_for_selector(READY)
    assert view(sky) == pytest.approx(after, rel=1e-3)
    sky.check()


def test_a_link_holds_the_view_the_colours_and_the_star(sky: Watched) -> None:
    page = sky.page
    choose(sky, "forest 3")
    page.click("#sky-colours >> text=rank")
    until(page, "location.hash.includes('by=rank')")
    assert page.inner_text("#sky-legend-title") == "Rank"
    address, stood = page.url, view(sky)
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(READY)
    page.wait_for_selector("#sky-card:not([hidden])")
    assert page.get_attribute("#sky-colours [aria-pressed=true]", "value") == "rank"
    assert view(sky) == pytest.approx(stood, rel=1e-3)
    assert "forest 3" in page.inner_text("#sky-card")
    sky.check()


def test_names_never_overlap_and_more_come_as_one_comes_near(sky: Watched) -> None:
    page = sky.page
    until(page, "document.querySelectorAll('.sky-name').length > 3")
    for key in ("0", "+", "+"):
        page.keyboard.down(key)
        page.wait_for_timeout(400)
        page.keyboard.up(key)
        page.wait_for_timeout(700)
        boxes = page.eval_on_selector_all("#sky-names > *, .over:not([hidden])", BOXES)
        assert len(boxes) > 4
        for one, other in itertools.combinations(boxes, 2):
            apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
            assert apart, (one, other)
    sky.check()


def test_keys_fly_turn_choose_and_open(sky: Watched) -> None:
    page = sky.page
    page.keyboard.press(".")
    page.wait_for_selector("#sky-card:not([hidden])")
    until(page, "location.hash.includes('page=')")
    places = [view(sky)]
    for key in ("w", "ArrowLeft", "-"):
        page.keyboard.down(key)
        page.wait_for_timeout(250)
        page.keyboard.up(key)
        until(page, f"!location.hash.includes('view={address(places[-1])}')")
        page.wait_for_timeout(600)
        places.append(view(sky))
    assert all(one != other for one, other in itertools.pairwise(places))
    page.keyboard.press("c")
    until(page, "location.hash.includes('by=site')")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "sky-find"
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page?url=*")
    sky.check()


@pytest.fixture
def finger(browser: Browser, base: str) -> Iterator[Watched]:
    """The sky on a phone."""
    phone = {"width": 390, "height": 844}
    context = browser.new_context(reduced_motion="reduce", viewport=phone, has_touch=True, is_mobile=True)
    watched = Watched(context.new_page(), base)
    watched.page.set_default_timeout(PATIENCE)
    watched.go("/map")
    watched.page.wait_for_selector(READY)
    yield watched
    context.close()


def drag(page: Page, *ways: tuple[tuple[float, float], tuple[float, float]]) -> None:
    """One finger per way, from its first point to its second, all at the same time."""
    touch = page.context.new_cdp_session(page)

    def at(share: float) -> list[dict[str, float]]:
        ends = enumerate(ways)
        return [
            {"x": a[0] + share * (b[0] - a[0]), "y": a[1] + share * (b[1] - a[1]), "id": number}
            for number, (a, b) in ends
        ]

    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(0.0)})
    for step in range(1, 9):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(step / 8)})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def comes_to(sky: Watched, wanted: Callable[[list[float]], bool]) -> list[float]:
    """The first view at rest that is as wanted."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not wanted(seen := view(sky)):
        assert time.monotonic() < deadline, seen
        sky.page.wait_for_timeout(50)
    return seen


def reach(numbers: list[float]) -> float:
    """How far the camera is from where it looks."""
    return math.dist(numbers[:3], numbers[3:])


def test_one_finger_turns_and_two_come_nearer(finger: Watched) -> None:
    page = finger.page
    before = view(finger)
    drag(page, ((120, 450), (260, 450)))
    turned = comes_to(finger, lambda seen: seen != before)
    assert turned[3:] == pytest.approx(before[3:], abs=1e-4)  # about what is in the middle
    far = reach(before)
    assert reach(turned) == pytest.approx(far, rel=1e-3)
    drag(page, ((180, 440), (80, 340)), ((210, 470), (310, 570)))
    near = reach(comes_to(finger, lambda seen: reach(seen) < 0.7 * far))
    drag(page, ((80, 340), (180, 440)), ((310, 570), (210, 470)))
    comes_to(finger, lambda seen: reach(seen) > 1.3 * near)
    assert page.is_hidden("#sky-card")  # a finger that moves chooses nothing
    assert page.evaluate("[scrollY, visualViewport.scale]") == [0, 1]
    finger.check()


def test_a_name_does_not_shield_the_sky(sky: Watched) -> None:
    """Drags and wheels that begin on a name turn and zoom; a click without motion is the name's own."""
    page = sky.page
    page.wait_for_selector(".sky-place")
    name = page.locator(".sky-place").first.bounding_box()
    assert name is not None
    x, y = name["x"] + name["width"] / 2, name["y"] + name["height"] / 2
    before = view(sky)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    near = comes_to(sky, lambda seen: reach(seen) < 0.95 * reach(before))
    page.keyboard.press("0")
    comes_to(sky, lambda seen: reach(seen) > 1.05 * reach(near))
    name = page.locator(".sky-place").first.bounding_box()
    assert name is not None
    x, y = name["x"] + name["width"] / 2, name["y"] + name["height"] / 2
    stood = view(sky)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y, steps=4)
    page.mouse.up()
    turned = comes_to(sky, lambda seen: seen[:3] != stood[:3])
    assert reach(turned) == pytest.approx(reach(stood), rel=1e-3)
    page.locator(".sky-place").first.click()
    comes_to(sky, lambda seen: reach(seen) < 0.9 * reach(turned))
    sky.check()


def test_a_tap_chooses_a_star_and_a_second_one_opens_it(finger: Watched) -> None:
    page = finger.page
    choose(finger, "harbour 7")
    page.wait_for_selector("#sky-mark", state="visible")
    mark = page.locator("#sky-mark").bounding_box()
    assert mark is not None
    star = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    page.touchscreen.tap(40, 300)  # nothing is there
    page.wait_for_selector("#sky-card", state="hidden")
    page.touchscreen.tap(star[0] - 8, star[1] - 8)  # beside it, as fingers do; its name is on the other side
    page.wait_for_selector("#sky-card:not([hidden])")
    assert "harbour 7" in page.inner_text("#sky-card")
    assert page.url.partition("#")[0].endswith("/map")
    page.touchscreen.tap(*star)
    page.wait_for_url("**/page?url=*")
    assert page.inner_text(".page-title") == "harbour 7"
    finger.check()


def test_the_slider_replays_the_formation_and_comes_back(sky: Watched) -> None:
    page = sky.page
    page.evaluate("const s = document.getElementById('sky-time'); s.value = 0; s.dispatchEvent(new Event('input'))")
    until(page, "document.getElementById('sky-step').textContent === 'step 0'")
    assert sum("/api/map/moments/" in url for url in sky.asked) == 4
    page.evaluate("const s = document.getElementById('sky-time'); s.value = s.max; s.dispatchEvent(new Event('input'))")
    until(page, "document.getElementById('sky-step').textContent === 'now'")
    sky.check()


def test_a_legend_keeps_the_light_of_one_group(sky: Watched) -> None:
    page = sky.page
    first = page.locator("#sky-legend button").first
    first.click()
    assert first.get_attribute("aria-pressed") == "true"
    first.click()
    assert first.get_attribute("aria-pressed") == "false"
    sky.check()


@pytest.mark.parametrize("script", [True, False], ids=["without-webgl", "without-javascript"])
def test_without_webgl_there_are_a_still_and_a_table(browser: Browser, base: str, script: bool) -> None:
    context = browser.new_context(java_script_enabled=script)
    watched = Watched(context.new_page(), base)
    watched.page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    watched.go("/map")
    if script:
        watched.page.wait_for_selector("#sky-stage[data-without=webgl]")
        assert "no WebGL" in watched.page.inner_text("#sky-said")
    assert watched.page.is_visible(".sky-still svg")
    watched.page.click("table >> text=harbour 0")
    watched.page.wait_for_selector(".page-title")
    watched.check()
    context.close()


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_the_screen_and_can_be_read(browser: Browser, base: str, width: int, theme: Any) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=theme, has_touch=width < 400)
    watched = Watched(context.new_page(), base)
    watched.page.set_default_timeout(PATIENCE)
    watched.go("/map")
    watched.page.wait_for_selector(READY)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    assert watched.page.evaluate(LEAST_CONTRAST) >= 4.5
    stage = json.loads(
        watched.page.evaluate("JSON.stringify(document.querySelector('#sky-stage').getBoundingClientRect())")
    )
    assert stage["bottom"] == pytest.approx(844, abs=1)
    watched.check()
    context.close()


# How many colours a PNG has, given in base64.
COLOURS_OF = """
async (taken) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + taken;
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  return new Set(new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
}
"""

BOXES = """
(all) => all.map((one) => {
  const box = one.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom, one.textContent.slice(0, 20)];
})
"""
