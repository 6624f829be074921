"""In-degree: d⁻(j) = Σ_i A[i, j], the number of pages that link to page j.

The baseline that every ranker is compared with: free (one difference of the in offsets), exact, and hard to beat on
graphs whose links were made one by one. A link from the page to itself counts, as it stands in the graph.
"""

from __future__ import annotations

from periplus.catalog import checked
from periplus.graph.graph import Graph
from periplus.rank.table import RANKERS
from periplus.record import Scores


@checked(RANKERS["indegree"])
def indegree(graph: Graph) -> Scores:
    """How many pages link to each page."""
    return Scores(
        method="indegree",
        values=graph.in_degrees.astype("float64"),
        parameters={},
        iterations=0,
        residual=0.0,
        error_bound=0.0,
        graph_digest=graph.digest,
        urls=graph.urls,
    )
