"""Every table also as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from starlette.responses import Response

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_answer(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """The table as a file to save; a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    headers = {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-cache"}
    return Response(out.getvalue().encode("utf-8", "replace"), media_type="text/csv; charset=utf-8", headers=headers)


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
