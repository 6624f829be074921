"""The `.properties` file of a BVGraph: a Java property file with the parameters, the codes and the statistics.

`compressionflags` names the codes that are not the default, as `OUTDEGREES_DELTA | RESIDUALS_GAMMA`. Defaults: γ for
outdegrees, blocks, block counts, intervals and offsets, unary for references, ζ_k (k = `zetak`) for residuals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from periplus.errors import FormatError, InputError, ParameterError
from periplus.graph.bv.codes import DELTA, GAMMA, GOLOMB, NIBBLE, UNARY, ZETA

GRAPH_CLASS = "it.unimi.dsi.webgraph.BVGraph"
_GRAPH_CLASSES = (GRAPH_CLASS, "it.unimi.dsi.big.webgraph.BVGraph")
_CODES = {"UNARY": UNARY, "GAMMA": GAMMA, "DELTA": DELTA, "ZETA": ZETA, "NIBBLE": NIBBLE, "GOLOMB": GOLOMB}
_CODE_NAMES = {code: name for name, code in _CODES.items()}
_FLAG = re.compile(r"(OUTDEGREES|BLOCKS|RESIDUALS|REFERENCES|BLOCK_COUNT|OFFSETS|INTERVALS)_([A-Z]+)(\d*)")
MOST_K = 16


class Codes(NamedTuple):
    """How each part of a successor list is written; a plain tuple, so that compiled loops take it."""

    outdegrees: int = GAMMA
    references: int = UNARY
    block_count: int = GAMMA
    blocks: int = GAMMA
    intervals: int = GAMMA
    residuals: int = ZETA
    k: int = 3
    window: int = 7
    max_references: int = 3
    min_interval: int = 4


@dataclass(frozen=True, slots=True)
class Properties:
    """What a `.properties` file says; `statistics` holds every key as it stands."""

    nodes: int
    arcs: int
    codes: Codes
    offsets_code: int = GAMMA
    statistics: dict[str, str] = field(default_factory=dict)


def read_properties(path: Path) -> Properties:
    """Read and check a `.properties` file."""
    values = parse(path)
    name = values.get("graphclass", "")
    if name not in _GRAPH_CLASSES:
        raise FormatError(path, f"graphclass is {name or 'missing'}: only BVGraph files can be read")
    if values.get("endianness", "big") != "big":
        raise FormatError(path, "the bit stream is little-endian; only the standard big-endian one can be read")
    flags = _flags(path, values.get("compressionflags", ""))
    k = _whole(path, values, "zetak", flags.pop("k", 3))
    if not 1 <= k <= MOST_K:
        raise FormatError(path, f"zetak = {k} is not between 1 and {MOST_K}")
    offsets_code = flags.pop("offsets", GAMMA)
    window, longest = _whole(path, values, "windowsize", 7), _whole(path, values, "maxrefcount", 3)
    codes = Codes(**flags, k=k, window=window, max_references=longest, min_interval=_min_interval(path, values))
    return Properties(
        nodes=_count(path, values, "nodes", 2**32),
        arcs=_count(path, values, "arcs", 2**62),
        codes=codes,
        offsets_code=offsets_code,
        statistics=values,
    )


def parse(path: Path) -> dict[str, str]:
    """The keys and values of a Java property file; escapes of `:`, `=`, `#` and blanks are undone."""
    try:
        text = path.read_text(encoding="latin-1")
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    values = {}
    for line in text.splitlines():
        line = line.strip()
        if line and line[0] not in "#!":
            key, _, value = line.partition("=") if "=" in line else line.partition(":")
            values[key.strip()] = re.sub(r"\\(.)", r"\1", value.strip())
    return values


def _flags(path: Path, text: str) -> dict[str, int]:
    fields = {}
    for flag in filter(None, (part.strip() for part in text.split("|"))):
        match = _FLAG.fullmatch(flag)
        if match is None or match[2] not in _CODES:
            raise FormatError(path, f"compression flag {flag!r} is unknown")
        fields[match[1].lower()] = _CODES[match[2]]
        if match[3]:
            fields["k"] = int(match[3])
    return fields


def _whole(path: Path, values: dict[str, str], key: str, default: int | None = None) -> int:
    text = values.get(key)
    if text is None and default is not None:
        return default
    try:
        return int(text or "")
    except ValueError:
        raise FormatError(path, f"{key} is {text or 'missing'}, not a whole number") from None


def _count(path: Path, values: dict[str, str], key: str, most: int) -> int:
    count = _whole(path, values, key)
    if not 0 <= count <= most:
        raise FormatError(path, f"{key} = {count} is not between 0 and {most}")
    return count


def _min_interval(path: Path, values: dict[str, str]) -> int:
    least = _whole(path, values, "minintervallength", 4)
    if least < 0 or least == 1:
        raise FormatError(path, f"minintervallength = {least} is neither 0 nor at least 2")
    return least


def codes_from_options(
    window: int = 7, max_references: int = 3, min_interval: int = 4, k: int = 3, flags: str = ""
) -> tuple[Codes, int]:
    """Codes, and the code of the offsets, from what a caller asks for; `flags` as in `compressionflags`."""
    for name, value, least, most in (("window", window, 0, 1 << 16), ("k", k, 1, MOST_K)):
        if not least <= value <= most:
            raise ParameterError(name, value, f"{least} to {most}")
    if max_references < -1:
        raise ParameterError("max_references", max_references, "at least 0, or -1 for no bound")
    if min_interval < 0 or min_interval == 1:
        raise ParameterError("min_interval", min_interval, "0 (no intervals) or at least 2")
    fields: dict[str, int] = {}
    for flag in filter(None, (part.strip() for part in flags.split("|"))):
        match = _FLAG.fullmatch(flag)
        if match is None or match[2] not in _CODES or match[3]:
            raise ParameterError("flags", flag, "names such as RESIDUALS_DELTA, joined by |")
        fields[match[1].lower()] = _CODES[match[2]]
    offsets_code = fields.pop("offsets", GAMMA)
    codes = Codes(**fields, k=k, window=window, max_references=max_references, min_interval=min_interval)
    return codes, offsets_code


def flags_text(codes: Codes, offsets_code: int) -> str:
    """`compressionflags` for these codes: only what is not the default, in the authors' order."""
    default, parts = Codes(), []
    for name in ("outdegrees", "blocks", "residuals", "references", "block_count", "intervals"):
        if getattr(codes, name) != getattr(default, name):
            parts.append(f"{name.upper()}_{_CODE_NAMES[getattr(codes, name)]}")
    if offsets_code != GAMMA:
        parts.append(f"OFFSETS_{_CODE_NAMES[offsets_code]}")
    return " | ".join(parts)
