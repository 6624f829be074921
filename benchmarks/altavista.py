"""A web of the size and shape of AltaVista's crawl of 1999, built from a binary stream within 16 GB.

    python benchmarks/altavista.py --into /scratch/altavista                 1.5 billion links; 30 GB of disk
    python benchmarks/altavista.py --scale 0.01 --memory 256MB               the same, a hundred times smaller

Broder et al. (WWW 2000) counted 203,549,046 pages and about 1.5 billion links, and found the bow-tie: a core of
56,463,993 pages, 43,343,168 that lead to it (IN), 43,166,185 that it leads to (OUT), 43,797,944 in tendrils and
16,777,756 that hang together with none of these. The web made here has exactly these parts, so that a study of the
built graph can be held against them:

    core      a ring through all of it, and links into the core and to OUT
    IN        one link each into the core, further ones to IN, the core and the first half of the tendrils
    OUT       reached from the core; links to OUT only
    tendrils  the first half is reached from IN and links to itself; the second half links to OUT
    others    link among themselves

Beside the links that make the shape, every page has links of a copying model: with probability 0.15 a random
page of an allowed part, else a copy of what a random earlier page of its part has there; out-degrees fall with exponent
2.72. A link is a function of its page and number alone, so any part of the stream can be made at any time in no
memory. Pages of a part come in blocks of 1,024 ("sites") that are scattered over the ids.

The built folder stays where `--into` says, with both directions, for `periplus structure` and the like.
"""

from __future__ import annotations

import argparse
import math
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numba import njit

from periplus.errors import FormatError
from periplus.graph import Graph
from periplus.graph.building.build import build_graph
from periplus.numeric.parallel import ordered_map

PARTS = {"core": 56_463_993, "in": 43_343_168, "out": 43_166_185, "tendrils": 43_797_944, "others": 16_777_756}
SITE = 1024
PAGES_AT_ONCE = 1 << 17
LINKS_AT_ONCE = 1 << 22
FRESH = 0.15  # the share of links that are not copied
FEWEST = 3.17  # sets the mean out-degree, so that 1.5 billion links remain when repeats are dropped
CORE, IN, OUT, FROM_IN, TO_OUT, OTHERS = range(6)


