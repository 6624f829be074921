"""Files as every format sees them: decompressed on the way in, written whole or not at all on the way out.

Compression is found by content (the magic bytes), never by the ending, when reading; by the ending when writing.
A stream that ends inside a compressed member, or whose check sum is wrong, is a `FormatError` that names the byte of
the compressed file.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from periplus.durable import atomic_files
from periplus.errors import FormatError, InputError

PIECE = 1 << 16
BLOCK = 1 << 24


def _zstd_decoder() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj()


_DECODERS: tuple[tuple[bytes, str, Callable[[], Any]], ...] = (
    (b"\x1f\x8b", "gz", lambda: zlib.decompressobj(wbits=31)),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
    (b"\x28\xb5\x2f\xfd", "zst", _zstd_decoder),
    (b"BZh", "bz2", bz2.BZ2Decompressor),
)
COMPRESSED = (".gz", ".xz", ".zst", ".bz2")


def read_pieces(path: Path) -> Iterator[bytes]:
    """The decompressed bytes of a file, piece by piece."""
    try:
        with path.open("rb") as stream:
            magic = stream.read(6)
            stream.seek(0)
            for start, name, decoder in _DECODERS:
                if magic.startswith(start):
                    yield from _decompress(path, stream, name, decoder)
                    return
            while piece := stream.read(BLOCK):
                yield piece
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _decompress(path: Path, stream: IO[bytes], name: str, new_decoder: Callable[[], Any]) -> Iterator[bytes]:
    """Decode every member in turn; a file may be several compressed files one after the other."""
    decoder = new_decoder()
    while piece := stream.read(PIECE):
        while piece:
            if decoder.eof:
                piece = piece.lstrip(b"\0")  # padding between members is allowed
                if not piece:
                    break
                decoder = new_decoder()
            try:
                yield decoder.decompress(piece)
            except Exception as error:  # each library has its own exception; all mean the same
                raise FormatError(path, f"the {name} data are damaged: {error}", byte=stream.tell()) from error
            piece = decoder.unused_data if decoder.eof else b""
    if not decoder.eof:
        raise FormatError(path, f"the {name} data end early: the file is cut off", byte=stream.tell())


def read_head(path: Path, size: int = PIECE) -> bytes:
    """The first decompressed bytes, enough to recognise the format; damage further on does not matter here."""
    head = b""
    try:
        for piece in read_pieces(path):
            head += piece
            if len(head) >= size:
                break
    except FormatError:
        if not head:
            raise
    return head[:size]


def read_all(path: Path) -> bytes:
    return b"".join(read_pieces(path))


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines, without their ends."""
    number, rest = 0, b""
    for piece in read_pieces(path):
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        for line in lines:
            number += 1
            yield number, line.rstrip(b"\r")
    if rest:
        yield number + 1, rest.rstrip(b"\r")


def read_blocks(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """Blocks of whole lines of about `size` bytes; only the very last may lack its line end."""
    held: list[bytes] = []
    length = 0
    for piece in read_pieces(path):
        held.append(piece)
        length += len(piece)
        if length >= size and b"\n" in piece:
            block = b"".join(held)
            cut = block.rindex(b"\n") + 1
            yield block[:cut]
            held, length = [block[cut:]], len(block) - cut
    if length:
        yield b"".join(held)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when all of it is on the disk; compressed by the ending."""
    with writing_all(path) as (stream,):
        yield stream


@contextmanager
def writing_all(*paths: Path) -> Iterator[tuple[IO[bytes], ...]]:
    """Several files that appear together, in the order given: the last should be the one that readers look for."""
    for path in paths:
        if not path.parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
        if path.is_dir():
            raise InputError(f"{path} cannot be written: it is a folder")
    with atomic_files(*paths) as drafts, ExitStack() as stack:
        yield tuple(
            stack.enter_context(_compressing(draft, path.suffix)) for draft, path in zip(drafts, paths, strict=True)
        )


@contextmanager
def _compressing(path: Path, suffix: str) -> Iterator[IO[bytes]]:
    """A file that compresses what is written into it; the same input gives the same bytes (no time stamps)."""
    with path.open("wb") as raw:
        if suffix == ".gz":
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
                yield packed  # type: ignore[misc]
        elif suffix == ".xz":
            with lzma.LZMAFile(raw, "wb", preset=3) as stream:
                yield stream
        elif suffix == ".bz2":
            with bz2.BZ2File(raw, "wb") as stream:
                yield stream
        elif suffix == ".zst":
            import zstandard

            packer: Any = zstandard.ZstdCompressor(level=9).stream_writer(raw, closefd=False)
            with io.BufferedWriter(packer, BLOCK) as stream:  # zstandard's own writer has no `writelines`
                yield stream
        else:
            yield raw


def plain_suffix(path: Path) -> str:
    """The ending that names the format: `.mtx` of `web.mtx.gz`."""
    name = path.name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return Path(name).suffix


def plain_name(path: Path) -> str:
    """The file's name in small letters without the ending of its compression: `web.mtx` of `Web.mtx.gz`."""
    name = path.name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return name
