"""The bytes of an archive, decompressed, with damage marked instead of fatal.

A compressed archive can be broken in one place and intact after it. `chunks` yields what it can decompress. At a broken
gzip member it yields a `Chunk` with a problem and continues at the next member. `ByteStream` raises a `DamageError` at
the read that would cross the damage.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

_PIECE = 256 * 1024
_GZIP = b"\x1f\x8b\x08"
_MAX_STEP = 4 * 1024 * 1024


class SupportsRead(Protocol):
    """The interface of the decompressing readers of fastwarc."""

    def read(self, size: int, /) -> bytes: ...


class DamageError(ValueError):
    """The stream is broken here; what follows may still be readable."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some bytes and where they are in the file: the exact byte, or the start of their gzip member."""

    at: int
    data: bytes
    problem: str | None = None
    plain: bool = False


def chunks(file: BinaryIO) -> Iterator[Chunk]:
    """The uncompressed bytes of a file; its first bytes tell gzip, zstd, lz4 and plain files apart."""
    start = file.read(4)
    file.seek(0)
    if start.startswith(_GZIP[:2]):
        return _gzip_chunks(file)
    if start == b"\x28\xb5\x2f\xfd" or (start[1:] == b"\x2a\x4d\x18" and start[:1] >= b"\x50"):
        from fastwarc.stream_io import ZstdReader

        return _reader_chunks(ZstdReader(file))
    if start == b"\x04\x22\x4d\x18":
        from fastwarc.stream_io import Lz4Reader

        return _reader_chunks(Lz4Reader(file))
    return _plain_chunks(file)


def _plain_chunks(file: BinaryIO) -> Iterator[Chunk]:
    at = 0
    while data := file.read(_PIECE):
        yield Chunk(at, data, plain=True)
        at += len(data)


def _reader_chunks(reader: SupportsRead) -> Iterator[Chunk]:
    while True:
        try:
            data = reader.read(_PIECE)
        except (OSError, ValueError) as error:
            yield Chunk(0, b"", f"the compressed stream is broken ({error})")
            return
        if not data:
            return
        yield Chunk(0, bytes(data))


def _gzip_chunks(file: BinaryIO) -> Iterator[Chunk]:
    at: int | None = 0
    while at is not None:
        start, at = at, None
        ended = yield from _member_chunks(file, start)
        if isinstance(ended, int):
            at = _next_member(file, ended)
        else:
            yield Chunk(start, b"", ended)
            at = _next_member(file, start + 1)


def _member_chunks(file: BinaryIO, start: int) -> Generator[Chunk, None, int | str]:
    """Yields the bytes of one member; returns where it ends, or the problem with it."""
    file.seek(start)
    packer, read = zlib.decompressobj(31), 0
    while not packer.eof:
        piece = packer.unconsumed_tail or file.read(_PIECE)
        if not piece:
            return "the gzip member is cut short"
        if piece is not packer.unconsumed_tail:
            read += len(piece)
        try:
            data = packer.decompress(piece, _MAX_STEP)
        except zlib.error as error:
            return f"not an intact gzip member ({error})"
        if data:
            yield Chunk(start, data)
    return start + read - len(packer.unused_data)


def _next_member(file: BinaryIO, at: int) -> int | None:
    """Where the next gzip member starts, from a byte on; zero padding between members is common."""
    file.seek(at)
    before = b""
    while piece := file.read(_PIECE):
        window = before + piece
        found = window.find(_GZIP)
        if found >= 0:
            return at - len(before) + found
        at += len(piece)
        before = window[-2:]
    return None


class ByteStream:
    """Reads lines and blocks from chunks, and can put bytes back."""

    def __init__(self, source: Iterator[Chunk]) -> None:
        self._source = source
        self._buffer = bytearray()
        self._problem: str | None = None
        self._ended = False
        self.plain = False
        self._chunk_at = 0

    @property
    def at(self) -> int:
        """Where the next byte is in the file: exactly, or the start of the gzip member that was read last."""
        return self._chunk_at - len(self._buffer) if self.plain else self._chunk_at

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, fewer only at the end; raises `DamageError` if damage comes first."""
        while len(self._buffer) < size and self._fill():
            pass
        if len(self._buffer) < size and self._problem:
            raise DamageError(self._problem)
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def readline(self, limit: int = 65536) -> bytes:
        """One line with its line end, at most `limit` bytes; empty at the end."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0 and len(self._buffer) < limit:
            searched = len(self._buffer)
            if not self._fill():
                break
        if end < 0 and self._problem and len(self._buffer) < limit:
            raise DamageError(self._problem)
        return self.read(min(end + 1 if end >= 0 else len(self._buffer), limit))

    def skip(self, size: int) -> None:
        """Skip bytes without keeping them in memory."""
        while size > 0:
            taken = self.read(min(size, _PIECE))
            if not taken:
                return
            size -= len(taken)

    def unread(self, data: bytes) -> None:
        """Put bytes back at the front."""
        self._buffer[:0] = data

    def pass_damage(self) -> None:
        """Continue after the damage that was raised; the incomplete bytes before it are dropped."""
        self._buffer.clear()
        self._problem = None

    def _fill(self) -> bool:
        if self._problem or self._ended:
            return False
        chunk = next(self._source, None)
        if chunk is None:
            self._ended = True
            return False
        self.plain = chunk.plain
        self._chunk_at = chunk.at + len(chunk.data) if chunk.plain else chunk.at
        if chunk.problem:
            self._problem = chunk.problem
            return False
        self._buffer += chunk.data
        return True
