"""Pictures as data: what a drawing function of `periplus.draw` is given, so that results can be kept and drawn later.

A picture is kept in JSON by its kind and the arguments of what draws it, and drawn at any width when it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from periplus.draw.bowtie import bowtie_picture
from periplus.draw.charts import Kind, Series, chart, series_csv
from periplus.draw.network import network_picture
from periplus.draw.page import Figure
from periplus.graph.graph import Graph
from periplus.record import Findings


@dataclass(frozen=True, slots=True)
class Picture(Findings):
    """One picture: which function draws it, with what, and what it shows in a sentence."""

    kind: str
    caption: str
    drawn: Mapping[str, Any]

    def figure(self, name: str) -> Figure:
        """The picture as every page shows it, with its data as CSV."""
        draw, csv = _KINDS[self.kind]
        return Figure(name, partial(draw, self.drawn), self.caption, csv(self.drawn))


def line(label: str, x: npt.ArrayLike, y: npt.ArrayLike, *, muted: bool = False) -> dict[str, Any]:
    """A series drawn as a line."""
    return _series(label, x, y, "line", muted)


def points(label: str, x: npt.ArrayLike, y: npt.ArrayLike) -> dict[str, Any]:
    """A series drawn as points."""
    return _series(label, x, y, "points", False)


def plot(*series: dict[str, Any], title: str, x: str, y: str, log: str = "", caption: str = "") -> Picture:
    """A chart of series; `log` names the axes that are logarithmic: "x", "y" or "xy"."""
    scales = {f"{axis}_scale": "log" if axis in log else "linear" for axis in "xy"}
    about = {"title": title, "x_label": x, "y_label": y, **scales}
    return Picture("chart", caption, {"series": list(series), **about})


def net(
    graph: Graph,
    title: str,
    *,
    caption: str = "",
    places: Sequence[tuple[float, float]] | None = None,
    labels: Sequence[str] = (),
    path: Sequence[int] = (),
) -> Picture:
    """A small graph drawn whole."""
    links = [(page, int(target)) for page in range(graph.nodes) for target in graph.successors(page)]
    spots = None if places is None else [[round(float(x), 3), round(float(y), 3)] for x, y in places]
    about = {"nodes": graph.nodes, "links": links, "title": title, "places": spots}
    return Picture("network", caption, {**about, "labels": list(labels), "path": [int(page) for page in path]})


def seen(places: npt.ArrayLike, title: str, *, caption: str = "") -> Picture:
    """Places in a plane, to scale."""
    spots = np.asarray(places, dtype=np.float64)[:, :2]
    return Picture(
        "places", caption, {"places": [[round(x, 3), round(y, 3)] for x, y in spots.tolist()], "title": title}
    )


def tie(counts: Mapping[str, int], title: str, *, caption: str = "") -> Picture:
    """A bow-tie to scale."""
    return Picture("bowtie", caption, {"counts": {name: int(count) for name, count in counts.items()}, "title": title})


def _series(label: str, x: npt.ArrayLike, y: npt.ArrayLike, kind: Kind, muted: bool) -> dict[str, Any]:
    def plain(values: npt.ArrayLike) -> list[float]:
        return [float(f"{value:.5g}") for value in np.asarray(values, dtype=np.float64)]

    return {"label": label, "x": plain(x), "y": plain(y), "kind": kind, "muted": muted}


def _draw_chart(drawn: Mapping[str, Any], **more: Any) -> str:
    rest = {name: value for name, value in drawn.items() if name != "series"}
    return chart([Series(**one) for one in drawn["series"]], **rest, **more)


def _draw_network(drawn: Mapping[str, Any], **more: Any) -> str:
    links = [(int(a), int(b)) for a, b in drawn["links"]]
    places = None if drawn["places"] is None else [(x, y) for x, y in drawn["places"]]
    rest = {name: drawn[name] for name in ("title", "labels", "path")}
    return network_picture(drawn["nodes"], links, places=places, **rest, **more)


def _draw_tie(drawn: Mapping[str, Any], **more: Any) -> str:
    return bowtie_picture(drawn["counts"], title=drawn["title"], **more)


def _draw_places(drawn: Mapping[str, Any], **more: Any) -> str:
    places = [(x, y) for x, y in drawn["places"]]
    return network_picture(len(places), [], places=places, title=drawn["title"], **more)


_KINDS: dict[str, Any] = {
    "chart": (_draw_chart, lambda drawn: series_csv([Series(**one) for one in drawn["series"]])),
    "network": (_draw_network, lambda drawn: "source,target\n" + "".join(f"{a},{b}\n" for a, b in drawn["links"])),
    "places": (_draw_places, lambda drawn: "x,y\n" + "".join(f"{x},{y}\n" for x, y in drawn["places"])),
    "bowtie": (_draw_tie, lambda drawn: "region,pages\n" + "".join(f"{a},{b}\n" for a, b in drawn["counts"].items())),
}
