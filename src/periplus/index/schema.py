"""What the text index holds: one document per page.

    field      words of                                      kept for
    title      the page's title                              search
    headings   its headings                                  search
    body       its main text                                 search
    around     navigation, and what its site repeats         search, but little; no phrases
    url        the words of host and path                    search
    anchor     the texts of links from other pages           search: a page is found by what others call it
    parts      the parts of words like `ArgumentParser`      search: `argument parser` finds `ArgumentParser`
    name       title, its parts, first heading, last piece   "the query is exactly its name"
               of the path: each whole
    host, site whole                                         `site:`
    language   its code, or nothing                          `lang:`, and which other forms a word has
    filetype   the ending of its path, `html` without one    `filetype:`
    day        when it was fetched, as 20240501              `after:`, `before:`
    alike      64 bits of the text (`index.sequences`)       showing pages that say nearly the same once
    asks       "noindex" where the page asks for it          leaving such pages out of what is shown to the public
    number     counts the documents                          joining with `records` (what results show)
                                                             and, through `nodes`, with the graph and its ranks

*Words.* A word is a run of letters and digits of any script; Han, Hiragana, Katakana and Thai characters are words by
themselves, so that a run of them is found as a phrase. Words are compatibility-normalised (NFKC), lower-cased and
folded: to ASCII where an accent can be dropped (`Édouard` = `edouard`, Turkish `İ` = `i`), Arabic without vowel marks
and with one form each of alef, ya, kaf and ta marbuta. Runs above 64 bytes are left out. There is no stop list, and
"to be or not to be" can be found. The first five fields keep positions. (A tokenizer by regular expression could do
without the spaces that we put around those characters; it made building four times slower.) Other forms of a word are
not in the index: a query names them (`search.forms`).

*Anchor texts.* Each distinct text counts 1 + ⌊log₂ n⌋ times for the n sites that say it: ten thousand links of one menu
are one voice, and a thousand hosts that agree weigh as ten; at most `MAX_CALLS` distinct texts per page.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np

from periplus.index.language import language_of
from periplus.web.parts import parts_of

if TYPE_CHECKING:
    import tantivy

SCHEMA_VERSION = 7
NOINDEX = "noindex"
TEXT_FIELDS = ("title", "headings", "body", "url", "anchor")
AROUND_FIELD = "around"
PARTS_FIELD = "parts"
ANALYZER = "periplus-words"
MAX_CALLS = 256
_CALL_LENGTH = 200
_NAME_LENGTH = 200
UNSPACED = re.compile(
    r"[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
    r"|[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46][\u0e31\u0e34-\u0e3a]*"
)
"""Characters of scripts written without spaces: Han, Hiragana, Katakana; Thai letters with the vowels on them."""
_PLAIN = ((0, 0x600), (0x1E00, 0x2E80), (0xFB00, 0xFE70))
"""No character in these ranges of UTF-16 needs a space round it, and none but İ is folded by us."""

_FOLDED = str.maketrans(
    {"İ": "I", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": None}
    | dict.fromkeys(map(chr, [*range(0x64B, 0x653), 0x670, *range(0xE47, 0xE4F)]))
)
_UNFOLDED = re.compile("[" + "".join(map(chr, _FOLDED)) + "]")

_COMMON = """
    a an and are as at be been but by for from had has have he her his i if in into is it its me my no not of on or
    our she so that the their them then there these they this to us was we were what when which who will with you
    your"""
COMMON_WORDS = frozenset(_COMMON.split())
"""English words that tell nothing of what a page is about."""

_NO_NAMES = ("index", "default", "home", "main")
_NO_DIGIT = re.compile(r"\D")
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
_BETWEEN = "\f"
_SHORT = 64  # no word of a text so short is too long for the index
_TITLE_BREAKS = re.compile(r"\s+[-–—|·:»«•]+\s+|:\s")


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that others call a page: the text, by how many links, from how many sites.

    `sites` is 0 where the texts came as one entry per site: then `links` counts the sites.
    """

    text: str
    links: int
    sites: int


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """One page as the index sees it.

    `around` is its text beside the main one. `parts` are worked out where they are not given. `calls` is what other
    pages call it. `duplicates` are the URLs of pages with the same content, folded under this one.
    """

    node: int
    url: str
    title: str = ""
    headings: str = ""
    body: str = ""
    calls: tuple[Call, ...] = ()
    host: str = ""
    site: str = ""
    fetched: str = ""
    duplicates: tuple[str, ...] = ()
    noindex: bool = False
    language: str | None = None
    around: str = ""
    parts: str | None = None


