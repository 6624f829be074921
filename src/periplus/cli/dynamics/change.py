"""`periplus dynamics lifetimes`, `refresh` and `sites`: how pages change, how often to fetch them, how sites grow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from periplus.cli.shared.output import command, json_option, print_json, print_table, say
from periplus.cli.shared.plots import plot_option, write_plot
from periplus.errors import FormatError
from periplus.wording import counted

if TYPE_CHECKING:
    from periplus.models.generators.sites import SiteHistories
    from periplus.numeric.arrays import Floats

_AGES = (1, 7, 30, 91, 182, 365, 730)
_DATA = click.Path(exists=True, dir_okay=False)
POSITIVE = click.FloatRange(0.0, min_open=True)
rates_option = click.option("--rates", type=_DATA, help="Changes per day, one page per line.")
history_option = click.option(
    "--history", type=_DATA, help="Visits, visits that found a change, days between visits: one page per line."
)
seed_option = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the chances.")


@click.command()
@rates_option
@history_option
@seed_option
@plot_option("the share of pages unchanged by age")
@json_option
def lifetimes(rates: str | None, history: str | None, seed: int, plot: str | None, as_json: bool) -> None:
    """How long pages live without a change: Poisson changes, by theory and drawn.

    The rates of change are those of --rates or --history, else those that Brewington & Cybenko found on the web.
    """
    import numpy as np

    from periplus.dynamics.change import draw_lifetimes, survival

    known, whose = _rates(rates, history)
    drawn = draw_lifetimes(known, seed=seed)
    expected = survival(known, np.array(_AGES, dtype=np.float64))
    found = [float((drawn > age).mean()) for age in _AGES]
    if plot:
        ages = np.logspace(0, 3.5, 60)
        write_plot(
            plot,
            [("theory", ages, survival(known, ages), "line"), ("drawn", _AGES, found, "points")],
            title=f"Half the pages change within {np.median(drawn):.0f} days",
            x_label="age, days",
            y_label="share of pages unchanged",
            x_scale="log",
        )
    if as_json:
        print_json(
            {"rates": whose, "pages": len(known), "ages": _AGES, "unchanged": expected, "unchanged_drawn": found}
            | {"median_days": float(np.median(drawn)), "changes_a_day": float(known.mean())}
        )
        return
    rows = [(f"{age:,}", f"{a:.1%}", f"{b:.1%}") for age, a, b in zip(_AGES, expected, found, strict=True)]
    print_table(f"Pages unchanged after this many days, {whose}", ("days", "theory", f"{len(known):,} drawn"), rows)
    options = _given(rates, history)
    say(f"\nHow often to fetch them again: {command('dynamics', 'refresh', *options)}")


@click.command()
@click.argument("target", required=False)
@click.option("--pages", type=float, help="Pages of the index.  [default: of TARGET, else 800 million]")
@click.option(
    "--currency",
    "wanted",
    type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="X: the chance that a page is current …",
)
@click.option(
    "--grace", type=click.FloatRange(0.0), default=7.0, show_default=True, help="Y: … to within this many days."
)
@click.option("--period", type=POSITIVE, help="Also: how current an index is that fetches every this many days.")
@rates_option
@history_option
@plot_option("currency by the days between two fetches")
@json_option
def refresh(target: str | None, pages: float | None, wanted: float, grace: float, as_json: bool, **given: Any) -> None:
    """How often to fetch pages again so that an index is (X, Y)-current (Brewington & Cybenko).

    That is: any page, at any moment, is with probability X what it was at some time in the last Y days. The rates of
    change are those of --rates or --history, else those that Brewington & Cybenko found on the web.
    """
    from periplus.dynamics.change import BREWINGTON_PAGES, currency, refetch

    known, whose = _rates(given["rates"], given["history"])
    count = pages if pages is not None else (_pages_of(target) if target else BREWINGTON_PAGES)
    found = refetch(known, pages=int(count), currency_wanted=wanted, grace_days=grace)
    record: dict[str, Any] = {
        "rates": whose,
        "pages": found.pages,
        "currency": wanted,
        "grace_days": grace,
        "period_days": found.period_days,
        "fetches_a_day": found.fetches_a_day,
    }
    if given["period"] is not None:
        record["period_asked"] = given["period"]
        record["currency_of_period"] = currency(known, given["period"], grace)
    if given["plot"]:
        _plot_currency(given["plot"], known, record)
    if as_json:
        print_json(record)
        return
    rows = [
        ("fetch each page every", f"{found.period_days:,.1f} days"),
        ("fetches per day", f"{found.fetches_a_day:,.0f}"),
        ("fetches per second", f"{found.fetches_a_day / 86_400:,.1f}"),
    ]
    if given["period"] is not None:
        rows.append((f"current when fetched every {given['period']:g} days", f"{record['currency_of_period']:.1%}"))
    index = f"({wanted:g}, {grace:g} days)-current index of {counted(found.pages, 'page')}"
    print_table(f"{index}, {whose}", ("", ""), rows)
    options = _given(given["rates"], given["history"])
    say(f"\nHow long pages live: {command('dynamics', 'lifetimes', *options)}")


def _plot_currency(path: str, known: Floats, record: dict[str, Any]) -> None:
    import numpy as np

    from periplus.dynamics.change import currency

    grace, wanted, period = record["grace_days"], record["currency"], record["period_days"]
    furthest = 4.0 * period if np.isfinite(period) else 1000.0
    days = np.linspace(furthest / 100, furthest, 100)
    write_plot(
        path,
        [
            (f"current to within {grace:g} days", days, [currency(known, float(day), grace) for day in days], "line"),
            ("wanted", [days[0], days[-1]], [wanted, wanted], "line"),
        ],
        title=f"Fetched every {period:.1f} days, {wanted:.0%} of the pages are current to within {grace:g} days",
        x_label="days between two fetches of a page",
        y_label="share of pages current",
    )


def _pages_of(target: str) -> int:
    from periplus.cli.shared.target import load_graph

    return load_graph(target).nodes


def _given(rates: str | None, history: str | None) -> list[str]:
    return ["--rates", rates] if rates else ["--history", history] if history else []


def _rates(rates: str | None, history: str | None) -> tuple[Floats, str]:
    """Changes per day of every page, and where they come from."""
    import numpy as np

    from periplus.dynamics.change import brewington_rates, change_rate

    if rates and history:
        raise click.UsageError("--rates and --history say the same thing: give one")
    if rates:
        return np.array([row[0] for row in _numbers(rates, 1)]), f"rates of {Path(rates).name}"
    if history:
        known = [change_rate(int(n), int(changed), days) for n, changed, days in _numbers(history, 3)]
        return np.array(known), f"rates by {Path(history).name}"
    return brewington_rates(), "rates of Brewington & Cybenko"


def _numbers(path: str, columns: int) -> list[list[float]]:
    """Rows of this many numbers, separated by blanks or commas; `#` begins a comment."""
    rows = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            row = [float(word) for word in words]
        except ValueError:
            row = []
        if len(row) != columns:
            said = "one number" if columns == 1 else f"{columns} numbers"
            raise FormatError(path, f"{line.strip()[:60]!r} is not {said}", line=number)
        rows.append(row)
    return rows


# -- sites over time -----------------------------------------------------------------------------------------


@click.command()
@click.option("--sites", "number", type=click.IntRange(1), default=10_000, show_default=True, help="Sites at the end.")
@click.option("--steps", type=click.IntRange(1), default=100, show_default=True, help="Steps to record.")
@click.option("--every", type=click.IntRange(1), help="Print every this many steps.  [default: a tenth of them]")
@click.option("--growth", type=float, default=0.05, show_default=True, help="Mean growth of a site a step.")
@click.option("--deviation", type=float, default=0.2, show_default=True, help="Standard deviation of that growth.")
@click.option(
    "--founding", type=float, default=0.035, show_default=True, help="Growth of the number of sites per step."
)
@click.option("--mixture", default="", help="Several growth rates with their shares of the sites: 0.05:0.7,0.1:0.3.")
@seed_option
@plot_option("pages of the four oldest sites over time")
@json_option
def sites(
    number: int, steps: int, every: int | None, mixture: str, plot: str | None, as_json: bool, **given: Any
) -> None:
    """Sizes of sites over time: each grows by random factors, and new ones are founded (Huberman & Adamic)."""
    import numpy as np

    from periplus.models.generators.sites import mixture_exponent, read_mixture, site_histories

    rates = read_mixture(mixture)
    times = np.unique(np.append(np.arange(0, steps, every or max(1, steps // 10)), steps))
    found = site_histories(number, times=times, mixture=rates, **given)
    exponent = mixture_exponent(rates or ((given["growth"], 1.0),), given["deviation"], given["founding"])
    record = {
        "parameters": {**given, "sites": number, "mixture": rates},
        "exponent": exponent,
        "times": found.times,
        "sites": found.sites,
        "pages": found.pages,
        "median": [_median(row) for row in found.sizes],
        "largest": found.sizes.max(axis=1),
    }
    if plot:
        _plot_sites(plot, found)
    if as_json:
        print_json(record)
        return
    names = ("times", "sites", "pages", "median", "largest")
    rows = list(zip(*(np.asarray(record[name]).tolist() for name in names), strict=True))
    print_table("Sites as they grow", ("step", "sites", "pages", "median site", "largest site"), rows)
    say(f"Theory: pages per site follow a power law of exponent {exponent:.2f}; Huberman & Adamic found 1.65 to 1.91.")
    more = ["--mixture", mixture] if mixture else []
    say(f"\nTheory against simulation, drawn: {command('model', 'site-growth', *more, '--report')}")


def _median(sizes: Any) -> float:
    import numpy as np

    return float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 0.0


def _plot_sites(path: str, found: SiteHistories) -> None:
    came = f"{counted(found.sites[-1], 'site')} came to have {counted(found.pages[-1], 'page')}"
    write_plot(
        path,
        [(f"site {at + 1}", found.times, found.sizes[:, at], "line") for at in range(min(4, found.sizes.shape[1]))],
        title=f"{came}; the four oldest are shown",
        x_label="step",
        y_label="pages",
        y_scale="log",
    )
