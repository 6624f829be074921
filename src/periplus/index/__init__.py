"""The text index: what stands where in the pages, and what others call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "IndexDocument": "periplus.index.schema",
    "IndexReport": "periplus.index.build",
    "build_index": "periplus.index.build",
    "open_index": "periplus.index.build",
}

__all__ = ["IndexDocument", "IndexReport", "build_index", "open_index"]

if TYPE_CHECKING:
    from periplus.index.build import IndexReport, build_index, open_index
    from periplus.index.schema import IndexDocument

__getattr__, __dir__ = offers(__name__, _HOMES)
