from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.graph_sets import Links, assert_is_graph_of, in_links_of, link_lists, links_of

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.graph.building.build import build_graph
from periplus.graph.building.runs import Run, Runs
from periplus.graph.building.spill import LinkSorter

Chunk = tuple[np.ndarray, np.ndarray]


def chunk_of(links: Links) -> Chunk:
    pairs = np.array(links, np.uint32).reshape(-1, 2)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


@given(st.lists(link_lists, max_size=5))
@settings(max_examples=40, derandomize=True, deadline=None)
def test_chunks_make_no_difference(chunks: list[Links]) -> None:
    graph = build_graph(map(chunk_of, chunks))
    assert_is_graph_of(graph, [pair for chunk in chunks for pair in chunk])


@given(chunks=st.lists(link_lists, min_size=1, max_size=5), budget=st.sampled_from([1, 1500, 10**9]))
@settings(max_examples=40, derandomize=True, deadline=None)
def test_a_sorter_gives_the_same_rows_whatever_goes_to_disk(
    chunks: list[Links], budget: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scratch = tmp_path_factory.mktemp("scratch")
    sorter = LinkSorter(budget, scratch)
    for chunk in chunks:
        sorter.add(Run.of(*chunk_of(chunk)))
    rows = list(sorter.sorted_rows())
    degrees = [degree for part in rows for degree in part.degrees.tolist()]
    columns = [column for part in rows for column in part.columns.tolist()]
    expected = sorted({pair for chunk in chunks for pair in chunk})
    assert columns == [column for _, column in expected]
    sources = [row for row, degree in enumerate(degrees) for _ in range(degree)]
    assert sources == [row for row, _ in expected]
    assert list(scratch.iterdir()) == []


def random_chunks(count: int, *, nodes: int, seed: int = 5, size: int = 1 << 20) -> Iterator[Chunk]:
    random = np.random.default_rng(seed)
    for start in range(0, count, size):
        length = min(size, count - start)
        sources = random.integers(0, nodes, length, dtype=np.uint32)
        sources[0] = nodes - 1
        yield sources, (sources ^ random.integers(0, 2000, length, dtype=np.uint32)) % np.uint32(nodes)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_builds_are_byte_identical_whatever_the_budget_threads_and_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    links, nodes = 9_000_000, 1_500_000
    build_graph(random_chunks(links, nodes=nodes), memory="1GB", into=tmp_path / "whole", transpose=True)
    monkeypatch.setenv("PERIPLUS_THREADS", "3")
    build_graph(random_chunks(links, nodes=nodes), memory="64MB", into=tmp_path / "spilled", transpose=True)
    assert files_of(tmp_path / "whole") == files_of(tmp_path / "spilled")
    monkeypatch.setenv("PERIPLUS_THREADS", "1")
    in_memory = build_graph(random_chunks(links, nodes=nodes))
    stored = Graph.open(tmp_path / "whole")
    assert in_memory.digest == stored.digest
    assert np.array_equal(in_memory.in_sources, stored.in_sources)
    stored.check()


class OwnMemory:
    """The most memory, files aside, that this process held above what it held at first; sampled every millisecond."""

    def __enter__(self) -> OwnMemory:
        self._before = self.most = self._now()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._ended.set()
        self._thread.join()

    @property
    def growth(self) -> int:
        return self.most - self._before

    def _watch(self) -> None:
        while not self._ended.is_set():
            self.most = max(self.most, self._now())
            time.sleep(0.001)

    @staticmethod
    def _now() -> int:
        lines = Path("/proc/self/status").read_text().splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def measured_build(folder: Path, nodes: int) -> tuple[int, int]:
    """Links and memory growth of a build of 20 million links within 64 MB."""
    # Compile and warm up first, every kernel that is used below: what the compiler takes is not the build's.
    build_graph(random_chunks(12_000_000, nodes=nodes), memory="64MB", into=folder / "warm", transpose=True)
    with OwnMemory() as memory:
        chunks = random_chunks(20_000_000, nodes=nodes, size=1 << 16)  # small, for they count too
        graph = build_graph(chunks, memory="64MB", into=folder / "g", transpose=True)
    return graph.links, memory.growth


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("nodes", [3_000_000, 60_000])
def test_the_budget_is_kept(tmp_path: Path, nodes: int) -> None:
    """20 million links are 120 MB as runs and 160 MB as pairs: a budget of 64 MB must spill, also from one bucket.

    Measured in a process of its own: in one that has lived long, the allocator keeps what others freed.
    """
    program = f"from tests.graph.building.test_build import *; print(*measured_build(Path({str(tmp_path)!r}), {nodes}))"
    root = Path(__file__).parents[3]
    told = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True).stdout
    links, growth = map(int, told.split())
    assert links > 15_000_000
    assert growth < 64e6 + 8 * 64 * 1024 * 4


