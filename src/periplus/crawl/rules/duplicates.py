"""A host that answers every query with a copy is a trap: session numbers, sort orders, empty calendars.

The transaction that stores a page decides whether it is a copy (see `Journal`), because two copies may be fetched at
the same time. This rule looks only at the number of copies in a row, which is saved with the host.
"""

from __future__ import annotations

from periplus.crawl.outcome import Outcome
from periplus.crawl.rules.rule import End, Rule
from periplus.crawl.visit import Visit

MAX_IN_A_ROW = 20


class Duplicates(Rule):
    """Ends URLs with a query on a host whose last `MAX_IN_A_ROW` pages were all copies of others."""

    async def before_fetch(self, visit: Visit) -> Visit | End:
        if not visit.earlier and visit.host.duplicates >= MAX_IN_A_ROW and "?" in visit.url:
            return End(Outcome.FILTER_TRAP)
        return visit
