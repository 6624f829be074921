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
    "best_of_sites": "periplus.library.sites",
    "best_pages": "periplus.library.sites",
    "copies_in": "periplus.library.relations",
    "crosstalk": "periplus.library.relations",
    "crosstalk_table": "periplus.library.relations",
    "info": "periplus.library.inspect",
    "linked_from": "periplus.library.neighbours",
    "linked_sites": "periplus.library.relations",
    "linking_here": "periplus.library.neighbours",
    "linking_sites": "periplus.library.relations",
    "links_of": "periplus.library.page_links",
    "links_table": "periplus.library.tables",
    "links_table_of": "periplus.library.page_links",
    "open_library": "periplus.library.library",
    "open_searcher": "periplus.library.library",
    "pages_of": "periplus.library.sites",
    "pages_table": "periplus.library.tables",
    "portrait_of": "periplus.library.portrait",
    "region_shares": "periplus.library.relations",
    "search": "periplus.library.library",
    "site_rows": "periplus.library.sites",
    "sites_table": "periplus.library.tables",
    "study_of": "periplus.library.study",
    "verify": "periplus.library.inspect",
}

__all__ = [
    "TABLES",
    "Library",
    "Portrait",
    "best_of_sites",
    "best_pages",
    "copies_in",
    "crosstalk",
    "crosstalk_table",
    "info",
    "linked_from",
    "linked_sites",
    "linking_here",
    "linking_sites",
    "links_of",
    "links_table",
    "links_table_of",
    "open_library",
    "open_searcher",
    "pages_of",
    "pages_table",
    "portrait_of",
    "region_shares",
    "search",
    "site_rows",
    "sites_table",
    "study_of",
    "verify",
]

if TYPE_CHECKING:
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
    from periplus.library.sites import best_of_sites, best_pages, pages_of, site_rows
    from periplus.library.study import study_of
    from periplus.library.tables import TABLES, links_table, pages_table, sites_table

__getattr__, __dir__ = offers(__name__, _HOMES)