def test_no_folder_is_left_behind_when_the_stream_fails(tmp_path: Path) -> None:
    def broken() -> Iterator[Chunk]:
        yield from random_chunks(100_000, nodes=1000)
        raise ValueError("the source broke")

    with pytest.raises(ValueError, match="the source broke"):
        build_graph(broken(), memory="64MB", into=tmp_path / "g")
    assert list(tmp_path.iterdir()) == []


def _building(into: Path) -> subprocess.Popen[bytes]:
    program = (
        "import sys, numpy as np; from periplus.graph.building.build import build_graph\n"
        "random = np.random.default_rng(7)\n"
        "chunks = (random.integers(0, 900_000, (2, 1 << 18), dtype=np.uint32) for _ in range(20))\n"
        "build_graph(((a, b) for a, b in chunks), memory='64MB', into=sys.argv[1], transpose=True,"
        " progress=lambda stage, links: print(stage, flush=True))\n"
    )
    return subprocess.Popen([sys.executable, "-c", program, str(into)], stdout=subprocess.PIPE)


@pytest.mark.parametrize(
    "stage",
    [b"sort", pytest.param(b"read", marks=pytest.mark.long), pytest.param(b"transpose", marks=pytest.mark.long)],
)
def test_a_killed_build_leaves_no_graph_and_the_next_one_is_the_same(tmp_path: Path, stage: bytes) -> None:
    """kill -9 while the links are read, while they are sorted, while they are turned round."""
    killed = _building(tmp_path / "g")
    assert killed.stdout is not None
    for line in killed.stdout:
        if line.strip() == stage:
            killed.kill()
    killed.wait()
    assert not (tmp_path / "g").exists()
    again = _building(tmp_path / "g")
    again.communicate()
    random = np.random.default_rng(7)
    chunks = [tuple(random.integers(0, 900_000, (2, 1 << 18), dtype=np.uint32)) for _ in range(20)]
    assert Graph.open(tmp_path / "g").digest == build_graph(chunks).digest  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["g"]


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the full disk: parts, arrays and saved graphs all meet it."""
    program = (
        "import resource, sys, numpy as np\n"
        "from periplus.errors import StorageError\n"
        "from periplus.graph import Graph; from periplus.graph.building.build import build_graph\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))\n"
        "random = np.random.default_rng(7)\n"
        "chunks = [random.integers(0, 900_000, (2, 1 << 18), dtype=np.uint32) for _ in range(20)]\n"
        "graph = build_graph(chunks)\n"
        "for make in (lambda into: graph.save(into), lambda into: build_graph(chunks, memory='64MB', into=into)):\n"
        "    try: make(sys.argv[1]); sys.exit('no error')\n"
        "    except StorageError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "g")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("File too large") == 2
    assert list(tmp_path.iterdir()) == []


def test_a_budgeted_build_without_a_folder_outlives_its_files() -> None:
    graph = build_graph(random_chunks(200_000, nodes=500), memory="64MB", transpose=True)
    assert graph.digest == build_graph(random_chunks(200_000, nodes=500)).digest
    assert links_of(graph) == in_links_of(graph)


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    build_graph(
        random_chunks(3_000_000, nodes=100_000),
        into=tmp_path / "g",
        memory="1GB",
        transpose=True,
        progress=lambda stage, links: told.append((stage, links)),
    )
    assert {stage for stage, _ in told} == {"read", "sort", "transpose"}
    assert max(links for stage, links in told if stage == "read") == 3_000_000


@pytest.mark.parametrize("memory", ["1KB", 10, "lots", "4 QB"])
def test_budgets_that_are_none(memory: str | int) -> None:
    with pytest.raises(ParameterError):
        build_graph([], memory=memory)


def test_more_nodes_than_links_need(tmp_path: Path) -> None:
    chunks = [(np.array([1]), np.array([0]))]
    assert build_graph(chunks, nodes=200_000).nodes == 200_000
    graph = build_graph(chunks, nodes=200_000, into=tmp_path / "g", transpose=True)
    assert (graph.nodes, graph.links, graph.predecessors(0).tolist()) == (200_000, 1, [1])
    graph.check()
    with pytest.raises(ParameterError):
        build_graph(chunks, nodes=1)
    with pytest.raises(ParameterError):
        build_graph(chunks, nodes=2**32 + 1)


def test_runs_give_memory_back() -> None:
    runs = Runs()
    for sources, targets in random_chunks(2_000_000, nodes=900_000):
        runs.add(Run.of(sources, targets))
    rows = sum(len(part.degrees) for part in runs.sorted_rows())
    assert rows == 900_000
    assert runs.pairs == 0
