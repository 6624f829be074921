"""What the laboratory does in a process of its own: grow a graph and draw it, or list its links.

`work` is the task of the sandbox, so what goes in and out are plain values: the name of a model and its parameters, and
back come the sizes with the pictures as SVG, or the links as CSV, or the parameter that is refused and why.
"""

from __future__ import annotations

from typing import Any

from periplus.draw.page import PHONE, WIDE
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.library.tables import links_table
from periplus.models.pictures.report import figures
from periplus.models.table import MODELS, Model
from periplus.record import csv_pieces


def work(job: tuple[str, dict[str, Any], str]) -> tuple[Any, ...]:
    """("drawn", pages, links, pictures), ("csv", text), ("refused", parameter, message), or ("memory",)."""
    name, parameters, wanted = job
    model = MODELS[name]
    try:
        graph: Graph = model.function()(**parameters)
        return _csv(graph) if wanted == "csv" else _drawn(model, parameters, graph)
    except ParameterError as error:
        return "refused", error.name, str(error)
    except MemoryError:
        return ("memory",)


def _csv(graph: Graph) -> tuple[str, str]:
    table = links_table(graph)
    return "csv", "".join(csv_pieces(tuple(table.columns), table.rows()))


def _drawn(model: Model, parameters: dict[str, Any], graph: Graph) -> tuple[Any, ...]:
    pictures = tuple(
        (one.name, one.caption, one.draw(WIDE), one.draw(PHONE)) for one in figures(model, parameters, graph)
    )
    return "drawn", graph.nodes, graph.links, pictures
