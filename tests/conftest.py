"""What many tests share: where the real data lies, and names that do not need it."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path

import pytest
from hypothesis import settings

_BESIDE_THE_PROJECT = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
# How long an example takes on a busy machine says nothing about the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

DATA = Path(os.environ.get("PERIPLUS_DATA", _BESIDE_THE_PROJECT))


# The files that take a minute each go first, or one core waits for the other at the end.
LONGEST = ("tests/test_demonstration.py", "tests/test_wikispeedia.py", "tests/test_one_file", "tests/serve/test_map_br")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def data_path(name: str) -> Path:
    """The folder of one real data set; the test that asks is skipped, by name, where it is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"real data {name!r} is not here (looked in {DATA}; set PERIPLUS_DATA)")
    return path


def unpack_coast(folder: Path) -> Path:
    """A collection of five pages as the version before made it."""
    with tarfile.open(Path(__file__).parent / "data" / "collection-format-1.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "coast.web"


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, every stage made by this version; for tests that change nothing."""
    from periplus.collection import Collection
    from periplus.pipeline import build

    path = unpack_coast(tmp_path_factory.mktemp("coast"))
    build(Collection.open(path))
    return path


@pytest.fixture
def built_coast(built_once: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return shutil.copytree(built_once, tmp_path / "coast.web")


@pytest.fixture(scope="session")
def real_data():
    """`real_data("cnr-2000")` returns the folder or skips the test."""
    return data_path
