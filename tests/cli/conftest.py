"""A small web to rank, as a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.ranking import LINKS


@pytest.fixture
def target(tmp_path: Path) -> str:
    path = tmp_path / "small.tsv"
    path.write_text(LINKS)
    return str(path)
