"""What was probably meant, where a word of the query stands on no page.

The words one letter away (left out, added, changed, or two neighbours swapped; Damerau, "A technique for computer
detection and correction of spelling errors", 1964) are looked up in the index. Of those that exist, the one whose query
finds most pages wins, then the one that most pages have, then one with the same first letter. A word that some page has
is never called a mistake. Cost: about 54 look-ups a letter, 1 µs each, and `TRIED` counts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from string import ascii_lowercase, digits

from periplus.search.query import ParsedQuery, Term
from periplus.search.snippet import find_words

SHORTEST = 4
"""Letters of a word that may be called a mistake: of shorter ones nearly every neighbour is a word."""

TRIED = 8
_ALPHABETS = {
    "CYRILLIC": "абвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґ",
    "GREEK": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
    "HEBREW": "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
    "ARABIC": "ابتثجحخدذرزسشصضطظعغفقكلمنهويءئؤپچژگ",
}


def suggested(parsed: ParsedQuery, pages_with: Callable[[str], int], pages_of: Callable[[str], int]) -> str | None:
    """The query with each word that is on no page replaced by the likeliest one; None where none is or nothing is near.

    `pages_with` counts the pages that have a word, `pages_of` those that a whole query finds.
    """
    text = parsed.text
    for term in parsed.parts:
        if _may_be_wrong(term) and not pages_with(term.words[0]):
            word = term.words[0]
            near = sorted((-pages_with(one), one[:1] != word[:1], one) for one in _neighbours(word) if pages_with(one))
            tried = [_replaced(text, word, one) for _, _, one in near[:TRIED]]
            if not tried:
                return None
            text = max(tried, key=pages_of) if len(tried) > 1 else tried[0]
    return text if text != parsed.text else None


def _may_be_wrong(term: Term) -> bool:
    return term.plain and len(term.words[0]) >= SHORTEST and not term.words[0].isdecimal()


def _neighbours(word: str) -> Iterator[str]:
    """Every text one edit away, once each."""
    letters = _alphabet(word)
    seen = {word}
    for at in range(len(word) + 1):
        left, right = word[:at], word[at:]
        near = [left + letter + right for letter in letters]
        if right:
            near += [left + right[1:], *(left + letter + right[1:] for letter in letters)]
        if len(right) > 1:
            near.append(left + right[1] + right[0] + right[2:])
        for one in near:
            if one not in seen:
                seen.add(one)
                yield one


def _alphabet(word: str) -> str:
    """The letters of the word's script, and its own."""
    script = unicodedata.name(word[0], "").partition(" ")[0]
    known = _ALPHABETS.get(script, ascii_lowercase + digits if word[0].isascii() else "")
    return "".join(sorted({*known, *word}))


def _replaced(text: str, word: str, by: str) -> str:
    """The query as typed with one word for another."""
    for begin, end, _ in reversed(find_words(text, [word])):
        text = text[:begin] + by + text[end:]
    return text
