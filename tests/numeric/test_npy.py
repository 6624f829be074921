"""Arrays in files: read or mapped; what is none is named."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from periplus.errors import FormatError
from periplus.numeric.npy import load_array


@pytest.mark.parametrize("mapped", [False, True])
def test_what_was_saved_comes_back(mapped: bool, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(7))
    found = load_array(tmp_path / "a.npy", mapped=mapped)
    assert found.tolist() == list(range(7))
    assert isinstance(found, np.memmap) == mapped


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("damage", ["empty", "cut", "text", "pickle", "archive", "broken archive"])
def test_what_is_no_array_is_named(damage: str, mapped: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.arange(100))
    whole = path.read_bytes()
    if damage == "pickle":
        np.save(path, np.array([{}]), allow_pickle=True)
    elif damage == "archive":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("b.npy", whole)
    else:
        path.write_bytes({"empty": b"", "cut": whole[:-9], "text": b"1 2", "broken archive": b"PK\x03\x04"}[damage])
    with pytest.raises(FormatError) as caught:
        load_array(path, mapped=mapped)
    assert caught.value.path == str(path)
