"""Strands: lines between two lists that join the same page, for lists whose rows are all of one height.

The picture is as high as the longer list, each row of it `ROW` pixels; its width stretches. A page that rose from the
left list to the right one, fell, or kept its place is told by colour and by the slope itself; one that stands further
down in the other list has a short dashed end.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType

from periplus.draw.style import px, text
from periplus.wording import ordinal

ROW = 84  # as the stylesheet has it
_NONE: Mapping[Hashable, str] = MappingProxyType({})


def strands(
    left: Sequence[Hashable], right: Sequence[Hashable], shown: int, *, names: Mapping[Hashable, str] = _NONE
) -> str:
    """An SVG to be stretched over the gap between the first `shown` of two lists, which may go on below."""
    rows = max(min(len(left), shown), min(len(right), shown), 1)
    before, after = ({page: at for at, page in enumerate(pages)} for pages in (left, right))
    lines = [_line((at, after[page]), shown, names.get(page, str(page))) for page, at in _both(left, after, shown)]
    lines += [
        _line((before[page], at), shown, names.get(page, str(page)))
        for page, at in _both(right, before, shown)
        if before[page] >= shown
    ]
    joined = sum(after[page] < shown for page, _ in _both(left, after, shown))
    return (
        f'<svg class="strands" viewBox="0 0 100 {rows}" width="100" height="{rows * ROW}" preserveAspectRatio="none" '
        f'role="img" aria-label="{joined} of these pages stand on both sides">{"".join(lines)}</svg>'
    )


def _both(pages: Sequence[Hashable], there: Mapping[Hashable, int], shown: int) -> list[tuple[Hashable, int]]:
    """Those of the first pages of a list that the other one has too, with their places."""
    return [(page, at) for at, page in enumerate(pages[:shown]) if page in there]


def _line(places: tuple[int, int], shown: int, name: str) -> str:
    """From the left place to the right one; a dashed end where one of them is not shown."""
    first, second = places
    begin, end = px(first + 0.5), px(second + 0.5)
    if second >= shown:
        kind, way = "gone", f"M0 {begin}C14 {begin} 22 {first + 0.55:.2f} 28 {first + 0.8:.2f}"
    elif first >= shown:
        kind, way = "gone", f"M100 {end}C86 {end} 78 {second + 0.55:.2f} 72 {second + 0.8:.2f}"
    else:
        kind = "same" if first == second else "rose" if second < first else "fell"
        way = f"M0 {begin}C50 {begin} 50 {end} 100 {end}"
    told = f"{name}: {ordinal(first + 1)} on the left, {ordinal(second + 1)} on the right"
    return (
        f'<path class="{kind}" fill="none" vector-effect="non-scaling-stroke" d="{way}">'
        f"<title>{text(told)}</title></path>"
    )
