"""Association graphs (Pirolli, Pitkow and Rao 1996; Deo and Gupta 4): how strongly pages hang together, by three signs.

    links    1 for each direction in which a link leads
    text     the cosine of the words of two pages, for the nearest of each page
    usage    how many people stepped from one to the other, either way

Each is a symmetric `Graph` for every other tool (communities, rankings, maps), with a weight a link. Combined, each is
first divided by √(dᵢ dⱼ), d the sum of a page's weights, so that the three weigh alike whatever they count.

Cost: O(m) for links and usage; for text a product of the word matrix with itself, a block of pages at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats
from periplus.record import best_first
from periplus.similar.lsi import out_matrix
from periplus.similar.reasons import Either, SharedLinks, SharedWords
from periplus.similar.record import Pages, Related, check_count, known_pages
from periplus.similar.table import SIMILAR
from periplus.similar.usage.flow import Flow, flow_of
from periplus.similar.vectors import Reasons, related
from periplus.similar.weighting import unit_rows, weighted
from periplus.similar.words import as_words

_AT_ONCE = 256
_SIGNS = {"links": "linked", "text": "alike in words", "usage": "visited one after the other"}


@dataclass(frozen=True, eq=False, repr=False)
class Association:
    """A symmetric graph and `weights[k]`, how strong its k-th link is; `nearest` returns the strongest of a page."""

    method: str
    graph: Graph
    weights: Floats
    parameters: dict[str, Any]
    reasons: Reasons = field(default=lambda starts, page: "they hang together")

    def __repr__(self) -> str:
        return f"Association({self.method}, {self.graph.nodes:,} pages, {self.graph.links // 2:,} pairs)"

    @property
    def urls(self) -> Any:
        """The URLs of the pages, None where there are none."""
        return self.graph.urls

    def nearest(self, pages: Pages, count: int = 10) -> Related:
        """The pages that hang together most with the given ones."""
        starts = known_pages(pages, self.graph.nodes, self.urls)
        strength = np.zeros(self.graph.nodes)
        for start in starts:
            row = slice(int(self.graph.out_offsets[start]), int(self.graph.out_offsets[start + 1]))
            strength[self.graph.out_targets[row]] += self.weights[row]
        near = best_first(strength, check_count(count) + len(starts))
        return related(self, starts, near, strength[near], count)


@checked(SIMILAR["association-links"])
def association_links(graph: Graph) -> Association:
    """Pages that are linked."""
    return _made("association-links", graph, {"links": (1.0, _links(graph))}, SharedLinks(graph))


@checked(SIMILAR["association-text"])
def association_text(graph: Graph, words: Any, *, neighbours: int = 20, weighting: str = "log-tf") -> Association:
    """Pages that say the same: the nearest of each by cosine."""
    known = as_words(words, graph.nodes)
    rows = unit_rows(weighted(known.matrix, weighting))
    given = {"neighbours": neighbours, "weighting": weighting}
    return _made("association-text", graph, {"text": (1.0, _text(rows, neighbours))}, SharedWords(rows, known), **given)


@checked(SIMILAR["association-usage"])
def association_usage(graph: Graph, paths: Any) -> Association:
    """Pages that people visit one after the other; `paths` are lists of page ids, or a `Flow`."""
    flow = _flow(paths, graph)
    return _made("association-usage", graph, {"usage": (1.0, _usage(flow))}, _Taken(flow))


@checked(SIMILAR["association"])
def association(
    graph: Graph,
    words: Any,
    paths: Any,
    *,
    links: float = 1.0,
    text: float = 1.0,
    usage: float = 1.0,
    neighbours: int = 20,
    weighting: str = "log-tf",
) -> Association:
    """All three signs together, each with its part."""
    if not links + text + usage:
        raise ParameterError("links", links, "some part above 0: one of links, text and usage")
    known, flow = as_words(words, graph.nodes), _flow(paths, graph)
    rows = unit_rows(weighted(known.matrix, weighting))
    signs = {"links": (links, _links(graph)), "text": (text, _text(rows, neighbours)), "usage": (usage, _usage(flow))}
    reasons = Either(SharedWords(rows, known), SharedLinks(graph), _Taken(flow), otherwise="they hang together")
    given = {"links": links, "text": text, "usage": usage, "neighbours": neighbours, "weighting": weighting}
    return _made("association", graph, signs, reasons, **given)


class _Taken:
    """How many people stepped from one page to the other."""

    def __init__(self, flow: Flow) -> None:
        self._steps = _usage(flow)

    def __call__(self, starts: list[int], page: int) -> str:
        times = int(self._steps[starts, :][:, [page]].sum())
        people = "person" if times == 1 else "people"
        return f"{times:,} {people} went from one to the other" if times else ""


def _made(
    method: str, graph: Graph, signs: dict[str, tuple[float, Any]], reasons: Reasons, **given: Any
) -> Association:
    several = len(signs) > 1
    parts = [part * (_balanced(matrix) if several else matrix) for part, matrix in signs.values() if part]
    total = parts[0]
    for further in parts[1:]:
        total = total + further
    total = csr_array(total)
    total.setdiag(0)
    total.eliminate_zeros()
    total.sort_indices()
    made = Graph(total.indptr.astype(np.int64), total.indices.astype(np.uint32), urls=graph.urls)
    made = made.described(links={"weight": total.data.astype(np.float64)})
    said = Either(reasons, otherwise=f"they are {' and '.join(_SIGNS[name] for name in signs)}")
    return Association(method, made, total.data.astype(np.float64), given, said)


def _balanced(matrix: Any) -> Any:
    """Each weight divided by the root of what its two pages have in all."""
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    scale = diags_array(1 / np.sqrt(np.where(sums > 0, sums, 1)))
    return csr_array(scale @ matrix @ scale)


def _links(graph: Graph) -> Any:
    links = out_matrix(graph).astype(np.float64)
    return csr_array(links + links.T)


def _usage(flow: Flow) -> Any:
    steps = csr_array((flow.counts.astype(np.float64), flow.graph.out_targets.astype(np.int64), flow.graph.out_offsets),
                      shape=(flow.graph.nodes,) * 2)  # fmt: skip
    return csr_array(steps + steps.T)


def _text(rows: Any, neighbours: int) -> Any:
    """The cosines of each page with its nearest, made symmetric: a pair counts where one names the other."""
    pages, across = rows.shape[0], csr_array(rows.T)
    found: list[tuple[AnyArray, AnyArray, AnyArray]] = []
    for begin in range(0, pages, _AT_ONCE):
        cosines = (rows[begin : begin + _AT_ONCE] @ across).toarray()
        cosines[np.arange(len(cosines)), np.arange(begin, begin + len(cosines))] = 0
        most = min(neighbours, pages)
        near = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
        values = np.take_along_axis(cosines, near, axis=1)
        found.append((np.repeat(np.arange(begin, begin + len(cosines)), most), near.ravel(), values.ravel()))
    sources, targets, values = (np.concatenate(part) for part in zip(*found, strict=True))
    kept = values > 0
    one_way = csr_array((values[kept].astype(np.float64), (sources[kept], targets[kept])), shape=(pages, pages))
    return csr_array(one_way.maximum(one_way.T))


def _flow(paths: Any, graph: Graph) -> Flow:
    if isinstance(paths, Flow):
        if paths.graph.nodes != graph.nodes:
            raise ParameterError("paths", paths, f"a flow over {graph.nodes} pages")
        return paths
    try:
        return flow_of([list(path) for path in paths], graph.nodes)
    except (TypeError, ValueError) as error:
        raise ParameterError("paths", type(paths).__name__, "lists of page ids, or a Flow") from error
