"""One directory a collection: opened, refused, locked, built in generations, sealed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from periplus.collection import Collection, StageRecord
from periplus.durable import broken_seals
from periplus.errors import (
    CollectionError,
    DamagedError,
    LockedError,
    MissingStageError,
    NewerFormatError,
    NotACollectionError,
)


def record(name: str = "graph") -> StageRecord:
    return StageRecord(name=name, inputs={"a": "1"}, parameters={}, counts={"pages": 3})


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return Collection.create(tmp_path / "my.web", seeds=['http://a.example/"quoted"'])


def test_created_collection_opens_with_its_settings(collection: Collection) -> None:
    again = Collection.open(collection.path)
    assert again.settings.name == "my"
    assert again.settings.seeds == ('http://a.example/"quoted"',)
    assert again.stages() == {}


def test_a_folder_that_is_no_collection_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for open_it in (Collection.open, Collection.open_or_create):
        with pytest.raises(NotACollectionError, match=r"collection\.toml"):
            open_it(tmp_path)
    with pytest.raises(CollectionError, match="not empty"):
        Collection.create(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]


def test_what_a_killed_creation_left_behind_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / ".collection.toml.4711.tmp").write_text("name = ")
    assert Collection.open_or_create(tmp_path, seeds=["http://a.example/"]).settings.seeds == ("http://a.example/",)


def test_a_missing_folder_names_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(NotACollectionError, match="periplus crawl"):
        Collection.open(tmp_path / "absent")


def test_a_newer_format_is_refused(collection: Collection) -> None:
    settings = collection.path / "collection.toml"
    settings.write_text(settings.read_text().replace("format = 1", "format = 99"))
    with pytest.raises(NewerFormatError, match="format 99"):
        Collection.open(collection.path)


@pytest.mark.parametrize("text", ["", "name = ", "name = 'x'\nformat = 'many'", "\xff"])
def test_damaged_settings_are_named(collection: Collection, text: str) -> None:
    (collection.path / "collection.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(DamagedError, match=r"collection\.toml"):
        Collection.open(collection.path)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"stages": {"graph": 3}}', '{"stages": {"graph": {"odd": 1}}}'])
def test_a_damaged_manifest_is_named(collection: Collection, text: str) -> None:
    (collection.path / "manifest.json").write_text(text)
    with pytest.raises(DamagedError, match=r"manifest\.json"):
        collection.stages()


def test_two_writers_at_once_in_two_processes(collection: Collection) -> None:
    program = (
        "import sys; from periplus.collection import Collection; from periplus.errors import LockedError\n"
        "try:\n with Collection.open(sys.argv[1]).writing(): print('held')\n"
        "except LockedError as error: print(error)"
    )
    command = [sys.executable, "-c", program, str(collection.path)]
    with collection.writing():
        refused = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "being written by process" in refused
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "held\n"


def test_one_process_cannot_hold_the_lock_twice(collection: Collection) -> None:
    with collection.writing(), pytest.raises(LockedError), Collection.open(collection.path).writing():
        pass


def test_generations_replace_each_other_and_old_ones_go(collection: Collection) -> None:
    for content in ("first", "second"):
        with collection.new_generation("graph") as generation:
            (generation.path / "data").write_text(content)
            generation.finish(record())
        assert (collection.current("graph") / "data").read_text() == content
    assert [path.name for path in (collection.path / "graph").iterdir()] == ["g0002"]


def test_a_failed_generation_leaves_the_old_one_current(collection: Collection) -> None:
    with collection.new_generation("graph") as generation:
        (generation.path / "data").write_text("sound")
        generation.finish(record())

    def fail_half_way() -> None:
        with collection.new_generation("graph") as generation:
            (generation.path / "data").write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert (collection.current("graph") / "data").read_text() == "sound"
    assert len(list((collection.path / "graph").iterdir())) == 1


def test_a_stage_never_run_names_the_command(collection: Collection) -> None:
    with pytest.raises(MissingStageError, match="periplus build"):
        collection.current("index")


def test_seals_tell_changed_and_missing_files(collection: Collection) -> None:
    with collection.new_generation("graph") as generation:
        (generation.path / "sub").mkdir()
        (generation.path / "sub" / "data").write_bytes(b"0123456789")
        (generation.path / "gone").write_bytes(b"x")
        generation.finish(record())
    folder = collection.current("graph")
    assert broken_seals(folder) == []
    (folder / "sub" / "data").write_bytes(b"0123456788")
    (folder / "gone").unlink()
    assert len(broken_seals(folder)) == 2
