"""An opened collection, and all that can be asked of it.

The command line, Python and the server all ask here, so nothing can be asked by one of them alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "TABLES": "periplus.library.tables",
    "Library": "periplus.library.library",
    "Portrait": "periplus.library.portrait",
    "around": "periplus.library.around",
    "best_of_sites": "periplus.library.sites",
    "best_pages": "periplus.library.sites",
    "branch_facts": "periplus.library.branches",
    "branches_of": "periplus.library.around",
    "changes_of": "periplus.library.changes",
    "communities_about": "periplus.library.communities",
    "communities_of_page": "periplus.library.communities",
    "communities_table": "periplus.library.communities",
    "community_facts": "periplus.library.communities",
    "community_rows": "periplus.library.communities",
    "community_view": "periplus.library.communities",
    "compare_query": "periplus.library.compare",
    "copies_in": "periplus.library.relations",
    "crosstalk": "periplus.library.relations",
    "crosstalk_table": "periplus.library.relations",
    "graph_of_pages": "periplus.library.drawn",
    "difference": "periplus.library.history",
    "history_of": "periplus.library.history",
    "info": "periplus.library.inspect",
    "linked_from": "periplus.library.neighbours",
    "linked_sites": "periplus.library.relations",
    "linking_here": "periplus.library.neighbours",
    "linking_sites": "periplus.library.relations",
    "known_for": "periplus.library.renown",
    "links_of": "periplus.library.page_links",
    "links_table": "periplus.library.tables",
    "links_table_of": "periplus.library.page_links",
    "node_view": "periplus.library.branches",
    "nodes_about": "periplus.library.branches",
    "nodes_table": "periplus.library.branches",
    "open_library": "periplus.library.library",
    "open_searcher": "periplus.library.library",
    "pages_of": "periplus.library.sites",
    "pages_table": "periplus.library.tables",
    "path_of_page": "periplus.library.branches",
    "portrait_of": "periplus.library.portrait",
    "region_shares": "periplus.library.relations",
    "search": "periplus.library.library",
    "site_rows": "periplus.library.sites",
    "sites_table": "periplus.library.tables",
    "study_of": "periplus.library.study",
    "subjects_of": "periplus.library.branches",
    "top_branches": "periplus.library.branches",
    "visits_of": "periplus.library.changes",
    "verify": "periplus.library.inspect",
}

__all__ = [
    "TABLES",
    "Library",
    "Portrait",
    "around",
    "best_of_sites",
    "best_pages",
    "branch_facts",
    "branches_of",
    "changes_of",
    "communities_about",
    "communities_of_page",
    "communities_table",
    "community_facts",
    "community_rows",
    "community_view",
    "compare_query",
    "copies_in",
    "crosstalk",
    "crosstalk_table",
    "difference",
    "graph_of_pages",
    "history_of",
    "info",
    "known_for",
    "linked_from",
    "linked_sites",
    "linking_here",
    "linking_sites",
    "links_of",
    "links_table",
    "links_table_of",
    "node_view",
    "nodes_about",
    "nodes_table",
    "open_library",
    "open_searcher",
    "pages_of",
    "pages_table",
    "path_of_page",
    "portrait_of",
    "region_shares",
    "search",
    "site_rows",
    "sites_table",
    "study_of",
    "subjects_of",
    "top_branches",
    "verify",
    "visits_of",
]

if TYPE_CHECKING:
    from periplus.library.around import around, branches_of
    from periplus.library.branches import (
        branch_facts,
        node_view,
        nodes_about,
        nodes_table,
        path_of_page,
        subjects_of,
        top_branches,
    )
    from periplus.library.changes import changes_of, visits_of
    from periplus.library.communities import (
        communities_about,
        communities_of_page,
        communities_table,
        community_facts,
        community_rows,
        community_view,
    )
    from periplus.library.compare import compare_query
    from periplus.library.drawn import graph_of_pages
    from periplus.library.history import difference, history_of
    from periplus.library.inspect import info, verify
    from periplus.library.library import Library, open_library, open_searcher, search
    from periplus.library.neighbours import linked_from, linking_here
    from periplus.library.page_links import links_of, links_table_of
    from periplus.library.portrait import Portrait, portrait_of
    from periplus.library.relations import (
        copies_in,
        crosstalk,
        crosstalk_table,
        linked_sites,
        linking_sites,
        region_shares,
    )
    from periplus.library.renown import known_for
    from periplus.library.sites import best_of_sites, best_pages, pages_of, site_rows
    from periplus.library.study import study_of
    from periplus.library.tables import TABLES, links_table, pages_table, sites_table

__getattr__, __dir__ = offers(__name__, _HOMES)
