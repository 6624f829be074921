"""The English of the demonstration web: our own vocabularies and sentences, combined by a seed.

A subject (one file in `subjects/`) brings its sites, tools, sentences from the field and eighteen topics with three
facts each. An angle (`angles.toml`) is a way of looking at a topic: title, headings, sentences. An article is one topic
seen from one angle on one site, so that no two articles of the web have the same title.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any

PEOPLE = (
    "Ada Penhallow", "Bram Oosterhuis", "Clementine Dray", "Dorothy Vance", "Edwin Marlowe", "Frida Aasen",
    "Gwilym Rees", "Hanneke Visser", "Iris Castellan", "Jonas Lindqvist", "Katrin Bauer", "Lucian Moreau",
    "Maeve Tierney", "Nils Haugen", "Odile Fontaine", "Peter Quayle", "Renata Kovač", "Søren Møller",
    "Tabitha Wren", "Una MacAskill", "Victor Lemaître", "Wilhelmina Stroud", "Yannick Tréguier", "Zoë Hartnell",
)  # fmt: skip
SEASONS = ("spring", "summer", "autumn", "winter")
NUMBERS = (
    "seven",
    "nine",
    "eleven",
    "twelve",
    "fourteen",
    "seventeen",
    "nineteen",
    "twenty-three",
    "thirty",
    "forty-one",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a subject brings: its name, sites as (host, name, place), tools, field sentences, and facts by topic."""

    key: str
    name: str
    sites: tuple[tuple[str, str, str], ...]
    tools: tuple[str, ...]
    field: tuple[str, ...]
    topics: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Angle:
    """A way of looking at a topic."""

    slug: str
    title: str
    heading: tuple[str, ...]
    open: tuple[str, ...]
    body: tuple[str, ...]
    close: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """The words of one page: title, then paragraphs under headings; `other` is the second topic that it mentions."""

    title: str
    slug: str
    topic: str
    other: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("periplus.demo").joinpath(name).read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def subjects() -> tuple[Subject, ...]:
    """Every subject, in the order of its key."""
    folder = files("periplus.demo").joinpath("subjects")
    keys = sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(_subject(key, _read(f"subjects/{key}.toml")) for key in keys)


def _subject(key: str, data: dict[str, Any]) -> Subject:
    return Subject(
        key=key,
        name=data["name"],
        sites=tuple((host, name, place) for host, name, place in data["sites"]),
        tools=tuple(data["tools"]),
        field=tuple(_with_article(text) for text in data["field"]),
        topics={topic: tuple(facts) for topic, facts in data["topics"].items()},
    )


@lru_cache(maxsize=1)
def angles() -> tuple[Angle, ...]:
    """Every angle, in the order of the file."""
    return tuple(
        Angle(
            slug=angle["slug"],
            title=angle["title"],
            **{part: tuple(map(_with_article, angle[part])) for part in ("heading", "open", "body", "close")},
        )
        for angle in _read("angles.toml")["angle"]
    )


def _with_article(text: str) -> str:
    """Let `a {tool}` become the slot that knows whether to say `a` or `an`."""
    return text.replace("a {tool}", "{a_tool}").replace("A {tool}", "{A_tool}")


def capital(text: str) -> str:
    """Raise the first letter and leave the rest alone."""
    return text[:1].upper() + text[1:]


def slug(text: str) -> str:
    """Make a path segment of a phrase."""
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in text.lower()).strip("-").replace("--", "-")


def write_article(random: Random, subject: Subject, site: tuple[str, str, str], topic: str, angle: Angle) -> Article:
    """Write one article: an opening, two sections that mix angle, field and facts, and a close."""
    other = random.choice([name for name in subject.topics if name != topic])
    slots = _slots(random, subject, site, topic, other)
    facts = list(subject.topics[topic])
    mention = next(sentence for sentence in angle.body if "{other}" in sentence)
    body = random.sample([sentence for sentence in angle.body if sentence is not mention], 3)
    field = random.sample(subject.field, 3)
    paragraphs = (
        (random.choice(angle.open), facts[0], body[0]),
        (facts[1], field[0], body[1]),
        (field[1], mention, subject.topics[other][0]),
        (facts[2], body[2], field[2], random.choice(angle.close)),
    )
    written = [" ".join(capital(sentence.format_map(slots)) for sentence in paragraph) for paragraph in paragraphs]
    sections = (
        ("", (written[0],)),
        (angle.heading[0], (written[1],)),
        (angle.heading[1], (written[2],)),
        (angle.heading[2], (written[3],)),
    )
    return Article(angle.title.format_map(slots), f"{slug(topic)}-{angle.slug}", topic, other, sections)


def _slots(random: Random, subject: Subject, site: tuple[str, str, str], topic: str, other: str) -> dict[str, str]:
    tool = random.choice(subject.tools)
    a_tool = f"an {tool}" if tool[0] in "aeiou" else f"a {tool}"
    return {
        "topic": topic,
        "Topic": capital(topic),
        "other": other,
        "site": site[1],
        "place": site[2],
        "person": random.choice(PEOPLE),
        "tool": tool,
        "a_tool": a_tool,
        "A_tool": capital(a_tool),
        "season": random.choice(SEASONS),
        "n": random.choice(NUMBERS),
        "year": str(random.randrange(1790, 1935)),
    }
