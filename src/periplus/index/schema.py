"""What the text index holds: one document per page.

    field      words of                                      kept for
    title      the page's title                              search
    headings   its headings                                  search
    body       its text                                      search
    url        the words of host and path                    search
    anchor     the texts of links from other pages           search: a page is found by what others call it
    forms_xx   stems of title and text in language xx,       search: `configure` finds `configuring`,
               of the parts of words like `ArgumentParser`   `argument parser` finds `ArgumentParser`
    name       title, its parts, first heading, last piece   "the query is exactly its name"
               of the path: each whole
    host, site whole                                         `site:`
    language   its code                                      `lang:`, and which stems mark a snippet
    filetype   the ending of its path, `html` without one    `filetype:`
    day        when it was fetched, as 20240501              `after:`, `before:`
    alike      64 bits of the text (`index.sequences`)       showing pages that say nearly the same once
    asks       "noindex" where the page asks for it          leaving such pages out of what is shown to the public
    node       the page's id in the graph                    joining with ranks, which stay outside
    shown_title, shown_body, address, calls,
    fetched, duplicates                                      display, snippets

*Words.* A word is a run of letters and digits of any script; Han, Hiragana, Katakana and Thai characters are words by
themselves, so that a run of them is found as a phrase. Words are compatibility-normalised (NFKC), lower-cased and
folded: to ASCII where an accent can be dropped (`Édouard` = `edouard`, Turkish `İ` = `i`), Arabic without vowel marks
and with one form each of alef, ya, kaf and ta marbuta. Runs above 64 bytes are left out. There is no stop list, and
"to be or not to be" can be found. Every field but the forms keeps positions. (A tokenizer by regular expression could
do without the spaces that we put around those characters; it made building four times slower.)

*Anchor texts.* Each distinct text counts 1 + ⌊log₂ n⌋ times for the n sites that say it: ten thousand links of one menu
are one voice, and a thousand hosts that agree weigh as ten; at most `MAX_CALLS` distinct texts per page.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from periplus.index.language import OTHER, STEMMERS, UNKNOWN, language_of

if TYPE_CHECKING:
    import tantivy

SCHEMA_VERSION = 5
READABLE = (2, 3, 4, SCHEMA_VERSION)
"""Versions that can be searched; the second had neither forms nor languages, the third neither days nor file types, the
fourth no counts by site, language and type, and did not know pages that are alike."""
NOINDEX = "noindex"
TEXT_FIELDS = ("title", "headings", "body", "url", "anchor")
ANALYZER = "periplus-words"
MAX_CALLS = 256
_CALL_LENGTH = 200
_NAME_LENGTH = 200
UNSPACED = re.compile(
    r"[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
    r"|[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46][\u0e31\u0e34-\u0e3a]*"
)
"""Characters of scripts written without spaces: Han, Hiragana, Katakana; Thai letters with the vowels on them."""

_FOLDED = str.maketrans(
    {"İ": "I", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": None}
    | dict.fromkeys(map(chr, [*range(0x64B, 0x653), 0x670, *range(0xE47, 0xE4F)]))
)
_UNFOLDED = re.compile("[" + "".join(map(chr, _FOLDED)) + "]")
_HUMPS = re.compile(r"(?<![A-Za-z0-9])[A-Z]*(?:[a-z0-9]+[A-Z]|(?<=[A-Z]{2})[a-z]{2})[A-Za-z0-9]*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_COMMON = """
    a an and are as at be been but by for from had has have he her his i if in into is it its me my no not of on or
    our she so that the their them then there these they this to us was we were what when which who will with you
    your"""
COMMON_WORDS = frozenset(_COMMON.split())
"""English words that tell nothing of what a page is about."""

_NO_NAMES = ("index", "default", "home", "main")
_TITLE_BREAKS = re.compile(r"\s+[-–—|·:»«•]+\s+|:\s")


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """One page as the index sees it.

    `anchors` are the texts of links from other pages, one entry for each site that says it; or, with `anchor_sites`,
    one entry per link and the site that it comes from, which lets a result say "7 links from 5 sites". `duplicates` are
    the URLs of pages with the same content, folded under this one.
    """

    node: int
    url: str
    title: str = ""
    headings: str = ""
    body: str = ""
    anchors: tuple[str, ...] | str = ()
    host: str = ""
    site: str = ""
    fetched: str = ""
    duplicates: tuple[str, ...] = ()
    anchor_sites: tuple[str, ...] = ()
    noindex: bool = False
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that others call a page: the text, by how many links, from how many sites.

    `sites` is 0 where the texts came as one entry per site: then `links` counts the sites.
    """

    text: str
    links: int
    sites: int


def make_schema() -> tantivy.Schema:
    """The schema of the module docstring."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in TEXT_FIELDS:
        builder.add_text_field(name, tokenizer_name=ANALYZER)
    for code in (OTHER, *STEMMERS):
        builder.add_text_field(forms_field(code), tokenizer_name=forms_field(code), index_option="freq")
    for name in ("name", "host", "site", "asks", "language", "filetype"):
        stored, counted = name in ("host", "site", "language"), name in ("site", "language", "filetype")
        builder.add_text_field(name, stored=stored, fast=counted, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("node", stored=True, indexed=True, fast=True)
    builder.add_unsigned_field("day", indexed=True, fast=True)
    builder.add_unsigned_field("alike", fast=True)
    for name in ("shown_title", "shown_body", "address", "calls", "fetched", "duplicates"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()


@lru_cache(maxsize=1)
def analyzer() -> tantivy.TextAnalyzer:
    """Spaced text → words, as the index has them."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.simple())
    return builder.filter(Filter.remove_long(65)).filter(Filter.lowercase()).filter(Filter.ascii_fold()).build()


