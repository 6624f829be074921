"""Misspelt queries mended, good ones left alone, and none left without an answer: a table of docs/search.md.

    python benchmarks/search_words.py DIR             the manuals of benchmarks/search.py
    python benchmarks/search_words.py DIR python --misses

Of 1,000 index terms one letter each is left out, added, changed or swapped with the next, by a fixed seed, in a word of
four letters or more. Mended: the first suggestion is the term as it was. Wrongly offered: a suggestion for a term as it
stands. Answered: terms that find at least one page.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from report import write_section
from search_data import Corpus, corpora

from periplus.errors import QueryError
from periplus.index.schema import whole_name
from periplus.search import Searcher
from search import PAGE, searcher_of

INTRODUCTION = """Of 1,000 index terms of a manual one letter each is left out, added, changed or swapped with the
next. Mended: the suggestion is the term as it was. Wrongly offered: a suggestion for a term as it stands."""
TERMS = 1000
ALL = 20_000
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class Counts:
    """What was asked of one manual, and what came of it."""

    edited: int
    mended: int
    terms: int
    offered: int
    asked: int
    answered: int
    missed: tuple[str, ...] = ()


def edited(term: str, chance: random.Random) -> str | None:
    """The term with one letter of one longer word wrong; None where it has no such word."""
    words = list(_WORD.finditer(term))
    if not words:
        return None
    word = chance.choice(words)
    at = chance.randrange(word.start(), word.end() - 1)
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    made = chance.choice([
        term[:at] + term[at + 1 :],
        term[:at] + letter + term[at:],
        term[:at] + letter + term[at + 1 :],
        term[:at] + term[at + 1] + term[at] + term[at + 2 :],
    ])  # fmt: skip
    return made if whole_name(made) != whole_name(term) else edited(term, chance)


def counts_of(corpus: Corpus, searcher: Searcher) -> Counts:
    """Ask everything of one manual."""
    chance = random.Random(1)
    terms = chance.sample(sorted(corpus.queries), len(corpus.queries))
    wrong = [(term, made) for term in terms if (made := edited(term, chance))][:TERMS]
    missed = []
    for term, made in wrong:
        meant = searcher.search(made, size=1).suggestion
        if meant is None or whole_name(meant) != whole_name(term):
            missed.append(f"{term} → {made}: {meant}")
    offered = [term for term in terms if searcher.search(term, size=1).suggestion is not None]
    asked = sorted(corpus.asked)
    asked = chance.sample(asked, min(ALL, len(asked)))
    silent = [term for term in asked if not _answered(searcher, term)]
    missed += [f"wrongly offered: {term}" for term in offered] + [f"no answer: {term}" for term in silent]
    return Counts(
        len(wrong), len(wrong) - len(missed) + len(offered) + len(silent), len(terms), len(offered), len(asked),
        len(asked) - len(silent), tuple(missed),
    )  # fmt: skip


def _answered(searcher: Searcher, term: str) -> bool:
    try:
        return searcher.search(term, size=1).total > 0
    except QueryError:
        return False


def table(found: dict[str, Counts]) -> str:
    """A row per manual."""
    lines = [
        INTRODUCTION,
        "",
        "| manual | misspelt terms mended | wrongly offered | terms answered |",
        "|---|---|---|---|",
    ]
    for name, one in found.items():
        mended, offered = f"{one.mended / one.edited:.1%} of {one.edited:,}", f"{one.offered / one.terms:.1%}"
        answered = f"{one.answered / one.asked:.2%} of {one.asked:,}"
        lines.append(f"| {name} | {mended} | {offered} of {one.terms:,} | {answered} |")
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("packages", type=Path, help="where the Debian packages are unpacked")
    arguments.add_argument("manuals", nargs="*", help="only these")
    arguments.add_argument("--misses", action="store_true", help="print each query that failed")
    arguments.add_argument("--write", action="store_true", help="put the table into docs/search.md")
    options = arguments.parse_args()
    found = {}
    for corpus in corpora(options.packages, options.manuals):
        with tempfile.TemporaryDirectory() as scratch:
            made = counts_of(corpus, searcher_of(corpus, Path(scratch) / "index"))
        found[corpus.manual.name] = made
        if options.misses:
            print(*made.missed, sep="\n")
        print(table({corpus.manual.name: made}), flush=True)
    if options.write:
        write_section("search_words.py", "Mistakes mended, terms answered", table(found), PAGE)


if __name__ == "__main__":
    main()
