"""The public names: a sorted list, each loadable, and cheap to import."""

from __future__ import annotations

import importlib
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import periplus
from periplus.rank.table import RANKERS


def test_the_list_is_sorted_and_every_name_loads() -> None:
    assert periplus.__all__ == sorted(periplus.__all__)
    for name in periplus.__all__:
        assert getattr(periplus, name) is not None


def test_the_public_names_are_these() -> None:
    assert periplus.__all__ == [
        "Collection",
        "Graph",
        "Library",
        "MaxIter",
        "PeriplusError",
        "Scores",
        "Tol",
        "add",
        "add_pages",
        "bowtie",
        "build",
        "cocitation",
        "companion",
        "compare",
        "degrees",
        "diameter",
        "distances",
        "harmonic",
        "hits",
        "hits_vector",
        "indegree",
        "katz",
        "leiden",
        "markov_chain",
        "monte_carlo",
        "open_graph",
        "open_library",
        "opic",
        "pagerank",
        "personalised_pagerank",
        "push",
        "randomised_hits",
        "reputation",
        "salsa",
        "simple_pagerank",
        "strong_components",
        "study",
        "subspace_hits",
        "topic_distillation",
        "trawl",
        "two_level_reputation",
        "weak_components",
        "weighted_hits",
        "write_graph",
    ]
    assert set(periplus.__all__) <= set(dir(periplus))


def test_every_ranking_is_a_public_name() -> None:
    assert {row.home.partition(":")[2] for row in RANKERS.values()} <= set(periplus.__all__)
    graph = periplus.Graph.from_edges([0, 1, 2], [1, 2, 0])
    assert periplus.hits(graph).method == "hits"
    assert periplus.strong_components(graph).sizes.tolist() == [3]


def test_python_m_periplus_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "periplus", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("periplus, version ")


@pytest.mark.parametrize("value", [None, 3, 2.5, object(), ["a"]])
@pytest.mark.parametrize("name", ["open_graph", "open_library", "build", "add", "add_pages", "pagerank", "bowtie"])
def test_a_value_of_the_wrong_kind_is_named(name: str, value: object, tmp_path: Path) -> None:
    rest = {"add": [[tmp_path]], "add_pages": [[("http://a.org/", "x")]]}.get(name, [])
    with pytest.raises(periplus.PeriplusError, match=r"(target|path|graph) = .* is not allowed"):
        getattr(periplus, name)(value, *rest)


def test_no_public_name_is_also_a_folder() -> None:
    """Importing `periplus.search` puts that package in the place of anything else called so."""
    folders = {path.name for path in Path(periplus.__file__).parent.iterdir() if path.is_dir()}
    assert not folders & set(periplus.__all__)


def test_every_part_is_reached_without_an_import_of_its_own() -> None:
    folder = Path(periplus.__file__).parent
    parts = [path.stem for path in sorted(folder.iterdir()) if path.is_dir() or path.suffix == ".py"]
    parts = [part for part in parts if not part.startswith("_")]
    for part in parts:
        fresh(f"import periplus; assert periplus.{part}.__name__ == 'periplus.{part}'")
    assert set(parts) <= set(dir(periplus))
    named, _ = fresh("import periplus; print(periplus.rank.hits.__name__, periplus.models.MODELS['kleinberg'].name)")
    assert named.split() == ["hits", "kleinberg"]


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(periplus, "no_such_name")


HEAVY = ["numba", "scipy", "fastapi", "aiohttp", "tantivy", "numpy"]


def fresh(program: str) -> tuple[str, float]:
    """What a program prints, and the CPU seconds that its process took: a busy machine does not change these."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_import_pulls_in_nothing_heavy() -> None:
    loaded, _ = fresh(f"import sys, periplus; print([m for m in {HEAVY} if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_help_pulls_in_nothing_heavy_and_is_quick() -> None:
    program = (
        "import sys\nfrom periplus.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    bare = min(fresh("pass")[1] for _ in range(3))
    runs = [fresh(program) for _ in range(5)]
    assert all(output.strip().endswith("[]") for output, _ in runs)
    # The best of five: others use the caches of a busy machine too.
    assert min(seconds for _, seconds in runs) - bare < 0.3


PARTS = (
    "communities",
    "dynamics",
    "graph",
    "gravity",
    "index",
    "library",
    "models",
    "pipeline",
    "rank",
    "record",
    "search",
    "similar",
    "structure",
)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_lists_what_a_person_would_call_and_nothing_else(part: str) -> None:
    package = importlib.import_module(f"periplus.{part}")
    assert set(dir(package)) == set(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_a_module_does_not_take_the_place_of_an_offered_function() -> None:
    code = (
        "import periplus.similar.cosine, periplus.similar.companion;"
        "from periplus.similar import cosine, companion; import periplus.similar.cosine as again;"
        "assert cosine.__name__ == 'cosine' and callable(cosine) and callable(companion), cosine"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
