"""`periplus refresh`, `changes`, `history`: coming back to pages, what was found, and one page over time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.collection.crawl import as_object, progress_line
from periplus.cli.shared.fetching import fetch_options
from periplus.cli.shared.output import OutputFile, command, json_option, print_json, print_table, say
from periplus.collection import Collection
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.crawl.refresh.plan import Plan

_SHOWN = 30


@click.command()
@click.argument("collection", type=click.Path(path_type=Path))
@click.option("--budget", default="1000/day", show_default=True, help="Visits per time: 1000/day, 50/hour, 5000/week.")
@click.option("--policy", default="optimal", show_default=True, help="optimal, proportional (to change) or uniform.")
@click.option("--estimator", default="likelihood", show_default=True, help="likelihood, bias-reduced or naive.")
@click.option("--dry-run", is_flag=True, help="Say what would be visited; ask nobody.")
@click.option("--for", "max_seconds", metavar="TIME", help="Stop after this time: 90s, 30min, 2h, 1d.")
@fetch_options
@json_option
def refresh(
    collection: Path, budget: str, policy: str, estimator: str, dry_run: bool, as_json: bool, **given: Any
) -> None:
    """Come back to the pages of COLLECTION that are most likely to have changed, within a budget.

    How often a page changes is learnt from its visits so far. Run it daily: what was spent within the time of the
    budget counts. Unchanged pages cost a few bytes each.
    """
    from periplus.crawl.options import from_policy
    from periplus.crawl.refresh.plan import Budget, pages_of, plan
    from periplus.crawl.refresh.run import refresh as run
    from periplus.pages.store import store_of

    target, spend = Collection.open(collection), Budget.parse(budget)
    options = from_policy(target.settings.policy, given)
    if dry_run:
        chosen, report = plan(pages_of(store_of(target), spend), spend, policy=policy, estimator=estimator), None
    else:
        with progress_line(as_json) as tell:
            done = run(target, spend, options, tell, policy=policy, estimator=estimator)
        chosen, report = done.plan, done.report
    if as_json:
        print_json(_object(chosen) | ({"visited": as_object(report)} if report else {}))
        return
    if report is not None:
        told = ", ".join(f"{count:,} {name}" for name, count in report.outcomes.items())
        say(f"visited {counted(sum(report.outcomes.values()), 'URL')}: {told}")
    else:
        say(f"{'would visit' if dry_run else 'visited'} {counted(len(chosen.urls), 'page')} of {chosen.pages:,}")
        if not chosen.urls and chosen.spent:
            say(f"the budget is spent: {counted(chosen.spent, 'visit')} within its time; try again later or raise it")
    _say_fresh(chosen)
    if report is not None:
        say(f"next: {command('changes', collection)}   and   {command('build', collection)}")


def _object(plan: Plan) -> dict[str, Any]:
    return {
        "policy": plan.policy,
        "pages": plan.pages,
        "due": list(plan.urls),
        "spent": plan.spent,
        "currency": dict(plan.currency),
        "kept_fresh": plan.kept_fresh,
        "median_lifetime_days": plan.median_lifetime,
    }


def _say_fresh(plan: Plan) -> None:
    share = ", ".join(f"{100 * value:.0f} % {name}" for name, value in plan.currency.items())
    say(f"current before this run: {share}")
    say(f"kept up, this budget by the {plan.policy} policy keeps {100 * plan.kept_fresh:.0f} % of the pages fresh")
    if plan.median_lifetime is not None:
        say(f"half of the pages that were seen to change do so within {plan.median_lifetime:.3g} days")


@click.command()
@click.argument("collection", type=click.Path())
@click.option("--since", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]), help="UTC. [default: the last round]")
@click.option("-o", "--output", type=OutputFile(".html", ".json"), help="Write the report: .html or .json.")
@json_option
def changes(collection: str, since: datetime | None, output: str | None, as_json: bool) -> None:
    """The pages of COLLECTION that are new, gone, changed or moved since the last visit."""
    import json

    from periplus.durable import write_atomically
    from periplus.library import changes_of

    target = Collection.open(collection)
    found = changes_of(target, since.replace(tzinfo=UTC) if since else None)
    if output is not None:
        text = (
            found.to_html(target.settings.name) if output.endswith(".html") else json.dumps(found.to_dict(), indent=1)
        )
        write_atomically(Path(output), text.encode())
        click.echo(f"{counted(len(found.changes), 'change')} in {output}", err=True)
    if as_json:
        print_json(found.to_dict())
    elif output is None:
        rows = [(change.kind, change.url, change.to) for change in found.changes[:_SHOWN]]
        told = ", ".join(f"{found.count(kind):,} {kind}" for kind in ("new", "changed", "moved", "gone"))
        print_table(f"Since {found.since}: {told}; {found.unchanged:,} unchanged", ("", "page", "to"), rows)
        if found.not_visited:
            say(f"{counted(found.not_visited, 'page')} not visited since")
        if len(found.changes) > _SHOWN:
            say(f"and {len(found.changes) - _SHOWN:,} more: -o changes.html")


@click.command()
@click.argument("collection", type=click.Path())
@click.argument("url")
@json_option
def history(collection: str, url: str, as_json: bool) -> None:
    """Every capture of the page URL in COLLECTION, and what each found."""
    from dataclasses import asdict

    from periplus.library import visits_of

    found = visits_of(Collection.open(collection), url)
    if as_json:
        print_json({"url": url, "captures": [asdict(capture) for capture in found]})
        return
    rows = [(one.at, one.found, one.status, one.redirect or one.mime, one.bytes, one.digest[:8]) for one in found]
    print_table(url, ("captured", "found", "status", "kind", "bytes", "digest"), rows)
