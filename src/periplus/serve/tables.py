"""Every table also as CSV, safe to open in a spreadsheet, and sent as it is made: of any length."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.responses import Response, StreamingResponse

from periplus.record import Table, csv_pieces


def csv_answer(name: str, table: Table) -> Response:
    """The table as a file to save."""
    headers = {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-cache"}
    return StreamingResponse(_pieces(table), media_type="text/csv; charset=utf-8", headers=headers)


def _pieces(table: Table) -> Iterator[bytes]:
    for piece in csv_pieces(tuple(table.columns), table.rows()):
        yield piece.encode("utf-8", "replace")
