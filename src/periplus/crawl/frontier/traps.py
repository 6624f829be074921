"""Endless URL spaces, recognised by the shape of the URL: calendars, relative links that pile up, session numbers.

Before a fetch only the shape is known, so there are two simple tests: more than 20 path segments, or a run of segments
that repeats three times (`/a/a/a/`, `/a/b/a/b/a/b/`). The page cap and the run of duplicates (see `crawl/rules`) bound
what these tests miss. No regular expression with back-references is used: the well-known one takes 1.5 s on a hostile
URL of 1,899 characters.
"""

from __future__ import annotations

MAX_SEGMENTS = 20
REPEATS = 3


def is_trap(url: str) -> bool:
    """Whether the path of a canonical URL looks like a trap."""
    if url.count("/") < REPEATS + 3:  # scheme and host have three
        return False
    path = url.split("?", 1)[0].split("/")[3:]
    segments = [segment for segment in path if segment]
    return len(segments) > MAX_SEGMENTS or _repeats(segments)


def _repeats(segments: list[str]) -> bool:
    count = len(segments)
    for period in range(1, count // REPEATS + 1):
        run = 0
        for at in range(period, count):
            run = run + 1 if segments[at] == segments[at - period] else 0
            if run >= period * (REPEATS - 1):
                return True
    return False
