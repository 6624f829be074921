"""What every stage of `STAGES` keeps to, whoever added it: run on the stored collection of tests/data."""

from __future__ import annotations

import tarfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from periplus.collection import Collection
from periplus.durable import DIGESTS
from periplus.library import info, open_library, verify
from periplus.pipeline import STAGES, Stage, build
from periplus.pipeline.run import is_stale

ARCHIVE = Path(__file__).parents[2] / "data" / "collection-format-1.tar.gz"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """A collection of five pages, every stage of it made by this version."""
    folder = tmp_path_factory.mktemp("stages")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    collection = Collection.open(folder / "coast.web")
    build(collection)
    return collection


def patterns(stage: Stage) -> list[str]:
    """The file names that a stage owns up to; capitals stand for what differs."""
    names = [name.strip() for names in stage.files for name in names.split(",")]
    names = [name.replace("NAME", "*").replace("ARRAY", "*") for name in names]
    return [name + "*" if name.endswith("/") else name for name in names]


@pytest.mark.parametrize("stage", STAGES.values(), ids=list(STAGES))
def test_it_is_current_after_a_build(built: Collection, stage: Stage) -> None:
    assert not is_stale(built, stage)
    assert info(built)["stages"][stage.name]["state"] == "current"
    assert info(built)["stages"][stage.name]["does"] == stage.help
    assert all(name == "pages" or name in STAGES for name in stage.inputs)


@pytest.mark.parametrize("stage", STAGES.values(), ids=list(STAGES))
def test_every_file_of_it_is_named_by_the_stage(built: Collection, stage: Stage) -> None:
    folder = stage.place(built) if stage.place is not None else built.current(stage.name)
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    files = [name for name in files if name != DIGESTS]
    assert files
    for name in files:
        assert any(fnmatch(name, pattern) for pattern in patterns(stage)), f"{stage.name} does not name {name}"


@pytest.mark.parametrize("stage", STAGES.values(), ids=list(STAGES))
def test_its_part_opens_by_its_name(built: Collection, stage: Stage) -> None:
    library = open_library(built.path)
    assert library.part(stage.name) is library.part(stage.name)


def test_what_the_stages_made_is_sealed(built: Collection) -> None:
    found = verify(built)
    assert found.problems == ()
    assert {f"{stage.name} files" for stage in STAGES.values() if stage.place is None} <= set(found.checked)
