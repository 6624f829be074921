"""The character encoding of an HTML page, found in the order of the WHATWG standards.

First a byte-order mark, then the HTTP header, then a `<meta>` (or XML declaration) in the first 1024 bytes, then a
guess: UTF-8 if the bytes are valid UTF-8, else what a later `<meta>` says (browsers restart when they meet it), else
windows-1252. Names come from a remote page, so they are looked up only in the label table of the Encoding standard,
never in the codec registry of Python (`charset=zlib_codec` is not an encoding here).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from periplus.web.tags import ATTRIBUTE_BYTES, TOKEN_BYTES

PRESCAN_BYTES = 1024

# The Encoding standard, https://encoding.spec.whatwg.org/#names-and-labels: name, then its other labels.
_LABELS = """
utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866: 866 cp866 csibm866
iso-8859-2: csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3: csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4: csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5: csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 \
iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 \
sun_eu_greek
iso-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 \
visual csiso88598i iso-8859-8-i logical
iso-8859-10: csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13: iso8859-13 iso885913
iso-8859-14: iso8859-14 iso885914
iso-8859-15: csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16:
koi8-r: cskoi8r koi koi8 koi8_r
koi8-u: koi8-ru
macintosh: csmacintosh mac x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250: cp1250 x-cp1250
windows-1251: cp1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 \
iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
windows-1253: cp1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254
windows-1255: cp1255 x-cp1255
windows-1256: cp1256 x-cp1256
windows-1257: cp1257 x-cp1257
windows-1258: cp1258 x-cp1258
x-mac-cyrillic: x-mac-ukrainian
gbk: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030:
big5: big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp: cseucpkdfmtjapanese x-euc-jp
iso-2022-jp: csiso2022jp
shift_jis: csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr: cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
replacement: csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr
utf-16be: unicodefffe
utf-16le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
x-user-defined:
"""

# Encodings whose decoder has another name in Python.
_CODECS = {
    "ibm866": "cp866",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "windows-874": "cp874",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc-jp": "euc_jis_2004",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}
_MULTI_BYTE = {
    "utf-8",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "utf-16be",
    "utf-16le",
}


def _read_labels() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _LABELS.strip().splitlines():
        name, _, labels = line.partition(":")
        table |= dict.fromkeys([name, *labels.split()], name)
    return table


_NAME_OF_LABEL = _read_labels()
_SPACE = "\t\n\x0c\r "


def encoding_of_label(label: str | bytes) -> str | None:
    """The encoding that a label means in the table of the standard; None for an unknown label."""
    if isinstance(label, bytes):
        label = label.decode("latin-1")
    return _NAME_OF_LABEL.get(label.strip(_SPACE).lower())


def _single_byte_table(name: str) -> str:
    """The 256 characters of a one-byte encoding; C1 bytes that Python does not define decode to themselves."""
    if name == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    codec = _CODECS.get(name, name)
    table = [bytes([byte]).decode(codec, "replace") for byte in range(256)]
    return "".join(
        chr(byte) if character == "\ufffd" and 0x80 <= byte < 0xA0 else character
        for byte, character in enumerate(table)
    )


_tables: dict[str, str] = {}


def decode(body: bytes, encoding: str) -> str:
    """Decode with an encoding of the standard; undecodable bytes become U+FFFD, so this never fails."""
    if encoding == "replacement":
        return "\ufffd" if body else ""
    if encoding in _MULTI_BYTE:
        return body.decode(_CODECS.get(encoding, encoding), "replace")
    if encoding not in _tables:
        _tables[encoding] = _single_byte_table(encoding)
    return codecs.charmap_decode(body, "replace", _tables[encoding])[0]


def sniff(body: bytes, content_type: str | None = None) -> tuple[str, int]:
    """The encoding of a page and the length of its byte-order mark."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return encoding, len(mark)
    declared = _of_header(content_type) or prescan(body[:PRESCAN_BYTES])
    return declared or _guess(body), 0


_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_HEADER_CHARSET = re.compile(r""";[\t\n\r ]*charset=(?:"([^"]*)"|([^;"\t\n\r ]*))""", re.IGNORECASE)


def _of_header(content_type: str | None) -> str | None:
    match = _HEADER_CHARSET.search(content_type) if content_type and ";" in content_type else None
    return encoding_of_label(match[1] or match[2] or "") if match else None


def _guess(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body cut in the middle of a character is still UTF-8, if it has complete ones before the cut.
        cut = error.reason == "unexpected end of data" and not body[: error.start].isascii()
        return "utf-8" if cut else prescan(body) or "windows-1252"
    return "utf-8"


_XML_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^">]*)"|'([^'>]*)')""")
_META_CHARSET = re.compile(
    rb"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\x0c\r ;\"'][^\t\n\x0c\r ;]*))",
    re.IGNORECASE,
)


def prescan(head: bytes) -> str | None:
    """The encoding that a `<meta>` among the first bytes declares, by the prescan algorithm of the standard."""
    if head.startswith(b"<\x00?\x00x\x00"):
        return "utf-16le"
    if head.startswith(b"\x00<\x00?\x00x"):
        return "utf-16be"
    if b"charset" in head.lower():
        for tag, attributes in _tags(head):
            if tag == b"meta" and (found := _of_meta(attributes)):
                return found
    if head.startswith(b"<?xml") and (match := _XML_ENCODING.match(head)):
        return _never_utf16(encoding_of_label(match[1] or match[2] or b""))
    return None


def _tags(head: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The tags in order; stops at a tag that the first bytes do not complete, as the algorithm of the standard does."""
    for match in TOKEN_BYTES.finditer(head):
        if match[2] is not None:
            if not match[4]:
                return
            yield match[1] + match[2].lower(), match[3]


def _of_meta(attributes: bytes) -> str | None:
    seen: set[bytes] = set()
    pragma, needs_pragma, charset = False, None, None
    for match in ATTRIBUTE_BYTES.finditer(attributes):
        name, value = match[1].lower(), match[2] or match[3] or match[4] or b""
        if name in seen:
            continue
        seen.add(name)
        if name == b"http-equiv":
            pragma = value.lower() == b"content-type"
        elif name == b"content" and charset is None:
            inner = _META_CHARSET.search(value)
            charset = encoding_of_label(inner[1] or inner[2] or inner[3] or b"") if inner else None
            needs_pragma = True if charset else needs_pragma
        elif name == b"charset":
            charset, needs_pragma = encoding_of_label(value), False
    if needs_pragma is None or (needs_pragma and not pragma):
        return None
    return _never_utf16(charset)


def _never_utf16(encoding: str | None) -> str | None:
    """Bytes that were readable as ASCII cannot be UTF-16; the standard says to use UTF-8."""
    if encoding in ("utf-16be", "utf-16le"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding
