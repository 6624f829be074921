"""Parsed captures + link database → what the text index holds of each page.

Pages that ask not to be indexed are marked: their owner's own search finds them, a public one does not. Of
pages with the same content one stands for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.index.schema import SCHEMA_VERSION, IndexDocument
from periplus.numeric.arrays import Ids
from periplus.pages.parsed import ParsedCapture
from periplus.pipeline.calls import Calls
from periplus.pipeline.stages.graph import LinkDatabase, Newest, captures_of, load_links
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.web.url import host_of, site_of_host


def index_documents(
    captures: Callable[[], Iterable[ParsedCapture]],
    database: LinkDatabase,
    *,
    heads: Callable[[], Iterable[ParsedCapture]] | None = None,
) -> Iterator[IndexDocument]:
    """One document per page that may be found, in the order of the archive; `heads` are the captures without words."""
    newest = Newest((heads or captures)())
    copies, calls = _copies(database.representatives), Calls(database, newest.urls)
    for page, capture, document in newest.documents(captures()):
        if database.representatives[page] != page:
            continue
        host = host_of(capture.url)
        yield IndexDocument(
            node=page,
            url=capture.url,
            title=document.title,
            headings="\n".join(document.headings),
            body=document.text,
            calls=calls.of(page),
            noindex=document.noindex,
            language=document.language,
            host=host,
            site=site_of_host(host),
            fetched=capture.fetched,
            duplicates=tuple(newest.urls[other] for other in copies.get(page, ())),
        )


def _copies(representatives: Ids) -> dict[int, list[int]]:
    """The pages that each page stands for, itself not among them."""
    folded: defaultdict[int, list[int]] = defaultdict(list)
    for page, stands_for in enumerate(representatives.tolist()):
        if page != stands_for:
            folded[stands_for].append(page)
    return folded


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
