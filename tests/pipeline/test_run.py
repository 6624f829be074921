"""`build` does what is stale and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from periplus.collection import Collection
from periplus.errors import LockedError, MissingStageError
from periplus.library import info, open_library, search, verify
from periplus.pipeline import STAGES, add, build, open_graph, store_scores
from periplus.rank import pagerank

ALL = ("parsed", "graph", "scores", "index", "structure", "similar", "communities", "sky")


def write(folder: Path, **pages: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<title>{name}</title><body>{body}")
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    site = write(
        tmp_path / "site",
        harbour='safe water, see <a href="light.html">the light</a>',
        light='a lamp <a href="harbour.html">harbour</a> <a href="harbour.html#top">again</a>',
        rock="nobody links here",
    )
    add(tmp_path / "my.web", [site], base="http://coast.example/")
    return tmp_path / "my.web"


def test_first_everything_then_nothing(target: Path) -> None:
    collection = Collection.open(target)
    assert build(collection).ran == ALL
    assert build(collection).ran == ()
    assert {stage["state"] for stage in info(collection)["stages"].values()} == {"current"}
    graph = open_graph(target)
    assert (graph.nodes, graph.links) == (3, 2)
    assert search(target, "lamp").results[0].url == "http://coast.example/light.html"
    assert verify(collection).problems == ()


def test_new_pages_make_stale_what_depends_on_them(target: Path, tmp_path: Path) -> None:
    collection = Collection.open(target)
    build(collection)
    before = collection.stage("graph")
    more = write(tmp_path / "more", pier='<a href="http://coast.example/rock.html">the rock</a>')
    add(target, [more], base="http://pier.example/")
    assert info(collection)["stages"]["parsed"]["state"] == "stale"
    assert build(collection).ran == ALL
    after = collection.stage("graph")
    assert before is not None
    assert after is not None
    assert after.counts["pages"] == before.counts["pages"] + 1
    assert after.counts["sites"] == 2
    # Only the new archive file was parsed.
    record = collection.stage("parsed")
    assert record is not None
    assert record.counts["captures_read_now"] == 1
    assert search(target, '"the rock"').results[0].url == "http://coast.example/rock.html"


def test_the_same_pages_again_change_nothing(target: Path, tmp_path: Path) -> None:
    collection = Collection.open(target)
    build(collection)
    add(target, [tmp_path / "site"], base="http://coast.example/")
    assert build(collection).ran == ()


def test_a_collection_without_pages_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingStageError, match="periplus crawl"):
        build(Collection.create(tmp_path / "empty.web"))


def test_unbuilt_collections_say_what_to_do(target: Path) -> None:
    with pytest.raises(MissingStageError, match="periplus build"):
        open_library(target)


def test_two_builds_at_once(target: Path) -> None:
    collection = Collection.open(target)
    with collection.writing(), pytest.raises(LockedError):
        build(Collection.open(target))


def test_rankings_asked_for_by_hand_are_kept_and_sealed(target: Path) -> None:
    collection = Collection.open(target)
    build(collection)
    scores = pagerank(open_graph(target), damping=0.5)
    store_scores(collection, scores)
    library = open_library(target)
    assert library.scores["pagerank"] == pytest.approx(scores.values)
    assert verify(collection).problems == ()


def test_damage_is_found(target: Path) -> None:
    collection = Collection.open(target)
    build(collection)
    (warc,) = target.glob("pages/*.warc.gz")
    data = bytearray(warc.read_bytes())
    data[len(data) // 2] ^= 0xFF
    warc.write_bytes(data)
    problems = verify(collection).problems
    assert problems
    assert warc.name in problems[0]


def test_readers_see_all_of_a_build_or_nothing_and_a_killed_build_goes_on(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(Collection.open(target))
    before = Collection.open(target).stages()
    add(target, [write(tmp_path / "more", mole="a new mole")], base="http://mole.example/")
    seen: list[int] = []

    def killed(*_: object) -> dict[str, object]:
        reader = open_library(target)  # somebody else, while the build is under way
        seen.append(reader.graph.nodes)
        assert reader.searcher.documents == 3
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setitem(STAGES, "index", replace(STAGES["index"], run=killed))
        with pytest.raises(KeyboardInterrupt):
            build(Collection.open(target))
    assert seen == [3]
    assert Collection.open(target).stages() == before
    assert open_library(target).searcher.search("mole").total == 0
    assert verify(Collection.open(target)).problems == ()
    # What was finished is not done again.
    assert build(Collection.open(target)).ran == ("index", "structure", "similar", "communities", "sky")
    assert open_library(target).searcher.search("mole").total == 1
    assert sorted(path.name for path in (target / "graph").iterdir()) == ["g0002"]
