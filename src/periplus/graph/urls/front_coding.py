"""Sorted byte strings in little space: front coding in blocks, each block packed with zstd and a shared dictionary.

Strings are kept in byte order. A block is `BLOCK` strings; the first, its *head*, is kept whole so that a string is
found by bisection over the heads (mapped, never read whole). Of every other string a block keeps how many bytes it
shares with the one before (at most 255) and the rest, as four planes: shared lengths, low and high bytes of the rest's
lengths, the rests. Planes keep similar bytes together: zstd then packs URLs about twice as well as front coding alone.
The dictionary, trained on the table's own blocks, makes blocks of 2 KB pack well.

    cost: 16 bytes and a head per block; a lookup decompresses one block (about 2 KB) and walks through it

One file: magic, packed blocks, dictionary, heads, the two offset arrays, any arrays that the owner adds, a JSON footer
that says where each lies, the footer's length, magic. It is written front to back from a stream and mapped when read.
"""

from __future__ import annotations

import io
import json
import mmap
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from periplus.errors import FormatError, ParameterError
from periplus.numeric.arrays import AnyArray

BLOCK = 64
LONGEST = 65_535
_MAGIC = b"PERISTR1"
_LEVEL = 9
_SAMPLE_BLOCKS = 1 << 14
_DICTIONARY = 1 << 16


@cache
def _kernels() -> Any:
    """The compiled loops, loaded with the first string: opening a table must not wait for the compiler's import."""
    from periplus.graph.urls import kernels as front_coding_kernels

    return front_coding_kernels


