"""Parsed captures + link database → what the text index holds of each page.

Pages that ask not to be indexed are marked: their owner's own search finds them, a public one does not. Of
pages with the same content one stands for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.index.schema import SCHEMA_VERSION, IndexDocument
from periplus.numeric.arrays import Bools, Ids
from periplus.pages.parsed import ParsedCapture
from periplus.pipeline.calls import Calls
from periplus.pipeline.repeated import Repeated
from periplus.pipeline.stages.graph import LinkDatabase, Newest, captures_of, load_links
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.web.blocks import main_lines
from periplus.web.page import Document
from periplus.web.url import host_of, site_of, site_of_host


def index_documents(
    captures: Callable[[], Iterable[ParsedCapture]],
    database: LinkDatabase,
    *,
    heads: Callable[[], Iterable[ParsedCapture]] | None = None,
) -> Iterator[IndexDocument]:
    """One document per page that may be found, in the order of the archive; `heads` are the captures without words."""
    heads = heads or captures
    newest = Newest(heads())
    copies, calls = _copies(database.representatives), Calls(database, newest.urls)
    repeated = _repeated(newest, heads)
    for page, capture, document in newest.documents(captures()):
        if database.representatives[page] != page:
            continue
        host = host_of(capture.url)
        body, around = _parted(document, repeated.of(page, capture.blocks))
        yield IndexDocument(
            node=page,
            url=capture.url,
            title=document.title,
            headings="\n".join(document.headings),
            body=body,
            around=around,
            parts=document.parts,
            calls=calls.of(page),
            noindex=document.noindex,
            language=document.language,
            host=host,
            site=site_of_host(host),
            fetched=capture.fetched,
            duplicates=tuple(newest.urls[other] for other in copies.get(page, ())),
        )


def _repeated(newest: Newest, heads: Callable[[], Iterable[ParsedCapture]]) -> Repeated:
    """What the sites of the newest captures repeat."""
    blocks = [b""] * len(newest.urls)
    for page, capture, _ in newest.documents(heads()):
        blocks[page] = capture.blocks
    return Repeated(blocks, [site_of(url) for url in newest.urls])


def _parted(document: Document, repeated: Bools) -> tuple[str, str]:
    """The main text of a page, and the rest of its text; what its site repeats is not main text."""
    main = main_lines(document.text, document.kinds)
    if len(repeated) == len(main):
        main = (np.array(main) & ~repeated).tolist()
    if not any(main):
        return document.text, ""
    lines = document.text.split("\n")
    rest = (line for line, is_main in zip(lines, main, strict=True) if not is_main)
    return "\n".join(compress(lines, main)), "\n".join(rest)


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
