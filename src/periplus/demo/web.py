"""The demonstration web: a small invented web, known link for link.

`DemoWeb(seed)` is a pure function of its seed: 48 sites on eight subjects, some 2,200 pages of readable English, with
links grown by the copying model and planted facts. It is the first web that a new user sees, and the oracle of
end-to-end tests: a correct crawl that starts from `seeds` and keeps to robots.txt finds exactly `true_edges()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from periplus.demo import planted
from periplus.demo.draft import CHARSETS, HREF_STYLES, Draft, Reference, Site
from periplus.demo.growth import grow, link_across
from periplus.demo.planted import Facts
from periplus.demo.prose import Subject, angles, subjects, write_article
from periplus.demo.render import render
from periplus.errors import ParameterError

DEFAULT_SEED = 1887

Response = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True, slots=True)
class DemoPage:
    """One HTML page as served, and its links as they were meant: (target before redirects, anchor text), in order."""

    url: str
    host: str
    title: str
    subject: str
    kind: str
    content_type: str
    body: bytes
    links: tuple[tuple[str, str], ...]
    noindex: bool = False


class DemoWeb:
    """The whole web, in memory."""

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise ParameterError("seed", seed, "a whole number")
        self.seed = seed
        self.subjects: Mapping[str, Subject] = MappingProxyType({subject.key: subject for subject in subjects()})
        drafts, self.facts = _Builder(seed, dict(self.subjects)).build()
        pages = {draft.url: _page(draft) for draft in drafts}
        for url, copy in self.facts.mirrors.items():
            pages[copy] = _mirrored(pages[url])
        self.pages: Mapping[str, DemoPage] = MappingProxyType(pages)
        self.hosts = tuple(sorted({page.host for page in pages.values()}))
        self.seeds = (planted.PORTAL.home, f"http://{self.facts.in_sites[-1]}/", planted.CORNER.home)

    def response(self, host: str, path: str) -> Response:
        """Answer a request by host name (a port is ignored) and path with query: status, headers, body."""
        url = f"http://{host.partition(':')[0].lower()}{path}"
        if (page := self.pages.get(url)) is not None:
            return 200, {"Content-Type": page.content_type}, page.body
        if (file := self.facts.files.get(url)) is not None:
            return 200, {"Content-Type": file[0]}, file[1]
        if (target := self.facts.redirects.get(url)) is not None:
            return 301, {"Location": target, "Content-Type": "text/plain"}, b"moved\n"
        if path == "/robots.txt" and any(forbidden.startswith(url[:-10]) for forbidden in self.facts.disallowed):
            return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private/\n"
        return 404, {"Content-Type": "text/plain"}, b"There is nothing here.\n"

    def final_target(self, url: str) -> str | None:
        """Follow redirects from a URL to the page that a polite crawler gets; None where it gets none."""
        seen = set()
        while url in self.facts.redirects and url not in seen:
            seen.add(url)
            url = self.facts.redirects[url]
        return url if url in self.pages and url not in self.facts.disallowed else None

    @cached_property
    def reachable(self) -> frozenset[str]:
        """Every page that can be reached from the seeds without entering what robots.txt forbids."""
        found, waiting = set(self.seeds), list(self.seeds)
        while waiting:
            for target, _ in self.pages[waiting.pop()].links:
                final = self.final_target(target)
                if final is not None and final not in found:
                    found.add(final)
                    waiting.append(final)
        return frozenset(found)

    def true_edges(self) -> set[tuple[str, str]]:
        """Every link between reachable pages, redirects followed to their end, self-links kept."""
        return {
            (url, final)
            for url in self.reachable
            for target, _ in self.pages[url].links
            if (final := self.final_target(target)) is not None
        }


def _page(draft: Draft) -> DemoPage:
    body, content_type = render(draft)
    written = [] if draft.bare else [*draft.menu, *draft.reading]
    return DemoPage(
        url=draft.url,
        host=draft.site.host,
        title=draft.title,
        subject=draft.site.subject,
        kind=draft.kind,
        content_type=content_type,
        body=body,
        links=tuple((reference.target, reference.anchor) for reference in written),
        noindex=draft.noindex,
    )


def _to_mirror(url: str) -> str:
    return url.replace(f"http://{planted.MIRRORED_HOST}/", f"http://{planted.MIRROR_HOST}/", 1)


def _mirrored(page: DemoPage) -> DemoPage:
    """The same bytes on another host; links within the site are written relative, so they stay on the mirror."""
    links = tuple((_to_mirror(target), anchor) for target, anchor in page.links)
    return replace(page, url=_to_mirror(page.url), host=planted.MIRROR_HOST, links=links)


def _urls(pages: list[Draft]) -> tuple[str, ...]:
    return tuple(page.url for page in pages)


class Planted(NamedTuple):
    """What was planted: pages, and URLs that are no page of their own."""

    portal: list[Draft]
    corner: list[Draft]
    leaflets: list[Draft]
    figures: Draft
    prints: list[Draft]
    forbidden: list[Draft]
    hidden: list[Draft]
    noindex: Draft
    redirects: dict[str, str]
    missing: list[str]
    files: dict[str, tuple[str, bytes]]

    def others(self) -> list[Draft]:
        """All its pages but the portal's, in the order of the web."""
        return [
            *self.corner, *self.leaflets, self.figures, *self.prints, *self.forbidden, *self.hidden, self.noindex
        ]  # fmt: skip


