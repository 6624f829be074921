"""The text index: what stands where in the pages, and what others call them."""

from __future__ import annotations

from periplus.index.build import IndexReport, build_index, open_index
from periplus.index.schema import IndexDocument

__all__ = ["IndexDocument", "IndexReport", "build_index", "open_index"]
