"""Parsed captures + link database → what the text index holds of each page.

Anchor texts come from links of *other* pages, each with the site that says it, so that a result can tell voices from
copies. Pages that ask not to be indexed are marked: their owner's own search finds them, a public one does not. Of
pages with the same content one stands for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.graph.anchors import Anchors
from periplus.index.schema import SCHEMA_VERSION, IndexDocument
from periplus.numeric.arrays import Ids
from periplus.pages.parsed import ParsedCapture
from periplus.pipeline.stages.graph import LinkDatabase, Newest, captures_of, load_links
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.web.url import host_of, site_of

# The first links are enough for a page that half the web links to.
MAX_ANCHORS = 10_000


def index_documents(
    captures: Callable[[], Iterable[ParsedCapture]],
    database: LinkDatabase,
    *,
    heads: Callable[[], Iterable[ParsedCapture]] | None = None,
) -> Iterator[IndexDocument]:
    """One document per page that may be found, in the order of the archive; `heads` are the captures without words."""
    newest = Newest((heads or captures)())
    copies = _copies(database.representatives)
    for page, capture, document in newest.documents(captures()):
        if database.representatives[page] != page:
            continue
        alike = copies.get(page, [])
        texts, sites = _called(database.anchors, newest.urls, [page, *alike])
        yield IndexDocument(
            node=page,
            url=capture.url,
            title=document.title,
            headings="\n".join(document.headings),
            body=document.text,
            anchors=texts,
            anchor_sites=sites,
            noindex=document.noindex,
            language=document.language,
            host=host_of(capture.url),
            site=site_of(capture.url),
            fetched=capture.fetched,
            duplicates=tuple(newest.urls[other] for other in alike),
        )


def _copies(representatives: Ids) -> dict[int, list[int]]:
    """The pages that each page stands for, itself not among them."""
    folded: defaultdict[int, list[int]] = defaultdict(list)
    for page, stands_for in enumerate(representatives.tolist()):
        if page != stands_for:
            folded[stands_for].append(page)
    return folded


def _called(anchors: Anchors, urls: list[str], copies: list[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What other pages call a page or one of its copies, and the sites that say so, one pair per link."""
    said = [
        (text, source) for page in copies for source, text in anchors.of_page(page) if text and source not in copies
    ]
    kept = said[:MAX_ANCHORS]
    return tuple(text for text, _ in kept), tuple(site_of(urls[source]) for _, source in kept)


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    from periplus.index.build import build_index

    database = load_links(collection)
    heads, words = captures_of(collection, upto="heads"), captures_of(collection, upto="words")
    documents = index_documents(words, database, heads=heads)
    report = build_index(documents, folder, progress=lambda done: say("index", done, database.graph.nodes))
    return {"documents": report.documents}


STAGE = Stage(
    "index",
    "make the text index",
    inputs=("graph", "parsed"),
    run=_run,
    files={"*": "the text index"},
    version=SCHEMA_VERSION,
)
