"""Encodings: round trips, bombs, tears; every decoder stops at its limit."""

from __future__ import annotations

import gzip
import zlib

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from periplus.pages.encoding import MAX_MEMBERS, decode, unchunk


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "DEFLATE ": raw_deflate,
    "zstd": zstandard.ZstdCompressor().compress,
    "gzip, deflate": lambda data: zlib.compress(gzip.compress(data)),
    "identity": bytes,
    "": bytes,
}


@pytest.mark.parametrize("name", ENCODERS)
@settings(max_examples=30, derandomize=True)
@given(data=st.binary(max_size=5000))
def test_round_trip(name: str, data: bytes) -> None:
    assert decode(ENCODERS[name](data), name) == (decode(data, None))


@pytest.mark.parametrize("name", ENCODERS)
def test_the_limit_holds(name: str) -> None:
    decoded = decode(ENCODERS[name](bytes(1_000_000)), name, limit=1000)
    assert decoded.body == bytes(1000)
    assert decoded.problem == "length"


def test_brotli() -> None:
    brotli = pytest.importorskip("brotli")
    assert decode(brotli.compress(b"words" * 100), "br").body == b"words" * 100
    bomb = decode(brotli.compress(bytes(5_000_000), quality=5), "br", limit=10_000)
    assert (bomb.body, bomb.problem) == (bytes(10_000), "length")
    assert decode(b"not brotli at all", "br").problem == "decode"


@pytest.mark.parametrize("name", ["gzip", "deflate", "zstd"])
@settings(max_examples=50, derandomize=True)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_taken_without_raising(name: str, data: bytes) -> None:
    decode(data, name)
    unchunk(data)


def test_members_are_counted() -> None:
    assert decode(gzip.compress(b"a") * 3, "gzip").body == b"aaa"
    assert decode(gzip.compress(b"") * (MAX_MEMBERS + 1), "gzip").problem == "decode"


def test_a_torn_gzip_keeps_its_beginning() -> None:
    text = bytes(range(256)) * 400
    torn = decode(gzip.compress(text)[:-30], "gzip")
    assert torn.problem == "decode"
    assert text.startswith(torn.body)
    wrong = bytearray(gzip.compress(text, 0))
    wrong[60_000] ^= 0xFF
    assert decode(bytes(wrong), "gzip").problem == "decode"


@pytest.mark.parametrize("name", ["gzip, gzip, gzip", "rot13", "gzip, zlib_codec", "unicode_escape"])
def test_unknown_or_too_many_layers_are_refused(name: str) -> None:
    assert decode(b"anything", name).problem == "decode"


def test_chunks() -> None:
    assert unchunk(b"3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\n\r\n") == b"abcde"
    assert unchunk(b"3\r\nabc\r\n5\r\nde") == b"abcde"  # cut: what came is kept
    assert unchunk(b"<!doctype html>") == b"<!doctype html>"  # only claims to be chunked
    assert unchunk(b"FFFFFFFFFFFFFFFFFF\r\nabc") == b"FFFFFFFFFFFFFFFFFF\r\nabc"
    assert unchunk(b"") == b""
