"""A small web with known defects: what each check must find in it, and nothing else."""

from __future__ import annotations

from typing import Any

from tests.webs.composed import html, link

SHOP, BLOG = "https://www.shop.example", "https://blog.example"
WORDS = [f"word{number}" for number in range(200)]


def about(subject: str) -> str:
    """Sixty words of their own."""
    return " ".join(f"{subject}{number}" for number in range(60))


def page(subject: str, *body: str, title: str | None = None, description: str | None = None, head: str = "") -> str:
    named = f"{subject} page" if title is None else title
    told = f"About {subject}." if description is None else description
    meta = f'<meta name="description" content="{told}">' if told else ""
    return html(about(subject), *body, title=named, head=meta + head)


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


LONG = " ".join(WORDS)
NEARLY = LONG.replace("word100", "otherword")
NOINDEX = '<meta name="robots" content="noindex">'
CLICKS = [f"{SHOP}/step/{number}" for number in range(1, 7)]

ANSWERS: dict[str, Any] = {
    f"{SHOP}/": page(
        "home",
        link("/gone", "our catalogue"),
        link("/gone", "the catalogue"),
        link("/moved-away", "the map"),
        link("/flaky", "the shop"),
        link("/round", "round"),
        link("/far", "far"),
        link("/near", "near"),
        link("/leaflet.pdf", "leaflet"),
        link("/secret/", "prices"),
        link("/quiet", "the archive"),
        link("/mixed", "pictures"),
        link("/same", "same"),
        link("/nameless", "nameless"),
        link("/blue", "blue"),
        link("/canon/gone", "a"),
        link("/canon/chain", "b"),
        link("/canon/redirect", "c"),
        link("/canon/quiet", "d"),
        link("/canon/right", "e"),
        link("/long", "long"),
        link("/step/1", "one"),
        link("https://elsewhere.example/never-asked", "elsewhere"),
        link("https://down.example/", "a friend"),
        link("/waiting", "not yet fetched"),
    ),
    f"{SHOP}/gone": 404,
    f"{SHOP}/moved-away": (301, f"{SHOP}/gone"),
    f"{SHOP}/flaky": 503,
    f"{SHOP}/round": (302, f"{SHOP}/round/2"),
    f"{SHOP}/round/2": (302, f"{SHOP}/round"),
    f"{SHOP}/far": (301, f"{SHOP}/farther"),
    f"{SHOP}/farther": (301, f"{SHOP}/blue"),
    f"{SHOP}/near": (301, f"{SHOP}/blue"),
    f"{SHOP}/leaflet.pdf": 200,
    f"{SHOP}/quiet": page("quiet", head=NOINDEX),
    f"{SHOP}/mixed": page(
        "mixed",
        '<img src="http://pictures.example/1.png"><img src="//pictures.example/2.png"><a href="http://www.shop.example/">x</a>',
        head='<script src="http://scripts.example/1.js"></script>',
    ),
    f"{SHOP}/same": html("the very same bytes", title="Same", head='<meta name="description" content="Same.">'),
    f"{SHOP}/same/again": html("the very same bytes", title="Same", head='<meta name="description" content="Same.">'),
    f"{SHOP}/nameless": page("nameless", title="", description=""),
    f"{SHOP}/blue": page("blue", link("/green", "green"), title="Paint", description="Paint of all colours."),
    f"{SHOP}/green": page("green", link("/same/again", "again"), title="Paint", description="Paint of all colours."),
    f"{BLOG}/paint": page("blogpaint", link(f"{SHOP}/gone", "a shop"), title="Paint", description="Of another site."),
    f"{SHOP}/canon/gone": page("cgone", head=canonical("/gone")),
    f"{SHOP}/canon/chain": page("cchain", head=canonical("/canon/right")),
    f"{SHOP}/canon/redirect": page("credirect", head=canonical("/near")),
    f"{SHOP}/canon/quiet": page("cquiet", head=canonical("/quiet")),
    f"{SHOP}/canon/right": page("cright", head=canonical("/blue")),
    f"{SHOP}/long": html(
        LONG,
        link("/long/print", "print"),
        title="Long",
        head='<meta name="description" content="L1"><link rel=canonical href="/long">',
    ),
    f"{SHOP}/long/print": html(NEARLY, title="Long, to print", head='<meta name="description" content="L2">'),
    f"{SHOP}/alone": page("alone"),
    f"{SHOP}/island/1": page("island1", link("/island/2", "two")),
    f"{SHOP}/island/2": page("island2", link("/island/1", "one")),
    **{
        url: page(f"step{number}", link(after, f"to {number + 1}"))
        for number, (url, after) in enumerate(zip(CLICKS, [*CLICKS[1:], f"{SHOP}/blue"], strict=True), 1)
    },
}

