"""The language of a page, and the common stem of the forms of a word in it.

A page is in the language that it declares; if it declares none, in the one whose script or whose commonest words its
first `_LOOKED_AT` characters show. Words of a page whose language nothing shows are taken for English ones. Stems are
those of Snowball (Porter, "An algorithm for suffix stripping", 1980, and its descendants). They never replace a word:
the exact word always counts more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tantivy

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nl": "dutch",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Languages whose word forms are known: code (ISO 639-1) and the name of the stemmer."""

UNKNOWN = "en"
"""Whose forms count in pages that do not show their language: the pages of most archives."""

_PREFIXES = {"ar": ("", "ال", "و", "وال", "ب", "بال", "ل", "لل", "ف", "ك")}
"""What may stand before the stem of a word; elsewhere a word begins as its stem does."""

_SAME = {"no": "nb", "nn": "nb", "iw": "he", "in": "id"}
_LOOKED_AT = 4000
_LEAST = 4  # common words that tell a language; fewer may be names
_SCRIPTS = {
    "ja": r"[\u3041-\u30ff]",
    "ko": r"[\uac00-\ud7af]",
    "zh": r"[\u4e00-\u9fff]",
    "el": r"[\u0370-\u03ff]",
    "he": r"[\u0590-\u05ff]",
    "th": r"[\u0e00-\u0e7f]",
    "ta": r"[\u0b80-\u0bff]",
    "hi": r"[\u0900-\u097f]",
}
_COMMONEST = {
    "ar": "في من على إلى أن هذا هذه التي عن مع ما لا كان أو كل",
    "cs": "se na je že jako pro jsou nebo ale při která které který není také",
    "da": "og det er til af som på med ikke den kan eller også skal hvis",
    "de": "der die und das ist nicht mit den von sie ein auf wird werden oder",
    "en": "the of and to is in that for with are this be you from which",
    "es": "el los las una del que para por con como más está este pero puede",
    "fa": "در که این را به از برای است با می شود آن یک",
    "fi": "on ja ei se että voi joka kun tai ovat sen myös mutta kuin",
    "fr": "le les des est une dans pour que qui sur pas par avec vous cette",
    "hr": "je se na za su koji koja ili kako što ali nije može biti",
    "hu": "az és hogy nem egy is vagy meg ezt kell ha lehet ez csak",
    "id": "yang dan untuk dengan dari ini dalam pada tidak adalah akan atau dapat",
    "it": "il di che è per non una del con sono della nel più come questo",
    "nb": "og det er til av som på med ikke den kan eller også skal hvis fra",
    "nl": "de het een van en is dat op te met voor niet zijn worden deze",
    "pl": "się na jest nie do że to jak lub przez dla są może który oraz",
    "pt": "de que não uma os para com um por em são mais você ou isso",
    "ro": "de și care să în la cu este sau pentru din mai nu sunt poate",
    "ru": "в и не на что с для это как по или из от если можно",
    "sv": "och det är att som på med inte den kan eller för av om till",
    "tr": "bir ve bu için ile olarak da de daha çok olan gibi veya ama",
    "uk": "і в не на що з для це як або та від якщо можна є",
    "vi": "và của là các có cho trong được với một không này để",
}


def language_of(text: str, declared: str | None = None) -> str:
    """The code of a page's language, as declared or else as its text shows; empty where neither says."""
    code = re.split(r"[-_,; ]", (declared or "").strip().lower())[0]
    if re.fullmatch(r"[a-z]{2,3}", code) and code not in ("und", "mul", "zxx"):
        return _SAME.get(code, code)
    return guessed(text[:_LOOKED_AT])


def guessed(text: str) -> str:
    """The language of a text by its script or its commonest words; empty where it shows none."""
    letters = max(sum(map(str.isalpha, text)), 1)
    for code, script in _SCRIPTS.items():
        if not text.isascii() and len(re.findall(script, text)) > letters / (10 if code == "ja" else 3):
            return code
    counts: Counter[str] = Counter()
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        for code in _speakers().get(word, ()):
            counts[code] += 1
    best = counts.most_common(1)
    return best[0][0] if best and best[0][1] >= _LEAST else ""


@lru_cache(maxsize=1)
def _speakers() -> dict[str, tuple[str, ...]]:
    """Each common word with the languages that have it."""
    known: dict[str, tuple[str, ...]] = {}
    for code, words in _COMMONEST.items():
        for word in words.split():
            known[word] = (*known.get(word, ()), code)
    return known


@lru_cache(maxsize=32)
def stemmer(language: str) -> tantivy.TextAnalyzer:
    """Text → stems of its words in a language that has a stemmer, or else its words."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(65)).filter(Filter.lowercase())
    builder = builder.filter(Filter.ascii_fold())
    if language in STEMMERS:
        builder = builder.filter(Filter.stemmer(STEMMERS[language]))
    return builder.build()


def beginnings(word: str, stem: str, language: str) -> list[str]:
    """What words with this stem begin with: two letters or more, shared by word and stem."""
    if language in _PREFIXES:
        return [before + stem for before in _PREFIXES[language]] if len(stem) > 1 else []
    shared = shared_beginning(word, stem)
    return [shared] if len(shared) > 1 else []


def shared_beginning(*words: str) -> str:
    """The letters that all words begin with."""
    first, last = min(words), max(words)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))


def stems_of(words: Iterable[str], language: str) -> list[str]:
    """The stem of each word; words are as the index has them, without spaces."""
    found: list[str] = stemmer(language or UNKNOWN).analyze(" ".join(words))
    return found
