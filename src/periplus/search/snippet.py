"""The passage of a page that answers best, with the words marked.

A snippet is a plain text and the spans to mark in it, never a text with marks inside: a page that contains `<mark>`,
private-use characters or template syntax shows them as they are, and no content can forge a mark. `html` escapes
everything and puts `<mark>` around the spans last.

The window: among the windows of `WIDTH` characters that begin at a match, the one with the most distinct words, then
the most matches, then the earliest; moved back to the beginning of its sentence and cut at the end of one, where these
are near. Between blocks stands a dot. Cost: one search of the folded text per word with its forms, then linear in the
matches (at most `MAX_MATCHES` a word).
"""

from __future__ import annotations

import html
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from periplus.index.language import shared_beginning
from periplus.index.schema import UNSPACED, words_of

WIDTH = 160
MAX_MATCHES = 500
_BACK = 60
_ALIKE = 3  # letters
_ACCENTS = ((0xC0, 0x24F), (0x1E00, 0x1EFF), (0x622, 0x64A), (0x671, 0x671), (0x6A9, 0x6A9), (0x6CC, 0x6CC))
_ACCENTED = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _ACCENTS) + "]")
_UNEVEN = re.compile(r"\s\s|[^\S ]")
_WORD = re.compile(r"[^\W_]+")
_FULL_STOPS = ".!?…。！？؟।"
_NO_DOT = frozenset(_FULL_STOPS + " :;,·|")
_STOP = re.compile(rf"(?<=[{_FULL_STOPS}])\s+|(?<=[。！？])|\n+")


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
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(set(words)):
        if " " in word:
            found += _phrase_places(folded, word)
        else:
            alike[word[:_ALIKE]].append(word)
    for group in alike.values():
        found += _word_places(folded, group, text)
    kept: list[tuple[int, int, str]] = []
    for place in sorted(found, key=lambda place: (place[0], -place[1])):
        if not kept or place[0] >= kept[-1][1]:
            kept.append(place)
        elif place[1] > kept[-1][1] and UNSPACED.match(place[2]):  # characters that overlap are one word
            begin, _, word = kept[-1]
            kept[-1] = (begin, place[1], word)
    return kept


def _word_places(folded: str, words: list[str], text: str = "") -> list[tuple[int, int, str]]:
    """Where words that begin alike stand whole, or with the text before folding as parts of words like `BaseParser`."""
    begins = shared_beginning(*words)
    joined = bool(UNSPACED.search(begins))  # scripts without spaces: a word may begin anywhere
    found: list[tuple[int, int, str]] = []
    at = folded.find(begins)
    while at >= 0 and len(found) < MAX_MATCHES:
        whole = _WORD.match(folded, at)
        there = whole.group() if whole and not folded[at - 1 : at].isalnum() else ""
        if there in words:
            found.append((at, at + len(there), there))
        else:
            for word in words:
                end = at + len(word)
                if folded.startswith(word, at) and (joined or (text and _is_hump(text, at, end))):
                    found.append((at, end, word))
        at = folded.find(begins, found[-1][1] if found and found[-1][0] == at else at + len(begins))
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
    for begin, end, _ in _word_places(folded, words[:1]):
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
        begin = _next_start(text, max(0, len(text) - width))
    begin += len(text[begin : begin + width]) - len(text[begin : begin + width].lstrip())
    end = _passage_end(text, begin, width)
    begins_one = begin == 0 or _STOP.search(text, max(0, begin - 3), begin) is not None
    before = "" if begins_one else "… "
    after = "" if end >= len(text) or _STOP.match(text, end) or text[end - 1] in _FULL_STOPS else " …"
    body, marks = _one_line(text[begin:end], [(b - begin, e - begin) for b, e, _ in found if begin <= b and e <= end])
    shift = len(before)
    return Snippet(before + body + after, tuple((b + shift, e + shift) for b, e in marks))


def _next_start(text: str, at: int) -> int:
    """The beginning of the next sentence when it is near, otherwise of the next word."""
    if at == 0:
        return 0
    stop = _STOP.search(text, at, at + _BACK)
    return stop.end() if stop else text.find(" ", at) + 1


def _passage_end(text: str, begin: int, width: int) -> int:
    """The end of the last sentence that ends in the later half of the window or shortly after it, or else of a word."""
    if len(text) <= begin + width:
        return len(text)
    stops = [stop.start() for stop in _STOP.finditer(text, begin + width // 2, begin + width + _BACK)]
    if stops:
        return stops[-1]
    space = text.rfind(" ", begin + width // 2, begin + width)
    return space if space > 0 else begin + width


def fold(text: str) -> str:
    """Lower case and without Latin accents, character for character, so that places stay where they are."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    return _ACCENTED.sub(lambda match: _bare(match.group()), lowered) if _has_accents(lowered) else lowered


def _has_accents(text: str) -> bool:
    """Whether any character is one of `_ACCENTED`; a fifth of the time of searching for them."""
    if text.isascii():
        return False
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    return any(((units >= first) & (units <= last)).any() for first, last in _ACCENTS)


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
    back = max(0, at - 2 * _BACK)
    stops = [match.end() for match in _STOP.finditer(text, back, at)]
    if stops:
        return stops[-1]
    if back == 0:
        return 0
    space = text.find(" ", at - _BACK // 2, at)
    return space + 1 if space >= 0 else at


def _one_line(text: str, marks: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Runs of white space become one space, ends of blocks that end no sentence a dot; the spans move along."""
    if not _UNEVEN.search(text):
        return text, marks
    shown: list[str] = []
    places: list[int] = []
    for letter in text:
        places.append(len(shown))
        if not letter.isspace():
            shown.append(letter)
        elif letter == "\n" and shown and shown[-1] not in _NO_DOT:
            shown += " · "
        elif not shown or shown[-1] != " ":
            shown.append(" ")
    places.append(len(shown))
    return "".join(shown), [(places[begin], places[end - 1] + 1) for begin, end in marks]
