"""Decode transfer and content encodings, within limits.

A hostile body of 34 bytes can decode to 11 MB, one of 1 MB to 1 GB, and a chain of encodings multiplies this. So every
decoder has an output limit, at most two layers are decoded, and a gzip stream may have at most 1,024 members. What was
decoded before a problem is kept: a damaged page still has words and links.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

MAX_DECODED = 8 * 1024 * 1024
MAX_LAYERS = 2
MAX_MEMBERS = 1024


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded body; `problem` is None, `"length"` (cut at the limit) or `"decode"` (broken)."""

    body: bytes
    problem: str | None = None


def codings(header: str | None) -> list[str]:
    """The layers in a `Content-Encoding`, outermost last, without `identity`."""
    names = [name.strip().lower().removeprefix("x-") for name in (header or "").split(",")]
    return [name for name in names if name and name != "identity"]


def decode(raw: bytes, encoding: str | None, limit: int = MAX_DECODED) -> Decoded:
    """Decode a `Content-Encoding` to at most `limit` bytes."""
    layers = codings(encoding)
    if not layers:
        return Decoded(raw[:limit], "length" if len(raw) > limit else None)
    if len(layers) > MAX_LAYERS or any(name not in DECODERS for name in layers):
        return Decoded(b"", "decode")
    problem = None
    for name in reversed(layers):
        step = DECODERS[name](raw, limit)
        raw, problem = step.body, problem or step.problem
    return Decoded(raw, problem)


def _gzip(raw: bytes, limit: int) -> Decoded:
    body = bytearray()
    for _ in range(MAX_MEMBERS):
        decoder = zlib.decompressobj(31)
        try:
            body += decoder.decompress(raw, limit + 1 - len(body))
        except zlib.error:
            return _broken(bytes(body), raw, limit)
        if len(body) > limit:
            return Decoded(bytes(body[:limit]), "length")
        if not decoder.eof:
            return Decoded(bytes(body), "decode")
        raw = decoder.unused_data
        if not raw.startswith(b"\x1f\x8b"):
            return Decoded(bytes(body))  # what follows the last member is padding
    return Decoded(bytes(body), "decode")


def _broken(body: bytes, raw: bytes, limit: int) -> Decoded:
    """Decode in small pieces up to the error: zlib throws away what it has decoded of a piece with an error."""
    decoder, kept = zlib.decompressobj(31), bytearray(body)
    try:
        for at in range(0, len(raw), 256):
            kept += decoder.decompress(raw[at : at + 256], limit + 1 - len(kept))
            if len(kept) > limit:
                break
    except zlib.error:
        pass
    return Decoded(bytes(kept[:limit]), "decode")


def _deflate(raw: bytes, limit: int) -> Decoded:
    for window in (15, -15):  # the standard says zlib, but many servers send raw deflate
        decoder = zlib.decompressobj(window)
        try:
            body = decoder.decompress(raw, limit + 1)
        except zlib.error:
            continue
        problem = "length" if len(body) > limit else None if decoder.eof else "decode"
        return Decoded(body[:limit], problem)
    return Decoded(b"", "decode")


def _brotli(raw: bytes, limit: int) -> Decoded:
    if find_spec("brotli") is None:  # we do not ask for it then, but a server may send it anyway
        return Decoded(b"", "decode")
    brotli = import_module("brotli")
    decoder, body = brotli.Decompressor(), b""
    try:
        body = decoder.process(raw, output_buffer_limit=limit + 1)
        while len(body) <= limit and not decoder.is_finished() and not decoder.can_accept_more_data():
            body += decoder.process(b"", output_buffer_limit=limit + 1 - len(body))
    except brotli.error:
        return Decoded(body[:limit], "decode")
    if len(body) > limit:
        return Decoded(body[:limit], "length")
    return Decoded(body, None if decoder.is_finished() else "decode")


def _zstd(raw: bytes, limit: int) -> Decoded:
    import zstandard

    body = bytearray()
    decoder = zstandard.ZstdDecompressor(max_window_size=8 * 1024 * 1024)
    try:
        with decoder.stream_reader(io.BytesIO(raw), read_across_frames=False) as stream:
            while len(body) <= limit and (piece := stream.read(min(65536, limit + 1 - len(body)))):
                body += piece
    except zstandard.ZstdError:
        return Decoded(bytes(body[:limit]), "decode")
    return Decoded(bytes(body[:limit]), "length" if len(body) > limit else None)


DECODERS: dict[str, Callable[[bytes, int], Decoded]] = {
    "gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}


def unchunk(raw: bytes) -> bytes:
    """Decode `Transfer-Encoding: chunked`; a body that is not really chunked is returned unchanged."""
    body, at = bytearray(), 0
    while at < len(raw):
        end = raw.find(b"\n", at, at + 4096)
        size = _chunk_size(raw[at:end]) if end >= 0 else None
        if size is None:
            return bytes(body) if body else raw
        if size == 0:
            break
        body += raw[end + 1 : end + 1 + size]
        at = end + 1 + size
        at += 2 if raw[at : at + 2] == b"\r\n" else 1
    return bytes(body)


def _chunk_size(line: bytes) -> int | None:
    digits = line.split(b";")[0].strip()
    if not digits or len(digits) > 16 or digits.strip(b"0123456789abcdefABCDEF"):
        return None
    return int(digits, 16)
