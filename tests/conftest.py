"""What many tests share: where the real data lies, and names that do not need it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

_BESIDE_THE_PROJECT = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
# How long an example takes on a busy machine says nothing about the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

DATA = Path(os.environ.get("PERIPLUS_DATA", _BESIDE_THE_PROJECT))


def data_path(name: str) -> Path:
    """The folder of one real data set; the test that asks is skipped, by name, where it is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"real data {name!r} is not here (looked in {DATA}; set PERIPLUS_DATA)")
    return path


@pytest.fixture(scope="session")
def real_data():
    """`real_data("cnr-2000")` returns the folder or skips the test."""
    return data_path
