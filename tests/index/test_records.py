"""Records come back as they were given, whichever part and frame they are in."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from periplus.errors import DamagedError
from periplus.index import records
from periplus.index.records import Records, RecordWriter


def test_records_of_several_builds_and_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FRAME", 1000)
    rng = random.Random(5)
    given = [rng.randbytes(rng.choice([0, 1, 300, 5000])) for _ in range(200)]
    for first, last in ((0, 120), (120, 120), (120, 200)):
        with RecordWriter(tmp_path, first) as writer:
            for record in given[first:last]:
                writer.add(record)
    found = Records(tmp_path)
    assert len(found) == 200
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(found.read, range(200))) == given


def test_a_damaged_frame_is_named(tmp_path: Path) -> None:
    with RecordWriter(tmp_path) as writer:
        writer.add(b"otters")
    (tmp_path / "records-000000000.zst").write_bytes(b"x" * 20)
    with pytest.raises(DamagedError, match=r"records-000000000\.zst.*periplus build"):
        Records(tmp_path).read(0)
