"""Manuals that nobody here wrote, with known-item queries from their own indexes: the data of benchmarks/search.py.

Python, PostgreSQL and Apache: index terms with the pages they lead to, from the shared data. SQLite, cppreference,
OpenJDK and Rust: read out of the manual's own index pages. The Debian handbook: the titles of its sections in ten
languages, each of which leads to the page that has the section. Index pages are left out of every system, with their
links.

Each manual is a Debian package: `apt-get download NAME && dpkg -x NAME_*.deb DIR/NAME`.
"""

from __future__ import annotations

import lzma
import random
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urljoin

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from selectolax.lexbor import LexborHTMLParser
from tests.conftest import DATA

from periplus.pages.parsed import ParsedCapture, block_marks
from periplus.web.html import parse_html

BASE = "https://manual.example/"
LANGUAGES = ("de-DE", "en-US", "es-ES", "fr-FR", "it-IT", "ja-JP", "pl-PL", "pt-BR", "ru-RU", "zh-CN")
QUERIES = 1000
Queries = dict[str, set[str]]


@dataclass(frozen=True)
class Manual:
    """A folder of pages, what to leave out, and where the queries come from; `fitted`: constants were chosen on it."""

    name: str
    package: str
    folder: str
    left_out: str
    ask: Callable[[Manual, Path], Queries]
    fitted: bool = False

    def pages(self, packages: Path) -> Iterator[ParsedCapture]:
        """Every page but those left out, parsed."""
        root = packages / self.package / self.folder
        for path in sorted(root.rglob("*.htm*")):
            place = path.relative_to(root).as_posix()
            if path.suffix in (".html", ".htm") and path.is_file() and not re.fullmatch(self.left_out, place):
                url = BASE + place
                document = parse_html(path.read_bytes(), url, "text/html")
                marks = block_marks(document.text)
                yield ParsedCapture(url, 200, "20260101000000", place, document=document, blocks=marks)


@dataclass
class Corpus:
    """A manual read into memory."""

    manual: Manual
    captures: list[ParsedCapture]
    asked: Queries

    @cached_property
    def queries(self) -> Queries:
        """At most `QUERIES` of them, drawn with a fixed seed, each with the pages that answer it."""
        there = {capture.url for capture in self.captures}
        kept = {query: pages & there for query, pages in self.asked.items() if pages & there}
        chosen = random.Random(1).sample(sorted(kept), min(QUERIES, len(kept)))
        return {query: kept[query] for query in chosen}


def _from_table(manual: Manual, packages: Path) -> Queries:
    """The table of the shared data."""
    with lzma.open(DATA / "doc-queries" / f"{manual.name}.tsv.xz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("# ") and "\t" in line]
    return {query: {BASE + place for place in places.split()} for query, places in rows}


def _from_pages(places: str, selector: str) -> Callable[[Manual, Path], Queries]:
    """The links of index pages: text and target."""

    def ask(manual: Manual, packages: Path) -> Queries:
        root = packages / manual.package / manual.folder
        found: defaultdict[str, set[str]] = defaultdict(set)
        for path in sorted(root.glob(places)):
            for link in LexborHTMLParser(path.read_bytes()).css(selector):
                text = " ".join(link.text().split())
                here = BASE + path.relative_to(root).as_posix()
                target = urljoin(here, link.attributes.get("href") or "").partition("#")[0]
                if text and target.startswith(BASE):
                    found[text].add(target)
        return dict(found)

    return ask


def _from_sections(manual: Manual, packages: Path) -> Queries:
    """The titles of sections within the pages of each language; a hundred of each."""
    root = packages / manual.package / manual.folder
    chosen: Queries = {}
    for language in LANGUAGES:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for path in sorted((root / language).glob("*.html")):
            for title in LexborHTMLParser(path.read_bytes()).css("h3.title, h4.title, h5.title"):
                text = re.sub(r"^[\d.\s]+", "", " ".join(title.text().split()))
                found[text].add(f"{BASE}{language}/{path.name}")
        for text in random.Random(1).sample(sorted(found), min(100, len(found))):
            chosen.setdefault(text, set()).update(found[text])
    return chosen


MANUALS = [
    Manual("python", "python3.11-doc", "usr/share/doc/python3.11/html",
           r"genindex.*|contents\.html", _from_table, True),
    Manual("postgresql", "postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html",
           "bookindex.html", _from_table, True),
    Manual("apache", "apache2-doc", "usr/share/doc/apache2-doc/manual/en",
           r"mod/(directives|quickreference)\.html", _from_table, True),
    Manual("sqlite", "sqlite3-doc", "usr/share/doc/sqlite3", r"keyword_index\.html",
           _from_pages("keyword_index.html", "li a")),
    Manual("cppreference", "cppreference-doc-en-html", "usr/share/cppreference/doc/html/en", r"cpp/symbol_index.*",
           _from_pages("cpp/symbol_index.html", "a:has(code), a:has(tt)")),
    Manual("openjdk", "openjdk-17-doc", "usr/share/doc/openjdk-17-jre-headless/api",
           r"index-files/.*|all(classes|packages)-index\.html",
           _from_pages("index-files/*.html", "dl.index dt > a:first-child")),
    Manual("rust", "rust-doc", "usr/share/doc/rust-doc/html", r"\w+/all\.html",
           _from_pages("*/all.html", "ul.docblock a")),
    Manual("handbook", "debian-handbook", "usr/share/doc/debian-handbook/html", r"(?!(" + "|".join(LANGUAGES) + ")/).*",
           _from_sections),
]  # fmt: skip


def corpora(packages: Path, names: list[str]) -> Iterator[Corpus]:
    """The manuals whose packages are there."""
    for manual in MANUALS:
        if names and manual.name not in names:
            continue
        if not (packages / manual.package / manual.folder).exists():
            print(f"{manual.name}: left out, {manual.package} is not in {packages}", file=sys.stderr)
            continue
        yield Corpus(manual, list(manual.pages(packages)), manual.ask(manual, packages))
