"""`refresh`: come back to the pages of a collection that a plan chooses, and to no others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from periplus.collection import Collection
from periplus.crawl.engine.report import CrawlReport
from periplus.crawl.engine.run import ProgressCallback, crawl
from periplus.crawl.options import CrawlOptions
from periplus.crawl.refresh.plan import Budget, Plan, pages_of, plan
from periplus.errors import UsageError
from periplus.pages.store import store_of


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What was planned, and what the crawl did of it; None where nothing was due."""

    plan: Plan
    report: CrawlReport | None


def refresh(
    collection: Collection,
    budget: Budget,
    options: CrawlOptions | None = None,
    progress: ProgressCallback | None = None,
    *,
    policy: str = "optimal",
    estimator: str = "likelihood",
) -> Refreshed:
    """Visit again what is due; what these pages newly link to is fetched within the same budget."""
    if not collection.frontier_path.exists():
        raise UsageError(f"{collection.path} was not crawled: only what `periplus crawl` fetched can be visited again")
    chosen = plan(pages_of(store_of(collection), budget), budget, policy=policy, estimator=estimator)
    if not chosen.urls:
        return Refreshed(chosen, None)
    limits = replace(options or CrawlOptions(), max_pages=None, max_visits=max(budget.visits - chosen.spent, 1))
    return Refreshed(chosen, crawl(collection, (), limits, progress, again=chosen.urls))
