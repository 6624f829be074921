"""robots.txt by RFC 9309: what a site asks of crawlers, and what its silence means.

    answer                                         meaning
    2xx                                            the rules in its first 512 KiB (a web page instead of rules: none)
    4xx                                            no rules: everything is allowed
    5xx, no answer, a redirect that leads nowhere  everything is disallowed; asked again later

Protego does the matching. Where it reads a file otherwise than Google's parser, the reference of the RFC, the text is
put right before Protego sees it (`normalise`): a byte-order mark, a `User-agent` of more than one word, unknown lines
between the lines of a group, a `Crawl-delay` that is no sensible number. Four of Google's 140 cases stay different, all
meant: our URLs are always percent-encoded and our product token has no space, and `%62` equals `b`, as the RFC has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

MAX_BYTES = 512 * 1024
MAX_AGE = 24 * 3600.0
MAX_REDIRECTS = 5

_HTML = re.compile(rb"^\s*(<!doctype|<html|<head|<\?xml|<!--)", re.IGNORECASE)


_LINE = re.compile(r"([A-Za-z][A-Za-z _-]{0,30}?)[ \t]{0,30}(?::|[ \t](?=[ \t]*[/*A-Za-z]))(.*)$")
_TOKEN = re.compile(r"[A-Za-z_-]+")
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?$")
_RULES = {"allow": "Allow", "disallow": "Disallow"}


def product_token(agent: str) -> str:
    """The name in a `User-Agent` that robots.txt files speak of: `periplus` of `periplus/0.1 (+https://…)`."""
    found = _TOKEN.match(agent.strip())
    return found.group(0) if found else "periplus"


def normalise(body: bytes) -> str:
    """The lines of a robots.txt that say something, in the one spelling that every parser reads alike."""
    text = body.decode("utf-8", "replace").removeprefix("\ufeff").replace("\0", "")
    lines = (line.partition("#")[0] for line in re.split(r"\r\n|\r|\n", text))
    return "\n".join(filter(None, map(_normalised, lines)))


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
    """The rules of one origin; `reachable` is False where RFC 9309 says to assume that all is disallowed."""

    status: int
    body: bytes = b""
    fetched: float = 0.0

    @property
    def reachable(self) -> bool:
        return 200 <= self.status < 500

    def allows(self, url: str, agent: str) -> bool:
        """Tell whether a crawler of this name may fetch a URL."""
        if not self.reachable:
            return False
        return self._rules is None or bool(self._rules.can_fetch(url, agent))

    def crawl_delay(self, agent: str) -> float | None:
        """The pause that the site asks for, or None."""
        if not self.reachable or self._rules is None:
            return None
        delay = self._rules.crawl_delay(agent)
        return float(delay) if delay is not None and 0 <= delay < float("inf") else None

    @cached_property
    def _rules(self) -> Any:
        if not 200 <= self.status < 300 or not self.body or _HTML.match(self.body[:512]):
            return None
        from protego import Protego

        return Protego.parse(normalise(self.body[:MAX_BYTES]))
