"""Sites and drafts: a page while the web is still being put together, before it is written as HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from periplus.demo.prose import Article, slug

HREF_STYLES = ("relative", "rooted", "upward", "query", "absolute", "based")
"""How the six sites of a subject write their links and paths; see `render.write_href`."""

CHARSETS = ("utf-8", "iso-8859-1", "windows-1252", "utf-8", "utf-16", "utf-8")
"""What the six sites of a subject are encoded in, and `render.encode` how they say so."""


@dataclass(frozen=True, slots=True)
class Site:
    """One host. `role`: "core" sites link to one another, nobody links to "in" sites, "out" sites link to nobody."""

    host: str
    name: str
    place: str
    subject: str
    role: str = "core"
    style: str = "rooted"
    charset: str = "utf-8"

    @property
    def home(self) -> str:
        """The URL of the front page."""
        return self.url("/")

    def url(self, path: str) -> str:
        """The URL of a path on this site."""
        return f"http://{self.host}{path}"

    def article_path(self, article: Article) -> str:
        """Where an article lies; every style has another layout, so that every kind of URL occurs."""
        if self.style == "rooted":
            return f"/articles/{article.slug}/"
        if self.style == "upward":
            return f"/{slug(article.topic)}/{article.slug}.html"
        if self.style == "query":
            return f"/index.php?page={article.slug}&lang=en"
        if self.style == "absolute":
            return "/notes/" + quote(article.slug.replace("-", " "))
        if self.style == "based":
            return f"/library/{article.slug}.htm"
        return f"/{article.slug}.html"


@dataclass(frozen=True, slots=True)
class Reference:
    """A link as it is meant: the URL it leads to (perhaps a redirect) and the words it stands under."""

    target: str
    anchor: str


@dataclass(slots=True)
class Draft:
    """A page in the making. `reading` are the links in its text and list, `menu` those of its navigation."""

    url: str
    site: Site
    title: str
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    topic: str = ""
    kind: str = "article"
    noindex: bool = False
    bare: bool = False
    menu: list[Reference] = field(default_factory=list)
    reading: list[Reference] = field(default_factory=list)
