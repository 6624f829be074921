"""How fast pages like one are found, and logs are read: the singular vectors beside scikit-learn's.

    python benchmarks/similar.py                   all four parts, some ten minutes
    python benchmarks/similar.py svd pages logs    some of them

*svd*: k = 150 on the BM25 matrix of wikispeedia, each contender in a process of its own on one thread, in which CPU
seconds are steady; compilation is not timed. The energy is Σσᵢ² over that of a dense solution in float64; scikit-learn
gets the fewest power iterations that reach 99.9 % of it. *pages*: 100,000 pages of the composed web with 20 pages a
host and words drawn from topics by Zipf's law, on all cores. *logs*: ten million lines in the Combined Log Format.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from report import write_section
from scipy.sparse import csr_array, csr_matrix, load_npz, save_npz

K, WANTED = 150, 0.999
PAGES, LINES = 100_000, 10_000_000
SEED = 1


def alone(part: str, *arguments: object, threads: int | None = None) -> Any:
    """What a contender of this file prints as JSON, from a process of its own."""
    names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    environment = os.environ | ({name: str(threads) for name in names} if threads else {})
    command = [sys.executable, __file__, "--alone", part, *map(str, arguments)]
    found = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(found.stdout.splitlines()[-1])


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """The answer, the seconds and the CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = call()
    return found, time.perf_counter() - wall, time.process_time() - cpu


# -- singular vectors ------------------------------------------------------------------------------------------