class StringsWriter:
    """Takes strings in byte order and writes the file; `finish` adds the owner's arrays and the footer."""

    def __init__(self, stream: IO[bytes], kind: str) -> None:
        self._stream = stream
        self._kind = kind
        self._count = 0
        self._raw_bytes = 0
        self._position = stream.write(_MAGIC)
        self._last = b""
        self._heads: list[bytes] = []
        self._offsets: list[int] = []
        self._waiting: list[bytes] = []
        self._compressor: Any = None
        self._dictionary = b""

    def add(self, strings: Iterable[bytes], *, strictly: bool = True) -> None:
        """Add strings that follow, in byte order, all that were added before; call with many at once.

        Every call but the last must bring a multiple of `BLOCK` strings.
        """
        strings = iter(strings)
        while block := list(islice(strings, BLOCK)):
            self._check_order(block, strictly)
            self._heads.append(block[0])
            self._waiting.append(_packed(block))
            self._count += len(block)
            self._raw_bytes += sum(map(len, block))
            if self._compressor is not None or len(self._waiting) >= _SAMPLE_BLOCKS:
                self._flush()

    def _check_order(self, block: list[bytes], strictly: bool) -> None:
        if self._count % BLOCK:
            raise ParameterError("strings", self._count, f"added in multiples of {BLOCK} until the last time")
        before = self._last if self._count else None
        for string in block:
            if before is not None and (string < before or (strictly and string == before)):
                raise ParameterError(
                    "strings", string[:200], f"in strictly rising byte order (follows {before[:200]!r})"
                )
            if len(string) > LONGEST:
                raise ParameterError("strings", string[:80], f"at most {LONGEST} bytes each")
            before = string
        self._last = before or b""

    def _flush(self) -> None:
        if self._compressor is None:
            self._compressor = self._trained()
        for block in self._waiting:
            self._offsets.append(self._position)
            self._position += self._stream.write(self._compressor.compress(block))
        self._waiting.clear()

    def _trained(self) -> Any:
        """A compressor with a dictionary made of a sample of the blocks; small tables go without."""
        import zstandard

        size = min(_DICTIONARY, sum(map(len, self._waiting)) // 40)
        dictionary = None
        if len(self._waiting) >= 16 and size >= 512:
            sample: list[Any] = self._waiting[:: max(1, len(self._waiting) // 4096)]
            try:
                dictionary = zstandard.train_dictionary(size, sample)
                self._dictionary = dictionary.as_bytes()
            except zstandard.ZstdError:
                dictionary = None  # too uniform to learn from; the blocks pack well without
        return zstandard.ZstdCompressor(level=_LEVEL, dict_data=dictionary, write_dict_id=False)

    def finish(self, arrays: dict[str, AnyArray] | None = None) -> None:
        """Write what is left, the index and the footer."""
        self._flush()
        self._offsets.append(self._position)
        head_ends = np.cumsum([len(head) for head in self._heads], dtype=np.int64)
        parts: dict[str, AnyArray] = {
            "dictionary": np.frombuffer(self._dictionary, dtype=np.uint8),
            "heads": np.frombuffer(b"".join(self._heads), dtype=np.uint8),
            "head_offsets": np.concatenate(([0], head_ends)).astype(np.int64),
            "block_offsets": np.array(self._offsets, dtype=np.int64),
            **(arrays or {}),
        }
        places = {name: self._append(array) for name, array in parts.items()}
        footer = {"kind": self._kind, "count": self._count, "raw_bytes": self._raw_bytes, "parts": places}
        text = json.dumps(footer).encode()
        self._stream.write(text + len(text).to_bytes(8, "little") + _MAGIC)

    def _append(self, array: AnyArray) -> tuple[int, int, str]:
        self._position += self._stream.write(b"\0" * (-self._position % 8))
        start = self._position
        self._position += self._stream.write(np.ascontiguousarray(array).tobytes())
        return start, len(array), array.dtype.str


def _packed(block: list[bytes]) -> bytes:
    data = np.frombuffer(b"".join(block), dtype=np.uint8)
    lengths = np.array([len(string) for string in block], dtype=np.int64)
    packed = np.empty(3 * (len(block) - 1) + len(data), dtype=np.uint8)
    return packed[: _kernels().pack_block(data, lengths, packed)].tobytes()


class Strings:
    """The strings of a file or of bytes in memory: `strings[i]`, `strings.bisect(key)`, iteration by blocks."""

    def __init__(self, buffer: Any, name: str | Path = "memory") -> None:
        self.path = Path(name)
        self._buffer = memoryview(buffer)
        footer = self._read_footer()
        try:
            self.kind, self.count = str(footer["kind"]), int(footer["count"])
            self.raw_bytes = int(footer["raw_bytes"])
            self.arrays: dict[str, AnyArray] = {part: self._part(*place) for part, place in footer["parts"].items()}
            self._check()
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise FormatError(self.path, f"the footer is damaged: {error!r}", byte=len(self._buffer)) from error
        self._heads = self.arrays["heads"]
        self._head_offsets = self.arrays["head_offsets"]
        self._block_offsets = self.arrays["block_offsets"]
        self._local = threading.local()  # a decompressor serves one thread at a time

    def __reduce__(self) -> tuple[type[Strings], tuple[bytes, str]]:
        """Travels to other processes as its bytes: a mapped file may be gone by then."""
        return Strings, (bytes(self._buffer), str(self.path))

    @classmethod
    def open(cls, path: str | Path) -> Strings:
        """Map a file."""
        with Path(path).open("rb") as stream:
            try:
                return cls(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), path)
            except ValueError:  # an empty file cannot be mapped
                raise FormatError(path, "an empty file is no table of names") from None

    @property
    def stored_bytes(self) -> int:
        return len(self._buffer)

    def save(self, stream: IO[bytes]) -> None:
        stream.write(self._buffer)

    def _read_footer(self) -> dict[str, Any]:
        size = len(self._buffer)
        if size < 24 or self._buffer[:8] != _MAGIC or self._buffer[-8:] != _MAGIC:
            raise FormatError(self.path, "not a table of names, or cut off", byte=size)
        length = int.from_bytes(self._buffer[-16:-8], "little")
        try:
            footer: dict[str, Any] = json.loads(bytes(self._buffer[-16 - length : -16]))
            return footer
        except ValueError:
            raise FormatError(self.path, "the footer is damaged", byte=size - 16 - length) from None

    def _part(self, start: int, length: int, dtype: str) -> AnyArray:
        size = length * np.dtype(dtype).itemsize
        if not 0 <= start <= start + size <= len(self._buffer):
            raise FormatError(self.path, "the footer points outside the file", byte=start)
        return np.frombuffer(self._buffer[start : start + size], dtype=dtype)

    def _check(self) -> None:
        blocks = -(-self.count // BLOCK)
        heads, offsets = self.arrays["head_offsets"], self.arrays["block_offsets"]
        if any(self.arrays[part].dtype != np.int64 for part in ("head_offsets", "block_offsets")):
            raise ValueError("the offsets are no whole numbers")
        if self.arrays["heads"].dtype != np.uint8 or self.count < 0:
            raise ValueError("the heads are no bytes")
        if len(heads) != blocks + 1 or len(offsets) != blocks + 1 or int(heads[-1]) != len(self.arrays["heads"]):
            raise FormatError(self.path, f"the index does not fit {self.count:,} names")
        if heads[0] != 0 or bool((np.diff(heads) < 0).any()) or bool((np.diff(offsets) < 0).any()):
            raise FormatError(self.path, "the index does not rise")

    def __len__(self) -> int:
        return self.count

    def _block(self, block: int) -> AnyArray:
        """The unpacked planes of a block; the one used last is kept, since neighbours are asked for together."""
        local = self._local
        if getattr(local, "number", -1) != block:
            if not hasattr(local, "decompressor"):
                local.decompressor = self._decompressor()
            start, end = int(self._block_offsets[block]), int(self._block_offsets[block + 1])
            try:
                local.planes = np.frombuffer(local.decompressor.decompress(self._buffer[start:end]), dtype=np.uint8)
            except Exception as error:
                raise FormatError(self.path, f"a block of names is damaged: {error}", byte=start) from error
            local.number = block
        planes: AnyArray = local.planes
        return planes

    def _decompressor(self) -> Any:
        import zstandard

        dictionary = self.arrays["dictionary"].tobytes()
        return zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(dictionary) if dictionary else None)

    def _size(self, block: int) -> int:
        return min(BLOCK, self.count - block * BLOCK)

    def __getitem__(self, index: int) -> bytes:
        if not 0 <= index < self.count:
            raise IndexError(index)
        block, place = divmod(index, BLOCK)
        out = np.empty(LONGEST + 256, dtype=np.uint8)
        ends = np.empty(BLOCK, dtype=np.int64)
        self._expand(block, place, ends, out)
        return out[: ends[place]].tobytes()

    def _expand(self, block: int, last: int, ends: AnyArray, out: AnyArray) -> int:
        room: int = _kernels().expand_block(
            self._block(block), self._heads, self._span(block), self._size(block), last, ends, out
        )
        if room == _kernels().DAMAGED:
            raise self._damaged(block)
        return room

    def _strings_of(self, block: int) -> list[bytes]:
        ends = np.empty(self._size(block), dtype=np.int64)
        out = np.empty(self._expand(block, -1, ends, np.empty(0, dtype=np.uint8)), dtype=np.uint8)
        self._expand(block, -1, ends, out)
        text, stops = out.tobytes(), ends.tolist()
        return [text[start:stop] for start, stop in zip([0, *stops[:-1]], stops, strict=True)]

    def blocks(self) -> Iterator[list[bytes]]:
        """All strings, a block at a time."""
        for block in range(len(self._block_offsets) - 1):
            yield self._strings_of(block)

    def __iter__(self) -> Iterator[bytes]:
        for block in self.blocks():
            yield from block

    def bisect(self, key: bytes) -> tuple[int, bool]:
        """How many strings are smaller than `key`, and whether the next one is `key` itself."""
        wanted = np.frombuffer(key, dtype=np.uint8)
        low, follows = _kernels().bisect_heads(self._heads, self._head_offsets, wanted)
        if low == 0:
            return 0, follows
        block = low - 1
        place = _kernels().search_block(self._block(block), self._heads, self._span(block), self._size(block), wanted)
        if place == _kernels().DAMAGED:
            raise self._damaged(block)
        if place >= 0:
            return block * BLOCK + place, True
        smaller = block * BLOCK - place - 1
        return smaller, follows and smaller == low * BLOCK

    def _span(self, block: int) -> tuple[int, int]:
        return int(self._head_offsets[block]), int(self._head_offsets[block + 1])

    def _damaged(self, block: int) -> FormatError:
        return FormatError(self.path, "a block of names is damaged", byte=int(self._block_offsets[block]))


def pack(strings: Iterable[bytes], kind: str, arrays: dict[str, AnyArray] | None = None) -> Strings:
    """A table in memory."""
    stream = io.BytesIO()
    writer = StringsWriter(stream, kind)
    writer.add(strings, strictly=False)
    writer.finish(arrays)
    return Strings(stream.getvalue())
