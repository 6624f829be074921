"""Amounts of memory: as people write them, and as the machine has them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from periplus.errors import ParameterError

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?", re.IGNORECASE)


def parse_size(text: str | int) -> int:
    """Bytes in `"4GB"`, `"512 MiB"`, `"1.5G"` or a plain number."""
    if isinstance(text, int):
        return text
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise ParameterError("size", text, 'an amount such as "4GB" or "512MiB"')
    number, unit, binary = match.groups()
    scale = _UNITS[unit.upper()]
    if binary and unit:
        scale = 1024 ** "KMGT".index(unit.upper()) * 1024
    return int(float(number) * scale)


def available_memory() -> int:
    """Bytes that can be taken without pushing other programs out."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
