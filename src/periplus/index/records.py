"""What results show of each page, beside the index: numbered records, packed many to a zstd frame.

    records-N.zst      frames of about `FRAME` bytes, from record N on; pages of one site repeat each other, so that
                       together they become small
    records-N.npy      a row per record: which frame, and where it begins and ends there
    records-N.ends.npy where each frame ends

Cost: one frame is unpacked per record read, about a tenth of a millisecond.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from pathlib import Path
from types import TracebackType

import numpy as np
import zstandard

from periplus.errors import DamagedError
from periplus.numeric.npy import load_array, save_array

FRAME = 1 << 17
_LEVEL = 3


class RecordWriter:
    """Writes records, the first with the number `first`; a context, which ends the last frame."""

    def __init__(self, folder: Path, first: int = 0) -> None:
        self._name = folder / f"records-{first:09}"
        self._data = self._name.with_suffix(".zst").open("wb")
        self._packer = zstandard.ZstdCompressor(level=_LEVEL)
        self._waiting: list[bytes] = []
        self._size = 0
        self._rows: list[tuple[int, int, int]] = []
        self._ends: list[int] = []

    def add(self, record: bytes) -> None:
        """Add the next record."""
        self._rows.append((len(self._ends), self._size, self._size + len(record)))
        self._waiting.append(record)
        self._size += len(record)
        if self._size >= FRAME:
            self._pack()

    def _pack(self) -> None:
        self._data.write(self._packer.compress(b"".join(self._waiting)))
        self._ends.append(self._data.tell())
        self._waiting, self._size = [], 0

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._data:
            if kind is None:
                self._pack()
        if kind is None:
            save_array(self._name.with_suffix(".npy"), np.array(self._rows, dtype=np.uint32).reshape(-1, 3))
            save_array(self._name.with_suffix(".ends.npy"), np.array(self._ends, dtype=np.uint64))


class Records:
    """All records of a folder; any number of threads may read."""

    def __init__(self, folder: Path) -> None:
        self._parts = [_Part(path) for path in sorted(folder.glob("records-*.zst"))]
        self._firsts = [part.first for part in self._parts]

    def __len__(self) -> int:
        return sum(len(part.rows) for part in self._parts)

    def read(self, number: int) -> bytes:
        """The record of that number."""
        at = bisect_right(self._firsts, number) - 1
        return self._parts[at].read(number)


class _Part:
    """The records that one build added."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.first = int(path.stem.partition("-")[2])
        self.rows = load_array(path.with_suffix(".npy"), mapped=True)
        self._ends = load_array(path.with_suffix(".ends.npy"), mapped=True)
        self._file = os.open(path, os.O_RDONLY)

    def read(self, number: int) -> bytes:
        frame, begin, end = self.rows[number - self.first].tolist()
        starts = int(self._ends[frame - 1]) if frame else 0
        packed = os.pread(self._file, int(self._ends[frame]) - starts, starts)
        try:
            return zstandard.ZstdDecompressor().decompress(packed)[begin:end]
        except zstandard.ZstdError as error:
            raise DamagedError(f"{self._path} is damaged ({error}): run `periplus build` on its collection") from error

    def __del__(self) -> None:
        if (file := getattr(self, "_file", None)) is not None:
            os.close(file)