def normalised(text: str) -> str:
    """Compatibility-normalised text that any UTF-8 reader accepts (lone surrogates become U+FFFD)."""
    return unicodedata.normalize("NFKC", text).encode("utf-8", "replace").decode()


def forms_field(language: str) -> str:
    """The field with the stems of a language; pages in a language without a stemmer share one."""
    return f"forms_{(language or UNKNOWN) if (language or UNKNOWN) in STEMMERS else OTHER}"


def spaced(text: str) -> str:
    """A normalised text as the index reads it: folded, and spaces round characters that are words by themselves."""
    if text.isascii():
        return text
    return UNSPACED.sub(r" \g<0> ", text.translate(_FOLDED) if _UNFOLDED.search(text) else text)


def humps_of(text: str) -> str:
    """The parts of words like `ArgumentParser` and `HTTPServer`, in the order of the text."""
    return " ".join(_HUMP.sub(" ", word) for word in _HUMPS.findall(text))


def words_of(text: str) -> list[str]:
    """The words of a text, in order."""
    words: list[str] = analyzer().analyze(spaced(normalised(text)))
    return words


def whole_name(text: str) -> str:
    """A text as one key: its words joined by spaces."""
    return " ".join(words_of(text))


def as_document(page: IndexDocument) -> tantivy.Document:
    """The page as the index stores it."""
    import tantivy

    from periplus.index.sequences import fingerprint

    calls = calls_of(page.anchors, page.anchor_sites)
    title, body = normalised(page.title), normalised(page.body)
    language = language_of(page.body, page.language)
    document = tantivy.Document()
    document.add_text("title", spaced(title))
    document.add_text("headings", spaced(normalised(page.headings)))
    document.add_text("body", spaced(body))
    document.add_text("url", spaced(url_words(page.url)))
    for call in calls:
        for _ in range((call.sites or call.links).bit_length()):
            document.add_text("anchor", spaced(call.text))
    for text in (title, body, humps_of(title), humps_of(body)):
        document.add_text(forms_field(language), spaced(text))
    document.add_text("language", language)
    document.add_text("filetype", filetype_of(page.url))
    document.add_unsigned("day", int(re.sub(r"\D", "", page.fetched)[:8] or 0))
    for name in sorted(names_of(page)):
        document.add_text("name", name)
    document.add_text("host", page.host)
    document.add_text("site", page.site)
    if page.noindex:
        document.add_text("asks", NOINDEX)
    document.add_unsigned("node", page.node)
    document.add_unsigned("alike", fingerprint(body))
    document.add_bytes("shown_title", title.encode())
    document.add_bytes("shown_body", body.encode())
    document.add_bytes("address", page.url.encode("utf-8", "replace"))
    document.add_bytes("calls", _packed([[call.text, call.links, call.sites] for call in calls]))
    document.add_bytes("fetched", page.fetched.encode("utf-8", "replace"))
    document.add_bytes("duplicates", _packed(list(page.duplicates)))
    return document


def calls_of(anchors: Iterable[str] | str, sites: tuple[str, ...] = ()) -> tuple[Call, ...]:
    """Anchor texts gathered: each distinct text with its links and sites, most used first."""
    texts = (anchors,) if isinstance(anchors, str) else tuple(anchors)
    links: Counter[str] = Counter()
    origins: defaultdict[str, set[str]] = defaultdict(set)
    for at, text in enumerate(texts):
        shown = " ".join(normalised(text).split())[:_CALL_LENGTH]
        if shown:
            links[shown] += 1
            if at < len(sites):
                origins[shown].add(sites[at])
    ordered = sorted(links.items(), key=lambda item: (-item[1], item[0]))[:MAX_CALLS]
    return tuple(Call(text, count, len(origins[text])) for text, count in ordered)


def names_of(page: IndexDocument) -> set[str]:
    """The whole names a page goes by.

    Its title, the parts of it (`Wind farm | Example`), its first heading, and the last piece of its path.
    """
    first_heading = page.headings.partition("\n")[0]
    _, slash, last = url_words(page.url).rstrip("/").rpartition("/")
    candidates = [page.title, first_heading, *_TITLE_BREAKS.split(page.title)]
    if slash and last.lower() not in _NO_NAMES:
        candidates.append(last)
    return {name for text in candidates if len(text) <= _NAME_LENGTH and (name := whole_name(text))}


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


def unpacked_calls(data: bytes) -> tuple[Call, ...]:
    """What `as_document` stored under `calls`."""
    return tuple(Call(str(text), int(links), int(sites)) for text, links, sites in json.loads(data))


def unpacked_list(data: bytes) -> tuple[str, ...]:
    """What `as_document` stored under `duplicates`."""
    return tuple(str(item) for item in json.loads(data))


def _packed(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
