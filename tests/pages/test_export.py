"""One file for others: WACZ and WARC, read back by other programs and by ourselves."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.webs.composed import composed, html, link
from warcio.archiveiterator import ArchiveIterator

from periplus.cli.main import main
from periplus.collection import Collection
from periplus.errors import ParameterError
from periplus.pages.add import add_files
from periplus.pages.export import Choice, export, surt
from periplus.pages.store import store_of

ANSWERS = {
    "http://www.a.test/": html(link("http://a.test/b?z=1&A=2"), title="Häuser <und> mehr"),
    "http://a.test/b?z=1&A=2": html("b", title="B"),
    "http://c.test:8080/x": html("c"),
    "http://a.test/old": (301, "http://www.a.test/"),
    "http://a.test/none": 404,
}


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return composed(tmp_path / "a.web", ANSWERS)


def test_a_wacz_holds_what_the_specification_asks_for(collection: Collection, tmp_path: Path) -> None:
    out = tmp_path / "out.wacz"
    with pytest.raises(SystemExit):
        main(["export", str(collection.path), str(out), "--json"])
    with zipfile.ZipFile(out) as bundle:
        assert bundle.testzip() is None
        assert all(one.compress_type == zipfile.ZIP_STORED for one in bundle.infolist() if "archive" in one.filename)
        package = bundle.read("datapackage.json")
        described = json.loads(package)
        assert described["wacz_version"] == "1.1.1"
        for resource in described["resources"]:
            data = bundle.read(resource["path"])
            assert len(data) == resource["bytes"]
            assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        digest = json.loads(bundle.read("datapackage-digest.json"))["hash"]
        assert digest == f"sha256:{hashlib.sha256(package).hexdigest()}"
        pages = [json.loads(line) for line in bundle.read("pages/pages.jsonl").splitlines()]
        assert {page["url"]: page["title"] for page in pages[1:]}["http://www.a.test/"] == "Häuser <und> mehr"
        archive, lines = bundle.read("archive/data.warc.gz"), bundle.read("indexes/index.cdx").splitlines()
    assert lines == sorted(lines)
    assert len(lines) == len(ANSWERS)
    for line in lines:
        where = json.loads(line.split(b" ", 2)[2])
        cut = archive[int(where["offset"]) : int(where["offset"]) + int(where["length"])]
        one = tmp_path / "one.warc.gz"
        one.write_bytes(cut)
        with one.open("rb") as file:
            (record,) = ArchiveIterator(file, check_digests="raise")
            assert record.rec_headers.get_header("WARC-Target-URI") == where["url"]


@pytest.mark.skipif(find_spec("wacz") is None, reason="the wacz tool is not installed")
def test_the_wacz_tool_finds_it_valid(collection: Collection, tmp_path: Path) -> None:
    out = tmp_path / "out.wacz"
    export(store_of(collection), out)
    done = subprocess.run(
        [sys.executable, "-m", "wacz.main", "validate", "-f", str(out)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["out.wacz", "out.warc.gz"])
def test_what_is_exported_can_be_added(collection: Collection, tmp_path: Path, name: str) -> None:
    export(store_of(collection), tmp_path / name)
    other = Collection.create(tmp_path / "b.web")
    add_files(store_of(other), [tmp_path / name])
    told = [{(e.url, e.status, e.digest) for e in store_of(one).entries()} for one in (collection, other)]
    assert told[0] == told[1]


def test_a_part_is_chosen(collection: Collection, tmp_path: Path) -> None:
    store = store_of(collection)
    done = export(store, tmp_path / "a.warc.gz", Choice((re.compile("a.test"),), (re.compile("/b"),), ("text/html",)))
    assert [entry.url for entry in done.entries] == ["http://www.a.test/"]
    with pytest.raises(ParameterError, match="at least one"):
        export(store, tmp_path / "none.wacz", Choice((re.compile("nowhere"),)))
    with pytest.raises(ParameterError, match="named"):
        export(store, tmp_path / "a.zip")
    assert not (tmp_path / "none.wacz").exists()


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.Example.com/B?z=1&a=2", "com,example)/b?a=2&z=1"),
        ("https://www2.example.co.uk:8080/", "uk,co,example:8080)/"),
        ("http://example.com", "com,example)/"),
        ("http://[::1]:80/x", "[::1]:80)/x"),
    ],
)
def test_keys_are_those_of_other_programs(url: str, key: str) -> None:
    assert surt(url) == key