def periplus_svd(matrix: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    from periplus.similar.svd import svd

    svd(matrix[: K * 4], K)  # compiles
    yield "Periplus, block Krylov", lambda: svd(matrix, K).values


def sklearn_svd(matrix: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    from sklearn.decomposition import TruncatedSVD

    for rounds in (5, 12, 14, 16, 20):
        model = TruncatedSVD(K, n_iter=rounds, random_state=SEED)
        yield f"scikit-learn, randomized, n_iter = {rounds}", lambda model=model: model.fit(matrix).singular_values_


def arpack_svd(matrix: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    from sklearn.decomposition import TruncatedSVD

    model = TruncatedSVD(K, algorithm="arpack", random_state=SEED)
    yield "scikit-learn, arpack", lambda: model.fit(matrix).singular_values_


CONTENDERS = {"periplus": periplus_svd, "sklearn": sklearn_svd, "arpack": arpack_svd}


def svd_alone(contender: str, path: str, best: str) -> list[Any]:
    """Name, energy, seconds and CPU seconds of each setting, until one has the energy that is wanted."""
    matrix, rows = csr_matrix(load_npz(path)), []
    for name, call in CONTENDERS[contender](matrix):
        runs = [timed(call) for _ in range(3 if contender == "periplus" else 1)]
        values, wall, cpu = sorted(runs, key=lambda run: run[2])[len(runs) // 2]
        rows.append([name, float(np.sum(np.float64(values) ** 2)) / float(best), wall, cpu])
        if rows[-1][1] >= WANTED:
            break
    return rows


def svd_table() -> Iterator[str]:
    from similar_data import wikispeedia

    from periplus.similar.weighting import unit_rows, weighted

    matrix = unit_rows(weighted(wikispeedia().words.matrix, "bm25"))
    exact = matrix.astype(np.float64)
    best = float(np.sum(np.linalg.eigvalsh((exact @ exact.T).toarray())[-K:]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matrix.npz"
        save_npz(path, matrix, compressed=False)
        rows = [row for name in CONTENDERS for row in alone("svd", name, path, best, threads=1)]
    yield f"### k = {K} of {matrix.shape[0]:,} pages × {matrix.shape[1]:,} words, {matrix.nnz:,} entries, one thread\n"
    yield "| | share of the exact energy | CPU seconds | times ours |\n|---|---:|---:|---:|"
    for name, energy, _, cpu in rows:
        yield f"| {name} | {energy:.3%} | {cpu:.2f} | {cpu / rows[0][3]:.1f} |"
    equal = min(cpu for name, energy, _, cpu in rows[1:] if energy >= WANTED)
    yield f"\nscikit-learn / Periplus at {WANTED:.1%} of the energy and more: **{equal / rows[0][3]:.1f}×**.\n"


# -- 100,000 pages ---------------------------------------------------------------------------------------------


def words_by_topic(pages: int, *, vocabulary: int = 200_000, tokens: int = 300, topics: int = 300) -> Any:
    """Counts: half of a page's words by Zipf's law for all, half by that of its topic, which has its own order."""
    rng = np.random.default_rng(SEED)
    ranks = np.minimum((vocabulary ** rng.random((pages, tokens))).astype(np.int64), vocabulary - 1)
    shift = rng.integers(0, vocabulary, topics)[rng.integers(0, topics, pages)][:, None]
    ranks[:, tokens // 2 :] = (ranks[:, tokens // 2 :] * 7919 + shift) % vocabulary
    rows = np.repeat(np.arange(pages), tokens)
    counts = csr_array((np.ones(ranks.size, np.float32), (rows, ranks.ravel())), shape=(pages, vocabulary))
    counts.sum_duplicates()
    return counts


def web(pages: int) -> Any:
    """The composed web, with hosts."""
    from periplus.graph import Graph
    from periplus.graph.urls.table import NameTable
    from periplus.models import web_model

    links = web_model(pages, seed=SEED)
    urls = NameTable.from_names([f"http://h{page // 20:06}.example/{page:07}" for page in range(pages)])
    sources = np.repeat(np.arange(pages), links.out_degrees)
    return Graph.from_edges(sources, links.out_targets, pages, urls=urls)


def pages_alone() -> list[Any]:
    """Milliseconds a query of each method, and the seconds and the memory that the vectors take."""
    from periplus.similar import cocitation, companion, lsi_words

    graph, words = web(PAGES), words_by_topic(PAGES)
    lsi_words(web(500), words[:500])  # compiles
    vectors, wall, cpu = timed(lambda: lsi_words(graph, words, k=K))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    said = f"{words.nnz:,} entries, {graph.links:,} links"
    rows = [[f"vectors of lsi-words, k = {K}: {wall:.0f} s, {cpu:.0f} CPU seconds, {peak:.1f} GiB at most ({said})"]]
    known = np.argsort(-graph.in_degrees)[:100].tolist()
    others = np.random.default_rng(SEED).choice(PAGES, 100, replace=False).tolist()
    for name, record in (("companion", companion(graph)), ("cocitation", cocitation(graph)), ("lsi-words", vectors)):
        record.nearest(0)
        for which, asked in (("the most linked", known), ("any", others)):
            took = [timed(lambda record=record, page=page: record.nearest(page))[1:] for page in asked]
            wall_ms, cpu_ms = np.array(took).T * 1000
            rows.append(
                [name, which, float(np.median(wall_ms)), float(np.median(cpu_ms)), float(np.quantile(cpu_ms, 0.95))]
            )
    return rows


def pages_table() -> Iterator[str]:
    rows = alone("pages")
    yield f"### {PAGES:,} pages\n\n{rows[0][0]}.\n"
    yield "| a query by | pages asked about | median ms | median CPU ms | 95 in 100 below |\n|---|---|---:|---:|---:|"
    for name, which, *took in rows[1:]:
        yield f"| {name} | {which} | " + " | ".join(f"{one:.1f}" for one in took) + " |"
    yield ""


# -- logs ------------------------------------------------------------------------------------------------------


def day_of_visits(lines: int) -> bytes:
    """One day of a site's log, in the order of time; the day itself is to be put in for @."""
    rng = np.random.default_rng(SEED)
    people = rng.integers(0, lines // 6, lines)
    seconds = np.sort(rng.integers(0, 86_400, lines))
    pages = (20_000 ** rng.random(lines)).astype(int)
    before = dict.fromkeys(range(lines // 6), "-")
    rows = []
    for person, second, page in zip(people.tolist(), seconds.tolist(), pages.tolist(), strict=True):
        address = f"{person % 223 + 1}.{person // 223 % 256}.{person % 256}.9"
        at = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        agent = f"Mozilla/5.0 (X11; Linux x86_64; rv:{person % 90}.0) Gecko/20100101 Firefox/{person % 90}.0"
        agent = "Mozilla/5.0 (compatible; Googlebot/2.1)" if person % 25 == 0 else agent
        url = f"/section/{page}.html"
        rows.append(f'{address} - - [@:{at} +0000] "GET {url} HTTP/1.1" 200 {page} "{before[person]}" "{agent}"\n')
        before[person] = f"https://www.example.org{url}"
    return "".join(rows).encode()


def logs_alone(folder: str) -> list[Any]:
    """Lines, bytes, seconds and CPU seconds of a month of logs, from reading to suggestions."""
    from periplus.collection import Collection
    from periplus.pipeline import build
    from periplus.pipeline.gather import add_pages
    from periplus.pipeline.usage import usage

    day, days = day_of_visits(LINES // 20), Path(folder) / "access.log"
    with days.open("wb") as log:
        for number in range(20):
            log.write(day.replace(b"[@", f"[{number + 1:02}/Oct/2026".encode()))
    target = Path(folder) / "site.web"
    names = [f"https://www.example.org/section/{page}.html" for page in range(20_000)]
    add_pages(target, {name: f"<html><title>{name}</title></html>" for name in names})
    build(Collection.open(target))
    found, wall, cpu = timed(lambda: usage(Collection.open(target), [days]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return [found.counts["lines"], days.stat().st_size, found.paths, found.steps, wall, cpu, peak]


def logs_table() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        lines, size, paths, steps, wall, cpu, peak = alone("logs", folder)
    yield f"### {lines:,} lines of a log, {size / 1e9:.1f} GB\n"
    yield (
        f"`periplus usage`, from reading to suggestions: {wall:.0f} s, {cpu:.0f} CPU seconds, {peak:.1f} GiB at most, "
        f"for {paths:,} paths of {steps:,} steps.\n"
    )


PARTS = {"svd": svd_table, "pages": pages_table, "logs": logs_table}
ALONE = {"svd": svd_alone, "pages": pages_alone, "logs": logs_alone}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--alone", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.alone:
        print(json.dumps(ALONE[given.alone[0]](*given.alone[1:])))
        return
    for name in given.parts or PARTS:
        report = "\n".join(PARTS[name]())
        print(report, flush=True)
        write_section(f"similar.py {name}", TITLES[name], report.strip())


TITLES = {"svd": "Singular vectors", "pages": "Pages like one", "logs": "Reading logs"}


if __name__ == "__main__":
    main()
