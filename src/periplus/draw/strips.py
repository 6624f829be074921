"""Strips: one stacked bar per row, for comparing how several wholes divide into the same parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from periplus.draw.style import opening, px, text, title_lines

_OPACITIES = (0.45, 0.9, 0.6, 0.3, 0.18, 0.06)
_NARROW = 480


def strips(
    rows: Sequence[tuple[str, Mapping[str, float]]], *, title: str, parts: Sequence[str], width: int = 640
) -> str:
    """Rows of (name, share of each part); the parts stand in the same order in every row, darkest is the second.

    In a narrow picture the names stand above their strips.
    """
    narrow = width < _NARROW
    titles = title_lines(title, width)
    key, below = _key(parts, width, 20.0 * len(titles) + 13)
    step, left, right = (44, 12.0, width - 12.0) if narrow else (30, 210.0, width - 18.0)
    out = [opening(width, below + 12 + step * len(rows), title), *titles, *key]
    for at, (name, shares) in enumerate(rows):
        y = below + step * at + (18 if narrow else 0)
        shown = name if len(name) <= 30 else name[:28] + "…"
        where = f'x="12" y="{px(y - 5)}"' if narrow else f'x="{px(left - 10)}" y="{px(y + 14)}" text-anchor="end"'
        out.append(f"<text {where}>{text(shown)}</text>")
        x = left
        for index, part in enumerate(parts):
            wide = (right - left) * max(shares.get(part, 0.0), 0.0)
            if wide > 0:
                words = f"{name}: {part} {100 * shares[part]:.1f} %"
                out.append(
                    f'<path class="region" stroke="currentColor" stroke-width="0.7" fill-opacity="{_shade(index)}" '
                    f'd="M{px(x)} {px(y)}h{px(wide)}v20h{px(-wide)}z"><title>{text(words)}</title></path>'
                )
            x += wide
    return "".join([*out, "</svg>"])


def _shade(index: int) -> float:
    return _OPACITIES[index % len(_OPACITIES)]


def _key(parts: Sequence[str], width: float, y: float) -> tuple[list[str], float]:
    """A shade and a name for each part, in as many rows as the width needs; and where the strips may begin."""
    out, x = [], 12.0
    for index, part in enumerate(parts):
        needs = 32 + 7.4 * len(part)
        if x > 12 and x + needs > width - 6:
            x, y = 12.0, y + 20
        out.append(
            f'<path class="region" stroke="currentColor" stroke-width="0.7" fill-opacity="{_shade(index)}" '
            f'd="M{px(x)} {px(y)}h12v12h-12z"/>'
            f'<text class="quiet" x="{px(x + 17)}" y="{px(y + 10)}">{text(part)}</text>'
        )
        x += needs
    return out, y + 29
