"""Arrays in files, as `numpy.save` writes them; what is no such file is an error that names it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Literal

import numpy as np

from periplus.errors import FormatError, storage
from periplus.numeric.arrays import AnyArray


def load_array(path: str | Path, *, mapped: bool = False) -> AnyArray:
    """The array of a .npy file, read or `mapped` (then it must not be written)."""
    mode: Literal["r"] | None = "r" if mapped else None
    try:
        found = np.load(path, mmap_mode=mode, allow_pickle=False)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:  # EOFError: not even a first byte
        raise FormatError(path, f"is no whole array as numpy.save writes it (.npy): {error}") from error
    if not isinstance(found, np.ndarray):
        found.close()
        raise FormatError(path, "is an archive of several arrays (.npz), not one array as numpy.save writes it (.npy)")
    return found


def save_array(path: Path, values: AnyArray) -> None:
    """Write one array as `numpy.save` does; unlike that, it says why the disk refuses it, and which file that was."""
    values = np.ascontiguousarray(values)
    with storage(path, needs=values.nbytes), path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(values))
        file.write(values.data)
