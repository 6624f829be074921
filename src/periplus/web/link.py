"""`Link`: one hyperlink of a page, with the text by which the page refers to the target."""

from __future__ import annotations

from dataclasses import dataclass

from periplus.web.url import same_site


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink; both ends are canonical URLs, and the anchor text describes the *target* page."""

    source: str
    target: str
    anchor: str = ""
    rel: frozenset[str] = frozenset()

    @property
    def navigational(self) -> bool:
        """Whether both ends are on one site (registered domain): such a link organises a site, not a recommendation."""
        return same_site(self.source, self.target)

    @property
    def followed(self) -> bool:
        """False for nofollow, ugc and sponsored links: they ask not to count as a recommendation."""
        return not self.rel & {"nofollow", "ugc", "sponsored"}
