"""Every sentence of evidence, read back and checked against the page by an independent reading."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from periplus.errors import QueryError
from periplus.graph.graph import Graph
from periplus.index import IndexDocument, build_index
from periplus.index.schema import calls_of
from periplus.record import Scores
from periplus.search import Searcher

WORDS = ["wind", "farm", "farms", "to", "be", "or", "not", "otter", "guide", "tide", "a", "the"]
PAGES = 60
SAID: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
"""What links say of each page, and the site of each link."""


def sentence(rng: random.Random, least: int, most: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, most)))


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> tuple[Searcher, dict[int, IndexDocument], np.ndarray]:
    rng = random.Random(7)
    documents = {}
    for node in range(PAGES):
        host = f"{'abc'[node % 3]}.example"
        calls = tuple(sentence(rng, 1, 3) for _ in range(rng.randint(0, 4)))
        said = SAID[node] = (calls, tuple(f"s{rng.randint(0, 2)}.example" for _ in calls))
        documents[node] = IndexDocument(
            node=node,
            url=f"http://{host}/{rng.choice(WORDS)}-{node}.html",
            title=sentence(rng, 0, 3),
            headings=sentence(rng, 0, 2),
            body=sentence(rng, 0, 30),
            calls=calls_of(*said),
            host=host,
            site=host,
        )
    folder: Path = tmp_path_factory.mktemp("evidence")
    build_index(documents.values(), folder)
    ranks = np.random.default_rng(1).random(PAGES)
    graph = Graph.from_edges(np.array([0]), np.array([1]), PAGES)
    return Searcher(folder, scores={"pagerank": Scores("pagerank", ranks)}, graph=graph), documents, ranks


def queries() -> list[str]:
    rng = random.Random(3)
    made = ['"to be or not to be"', "site:a.example", "(a OR", "site:b.example OR tide", "-tide site:c.example", "ott*"]
    for _ in range(250):
        parts = []
        for _ in range(rng.randint(1, 3)):
            word = rng.choice(WORDS)
            parts.append(
                rng.choice([word, word, f'"{sentence(rng, 2, 3)}"', f"title:{word}", f"-{word}", f"{word} OR tide",
                            "site:a.example", f"{word[:3]}*", f"anchor:{word}", f"heading:{word}"])
            )  # fmt: skip
        made.append(" ".join(parts))
    return made


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def stands(quoted: str, text: str) -> bool:
    """Whether the words of one quotation stand side by side in a text."""
    wanted, there = words(quoted), words(text)
    return any(there[at : at + len(wanted)] == wanted for at in range(len(there)))


def count(quoted: list[str], text: str) -> int:
    """In how many places at least one of the quotations (or a plural or singular of it) stands; longest first."""
    there, at, places = words(text), 0, 0
    wanted = sorted((words(one) for one in quoted), key=len, reverse=True)
    while at < len(there):
        hit = next((one for one in wanted if _same(there[at : at + len(one)], one)), None)
        places += hit is not None
        at += len(hit) if hit else 1
    return places


def _same(found: list[str], wanted: list[str]) -> bool:
    if len(wanted) > 1:
        return found == wanted
    return bool(found) and (found[0] == wanted[0] or found[0].rstrip("s") == wanted[0].rstrip("s"))


def check(clause: str, page: IndexDocument, query: str, ranks: np.ndarray) -> None:
    quoted = re.findall("“(.*?)”", clause)
    if clause.endswith("in the title"):
        assert all(stands(one, page.title) for one in quoted)
    elif clause == "your words are its title":
        wanted = words(re.sub(r"\w+:\S+|-\w+|\bOR\b", "", query)) or words(query)  # exclusions alone are words
        assert words(page.title) == wanted
    elif clause.startswith("your words name it"):
        wanted = words(re.sub(r"\w+:\S+|-\w+|\bOR\b", "", query)), words(query)  # the second: "(a OR" is two words
        assert any(words(one) in wanted for one in _names(page)), (query, page)
    elif " it “" in clause:
        text = quoted[-1]
        links = [site for said, site in zip(*SAID[page.node], strict=True) if said == text]
        told = [int(number.replace(",", "")) for number in re.findall(r"(\d+) (?:link|site)", clause)]
        assert told[0] == len(links)
        assert len(told) < 2 or told[1] == len(set(links))
    elif clause.startswith("its text has"):
        places = 1 if clause.endswith("once") else int(re.findall(r"in (\d+) places", clause)[0])
        assert all(stands(one, page.body) or stands(one + "s", page.body) or stands(one.rstrip("s"), page.body)
                   for one in quoted)  # fmt: skip
        if len(quoted) < 3:  # at most three words are named
            assert places == count(quoted, page.body), (clause, page.body)
    elif clause.startswith("its address says"):
        assert all(stands(one, page.url) for one in quoted)
    elif "stands in its " in clause:
        field = {"headings": page.headings, "texts of links to it": " ".join(SAID[page.node][0]), "text": page.body,
                 "title": page.title, "address": page.url}[clause.partition("stands in its ")[2]]  # fmt: skip
        assert all(stands(one.rstrip("*"), field) or one.endswith("*") or _plural(one, field) for one in quoted)
    elif clause == "a page of the site you named":
        assert f"site:{page.host}" in query
    elif clause.startswith("first of all"):
        assert ranks[page.node] == ranks.max()
    elif clause.startswith("among the best"):
        share = float(re.findall(r"best ([\d.]+) %", clause)[0]) / 100
        assert (ranks >= ranks[page.node]).mean() <= share + 0.006
    else:
        raise AssertionError(f"a sentence that nobody checks: {clause}")


def _names(page: IndexDocument) -> list[str]:
    """What may be the whole name of a page: its title, its first heading, the last piece of its address."""
    return [page.title, page.headings.partition("\n")[0], page.url.rpartition("/")[2].removesuffix(".html")]


def _plural(one: str, field: str) -> bool:
    return any(word.rstrip("s") == one.rstrip("s") for word in words(field))


def test_every_sentence_is_true(web: tuple[Searcher, dict[int, IndexDocument], np.ndarray]) -> None:
    searcher, documents, ranks = web
    checked = 0
    for query in queries():
        try:
            results = searcher.search(query, size=60).results
        except QueryError:
            continue
        for result in results:
            sentence = result.why[0].lower() + result.why[1:]
            for clause in sentence.split("; "):
                check(clause, documents[result.node], query, ranks)
                checked += 1
    assert checked > 3000