def make_schema() -> tantivy.Schema:
    """The schema of the module docstring."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in TEXT_FIELDS:
        builder.add_text_field(name, tokenizer_name=ANALYZER)
    for name in (AROUND_FIELD, PARTS_FIELD):
        builder.add_text_field(name, tokenizer_name=ANALYZER, index_option="freq")
    for name in ("name", "host", "site", "asks", "language", "filetype"):
        counted = name in ("site", "language", "filetype")
        builder.add_text_field(name, fast=counted, tokenizer_name="raw", index_option="basic")
    for name in ("number", "day"):
        builder.add_unsigned_field(name, indexed=True, fast=True)
    builder.add_unsigned_field("alike", fast=True)
    return builder.build()


@lru_cache(maxsize=1)
def analyzer() -> tantivy.TextAnalyzer:
    """Spaced text → words, as the index has them."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple())
    return builder.filter(Filter.remove_long(65)).filter(Filter.lowercase()).filter(Filter.ascii_fold()).build()


def normalised(text: str) -> str:
    """Compatibility-normalised text that any UTF-8 reader accepts (lone surrogates become U+FFFD)."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).encode("utf-8", "replace").decode()


def spaced(text: str) -> str:
    """A normalised text as the index reads it: folded, and spaces round characters that are words by themselves."""
    if text.isascii():
        return text
    if "İ" not in text and _is_plain(text):
        return text
    return UNSPACED.sub(r" \g<0> ", text.translate(_FOLDED) if _UNFOLDED.search(text) else text)


def _is_plain(text: str) -> bool:
    """Whether all characters are in `_PLAIN`; a tenth of the time that searching for those to be changed takes."""
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    wide = units[units >= _PLAIN[0][1]]
    return all(any(begin <= unit < end for begin, end in _PLAIN) for unit in np.unique(wide).tolist())


def words_of(text: str) -> list[str]:
    """The words of a text, in order."""
    words: list[str] = analyzer().analyze(spaced(normalised(text)))
    return words


def whole_name(text: str) -> str:
    """A text as one key: its words joined by spaces."""
    if text.isascii() and len(text) <= _SHORT:  # the same, a tenth of the time
        return " ".join(_ASCII_WORDS.findall(text.lower()))
    return " ".join(words_of(text))


def as_document(page: IndexDocument, number: int = 0) -> tantivy.Document:
    """The page as the index reads it."""
    import tantivy

    from periplus.index.sequences import fingerprint

    body = normalised(page.body)
    document = tantivy.Document()
    document.add_text("title", spaced(normalised(page.title)))
    document.add_text("headings", spaced(normalised(page.headings)))
    document.add_text("body", spaced(body))
    document.add_text("url", spaced(url_words(page.url)))
    for call in page.calls:
        text = spaced(call.text)
        for _ in range((call.sites or call.links).bit_length()):
            document.add_text("anchor", text)
    if page.around:
        document.add_text(AROUND_FIELD, spaced(normalised(page.around)))
    if parts := parts_of(page.title, page.body) if page.parts is None else page.parts:
        document.add_text(PARTS_FIELD, parts)
    document.add_text("language", language_of(page.body, page.language))
    document.add_text("filetype", filetype_of(page.url))
    document.add_unsigned("day", int(_NO_DIGIT.sub("", page.fetched)[:8] or 0))
    for name in sorted(names_of(page)):
        document.add_text("name", name)
    document.add_text("host", page.host)
    document.add_text("site", page.site)
    if page.noindex:
        document.add_text("asks", NOINDEX)
    document.add_unsigned("number", number)
    document.add_unsigned("alike", fingerprint(body))
    return document


def as_record(page: IndexDocument) -> bytes:
    """What results show of the page: a line of JSON, its main text, and the text around that."""
    facts = {
        "title": " ".join(normalised(page.title).split()),
        "url": page.url,
        "host": page.host,
        "site": page.site,
        "language": language_of(page.body, page.language),
        "fetched": page.fetched,
        "calls": [[call.text, call.links, call.sites] for call in page.calls],
        "duplicates": page.duplicates,
    }
    line = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    texts = (normalised(text).replace(_BETWEEN, " ") for text in (page.body, page.around))
    return f"{line}\n{_BETWEEN.join(texts)}".encode("utf-8", "replace")


def read_record(record: bytes) -> dict[str, Any]:
    """What `as_record` wrote, with the texts as "body" and "around"."""
    line, _, texts = record.decode().partition("\n")
    body, _, around = texts.partition(_BETWEEN)
    facts: dict[str, Any] = json.loads(line)
    calls = tuple(Call(text, links, sites) for text, links, sites in facts["calls"])
    return {**facts, "calls": calls, "duplicates": tuple(facts["duplicates"]), "body": body, "around": around}


def calls_of(texts: Iterable[str], sites: tuple[str, ...] = ()) -> tuple[Call, ...]:
    """Texts of links gathered, an entry per link and the site it comes from (or else an entry per site)."""
    links: Counter[str] = Counter()
    origins: defaultdict[str, set[str]] = defaultdict(set)
    for at, text in enumerate(texts):
        if shown := shown_call(text):
            links[shown] += 1
            if at < len(sites):
                origins[shown].add(sites[at])
    return ranked_calls({text: (count, len(origins[text])) for text, count in links.items()})


def shown_call(text: str) -> str:
    """The text of a link as it is indexed and shown."""
    return " ".join(normalised(text).split())[:_CALL_LENGTH]


def ranked_calls(counts: Mapping[str, tuple[int, int]]) -> tuple[Call, ...]:
    """Texts with their links and sites, most used first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1][0], item[0]))[:MAX_CALLS]
    return tuple(Call(text, links, sites) for text, (links, sites) in ordered)


