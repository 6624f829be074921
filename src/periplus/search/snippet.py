"""The passage of a page that answers best, with the words marked.

A snippet is a plain text and the spans to mark in it, never a text with marks inside: a page that contains `<mark>`,
private-use characters or template syntax shows them as they are, and no content can forge a mark. `html` escapes
everything and puts `<mark>` around the spans last.

The window: among the windows of `WIDTH` characters that begin at a match, the one with the most distinct words, then
the most matches, then the earliest; moved back to the beginning of its sentence where that is near. Cost: one search of
the folded text per word, then linear in the matches (at most `MAX_MATCHES` a word).
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from periplus.index.schema import UNSPACED, words_of

WIDTH = 160
MAX_MATCHES = 2000
_BACK = 60
_ACCENTED = re.compile(r"[\u00c0-\u024f\u1e00-\u1eff\u0622-\u064a\u0671\u06a9\u06cc]")
_UNEVEN = re.compile(r"\s\s|[^\S ]")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage and the (begin, end) spans to mark in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def html(self) -> str:
        """Safe HTML: everything escaped, `<mark>` around the spans."""
        return marked(self.text, self.marks, "<mark>", "</mark>", html.escape)

    def __str__(self) -> str:
        return self.text


def marked(text: str, marks: Iterable[tuple[int, int]], before: str, after: str, escape: object = None) -> str:
    """The text with its spans between two strings, every piece passed through `escape` first."""
    clean = escape if callable(escape) else str
    pieces, at = [], 0
    for begin, end in marks:
        pieces += [clean(text[at:begin]), before, clean(text[begin:end]), after]
        at = end
    return "".join([*pieces, clean(text[at:])])


def find_words(text: str, words: Iterable[str]) -> list[tuple[int, int, str]]:
    """Where the (folded) words stand whole in a text: (begin, end, word), in order, at most `MAX_MATCHES` per word.

    A phrase is its words with spaces between, and stands where they stand side by side. What begins inside an earlier
    match is left out.
    """
    folded = fold(text)
    found = []
    for word in sorted(set(words)):
        found += _phrase_places(folded, word) if " " in word else _word_places(folded, word, text)
    kept: list[tuple[int, int, str]] = []
    for place in sorted(found, key=lambda place: (place[0], -place[1])):
        if not kept or place[0] >= kept[-1][1]:
            kept.append(place)
        elif place[1] > kept[-1][1] and UNSPACED.match(place[2]):  # characters that overlap are one word
            begin, _, word = kept[-1]
            kept[-1] = (begin, place[1], word)
    return kept


def _word_places(folded: str, word: str, text: str = "") -> list[tuple[int, int, str]]:
    """Where a word stands whole, or with the text before folding as a part of a word like `ArgumentParser`."""
    joined = bool(UNSPACED.search(word))  # scripts without spaces: a word may begin anywhere
    found: list[tuple[int, int, str]] = []
    at = folded.find(word)
    while at >= 0 and len(found) < MAX_MATCHES:
        end = at + len(word)
        whole = not (folded[at - 1 : at].isalnum() or folded[end : end + 1].isalnum())
        if joined or whole or (text and _is_hump(text, at, end)):
            found.append((at, end, word))
        at = folded.find(word, end)
    return found


def _is_hump(text: str, begin: int, end: int) -> bool:
    """Whether a part of a word begins and ends where the index parts it."""
    return text[begin].isascii() and _parted(text, begin) and _parted(text, end)


def _parted(text: str, at: int) -> bool:
    """Whether a word ends before this place, or a capital begins the next part of it."""
    before, here = text[at - 1 : at], text[at : at + 1]
    if not (before.isalnum() and here.isalnum()):
        return True
    return here.isupper() and (not before.isupper() or text[at + 1 : at + 2].islower())


def _phrase_places(folded: str, phrase: str) -> list[tuple[int, int, str]]:
    """Where the words of a phrase stand side by side; letters that are words by themselves need no space."""
    words = phrase.split(" ")
    found: list[tuple[int, int, str]] = []
    for begin, end, _ in _word_places(folded, words[0]):
        for before, word in itertools.pairwise(words):
            start = end
            while start < len(folded) and not folded[start].isalnum():
                start += 1
            apart = start > end or UNSPACED.search(before[-1]) or UNSPACED.search(word[0])
            if not apart or not folded.startswith(word, start):
                break
            end = start + len(word)
            if folded[end : end + 1].isalnum() and not UNSPACED.search(word[-1] + folded[end]):
                break
        else:
            found.append((begin, end, phrase))
    return found


def make_snippet(text: str, words: Iterable[str], *, width: int = WIDTH) -> Snippet:
    """The best passage of about `width` characters; the beginning of the text where no word stands in it."""
    found = find_words(text, words)
    return cut_snippet(text, found, width=width)


def cut_snippet(text: str, found: list[tuple[int, int, str]], *, width: int = WIDTH) -> Snippet:
    """The best passage, given where the words stand."""
    begin = _sentence_start(text, _best_window(found, width - _BACK)) if found else 0
    if begin > len(text) - width:  # near the end: show more of what stands before
        begin = max(0, len(text) - width)
        begin = text.find(" ", begin) + 1 if begin else 0
    begin += len(text[begin : begin + width]) - len(text[begin : begin + width].lstrip())
    end = min(len(text), begin + width)
    if end < len(text):
        space = text.rfind(" ", begin + width // 2, end)
        end = space if space > 0 else end
    before, after = "… " if begin > 0 else "", " …" if end < len(text) else ""
    body, marks = _one_line(text[begin:end], [(b - begin, e - begin) for b, e, _ in found if begin <= b and e <= end])
    shift = len(before)
    return Snippet(before + body + after, tuple((b + shift, e + shift) for b, e in marks))


def fold(text: str) -> str:
    """Lower case and without Latin accents, character for character, so that places stay where they are."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    return lowered if lowered.isascii() else _ACCENTED.sub(lambda match: _bare(match.group()), lowered)


