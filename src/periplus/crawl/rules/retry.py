"""A temporary failure is tried again, when the host says so or after a pause that doubles each time."""

from __future__ import annotations

from periplus.crawl.politeness.hosts import wanted_pause
from periplus.crawl.rules.rule import Postpone, Rule
from periplus.crawl.visit import Visit


class Retry(Rule):
    """Postpones a visit that may succeed later; a host that asks for a long pause is left for the next run."""

    def after_fetch(self, visit: Visit) -> Visit | Postpone:
        if not visit.outcome.retryable:
            return visit
        options, wanted = self.crawl.options, wanted_pause(visit)
        if wanted is not None and wanted > options.patience:
            return Postpone(wanted, leave_host=f"asked us to come back in {wanted:.0f} s")
        if visit.tries >= options.retries:
            return visit
        return Postpone(options.retry_delay * 2**visit.tries if wanted is None else wanted, counts=True)