def names_of(page: IndexDocument) -> set[str]:
    """The whole names a page goes by.

    Its title, the parts of it (`Wind farm | Example`), its first heading, and the last piece of its path.
    """
    first_heading = page.headings.partition("\n")[0]
    _, slash, last = url_words(page.url).rstrip("/").rpartition("/")
    candidates = [page.title, first_heading, *title_parts(page.title)]
    if slash and last.lower() not in _NO_NAMES:
        candidates.append(last)
    return {name for text in candidates if len(text) <= _NAME_LENGTH and (name := whole_name(text))}


def title_parts(title: str) -> list[str]:
    """`Wind farm | Example` has two."""
    return _TITLE_BREAKS.split(title)


def filetype_of(url: str) -> str:
    """The ending of a URL's path in small letters; `html` where it has none, since what is indexed is HTML."""
    last = re.sub(r"^\w+://[^/]*", "", url).partition("?")[0].rpartition("/")[2]
    ending = re.search(r"\.(\w{1,8})$", last)
    return ending[1].lower() if ending else "html"


def url_words(url: str) -> str:
    """Host and path of a URL as text: percent-decoded, without the scheme and the file ending."""
    path = re.sub(r"^https?://(www\.)?", "", url).partition("?")[0]
    path = re.sub(r"\.(x?html?|php|aspx?|jsp)$", "", path)
    return normalised(unquote(path, errors="replace"))
