"""Communities: groups of pages that belong together by their links, and one labelled tree over them all.

`COMMUNITIES` is the one table that the command line, the API, the docs and the contract test read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.communities.groups import PageGroup, PageGroups
from periplus.communities.table import COMMUNITIES, Method
from periplus.lazy import offers

_HOMES = {row.home.partition(":")[2]: row.home.partition(":")[0] for row in COMMUNITIES.values()} | {
    "core_counts": "periplus.communities.trawling.trawl",
    "adjusted_mutual_information": "periplus.communities.agreement",
    "dendrogram_purity": "periplus.communities.agreement",
    "Tree": "periplus.communities.hierarchy.tree",
    "modularity": "periplus.communities.modular.leiden",
}

__all__ = ["COMMUNITIES", "Method", "PageGroup", "PageGroups", *sorted(_HOMES)]

if TYPE_CHECKING:
    from periplus.communities.agreement import adjusted_mutual_information as adjusted_mutual_information
    from periplus.communities.agreement import dendrogram_purity as dendrogram_purity
    from periplus.communities.hierarchy.tree import Tree as Tree
    from periplus.communities.hierarchy.tree import likeness as likeness
    from periplus.communities.hierarchy.tree import tree as tree
    from periplus.communities.knowing.base import knowledge as knowledge
    from periplus.communities.local.aggregates import aggregates as aggregates
    from periplus.communities.local.centres import centres as centres
    from periplus.communities.local.eigenvectors import eigenvectors as eigenvectors
    from periplus.communities.local.mincut import min_cut as min_cut
    from periplus.communities.local.sites import sites as sites
    from periplus.communities.modular.leiden import leiden as leiden
    from periplus.communities.modular.leiden import modularity as modularity
    from periplus.communities.spatial.sky import attractors as attractors
    from periplus.communities.spatial.sky import dichotomy as dichotomy
    from periplus.communities.spatial.sky import spheres as spheres
    from periplus.communities.trawling.trawl import core_counts as core_counts
    from periplus.communities.trawling.trawl import trawl as trawl

__getattr__, __dir__ = offers(__name__, _HOMES)