class _Builder:
    """Puts the drafts together, subject by subject, then what lies across them."""

    def __init__(self, seed: int, subjects: dict[str, Subject]) -> None:
        self.random = Random(seed)
        self.subjects = subjects
        self.sites = {key: self._sites(number, subject) for number, (key, subject) in enumerate(subjects.items())}
        self.homes: dict[str, list[Draft]] = {}
        self.articles: dict[str, list[Draft]] = {}
        self.authorities: dict[str, list[Draft]] = {}

    def _sites(self, number: int, subject: Subject) -> list[Site]:
        """The six sites of a subject; every other subject has an "in" site, and the others an "out" site."""
        roles = ["core"] * 5 + ["in" if number % 2 else "out"]
        return [
            Site(host, name, place, subject.key, role, style, charset)
            for (host, name, place), role, style, charset in zip(
                subject.sites, roles, HREF_STYLES, CHARSETS, strict=True
            )
        ]

    def build(self) -> tuple[list[Draft], Facts]:
        for key, subject in self.subjects.items():
            self._grow_subject(key, subject)
        link_across(self.random, list(self.articles.values()))
        hubs = {key: self._hub(key, subject) for key, subject in self.subjects.items()}
        found = self._plant()
        self._call_the_mirror()
        for pages in self.articles.values():
            self._menus(pages)
        homes = [home for group in self.homes.values() for home in group]
        drafts = [*found.portal, *homes, *hubs.values(), *self._every_article(), *found.others()]
        return drafts, self._facts(drafts, hubs, found)

    def _every_article(self) -> list[Draft]:
        return [page for pages in self.articles.values() for page in pages]

    def _plant(self) -> Planted:
        """Plant what is known of the web beforehand; the order decides what each part draws from the random source."""
        every = self._every_article()
        core = [page for page in every if page.site.role == "core" and page.site.host != planted.MIRRORED_HOST]
        core_homes = [home for homes in self.homes.values() for home in homes if home.site.role == "core"]
        in_articles = [page for page in every if page.site.role == "in"]
        towers = next(site for site in self.sites["lighthouses"] if site.role == "core" and site.style == "query")
        portal = planted.plant_portal(self.subjects, self._listed_homes())
        corner = planted.plant_corner(self.random)
        leaflets = planted.plant_leaflets(self.random, in_articles)
        figures = planted.plant_anchor_only(self.random, towers, core)
        prints = planted.plant_prints(core_homes)
        forbidding = [home for home in core_homes if home.site.style == planted.FORBIDDING_STYLE]
        forbidden, hidden = planted.plant_forbidden(forbidding)
        noindex = planted.plant_noindex(self.homes["bread"][1])
        redirects = planted.plant_redirects(self.random, core)
        missing = planted.plant_missing(self.random, core)
        files = planted.plant_files([home for home in core_homes if home.site.style == "upward"])
        pages = portal, corner, leaflets, figures, prints, forbidden, hidden, noindex
        return Planted(*pages, redirects, missing, files)

    def _facts(self, drafts: list[Draft], hubs: dict[str, Draft], found: Planted) -> Facts:
        every_role = [site for sites in self.sites.values() for site in sites]
        return Facts(
            anchor_only=found.figures.url,
            anchor_only_phrase=planted.ANCHOR_ONLY_PHRASE,
            mirrors={page.url: _to_mirror(page.url) for page in drafts if page.site.host == planted.MIRRORED_HOST},
            hubs={key: hub.url for key, hub in hubs.items()},
            authorities={key: _urls(pages) for key, pages in self.authorities.items()},
            redirects=found.redirects,
            disallowed=_urls(found.forbidden),
            hidden=_urls(found.hidden),
            missing=tuple(found.missing),
            files=found.files,
            tendrils=_urls(found.leaflets),
            corner=_urls(found.corner),
            dead_ends=_urls([*found.leaflets, *found.prints]),
            noindex=found.noindex.url,
            in_sites=tuple(site.host for site in every_role if site.role == "in"),
            out_sites=tuple(site.host for site in every_role if site.role == "out"),
        )

    def _grow_subject(self, key: str, subject: Subject) -> None:
        """Write the articles of a subject, deal them out to its sites and let their links grow."""
        pairs = [(topic, angle) for topic in subject.topics for angle in angles()]
        self.random.shuffle(pairs)
        sites = self.sites[key]
        pages = []
        for number, (topic, angle) in enumerate(pairs):
            site = sites[number % len(sites)]
            article = write_article(self.random, subject, (site.host, site.name, site.place), topic, angle)
            pages.append(
                Draft(site.url(site.article_path(article)), site, article.title, article.sections, article.topic)
            )
        introductions = [page for page, (_, angle) in zip(pages, pairs, strict=True) if angle.slug == "introduction"]
        self.authorities[key] = [page for page in introductions if page.site.role == "core"][:2]
        grow(self.random, pages, self.authorities[key])
        self.articles[key] = pages
        self.homes[key] = [self._home(subject, site, pages) for site in sites]
        self._neighbours(key)

    def _home(self, subject: Subject, site: Site, pages: list[Draft]) -> Draft:
        home = Draft(
            site.home, site, f"{site.name}: {subject.name.lower()} from {site.place}", kind="home", topic=site.name
        )
        home.sections = (
            ("", (f"{site.name} is kept at {site.place} by people who care about {subject.name.lower()}.",)),
            ("All our pages", ()),
        )
        home.reading = [Reference(page.url, page.title) for page in pages if page.site is site]
        return home

    def _neighbours(self, key: str) -> None:
        """Front pages of core sites name the next two core sites, and every second one the "out" site."""
        core = [home for home in self.homes[key] if home.site.role == "core"]
        out = [home for home in self.homes[key] if home.site.role == "out"]
        for number, home in enumerate(core):
            neighbours = [core[(number + step) % len(core)] for step in (1, 2)] + (out if number % 2 else [])
            home.menu = [Reference(neighbour.url, neighbour.site.name) for neighbour in neighbours]
        for home in self.homes[key]:
            if home.site.role == "in":
                home.menu = [Reference(core[0].url, core[0].site.name), Reference(core[3].url, core[3].site.name)]

    def _hub(self, key: str, subject: Subject) -> Draft:
        site = next(site for site in self.sites[key] if site.style == "upward")
        hub = planted.plant_hub(self.random, subject, site, self.homes[key], self.articles[key])
        hub.menu = [Reference(site.home, site.name)]
        for home in self.homes[key]:
            if home.site is site:
                home.menu.append(Reference(hub.url, "Where to read more"))
        for page in self.random.sample([page for page in self.articles[key] if page.site.role == "core"], 12):
            page.reading.append(Reference(hub.url, f"the {subject.name.lower()} link list"))
        return hub

    def _listed_homes(self) -> dict[str, list[Draft]]:
        """The front pages that the portal lists: all but that of the last "in" site, which is a seed of its own."""
        last = [home for homes in self.homes.values() for home in homes if home.site.role == "in"][-1]
        return {key: [home for home in homes if home is not last] for key, homes in self.homes.items()}

    def _call_the_mirror(self) -> None:
        """Let three pages link to the mirror, so that it is found."""
        callers = [
            page for page in self.articles["tides"] if page.site.role == "core" and page.site.style != "relative"
        ]
        for page in self.random.sample(callers, 3):
            page.reading.append(Reference(f"http://{planted.MIRROR_HOST}/", "a mirror of Tidewatch"))

    def _menus(self, pages: list[Draft]) -> None:
        """Front page, neighbours on the site, and on sites that do so the page itself."""
        by_site: dict[str, list[Draft]] = {}
        for page in pages:
            by_site.setdefault(page.site.host, []).append(page)
        for shelf in by_site.values():
            for number, page in enumerate(shelf):
                following = shelf[(number + 1) % len(shelf)]
                page.menu = [Reference(page.site.home, "Front page"), Reference(following.url, following.title)]
                if page.site.style in ("relative", "query", "rooted") and number % 3 == 0:
                    page.menu.append(Reference(page.url, "This page"))