SEEDS = (f"{SHOP}/", f"{BLOG}/paint")
LOG = (
    *({"url": url, "outcome": "OK", "depth": 0} for url in SEEDS),
    {"url": f"{SHOP}/gone", "outcome": "HTTP_404", "depth": 1},
    {"url": f"{SHOP}/secret/", "outcome": "BLOCKED_ROBOTS", "depth": 1},
    {"url": "https://down.example/", "outcome": "ERR_CONNECT", "depth": 1},
)

HOME = f"{SHOP}/"
# For each check: URL → (what is said of it, the places where it shows).
DEFECTS: dict[str, dict[str, tuple[str, list[tuple[str, str]]]]] = {
    "broken-links": {
        f"{SHOP}/gone": (
            "answers 404 (Not Found)",
            [(f"{BLOG}/paint", "a shop"), (HOME, "our catalogue"), (HOME, "the catalogue")],
        ),
        f"{SHOP}/moved-away": (f"redirects to {SHOP}/gone, which answers 404 (Not Found)", [(HOME, "the map")]),
    },
    "redirect-loops": {
        f"{SHOP}/round": (
            f"redirects in a circle: {SHOP}/round → {SHOP}/round/2 → {SHOP}/round",
            [(HOME, "round")],
        )
    },
    "failing-links": {
        f"{SHOP}/flaky": ("answers 503 (Service Unavailable)", [(HOME, "the shop")]),
        "https://down.example/": ("does not answer", [(HOME, "a friend")]),
    },
    "canonical-contradictions": {
        f"{SHOP}/canon/gone": ("names a canonical address that answers 404 (Not Found)", [(f"{SHOP}/gone", "")]),
        f"{SHOP}/canon/chain": (
            f"names a canonical address whose own canonical address is {SHOP}/blue",
            [(f"{SHOP}/canon/right", "")],
        ),
        f"{SHOP}/canon/redirect": (
            f"names a canonical address that redirects to {SHOP}/blue",
            [(f"{SHOP}/near", "")],
        ),
        f"{SHOP}/canon/quiet": ("names a canonical address that asks not to be indexed", [(f"{SHOP}/quiet", "")]),
    },
    "noindex-linked": {f"{SHOP}/quiet": ("asks not to be indexed, but is linked", [(HOME, "the archive")])},
    "orphans": {f"{SHOP}/alone": ("is linked from no page", [])},
    "islands": {
        f"{SHOP}/island/1": ("is linked only from pages without a path to them", [(f"{SHOP}/island/2", "one")]),
        f"{SHOP}/island/2": ("is linked only from pages without a path to them", [(f"{SHOP}/island/1", "two")]),
    },
    "mixed-content": {
        f"{SHOP}/mixed": (
            "loads 2 parts over plain http",
            [("http://scripts.example/1.js", ""), ("http://pictures.example/1.png", "")],
        )
    },
    "duplicates": {
        f"{SHOP}/same": ("has a copy at another address; this one is kept", [(f"{SHOP}/same/again", "")]),
    },
    "near-duplicates": {
        f"{SHOP}/long": ("is kept; another page says nearly the same", [(f"{SHOP}/long/print", "96.5 % the same")]),
    },
    "redirect-chains": {
        f"{SHOP}/far": (f"redirects 2 times: {SHOP}/far → {SHOP}/farther → {SHOP}/blue", [(HOME, "far")]),
    },
    "missing-titles": {f"{SHOP}/nameless": ("has no title", [])},
    "repeated-titles": {f"{SHOP}/blue": ("shares its title with another page: “Paint”", [(f"{SHOP}/green", "")])},
    "deep-pages": {
        CLICKS[5]: ("is 6 clicks from the nearest start page", [(CLICKS[4], "to 6")]),
        CLICKS[4]: ("is 5 clicks from the nearest start page", [(CLICKS[3], "to 5")]),
    },
    "rank-wasted": {},
    "rank-hoarded": {},
    "blocked-links": {f"{SHOP}/secret/": ("is forbidden by robots.txt", [(HOME, "prices")])},
    "repeated-descriptions": {
        f"{SHOP}/blue": ("shares its description with another page: “Paint of all colours.”", [(f"{SHOP}/green", "")])
    },
    "missing-descriptions": {f"{SHOP}/nameless": ("has no description", [])},
    "absent-targets": {},
}
