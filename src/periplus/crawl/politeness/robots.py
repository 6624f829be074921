"""robots.txt as in RFC 9309: what a site asks of crawlers, and what it means if there is no answer.

    answer                                         meaning
    2xx                                            the rules in its first 512 KiB (a web page counts as no rules)
    4xx, but 429                                   no rules: everything is allowed
    429, 5xx, no answer, a redirect to nowhere     everything is disallowed; asked again later

Protego does the matching. It reads some files differently from the parser of Google, which is the reference of the RFC.
`normalise` removes these differences first: a byte-order mark, a `User-agent` of several words, unknown lines within a
group, a malformed `Crawl-delay`. Of the 140 test cases of Google, four still differ, on purpose: our URLs are always
percent-encoded, our product token has no space, and `%62` equals `b`, as the RFC says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from periplus.web.url import canonical

MAX_BYTES = 512 * 1024
MAX_AGE = 24 * 3600.0
MAX_REDIRECTS = 5
MAX_SITEMAPS = 100

_HTML = re.compile(rb"^\s*(<!doctype|<html|<head|<\?xml|<!--)", re.IGNORECASE)


_LINE = re.compile(r"([A-Za-z][A-Za-z _-]{0,30}?)[ \t]{0,30}(?::|[ \t](?=[ \t]*[/*A-Za-z]))(.*)$")
_TOKEN = re.compile(r"[A-Za-z_-]+")
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?$")
_RULES = {"allow": "Allow", "disallow": "Disallow"}


def product_token(agent: str) -> str:
    """The name that robots.txt files use for a `User-Agent`: `periplus` for `periplus/0.1 (+https://…)`."""
    found = _TOKEN.match(agent.strip())
    return found.group(0) if found else "periplus"


def normalise(body: bytes) -> str:
    """The effective lines of a robots.txt, in a spelling that all parsers read in the same way."""
    lines = (line.partition("#")[0] for line in re.split(r"\r\n|\r|\n", _text(body)))
    return "\n".join(filter(None, map(_normalised, lines)))


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace").removeprefix("\ufeff").replace("\0", "")


def _normalised(line: str) -> str:
    found = _LINE.match(line[:16384].strip())
    if not found:
        return ""
    name, value = found.group(1).lower(), found.group(2).strip()
    if name in ("user-agent", "useragent", "user agent"):
        token = "*" if value == "*" or value.startswith("* ") else _TOKEN.match(value)
        return f"User-agent: {token if isinstance(token, str) else token.group(0) if token else '-'}"
    if name in ("crawl-delay", "crawldelay"):
        return f"Crawl-delay: {value}" if _NUMBER.match(value) else ""
    return f"{_RULES[name]}: {value}" if name in _RULES else ""


@dataclass(frozen=True)
class Robots:
    """The robots.txt of one origin; if it is not `reachable`, RFC 9309 says that everything is disallowed."""

    status: int
    body: bytes = b""
    fetched: float = 0.0

    @property
    def reachable(self) -> bool:
        return 200 <= self.status < 500 and self.status != 429

    def allows(self, url: str, agent: str) -> bool:
        """Whether a crawler of this name may fetch a URL."""
        if not self.reachable:
            return False
        return self._rules is None or bool(self._rules.can_fetch(url, agent))

    def crawl_delay(self, agent: str) -> float | None:
        """The pause in seconds that the site asks for, or None."""
        if not self.reachable or self._rules is None:
            return None
        delay = self._rules.crawl_delay(agent)
        return float(delay) if delay is not None and 0 <= delay < float("inf") else None

    def sitemaps(self) -> list[str]:
        """The URLs of its `Sitemap` lines, at most `MAX_SITEMAPS` of them."""
        if not 200 <= self.status < 300 or _HTML.match(self.body[:512]):
            return []
        lines = (line.partition("#")[0].strip() for line in re.split(r"\r\n|\r|\n", _text(self.body[:MAX_BYTES])))
        named = (line.partition(":")[2].strip() for line in lines if line[:8].lower() == "sitemap:")
        return list(islice(filter(None, map(canonical, named)), MAX_SITEMAPS))

    @cached_property
    def _rules(self) -> Any:
        if not 200 <= self.status < 300 or not self.body or _HTML.match(self.body[:512]):
            return None
        from protego import Protego

        return Protego.parse(normalise(self.body[:MAX_BYTES]))
