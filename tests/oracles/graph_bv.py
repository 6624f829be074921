"""BVGraph by the book: codes as strings of 0 and 1, rows as Python lists; slow, and written apart from the package."""

from __future__ import annotations


def unary(x: int) -> str:
    return "0" * x + "1"


def gamma(x: int) -> str:
    binary = bin(x + 1)[2:]
    return "0" * (len(binary) - 1) + binary


def delta(x: int) -> str:
    binary = bin(x + 1)[2:]
    return gamma(len(binary) - 1) + binary[1:]


def minimal_binary(x: int, size: int) -> str:
    """Truncated binary code of x among `size` numbers: the first few in one bit less."""
    width = (size - 1).bit_length()
    short = 2**width - size
    if x >= short:
        return format(x + short, f"0{width}b") if width else ""
    return format(x, f"0{width - 1}b") if width > 1 else ""


def zeta(x: int, k: int) -> str:
    h = 0
    while x + 1 >= 2 ** ((h + 1) * k):
        h += 1
    left = 2 ** (h * k)
    return unary(h) + minimal_binary(x + 1 - left, 2 ** ((h + 1) * k) - left)


def nibble(x: int) -> str:
    digits = oct(x)[2:]
    return "".join(format(int(d) + (8 if i == len(digits) - 1 else 0), "04b") for i, d in enumerate(digits))


def golomb(x: int, b: int) -> str:
    return unary(x // b) + minimal_binary(x % b, b)


class Reader:
    """Reads a string of bits from the left."""

    def __init__(self, bits: str) -> None:
        self.bits = bits
        self.at = 0

    def take(self, n: int) -> int:
        part = self.bits[self.at : self.at + n]
        assert len(part) == n
        self.at += n
        return int(part, 2) if n else 0

    def unary(self) -> int:
        end = self.bits.index("1", self.at)
        x, self.at = end - self.at, end + 1
        return x

    def gamma(self) -> int:
        n = self.unary()
        return (1 << n) + self.take(n) - 1

    def zeta(self, k: int) -> int:
        h = self.unary()
        left, size = 2 ** (h * k), 2 ** ((h + 1) * k) - 2 ** (h * k)
        width = (size - 1).bit_length()
        short = 2**width - size
        if width == 0:
            return left - 1
        x = self.take(width - 1)
        if x >= short:
            x = 2 * x + self.take(1) - short
        return x + left - 1


def integer(natural: int) -> int:
    return natural // 2 if natural % 2 == 0 else -(natural + 1) // 2


def decode(data: bytes, nodes: int, *, window: int = 7, min_interval: int = 4, k: int = 3) -> list[list[int]]:
    """All rows of a stream with the default codes."""
    stream = Reader("".join(format(byte, "08b") for byte in data))
    rows: list[list[int]] = []
    for node in range(nodes):
        rows.append(_row(stream, node, rows, window, min_interval, k))
    return rows


def _row(stream: Reader, node: int, rows: list[list[int]], window: int, min_interval: int, k: int) -> list[int]:
    degree = stream.gamma()
    if degree == 0:
        return []
    found: set[int] = set()
    back = stream.unary() if window else 0
    if back:
        reference = rows[node - back]
        blocks = [stream.gamma() + (1 if i else 0) for i in range(stream.gamma())]
        at = 0
        for i, length in enumerate([*blocks, len(reference)]):
            if i % 2 == 0:
                found |= set(reference[at : at + length])
            at += length
    if len(found) < degree and min_interval:
        end = 0
        for i in range(stream.gamma()):
            left = node + integer(stream.gamma()) if i == 0 else end + 1 + stream.gamma()
            end = left + stream.gamma() + min_interval
            found |= set(range(left, end))
    previous = None
    while len(found) < degree:
        step = stream.zeta(k)
        previous = node + integer(step) if previous is None else previous + step + 1
        found.add(previous)
    return sorted(found)
