"""What is planted in the demonstration web, so that the answers of a crawler, a ranker or a search can be checked.

Each function adds one thing to the drafts and returns what a test needs to know about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from periplus.demo.draft import Draft, Reference, Site
from periplus.demo.growth import anchor_for
from periplus.demo.prose import Subject, capital

ANCHOR_ONLY_PHRASE = "whispering staircase"
PORTAL = Site("harbour.example", "Harbour", "the quay", "")
CORNER = Site("attic.example", "The Attic", "the top floor", "")
LEAFLETS = Site("leaflets.example", "Leaflets", "the rack by the door", "")
MIRROR_HOST = "tidewatch-mirror.example"
MIRRORED_HOST = "tidewatch.example"
FORBIDDING_STYLE = "rooted"
"""Sites of this link style have a robots.txt that forbids /private/."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The planted facts. URLs are canonical; `subject` keys are those of `DemoWeb.subjects`.

    anchor_only: the page that never says `anchor_only_phrase`, by which alone others link to it.
    mirrors: page → byte-identical page on another host. hubs, authorities: by subject.
    redirects: URL → where it points next (perhaps another redirect, a missing page or itself).
    disallowed: pages that robots.txt forbids. hidden: pages that only those link to. missing: targets that are 404.
    files: what is no HTML, as (content type, bytes).
    tendrils: dead ends that only sites outside the core link to. corner: an island with its own seed.
    dead_ends: pages without links. in_sites, out_sites: hosts before and behind the core.
    """

    anchor_only: str
    anchor_only_phrase: str
    mirrors: dict[str, str]
    hubs: dict[str, str]
    authorities: dict[str, tuple[str, ...]]
    redirects: dict[str, str]
    disallowed: tuple[str, ...]
    hidden: tuple[str, ...]
    missing: tuple[str, ...]
    files: dict[str, tuple[str, bytes]]
    tendrils: tuple[str, ...]
    corner: tuple[str, ...]
    dead_ends: tuple[str, ...]
    noindex: str
    in_sites: tuple[str, ...]
    out_sites: tuple[str, ...]


def plant_hub(random: Random, subject: Subject, site: Site, homes: list[Draft], articles: list[Draft]) -> Draft:
    """A list of links: every front page of the subject that may be linked, and sixty articles."""
    hub = Draft(
        site.url("/links.html"), site, f"{subject.name}: where to read more", kind="hub", topic=subject.name.lower()
    )
    hub.sections = (
        ("", (f"The pages on {subject.name.lower()} that our readers come back to, gathered over the years.",)),
    )
    linkable = [page for page in articles if page.site.role != "in"]
    chosen = [home for home in homes if home.site.role != "in"] + random.sample(linkable, 60)
    hub.reading = [Reference(page.url, anchor_for(random, page)) for page in chosen]
    return hub


def plant_portal(subjects: dict[str, Subject], homes: dict[str, list[Draft]]) -> list[Draft]:
    """The directory that a newcomer starts from: a page for each subject, with the front pages of its sites."""
    front = Draft(PORTAL.home, PORTAL, "Harbour: a directory of small sites", kind="home")
    front.sections = (("", ("Eight shelves of small, patient sites, kept by people who do what they write about.",)),)
    shelves = []
    for key, subject in subjects.items():
        shelf = Draft(PORTAL.url(f"/shelf/{key}"), PORTAL, f"Harbour: {subject.name}", kind="hub")
        shelf.sections = (("", (f"Sites on {subject.name.lower()}.",)),)
        shelf.menu = [Reference(front.url, "All shelves")]
        shelf.reading = [Reference(home.url, home.site.name) for home in homes[key]]
        front.reading.append(Reference(shelf.url, subject.name))
        shelves.append(shelf)
    return [front, *shelves]


def plant_corner(random: Random) -> list[Draft]:
    """An island: fourteen pages that link only to one another; without its own seed nobody would find it."""
    things = (
        "sextant globe barometer lantern compass spyglass ledger trunk telegraph barograph sandglass octant kite bell"
    )
    pages: list[Draft] = []
    for thing in things.split():
        page = Draft(
            CORNER.url("/" if not pages else f"/{thing}.html"),
            CORNER,
            f"The {thing} in the attic",
            topic=f"the {thing}",
        )
        page.sections = (
            ("", (f"Under the third beam stands a {thing} that nobody has claimed since the house was sold.",)),
            ("Condition", (f"The {thing} is dusty but whole, and its label has been eaten by silverfish.",)),
        )
        pages.append(page)
    for number, page in enumerate(pages):
        others = {(number + 1) % len(pages), (number + 5) % len(pages), random.randrange(len(pages))} - {number}
        page.menu = [Reference(pages[0].url, "The attic")]
        page.reading = [Reference(pages[other].url, pages[other].topic) for other in sorted(others)]
    return pages


def plant_leaflets(random: Random, in_articles: list[Draft]) -> list[Draft]:
    """Tendrils: leaflets without a single link, which only pages of "in" sites point to."""
    leaflets = []
    for number in range(1, 13):
        leaflet = Draft(LEAFLETS.url(f"/{number}"), LEAFLETS, f"Leaflet no. {number}", kind="leaflet", bare=True)
        leaflet.sections = (("", (f"Printed for the {number + 20}th open day. Please leave it for the next reader.",)),)
        for page in random.sample(in_articles, 2):
            page.reading.append(Reference(leaflet.url, f"leaflet number {number}"))
        leaflets.append(leaflet)
    return leaflets


def plant_anchor_only(random: Random, site: Site, callers: list[Draft]) -> Draft:
    """A page of bare figures, which nine other pages call by a name that it does not contain."""
    page = Draft(site.url("/figures/1887.html"), site, "Readings, 1887", kind="figures")
    rows = " ".join(f"{day}. vi. {random.randrange(30, 92)}/{random.randrange(10, 99)};" for day in range(1, 31))
    page.sections = (("", (f"Observer: G. R. Column two in fathoms. {rows}",)), ("Remarks", ("None.",)))
    page.menu = [Reference(site.home, "Front page")]
    for caller in random.sample(callers, 9):
        caller.reading.append(Reference(page.url, f"the {ANCHOR_ONLY_PHRASE}"))
    return page


def plant_prints(homes: list[Draft]) -> list[Draft]:
    """Dead ends: a page to be printed on every core site, with no link on it."""
    prints = []
    for home in homes:
        page = Draft(
            home.site.url("/print/card.html"), home.site, f"{home.site.name}: a card to print", kind="print", bare=True
        )
        page.sections = (
            ("", (f"{capital(home.site.place)}. Open on the first Sunday of the month. Bring a friend.",)),
        )
        home.reading.append(Reference(page.url, "a card to print"))
        prints.append(page)
    return prints


def plant_forbidden(homes: list[Draft]) -> tuple[list[Draft], list[Draft]]:
    """Pages that robots.txt forbids, and behind each one per page that nothing else links to."""
    forbidden, hidden = [], []
    for home in homes:
        secret = Draft(home.site.url("/private/ledger.html"), home.site, "The private ledger", kind="private")
        behind = Draft(home.site.url("/cellar.html"), home.site, "The cellar", kind="private")
        secret.sections = behind.sections = (("", ("Not for visitors.",)),)
        secret.reading = [Reference(behind.url, "the cellar"), Reference(home.url, "front page")]
        home.reading.append(Reference(secret.url, "the private ledger"))
        forbidden.append(secret)
        hidden.append(behind)
    return forbidden, hidden


def plant_noindex(home: Draft) -> Draft:
    """A page that asks not to be indexed; its links count all the same."""
    page = Draft(home.site.url("/unfinished.html"), home.site, "Unfinished thoughts", kind="noindex", noindex=True)
    page.sections = (("", ("A draft in which a marmalade theorem is stated and not proved.",)),)
    page.reading = [Reference(home.url, "front page")]
    home.reading.append(Reference(page.url, "unfinished thoughts"))
    return page


def plant_redirects(random: Random, articles: list[Draft]) -> dict[str, str]:
    """Moved pages: links now lead through one redirect, sometimes two; and three that lead nowhere."""
    redirects: dict[str, str] = {}
    for number, page in enumerate(random.sample(articles, 60)):
        callers = [other for other in articles if any(reference.target == page.url for reference in other.reading)]
        if not callers:
            continue
        old = page.site.url(f"/old/{number}")
        redirects[old] = page.url
        if number % 5 == 0:
            redirects[page.site.url(f"/older/{number}")] = old
            old = page.site.url(f"/older/{number}")
        caller = random.choice(callers)
        caller.reading = [
            Reference(old, reference.anchor) if reference.target == page.url else reference
            for reference in caller.reading
        ]
    guarded = [page for page in articles if page.site.style == FORBIDDING_STYLE]
    for name, nowhere, callers in (
        ("/loop", "/loop", articles),
        ("/lost", "/nothing-here.html", articles),
        ("/closed", "/private/ledger.html", guarded),
    ):
        caller = random.choice(callers)
        redirects[caller.site.url(name)] = caller.site.url(nowhere)
        caller.reading.append(Reference(caller.site.url(name), "an older version"))
    return redirects


_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080600000"
    "01f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def plant_files(homes: list[Draft]) -> dict[str, tuple[str, bytes]]:
    """Pictures and leaflets that front pages link to: fetched perhaps, but no part of the graph of pages."""
    files = {}
    for home in homes:
        for path, content_type, body in (
            ("/chart.png", "image/png", _PNG),
            ("/programme.pdf", "application/pdf", b"%PDF-1.4\n%%EOF\n"),
        ):
            files[home.site.url(path)] = (content_type, body)
            home.reading.append(Reference(home.site.url(path), path.strip("/")))
    return files


def plant_missing(random: Random, articles: list[Draft]) -> list[str]:
    """Links to pages that are gone."""
    missing = []
    for number, page in enumerate(random.sample(articles, 40)):
        gone = page.site.url(f"/gone/{number}.html")
        page.reading.append(Reference(gone, "a page that has since gone"))
        missing.append(gone)
    return missing
