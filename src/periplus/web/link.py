"""`Link`: one hyperlink as it stands in a page, and the text that others call the target by."""

from __future__ import annotations

from dataclasses import dataclass

from periplus.web.url import same_site


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink; both ends are canonical URLs, the anchor text counts for the *target* page."""

    source: str
    target: str
    anchor: str = ""
    rel: frozenset[str] = frozenset()

    @property
    def navigational(self) -> bool:
        """Both ends on one site (registered domain): such links organise a site rather than recommend a page."""
        return same_site(self.source, self.target)

    @property
    def followed(self) -> bool:
        """False for nofollow, ugc and sponsored links, which ask not to be counted as a recommendation."""
        return not self.rel & {"nofollow", "ugc", "sponsored"}
