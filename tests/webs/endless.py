"""Sites with URL spaces that have no end, each with honest pages beside them that a crawl must not lose."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from urllib.parse import parse_qs, urlsplit

from tests.webs.server import Asked, Site, Writer, not_found, response

HONEST = 30
WORDS = ["sea", "harbour", "coast", "wind", "sail", "chart", "port", "island", "current", "reef", "anchor", "tide"]


def prose(seed: str, count: int = 40) -> str:
    chance = random.Random(seed)
    return " ".join(chance.choice(WORDS) + chance.choice(WORDS) for _ in range(count))


def page(title: str, links: list[tuple[str, str]], text: str = "") -> str:
    shown = "".join(f"<li><a href='{url}'>{name}</a></li>" for url, name in links)
    return f"<!doctype html><title>{title}</title><h1>{title}</h1><ul>{shown}</ul><p>{text}</p>"


def article(number: int, more: list[tuple[str, str]] | None = None, tail: str = "") -> str:
    """One of the honest pages, which link to each other in a ring."""
    links = [
        (f"/article/{(number + step) % HONEST}{tail}", f"article {(number + step) % HONEST}") for step in (1, 2, 7)
    ]
    return page(f"Article {number} about {prose(str(number), 3)}", [*links, *(more or [])], prose(f"text {number}"))


def with_articles(trap: Callable[[str], str | None], entrance: str) -> Site:
    """A site of honest articles, all of which link to the entrance of a trap."""

    async def serve(asked: Asked, writer: Writer) -> None:
        path, made = asked.path, None
        if path == "/" or path.startswith("/article/"):
            made = article(int(path.rpartition("/")[2] or 0), [(entrance, "more")])
        elif path != "/robots.txt":
            made = trap(path)
        if made is None:
            await not_found(asked, writer)
        else:
            writer.write(response(made))

    return serve


def calendar(path: str) -> str | None:
    """A page per day with the days of its month and of the months around it; weekdays and months have names."""
    if not path.startswith("/cal"):
        return None
    parts = [int(part) for part in path.split("/")[2:5]] or [2026, 11, 15]
    day = date(*parts)

    def link(to: date, name: str) -> tuple[str, str]:
        return f"/cal/{to.year}/{to.month:02}/{to.day:02}", name

    near = [link(day - timedelta(1), "previous day"), link(day + timedelta(1), "next day")]
    near += [link(day + timedelta(30), "next month"), link(day - timedelta(30), "previous month")]
    near += [link(day.replace(day=number), str(number)) for number in range(1, 29)]
    return page(day.strftime("%A, %d %B %Y"), near, "There are no events on this day.")


def tiny_calendar(path: str) -> str | None:
    number = int(path.rpartition("/")[2] or 0) if path.startswith("/cal/") else None
    return None if number is None else f"<p>day {number}</p><a href='/cal/{number + 1}'>next</a>"


def facets(path: str) -> str | None:
    """A shop of forty things that can be filtered by ten features with ten values each."""
    parts = urlsplit(path)
    if parts.path != "/shop":
        return None
    chosen = {name: values[0] for name, values in parse_qs(parts.query).items()}
    links = []
    for feature in range(10):
        for value in range(10):
            more = {**chosen, f"f{feature}": str(value)}
            links.append(
                ("/shop?" + "&".join(f"{k}={more[k]}" for k in sorted(more)), f"feature {feature} value {value}")
            )
    chance = random.Random(parts.query)
    things = "".join(f"<p>thing {prose(str(chance.randrange(40)), 2)}</p>" for _ in range(8))
    return page("The shop", links) + things


def piles(path: str) -> str | None:
    """A relative link where an absolute one was meant, on three pages of a section."""
    if not path.startswith("/en/"):
        return None
    last = path.rstrip("/").rpartition("/")[2]
    return page(f"Section {last}", [(f"{name}/", name) for name in ("about", "team", "news")], f"All about {last}.")


def tarpit(path: str) -> str | None:
    """Words at random, and fifty links to pages that nobody has seen."""
    if not path.startswith("/maze"):
        return None
    chance = random.Random(path)
    names = [f"{chance.choice(WORDS)}-{chance.randrange(10**9)}" for _ in range(50)]
    return page(prose(path, 5), [(f"/maze/{name}", name) for name in names], prose(path + "x", 200))


async def sessions(asked: Asked, writer: Writer) -> None:
    """Honest articles whose every link carries a session of its own."""
    path = asked.path.partition("?")[0]
    if path == "/robots.txt":
        await not_found(asked, writer)
        return
    tail = f"?sid={random.Random(asked.path).randrange(10**12):x}"
    writer.write(response(article(int(path.rpartition("/")[2] or 0), tail=tail)))


TRAPS: dict[str, Site] = {
    "calendar": with_articles(calendar, "/cal"),
    "tiny calendar": with_articles(tiny_calendar, "/cal/1"),
    "facets": with_articles(facets, "/shop"),
    "piles": with_articles(piles, "/en/"),
    "tarpit": with_articles(tarpit, "/maze"),
    "sessions": sessions,
}
