"""`Finding`: one thing that is wrong, and where; `Audit`: all of them, by check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from periplus.record import Findings, Table
from periplus.web.url import host_of, site_of_host

COLUMNS = ("url", "finding", "where", "text")


class Place(NamedTuple):
    """A URL that a finding concerns: a page that holds the link, with its text; or another page of the group."""

    url: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finding(Findings):
    """What is wrong with a URL, in words that go on after it, and all places where it shows."""

    url: str
    says: str
    places: tuple[Place, ...] = ()

    def concerns(self, host: str) -> bool:
        """Whether the URL or one of the places is on a site or host."""
        return any(_is_on(url, host) for url in (self.url, *(place.url for place in self.places)))


def _is_on(url: str, host: str) -> bool:
    found = host_of(url)
    return found == host or site_of_host(found) == host


@dataclass(frozen=True, slots=True)
class Section(Findings):
    """What one check found; `why` says why it matters, in one sentence, `where` what the places are."""

    name: str
    title: str
    why: str
    where: str
    findings: tuple[Finding, ...]

    def table(self) -> Table:
        """One row per place; a finding without places has one row."""
        rows = [(one.url, one.says, *place) for one in self.findings for place in one.places or (Place("", ""),)]
        return Table.of_rows(COLUMNS, rows)


@dataclass(frozen=True, slots=True)
class Audit(Findings):
    """What every check found, most harmful first; `notes` say what could not be looked at."""

    name: str
    charted: str
    pages: int
    links: int
    clicks: int
    starts: tuple[str, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    site: str = ""

    @property
    def count(self) -> int:
        """How many findings there are."""
        return sum(len(section.findings) for section in self.sections)

    def section(self, name: str) -> Section | None:
        """What the check of this name found."""
        return next((section for section in self.sections if section.name == name), None)

    def of_site(self, host: str) -> Audit:
        """What concerns one site (registered domain) or host; the pages are counted as before."""
        kept = tuple(
            replace(section, findings=tuple(one for one in section.findings if one.concerns(host)))
            for section in self.sections
        )
        return replace(self, sections=kept, site=host)

    def table(self) -> Table:
        """One row per check, most harmful first."""
        rows = [(one.name, one.title, len(one.findings), one.why) for one in self.sections]
        return Table.of_rows(("check", "title", "findings", "why"), rows)


def by_weight(findings: Iterable[Finding]) -> list[Finding]:
    """Those that show in the most places first."""
    return sorted(findings, key=lambda one: (-len(one.places), one.url))
