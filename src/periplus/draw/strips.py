"""Strips: one stacked bar per row, for comparing how several wholes divide into the same parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from periplus.draw.style import px, text

_OPACITIES = (0.45, 0.9, 0.6, 0.3, 0.18, 0.06)


def strips(
    rows: Sequence[tuple[str, Mapping[str, float]]], *, title: str, parts: Sequence[str], width: int = 640
) -> str:
    """Rows of (name, share of each part); the parts stand in the same order in every row, darkest is the second."""
    height = 74 + 30 * len(rows)
    left, right = 210.0, width - 18.0
    out = [
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{text(title)}" font-family="system-ui, sans-serif" font-size="12" '
        'fill="currentColor">',
        f'<text class="chart-title" x="12" y="20" font-size="15" font-family="Georgia, serif">{text(title)}</text>',
        *_key(parts),
    ]
    for at, (name, shares) in enumerate(rows):
        y = 62 + 30 * at
        shown = name if len(name) <= 30 else name[:28] + "…"
        out.append(f'<text x="{px(left - 10)}" y="{y + 14}" text-anchor="end">{text(shown)}</text>')
        x = left
        for index, part in enumerate(parts):
            wide = (right - left) * max(shares.get(part, 0.0), 0.0)
            if wide > 0:
                words = f"{name}: {part} {100 * shares[part]:.1f} %"
                out.append(
                    f'<path class="region" stroke="currentColor" stroke-width="0.7" fill-opacity="{_shade(index)}" '
                    f'd="M{px(x)} {y}h{px(wide)}v20h{px(-wide)}z"><title>{text(words)}</title></path>'
                )
            x += wide
    return "".join([*out, "</svg>"])


def _shade(index: int) -> float:
    return _OPACITIES[index % len(_OPACITIES)]


def _key(parts: Sequence[str]) -> list[str]:
    out, x = [], 12.0
    for index, part in enumerate(parts):
        out.append(
            f'<path class="region" stroke="currentColor" stroke-width="0.7" fill-opacity="{_shade(index)}" '
            f'd="M{px(x)} 33h12v12h-12z"/><text class="quiet" x="{px(x + 17)}" y="43">{text(part)}</text>'
        )
        x += 30 + 7 * len(part)
    return out
