"""Search engines that benchmarks/search.py runs beside Periplus, on the same parsed pages.

Each is used as its manual says for ranked search in a title and a text, the title counting twice; queries are cut at
punctuation and any word may match, which is the better setting of each. Xapian and MiniSearch are left out, by name,
where they are not installed: `python3-xapian` unpacked beside the manuals, and `npm install minisearch` in the same
folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

TEN = 10
Pages = Sequence[tuple[str, str]]
Found = list[list[int]]
_WORDS = re.compile(r"\w+")


def _words(query: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", query) if word]


def tantivy(pages: Pages, queries: list[str], tools: Path) -> Found:
    """tantivy with its default analyzer and its own query parser."""
    import tantivy as engine

    builder = engine.SchemaBuilder()
    builder.add_integer_field("id", stored=True, fast=True)
    builder.add_text_field("title")
    builder.add_text_field("text")
    index = engine.Index(builder.build())
    writer = index.writer(128_000_000, 1)
    for number, (title, text) in enumerate(pages):
        writer.add_document(engine.Document(id=number, title=title, text=text))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    found: Found = []
    for query in queries:
        asked = index.parse_query_lenient(" ".join(_words(query)).lower(), ["title", "text"], field_boosts={"title": 2})
        hits = searcher.search(asked[0], TEN).hits
        found.append([searcher.doc(address)["id"][0] for _, address in hits])
    return found


def bm25s(pages: Pages, queries: list[str], tools: Path) -> Found:
    """BM25S with its English stop words off; the title stands in the text twice."""
    import bm25s as engine

    texts = [f"{title} {title} {text}" for title, text in pages]
    retriever = engine.BM25()
    retriever.index(engine.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
    found: Found = []
    for query in queries:
        tokens = engine.tokenize([query], stopwords=None, show_progress=False)
        if not tokens.vocab:
            found.append([])
            continue
        hits, scores = retriever.retrieve(tokens, k=min(TEN, len(texts)), show_progress=False)
        found.append([int(hit) for hit, score in zip(hits[0], scores[0], strict=True) if score > 0])
    return found


def fts5(pages: Pages, queries: list[str], tools: Path) -> Found:
    """SQLite FTS5 with `bm25(…, 2, 1)`: every word, and where that finds fewer than ten, any word."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE pages USING fts5(title, text)")
    base.executemany("INSERT INTO pages(rowid, title, text) VALUES (?, ?, ?)",
                     ((number, *page) for number, page in enumerate(pages)))  # fmt: skip
    ask = "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 2.0, 1.0) LIMIT 10"
    found: Found = []
    for query in queries:
        words = [f'"{word}"' for word in _words(query)]
        hits: list[int] = []
        for joint in (" ", " OR ") if words else ():
            rows = [row[0] for row in base.execute(ask, (joint.join(words),))]
            hits += [row for row in rows if row not in hits]
        found.append(hits[:TEN])
    return found


def xapian(pages: Pages, queries: list[str], tools: Path) -> Found:
    """Xapian in a process of its own: BM25, English stems, any word."""
    library = tools / "libxapian30/usr/lib/x86_64-linux-gnu"
    paths = f"{tools / 'python3-xapian/usr/lib/python3/dist-packages'}"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library), "PYTHONPATH": paths}
    return _asked([sys.executable, "-c", _XAPIAN], pages, queries, environment)


def minisearch(pages: Pages, queries: list[str], tools: Path) -> Found:
    """MiniSearch with its defaults and the title counting twice."""
    node = shutil.which("node")
    if node is None:
        raise FileNotFoundError("node")
    return _asked([node, "-e", _MINISEARCH], pages, queries, {**os.environ, "NODE_PATH": str(tools / "node_modules")})


def _asked(command: list[str], pages: Pages, queries: list[str], environment: dict[str, str]) -> Found:
    """What a program answers that reads pages and queries as JSON from a file and prints lists of page numbers."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"pages": pages, "queries": queries}, file)
        file.flush()
        told = subprocess.run([*command, file.name], env=environment, capture_output=True, text=True, check=False)
    if told.returncode:
        raise FileNotFoundError(told.stderr.strip().splitlines()[-1] if told.stderr.strip() else command[0])
    found: Found = json.loads(told.stdout)
    return found


_XAPIAN = """
import json, sys
import xapian
asked = json.load(open(sys.argv[1]))
base = xapian.WritableDatabase("", xapian.DB_BACKEND_INMEMORY)
maker = xapian.TermGenerator()
maker.set_stemmer(xapian.Stem("en"))
for title, text in asked["pages"]:
    document = xapian.Document()
    maker.set_document(document)
    maker.index_text(title, 2)
    maker.increase_termpos()
    maker.index_text(text)
    base.add_document(document)
reader = xapian.QueryParser()
reader.set_stemmer(xapian.Stem("en"))
reader.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
found = []
import re
for query in asked["queries"]:
    enquire = xapian.Enquire(base)
    enquire.set_query(reader.parse_query(" ".join(re.findall(r"\\\\w+", query)).lower(), 0))
    found.append([match.docid - 1 for match in enquire.get_mset(0, 10)])
print(json.dumps(found))
""".replace("\\\\w", "\\w")

_MINISEARCH = """
const fs = require("fs")
const MiniSearch = require("minisearch")
const asked = JSON.parse(fs.readFileSync(process.argv[1]))
const index = new MiniSearch({fields: ["title", "text"], searchOptions: {boost: {title: 2}}})
index.addAll(asked.pages.map(([title, text], id) => ({id, title, text})))
console.log(JSON.stringify(asked.queries.map(query => index.search(query).slice(0, 10).map(hit => hit.id))))
"""

PEERS: dict[str, Callable[[Pages, list[str], Path], Found]] = {
    "tantivy": tantivy,
    "BM25S": bm25s,
    "SQLite FTS5": fts5,
    "Xapian": xapian,
    "MiniSearch": minisearch,
}
