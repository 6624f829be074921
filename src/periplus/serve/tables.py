"""Every table also as CSV, safe to open in a spreadsheet, and sent as it is made: of any length. Graphs as GEXF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.responses import Response, StreamingResponse

from periplus.graph import Graph, write_graph
from periplus.record import Table, csv_pieces

_CSV = "text/csv; charset=utf-8"


def csv_answer(name: str, table: Table) -> Response:
    """The table as a file to save."""
    return StreamingResponse(_pieces(table), media_type=_CSV, headers=_to_save(f"{name}.csv"))


def csv_text(name: str, text: str) -> Response:
    """A table that is CSV already, as a file to save."""
    return Response(text.encode("utf-8", "replace"), media_type=_CSV, headers=_to_save(f"{name}.csv"))


def _to_save(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-cache"}


def _pieces(table: Table) -> Iterator[bytes]:
    for piece in csv_pieces(tuple(table.columns), table.rows()):
        yield piece.encode("utf-8", "replace")


def gexf_answer(name: str, graph: Graph) -> Response:
    """A graph with its attributes as a file for Gephi."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph.gexf"
        write_graph(graph, path)
        content = path.read_bytes()
    return Response(content, media_type="application/gexf+xml", headers=_to_save(f"{name}.gexf"))
