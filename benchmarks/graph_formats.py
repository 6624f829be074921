"""URL tables, BVGraph and the other formats: size and time, beside what one would use instead.

    python benchmarks/graph_formats.py [--urls 2000000] [--rounds 5]

URL tables: bytes against the raw URLs, build, id → URL and URL → id, beside SQLite with an index each way and a Python
dict with a list. BVGraph: cnr-2000 decoded and encoded on one core, beside the same graph from npz and from text. Times
are processor time of all threads (other work on the machine does not count), medians of the rounds with the fastest and
the slowest.
"""

from __future__ import annotations

import argparse
import lzma
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.conftest import DATA

from periplus.graph.bv import reader as bv
from periplus.graph.formats import read_graph, write_graph
from periplus.graph.urls.table import UrlTable
from periplus.web.url import canonical, sort_key


def timed(action: Callable[[], object], rounds: int) -> list[float]:
    action()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return sorted(times)


def spread(times: list[float], scale: float, unit: str) -> str:
    return f"{statistics.median(times) * scale:8.2f} {unit} ({times[0] * scale:.2f} – {times[-1] * scale:.2f})"


# -- URL tables ---------------------------------------------------------------------------------------------


def column(path: Path, number: int, prefix: str = "") -> list[str]:
    with lzma.open(path, "rt") as stream:
        return [prefix + line.rstrip("\n").split("\t")[number] for line in stream if line[0] not in "#\n"]


def made(count: int) -> list[str]:
    """URLs of a copying kind: a few words many times, hosts of very different sizes, a number at the end."""
    rng = random.Random(1)
    words = ["".join(rng.choice("etaoinshrdlucmfw") for _ in range(rng.randint(3, 9))) for _ in range(5000)]
    hosts = [f"www.{rng.choice(words)}{rng.choice(words)}.{rng.choice(['com', 'org', 'de'])}" for _ in range(20_000)]
    return [
        f"http://{hosts[int(20_000 * rng.random() ** 2)]}/{words[int(60 * rng.random() ** 2)]}"
        f"/{rng.choice(words)}-{rng.choice(words)}/{rng.randrange(100_000)}.html"
        for _ in range(count)
    ]


def url_sets(count: int) -> dict[str, list[str]]:
    wikipedia = "http://en.wikipedia.org/wiki/"
    return {
        "wb-cs-stanford": column(DATA / "wb-cs-stanford" / "nodes.tsv.xz", 1),
        "kleinberg-california": column(DATA / "kleinberg-california" / "nodes.tsv.xz", 1),
        "webkb": column(DATA / "webkb" / "index.tsv.xz", 3),
        "wikispeedia articles": column(DATA / "wikispeedia" / "articles.tsv.xz", 0, wikipedia),
        f"made, {count:,}": made(count),
    }


def each(look: Callable[[int], object], ids: list[int], rounds: int) -> str:
    def all_of_them() -> None:
        for i in ids:
            look(i)

    return spread(timed(all_of_them, rounds), 1e6 / len(ids), "µs")


def some_ids(count: int) -> list[int]:
    rng = random.Random(2)
    return [rng.randrange(count) for _ in range(4000)]


def url_tables(count: int, rounds: int) -> None:
    print("URL tables (peers hold the same URLs both ways)")
    for name, texts in url_sets(count).items():
        url_table(name, sorted({url for url in map(canonical, texts) if url}, key=sort_key), rounds)


def url_table(name: str, urls: list[str], rounds: int) -> None:
    raw, ids = sum(map(len, urls)), some_ids(len(urls))
    start = time.process_time()
    table = UrlTable.from_keys([sort_key(url) for url in urls])
    build = (time.process_time() - start) / len(urls)
    print(f"{name}: {len(urls):,} URLs, {raw / len(urls):.1f} bytes each")
    row = "  {:<14} {:>6.3f} of raw   id → URL {}   URL → id {}"
    found = each(lambda i: table.find(urls[i]), ids, rounds)
    print(row.format("periplus", table.stored_bytes / raw, each(table.__getitem__, ids, rounds), found))
    print(f"  {'':<14} build {build * 1e6:.2f} µs a URL, sort keys included")
    peers(urls, raw, ids, rounds, row)


def peers(urls: list[str], raw: int, ids: list[int], rounds: int, row: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "urls.sqlite"
        base = sqlite3.connect(path)
        base.execute("create table u (id integer primary key, url text unique)")
        base.executemany("insert into u values (?, ?)", enumerate(urls))
        base.commit()
        by_id = each(lambda i: base.execute("select url from u where id = ?", (i,)).fetchone(), ids, rounds)
        by_url = each(lambda i: base.execute("select id from u where url = ?", (urls[i],)).fetchone(), ids, rounds)
        print(row.format("SQLite", path.stat().st_size / raw, by_id, by_url))
    numbers = {url: i for i, url in enumerate(urls)}
    size = sys.getsizeof(numbers) + sys.getsizeof(urls) + sum(map(sys.getsizeof, urls)) + 32 * len(urls)
    by_id, by_url = each(urls.__getitem__, ids, rounds), each(lambda i: numbers[urls[i]], ids, rounds)
    print(row.format("dict and list", size / raw, by_id, by_url))


# -- BVGraph ------------------------------------------------------------------------------------------------


def bvgraph(rounds: int) -> None:
    base = DATA / "cnr-2000" / "cnr-2000"
    graph = bv.read_bv(base)
    stored = bv.BVGraph(base)
    ns = 1e9 / graph.links
    print(f"\nBVGraph, cnr-2000: {graph.nodes:,} nodes, {graph.links:,} links, {bv.bits_per_link(base)} bits per link")
    print("  decode to CSR        ", spread(timed(lambda: stored.decode(), rounds), ns, "ns per link"))
    print("  successors(i)        ", each(stored.successors, some_ids(graph.nodes), rounds))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "cnr"
        print("  encode               ", spread(timed(lambda: bv.write_bv(graph, copy), rounds), ns, "ns per link"))
        same = all((Path(f"{copy}{e}")).read_bytes() == Path(f"{base}{e}").read_bytes() for e in (".graph", ".offsets"))
        print(f"  .graph and .offsets equal to the published files, byte for byte: {'yes' if same else 'NO'}")
        for name in ("npz", "mtx", "tsv", "parquet"):
            path = Path(folder) / f"cnr.{name}"
            write_graph(graph, path)
            times = timed(lambda path=path: read_graph(path), rounds)  # type: ignore[misc]
            bits = 8 * path.stat().st_size / graph.links
            print(f"  {name:<8} {bits:7.2f} bits per link, read", spread(times, ns, "ns per link"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=float, default=2e6)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    url_tables(int(arguments.urls), arguments.rounds)
    bvgraph(arguments.rounds)


if __name__ == "__main__":
    main()
