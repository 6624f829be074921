"""Every table also as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from starlette.responses import Response

from periplus.record import csv_text


def csv_answer(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """The table as a file to save."""
    text = csv_text(columns, rows).encode("utf-8", "replace")
    headers = {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-cache"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
