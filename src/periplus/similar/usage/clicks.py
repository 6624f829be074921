"""Files of click paths: one path a line, its pages (URLs, names or ids) divided by `;` or by tabs, `<` a step back.

Of a line with both, tabs divide columns and the path is the first column with a `;` in it, as in the paths of
wikispeedia. Lines that begin with # are comments. A step back leads back in the path too, so that each step of it is
one that was taken; where a page is unknown the path is cut in two. Plain, gzip or xz.

Cost: one pass over the lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from periplus.errors import storage
from periplus.similar.usage.logs import opened, short_lines

BACK = "<"


class Clicks:
    """The paths of one file as lists of page ids; `counts` says afterwards what was read, and how many pages are known.

    `page` finds a page by what a line calls it, −1 where there is none.
    """

    def __init__(self, path: str | Path, page: Callable[[bytes], int]) -> None:
        self.path, self._page = Path(path), page
        self.counts: Counter[str] = Counter()

    def __iter__(self) -> Iterator[list[int]]:
        with storage(self.path), opened(self.path) as stream:
            for line in short_lines(stream, self.path):
                if line.strip() and not line.startswith(b"#"):
                    self.counts["lines"] += 1
                    yield from self._paths(_names(line))

    def _paths(self, names: list[bytes]) -> Iterator[list[int]]:
        path: list[int] = []
        seen: list[int] = []  # the way back
        for name in names:
            if name == BACK.encode():
                if len(seen) > 1:
                    seen.pop()
                    path.append(seen[-1])
                continue
            page = self._page(name)
            self.counts["page views" if page >= 0 else "not of this collection"] += 1
            if page >= 0:
                path.append(page)
                seen.append(page)
                continue
            if path:
                yield path
            path, seen = [], []
        if path:
            yield path


def _names(line: bytes) -> list[bytes]:
    columns = [column.strip() for column in line.split(b"\t")]
    path = next((column for column in columns if b";" in column), None)
    names = columns if path is None else path.split(b";")
    return [name.strip() for name in names if name.strip()]