def borders(scale: float) -> np.ndarray:
    """Where each part begins, the tendrils in two halves, and where the last ends."""
    core, before, after, tendrils, others = (max(4, int(size * scale)) for size in PARTS.values())
    return np.cumsum([0, core, before, after, tendrils // 2, tendrils - tendrils // 2, others]).astype(np.int64)


@njit(cache=True, nogil=True)
def draw(page, number):
    """A random number that depends on its two arguments alone (splitmix64)."""
    state = np.uint64(page) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number) * np.uint64(0xD1B54A32D192ED03)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (state ^ (state >> np.uint64(31))) >> np.uint64(32)


@njit(cache=True, nogil=True)
def below(random, count):
    """One of `count` numbers, by 32 random bits."""
    return np.int64((random * np.uint64(count)) >> np.uint64(32))


@njit(cache=True, nogil=True)
def id_of(rank, sites, stride):
    """Whole sites are scattered over the ids; the last, shorter one stays at the end."""
    site = rank // SITE
    return rank if site >= sites else (site * stride) % sites * SITE + rank % SITE


@njit(cache=True, nogil=True)
def copied_link(rank, number, part, border):
    """Where link `number` of a page goes: back along copies until one was made afresh."""
    first = border[part]
    while rank > first and draw(rank, 2 * number + 16) >= np.uint64(FRESH * 2.0**32):
        rank = first + below(draw(rank, 2), rank - first)
    choice = draw(rank, 2 * number + 17) & np.uint64(3)
    goal = part
    if part == CORE and choice == 0:
        goal = OUT
    elif part == IN:
        goal = (IN, IN, CORE, FROM_IN)[int(choice)]
    elif part == TO_OUT and choice < 2:
        goal = OUT
    return border[goal] + below(draw(rank + 1, 2 * number + 17), border[goal + 1] - border[goal])


@njit(cache=True, nogil=True)
def copies(rank, part):
    """How many links of the copying model a page has: a power law; a quarter of OUT and of the tendrils have none."""
    if (part in (OUT, FROM_IN)) and draw(rank, 3) & np.uint64(3) == 0:
        return 0
    uniform = (np.float64(draw(rank, 1)) + 1.0) / 2.0**32
    return min(2000, int(FEWEST * uniform ** (-1 / 1.72)))


@njit(cache=True, nogil=True)
def shaping_links(rank, part, border, found):
    """The links that make the shape; returns how many there are, at most two."""
    within = rank - border[part]
    if part == CORE:
        found[0] = (rank + 1) % border[1]
        found[1] = border[2] + within
        return 2 if within < border[3] - border[2] else 1
    if part == IN:
        found[0] = within % border[1]
        found[1] = border[3] + within
        return 2 if within < border[4] - border[3] else 1
    if part == TO_OUT:
        found[0] = border[2] + within % (border[3] - border[2])
        return 1
    return 0


@njit(cache=True, nogil=True)
def make_links(first, last, border, stride):
    """The links of the pages of a stretch of ranks, as pairs of ids."""
    sites, part, total = border[-1] // SITE, 0, 0
    found = np.empty(2, np.int64)
    for rank in range(first, last):
        while rank >= border[part + 1]:
            part += 1
        total += shaping_links(rank, part, border, found) + copies(rank, part)
    pairs = np.empty((total, 2), np.uint32)
    part, made = 0, 0
    for rank in range(first, last):
        while rank >= border[part + 1]:
            part += 1
        page = id_of(rank, sites, stride)
        for k in range(shaping_links(rank, part, border, found)):
            pairs[made, 0] = page
            pairs[made, 1] = id_of(found[k], sites, stride)
            made += 1
        for number in range(copies(rank, part)):
            pairs[made, 0] = page
            pairs[made, 1] = id_of(copied_link(rank, number, part, border), sites, stride)
            made += 1
    return pairs


def pairs_of_web(scale: float) -> Iterator[np.ndarray]:
    """The whole stream, in pieces: arrays of (source, target)."""
    border = borders(scale)
    sites = int(border[-1]) // SITE
    stride = next((odd for odd in range(sites * 5 // 8 | 1, sites, 2) if math.gcd(odd, sites) == 1), 1)
    stretches = range(0, int(border[-1]), PAGES_AT_ONCE)
    return ordered_map(lambda at: make_links(at, min(at + PAGES_AT_ONCE, border[-1]), border, stride), stretches)


# -- the trial ---------------------------------------------------------------------------------------------------------


def write_stream(path: Path, scale: float) -> None:
    """The web as a file of uint32 pairs, unless it is there already."""
    if path.exists():
        print(f"using the stream {path}: {path.stat().st_size / 1e9:.2f} GB")
        return
    start, draft = time.perf_counter(), path.with_suffix(".part")
    with draft.open("wb") as file:
        for pairs in pairs_of_web(scale):
            file.write(pairs.data)
    draft.rename(path)
    seconds = time.perf_counter() - start
    print(f"wrote the stream {path}: {path.stat().st_size / 1e9:.2f} GB in {seconds:.0f} s", flush=True)


def read_stream(path: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Links out of a file of uint32 pairs."""
    with path.open("rb") as file:
        while len(pairs := np.fromfile(file, np.uint32, 2 * LINKS_AT_ONCE)):
            yield pairs[::2], pairs[1::2]


def _own_memory() -> int:
    """Bytes of this process that are not pages of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def is_built(folder: Path, nodes: int) -> bool:
    """Whether the whole graph is there, both directions, from an earlier run."""
    if not folder.is_dir():
        return False
    try:
        graph = Graph.open(folder)
    except FormatError:
        return False
    return graph.nodes == nodes and "_transposed" in vars(graph)


class Watch:
    """The stages of a build with their times, and the most memory that the process itself took."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.ends: dict[str, tuple[float, int]] = {}
        self.peak = 0
        self.before = _own_memory()
        self._done = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def progress(self, stage: str, links: int) -> None:
        if stage == "read" and "sort" in self.ends:
            stage = "turn"
        self.ends[stage] = (time.perf_counter() - self.start, links)

    def end(self) -> float:
        self._done.set()
        return time.perf_counter() - self.start

    def _look(self) -> None:
        told = 0.0
        while not self._done.wait(0.05):
            self.peak = max(self.peak, _own_memory())
            if time.perf_counter() - self.start > told + 30:
                told = time.perf_counter() - self.start
                print(f"  {told:5.0f} s  {self.ends}  {self.peak / 1e9:.2f} GB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0, help="the size, 1 being AltaVista's")
    parser.add_argument("--memory", default="16GB", help="the budget of the build")
    scratch = Path(os.environ.get("PERIPLUS_SCRATCH", "."))
    parser.add_argument("--into", type=Path, default=scratch / "altavista.graph", help="the folder of the built graph")
    parser.add_argument("--stream", type=Path, help="the file of the links; kept when it is named, else removed")
    options = parser.parse_args()
    if is_built(options.into, int(borders(options.scale)[-1])):
        print(f"{options.into} is built already: remove it to build it again")
        return
    stream = options.stream or options.into.with_suffix(".links")
    write_stream(stream, options.scale)
    read = stream.stat().st_size // 8
    watch = Watch()
    graph = build_graph(
        read_stream(stream),
        nodes=int(borders(options.scale)[-1]),
        memory=options.memory,
        into=options.into,
        transpose=True,
        progress=watch.progress,
    )
    seconds = watch.end()
    print(f"\n{graph.nodes:,} nodes, {graph.links:,} links ({read:,} read, repeats dropped), both directions")
    print(f"budget {options.memory}: peak {(watch.peak - watch.before) / 1e9:.2f} GB", end=" ")
    print(f"(beside {watch.before / 1e9:.2f} GB of interpreter and compiled code)")
    print(f"built in {seconds:.0f} s: {read / seconds / 1e6:.1f} million links per second")
    before = 0.0
    for stage, name in (("read", "read and group"), ("sort", "sort"), ("turn", "turn round"), ("transpose", "sort")):
        at = watch.ends[stage][0]
        print(f"  {name:<16}{at - before:8.1f} s")
        before = at
    print(f"  {'digest, sync':<16}{seconds - before:8.1f} s")
    start = time.perf_counter()
    Graph.open(options.into)
    print(f"opened in {(time.perf_counter() - start) * 1e3:.1f} ms from {options.into}")
    if options.stream is None:
        stream.unlink()


if __name__ == "__main__":
    main()
