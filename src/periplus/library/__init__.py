"""An opened collection, and all that can be asked of it.

The command line, Python and the server all ask here, so nothing can be asked by one of them alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "Library": "periplus.library.library",
    "Portrait": "periplus.library.portrait",
    "best_of_sites": "periplus.library.sites",
    "best_pages": "periplus.library.sites",
    "info": "periplus.library.inspect",
    "TABLES": "periplus.library.tables",
    "linked_from": "periplus.library.neighbours",
    "linking_here": "periplus.library.neighbours",
    "links_table": "periplus.library.tables",
    "linking_sites": "periplus.library.sites",
    "open_library": "periplus.library.library",
    "open_searcher": "periplus.library.library",
    "pages_table": "periplus.library.tables",
    "pages_of": "periplus.library.sites",
    "portrait_of": "periplus.library.portrait",
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
    "info",
    "linked_from",
    "linking_here",
    "linking_sites",
    "links_table",
    "open_library",
    "open_searcher",
    "pages_of",
    "pages_table",
    "portrait_of",
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
    from periplus.library.portrait import Portrait, portrait_of
    from periplus.library.sites import best_of_sites, best_pages, linking_sites, pages_of, site_rows
    from periplus.library.study import study_of
    from periplus.library.tables import TABLES, links_table, pages_table, sites_table

__getattr__, __dir__ = offers(__name__, _HOMES)
