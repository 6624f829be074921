"""From hits to the paths that people took: sessions are cut where a visitor pauses for `PAUSE` seconds.

A path is a list of pages. Where the referrer is a page of the site, the step came from there: a visitor who went back
and took another link is led back in the path too, so that each step of it is one that was taken. Where the referrer is
a page elsewhere, a new path begins. Loading a page again is no step.

Cost: a few dictionary lookups a hit; memory for the visitors who are under way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from periplus.similar.usage.logs import Hit

PAUSE = 1800

Finder = Callable[[bytes], int]
ELSEWHERE = -1


class Sessions:
    """Paths of page ids out of hits in the order of the log; `page` and `origin` find the page of a path, a referrer.

    `robots` are visitors to leave out, known at the end: those who read robots.txt.
    """

    def __init__(self, page: Finder, origin: Finder) -> None:
        self._page, self._origin = page, origin
        self._under_way: dict[bytes, tuple[int, list[int]]] = {}
        self.pages = self.elsewhere = 0

    def paths(self, hits: Iterable[Hit], robots: set[bytes]) -> Iterator[list[int]]:
        """Every path, when it ends."""
        under_way, page_of = self._under_way, self._page
        for visitor, time, path, referrer in hits:
            page = page_of(path)
            if page < 0:
                self.elsewhere += 1
                continue
            self.pages += 1
            last, steps = under_way.get(visitor, (time, []))
            origin = self._origin(referrer) if referrer else None
            elsewhere = origin == ELSEWHERE and bool(steps) and page != steps[-1]
            if time - last > PAUSE or elsewhere:
                if visitor not in robots:
                    yield steps
                steps = []
            _step(steps, origin, page)
            under_way[visitor] = (time, steps)
        yield from (steps for visitor, (_, steps) in under_way.items() if visitor not in robots)
        under_way.clear()


def _step(steps: list[int], origin: int | None, page: int) -> None:
    """Add a step to a path, by way of the page that it came from where that is known."""
    if origin is not None and origin >= 0 and (not steps or steps[-1] != origin):
        steps.append(origin)
    if not steps or steps[-1] != page:
        steps.append(page)
