"""Charsets: the html5lib cases, the order of the standard, and labels that must never reach Python's codecs."""

from __future__ import annotations

import codecs
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import data_path

from periplus.web.encoding import _NAME_OF_LABEL, decode, encoding_of_label, prescan, sniff


def html5lib_cases(name: str) -> list[tuple[bytes, str]]:
    archive = data_path("html5lib-tests") / "html5lib-tests.tar.xz"
    with tarfile.open(archive) as tar:
        member = next(m for m in tar.getmembers() if Path(m.name).parts[-2:] == ("encoding", name))
        text = tar.extractfile(member).read()
    cases = []
    for block in text.split(b"#data\n")[1:]:
        data, _, encoding = block.partition(b"\n#encoding\n")
        cases.append((data, encoding.split(b"\n")[0].decode().lower()))
    return cases


@pytest.mark.parametrize(("name", "count"), [("tests1.dat", 59), ("tests2.dat", 22), ("test-yahoo-jp.dat", 1)])
def test_html5lib_encoding_cases(name: str, count: int) -> None:
    cases = html5lib_cases(name)
    assert len(cases) == count
    # The byte is not UTF-8, so that the suite's default is ours too: for ASCII alone we would say UTF-8.
    wrong = [(data, expected) for data, expected in cases if sniff(data + b"\xe9")[0] != expected]
    assert wrong == []


def test_order_is_mark_then_header_then_meta_then_guess() -> None:
    meta = b"<meta charset=koi8-r>"
    assert sniff(b"\xef\xbb\xbf" + meta, "text/html; charset=big5") == ("utf-8", 3)
    assert sniff(b"\xff\xfe<\x00", "text/html; charset=utf-8") == ("utf-16le", 2)
    assert sniff(b"\xfe\xff\x00<") == ("utf-16be", 2)
    assert sniff(meta, "text/html; charset=big5") == ("big5", 0)
    assert sniff(meta, "text/html; charset=no-such") == ("koi8-r", 0)
    assert sniff(meta) == ("koi8-r", 0)
    assert sniff(b"<p>caf\xe9") == ("windows-1252", 0)
    assert sniff("<p>café".encode()) == ("utf-8", 0)
    assert sniff("<p>café, café".encode()[:-1]) == ("utf-8", 0)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html;charset=ISO-8859-2", "iso-8859-2"),
        ('text/html; charset="iso-8859-2"', "iso-8859-2"),
        ("text/html; boundary=x; CHARSET=iso-8859-2 ; q=1", "iso-8859-2"),
        ("text/html; charset=latin1", "windows-1252"),
        ("text/html; charset=", "utf-8"),
        ("charset=iso-8859-2", "utf-8"),
        (";;;", "utf-8"),
    ],
)
def test_charset_of_the_header(header: str, expected: str) -> None:
    assert sniff(b"plain", header)[0] == expected


@pytest.mark.parametrize(
    "label",
    ["zlib_codec", "rot13", "hex", "idna", "punycode", "unicode_escape", "utf-7", "base64", "", "x" * 9999, "utf-8\0"],
)
def test_other_labels_never_reach_the_codec_registry(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(codecs, "lookup", lambda name: asked.append(name))
    assert encoding_of_label(label) is None
    sniff(b"<meta charset='" + label.encode() + b"'>", f"text/html; charset={label}")
    assert asked == []


def test_meta_means_utf8_where_it_says_utf16() -> None:
    assert prescan(b"<meta charset=utf-16le>") == "utf-8"
    assert prescan(b"<meta charset=x-user-defined>") == "windows-1252"
    assert prescan(b"<?xml version='1.0' encoding='koi8-r'?>") == "koi8-r"
    assert prescan(b"<\x00?\x00x\x00") == "utf-16le"


def test_only_the_first_1024_bytes_are_looked_at() -> None:
    late = b"<p>" + b"x" * 1024 + b"<meta charset=koi8-r>"
    assert sniff(late)[0] == "utf-8"
    cut = b" " * 1010 + b"<meta charset=koi8-r>"
    assert sniff(cut)[0] == "utf-8"


@pytest.mark.parametrize("encoding", sorted(set(_NAME_OF_LABEL.values())))
def test_every_encoding_of_the_standard_decodes_all_bytes(encoding: str) -> None:
    assert isinstance(decode(bytes(range(256)), encoding), str)
    if not encoding.startswith(("utf-16", "replacement")):
        assert decode(b"plain ASCII", encoding) == "plain ASCII"


def test_labels_are_complete() -> None:
    assert len(_NAME_OF_LABEL) == 228
    assert len(set(_NAME_OF_LABEL.values())) == 39


def test_windows_1252_keeps_its_undefined_bytes_as_controls() -> None:
    assert decode(b"\x80\x81\x93", "windows-1252") == "€\x81“"
    assert decode(b"\xe1\x80", "x-user-defined") == "\uf7e1\uf780"


@settings(max_examples=100, derandomize=True)
@given(st.binary(max_size=200), st.one_of(st.none(), st.text(max_size=40)))
def test_any_bytes_and_any_header_give_an_encoding_that_decodes(body: bytes, header: str | None) -> None:
    encoding, mark = sniff(body, header)
    assert isinstance(decode(body[mark:], encoding), str)