@lru_cache(maxsize=1024)
def _bare(letter: str) -> str:
    """A letter as the index has it, where that is one letter too (`ß` stays, though the index says `ss`)."""
    folded = "".join(words_of(letter))
    return folded if len(folded) == 1 else letter


def _best_window(found: list[tuple[int, int, str]], width: int) -> int:
    best, best_value, last = found[0][0], (0, 0), 0
    counts: dict[str, int] = {}
    for begin, _, word in found:
        while last < len(found) and found[last][1] <= begin + width:
            counts[found[last][2]] = counts.get(found[last][2], 0) + 1
            last += 1
        value = (len(counts), sum(counts.values()))
        if value > best_value:
            best, best_value = begin, value
        if counts.get(word, 0) <= 1:
            counts.pop(word, None)
        else:
            counts[word] -= 1
    return best


def _sentence_start(text: str, at: int) -> int:
    """The beginning of the sentence when it is near, otherwise of a word a little before."""
    if at <= _BACK:
        return 0
    earlier = text[at - _BACK : at]
    stops = [match.end() for match in re.finditer(r"[.!?。]\s+|\n+", earlier)]
    if stops:
        return at - _BACK + stops[-1]
    space = earlier.find(" ", _BACK // 2)
    return at - _BACK + space + 1 if space >= 0 else at


def _one_line(text: str, marks: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Runs of white space become one space; the spans move along."""
    if not _UNEVEN.search(text):
        return text, marks
    shown: list[str] = []
    places: list[int] = []
    for letter in text:
        places.append(len(shown))
        if not letter.isspace():
            shown.append(letter)
        elif not shown or shown[-1] != " ":
            shown.append(" ")
    places.append(len(shown))
    return "".join(shown), [(places[begin], places[end - 1] + 1) for begin, end in marks]
