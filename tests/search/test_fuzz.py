"""Whatever is typed: an answer or `QueryError`, never anything else, and never long."""

from __future__ import annotations

import random
import string
import time
from pathlib import Path

import numpy as np
import pytest

from periplus.errors import QueryError
from periplus.index import IndexDocument, build_index
from periplus.record import Scores
from periplus.search import Searcher
from periplus.search.query import FIELDS, FILTERS
from periplus.search.ways import ways_out

SCRIPTS = [
    string.ascii_lowercase, "абвгдежзиклмнопрст", "αβγδεζηθικλμνξοπ", "ابتثجحخدذرزسشصضط",
    "東京大阪語学生電車", "กขคงจชซญดตถทนบปผ",
]  # fmt: skip
SIGNS = [
    "OR", "AND", "NOT", "|", "-", "(", ")", "((((", "))))", '"', "*", "-(", ":", "\\", "/", "~", "^", "+", "&&",
    "\x00", "\ud800", "\u202e", "🜚", "İ", "ß", "ﬁ",
]  # fmt: skip
VALUES = [
    "0",
    "-1",
    "999999999999999999999",
    "2024",
    "2024-13-99",
    "en",
    "html",
    "core",
    "tendrils",
    "a.org",
    "..",
    "%00",
    "*",
]


def word(chance: random.Random) -> str:
    letters = SCRIPTS[min(int(chance.expovariate(0.7)), len(SCRIPTS) - 1)]
    return "".join(chance.choices(letters[:8], k=chance.randint(1, 5)))


def piece(chance: random.Random) -> str:
    """One clause: a word, a phrase, a bound word, a filter, an operator or rubbish."""
    kind = chance.randrange(10)
    if kind < 4:
        return chance.choice(["", "", "", "-"]) + word(chance) + chance.choice(["", "", "", "*", "."])
    if kind == 4:
        return f'"{" ".join(word(chance) for _ in range(chance.randint(0, 4)))}{chance.choice(chr(34) + " ")}'
    if kind == 5:
        return f"{chance.choice([*FIELDS, *FILTERS, 'nothing'])}:{chance.choice([word(chance), *VALUES])}"
    if kind == 6:
        return chance.choice(".-_:/'").join(word(chance) for _ in range(chance.randint(2, 8)))
    if kind == 7:
        return "".join(chr(chance.choice([chance.randrange(128), chance.randrange(0x3000), chance.randrange(0x110000)]))
                       for _ in range(chance.randint(1, 12)))  # fmt: skip
    return chance.choice(SIGNS)


def query(chance: random.Random) -> str:
    made = chance.choice([" ", " ", " ", ""]).join(piece(chance) for _ in range(int(chance.expovariate(0.35))))
    return made * chance.choice([1, 1, 1, 1, 1, 1, 1, 40]) if chance.random() < 0.05 else made


def searcher_of(folder: Path, pages: int, words: int) -> Searcher:
    chance = random.Random(5)
    urls = [f"http://{'abc'[at % 3]}.org/{word(chance)}/{at}.html" for at in range(pages)]
    build_index(
        (
            IndexDocument(
                at, url, " ".join(word(chance) for _ in range(3)), word(chance),
                " ".join(word(chance) for _ in range(words)), site=url[7:12], host=url[7:12],
                fetched=f"20{10 + at % 15}0101", noindex=at % 7 == 0,
            )
            for at, url in enumerate(urls)
        ),
        folder / "index",
    )  # fmt: skip
    ranks = {"pagerank": Scores("pagerank", np.random.default_rng(1).random(pages), error_bound=0.0)}
    return Searcher(
        folder / "index", scores=ranks, urls=urls, public=True, groups=lambda kind, said: np.arange(9, dtype=np.uint32)
    )


def slowest_of(searcher: Searcher, count: int, seed: int) -> tuple[float, str]:
    """Ask so many queries in every way; the CPU seconds of the slowest search, and its query."""
    chance = random.Random(seed)
    slowest = (0.0, "")
    for number in range(count):
        text = query(chance)
        began = time.process_time()
        try:
            found = searcher.search(
                text,
                size=chance.choice([1, 10, 100]),
                offset=chance.choice([0, 0, 0, 30, 900]),
                ranker=chance.choice([None, "text", "date"]),
                facts=number % 3 == 0,
                explain=number % 50 == 0,
                all_pages=number % 5 == 0,
            )
            assert len({result.node for result in found.results}) == len(found.results)
            if number % 5 == 0:
                searcher.completions(text)
            if not found.total and number % 10 == 0:
                ways_out(searcher, text)
        except QueryError:
            pass
        slowest = max(slowest, (time.process_time() - began, text))
    return slowest


def test_queries_of_every_shape(tmp_path: Path) -> None:
    slowest_of(searcher_of(tmp_path, 120, 40), 600, seed=1)


@pytest.mark.long
def test_a_hundred_thousand_queries_none_over_a_second(tmp_path: Path) -> None:
    searcher = searcher_of(tmp_path, 10_000, 200)
    seconds, text = slowest_of(searcher, 100_000, seed=2)
    assert seconds < 1, text
