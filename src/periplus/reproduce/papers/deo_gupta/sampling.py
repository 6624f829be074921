"""Deo and Gupta 4.2, 5.5 and 6: sampling by random walks, changing pages, coverage and overlap of search engines."""

from __future__ import annotations

import math
from functools import partial
from operator import eq

import numpy as np

from periplus.dynamics.change import brewington_rates, currency, draw_lifetimes, refetch, survival
from periplus.models.generators.webmodel import web_model
from periplus.reproduce.checks import Estimate, bound, exact, holds, mean_of, number, order, share_of, times
from periplus.reproduce.claim import Means, Outcome, claim
from periplus.reproduce.pictures import line, net, plot
from periplus.reproduce.tools import web
from periplus.structure.walks.overlap import overlap
from periplus.structure.walks.sampling import mixing, sample


@claim(
    "deo-gupta.mixing-time",
    "§4.2",
    "With an eigenvalue gap of 10⁻⁵ a billion pages need about three million steps; one step in 30,000 leaves the "
    "page, so 100 fetches are enough.",
)
def mixing_time(means: Means) -> Outcome:
    steps = math.log2(1e9) / 1e-5
    graph = web_model(means.size(3000), seed=2)
    found = mixing(graph)
    return Outcome(
        (
            order("log₂(10⁹)/10⁻⁵", "about three million", exact(steps), 3e6, unit="steps"),
            number("in millions", "3", exact(steps / 1e6)),
            number("3·10⁶ / 30,000", "100", exact(3e6 / 30_000), unit="fetches"),
            bound(
                "steps by fetches on a composed web",
                "1 in 30,000",
                exact(found.steps / found.visits),
                least=10,
                another=True,
            ),
        ),
        f"The formula; a composed web of {graph.nodes:,} pages, gap {found.gap:.1e}, seed 2.",
        "How many self-loops there are follows the largest degree by the mean one, which grows with the web.",
    )


@claim(
    "deo-gupta.gap",
    "§4.2",
    "A large eigenvalue gap says that there are no isolated parts. Printed is that it says there are a few.",
    misprint=True,
)
def gap(means: Means) -> Outcome:
    rng, size = np.random.default_rng(1), 200
    half = [(int(a), int(b)) for a, b in rng.integers(0, size // 2, (600, 2))]
    whole = web([(int(a), int(b)) for a, b in rng.integers(0, size, (1200, 2))], size)
    parted = web(half + [(a + size // 2, b + size // 2) for a, b in half] + [(0, size // 2)], size)
    joined, apart = mixing(whole).gap, mixing(parted).gap
    return Outcome(
        (
            holds(
                "isolated parts: the larger gap", "large δ", f"{apart:.4f} against {joined:.4f} without", apart > joined
            ),
            holds("isolated parts: the smaller gap", "small δ", f"{apart:.4f} against {joined:.4f}", apart < joined),
        ),
        "200 pages and 1,200 links at random; the same in two halves that one link joins; seed 1.",
        "A walk that seldom leaves a part mixes slowly, and its second eigenvalue is near the first.",
    )


@claim(
    "deo-gupta.figure-9",
    "§4.2, figure 9",
    "A walk on a graph made regular by self-loops visits all pages equally often.",
)
def figure_9(means: Means) -> Outcome:
    links = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 6), (3, 6), (4, 6), (5, 6), (4, 5), (6, 0)]
    graph = web(links, 7)
    walks = sample(graph, walks=means.size(400), visits=50, seed=1)
    found = [walks.share(partial(eq, at)) for at in range(7)]
    kept = sum(one.low <= 1 / 7 <= one.high for one in found)
    plain = np.bincount([page for seen in walks.pages for page in seen], minlength=7)
    return Outcome(
        (
            bound("pages whose 95 % interval holds 1/7", "uniform", exact(kept), least=6, unit="of 7"),
            holds(
                "visits without self-loops",
                "not uniform",
                f"shares {plain.min() / plain.sum():.2f} to {plain.max() / plain.sum():.2f}",
                bool(plain.max() > 1.5 * plain.min()),
            ),
        ),
        f"Seven pages like those of the figure, {means.size(400)} walks of 50 visits, seed 1.",
        pictures=(net(graph, "The graph of the walk", labels="abcdefg"),),
    )


_DOMAINS = ((".com", "49.15 %"), (".edu", "8.28 %"), (".org", "6.55 %"))


@claim(
    "deo-gupta.webwalker",
    "§4.2",
    "49.15 % of the pages are in .com, 8.28 % in .edu, 6.55 % in .org; a page has 11,655 bytes and 9.56 links.",
)
def webwalker(means: Means) -> Outcome:
    n = means.size(30_000)
    graph = web_model(n, seed=5)
    rng = np.random.default_rng(5)
    domain = rng.choice(4, n, p=[0.4915, 0.0828, 0.0655, 0.3602])
    size = rng.lognormal(math.log(11_655) - 0.5, 1.0, n)
    links = rng.lognormal(math.log(9.56) - 0.32, 0.8, n)
    kinds = [*((f"pages in {name}, %", printed, 100.0 * (domain == at)) for at, (name, printed) in enumerate(_DOMAINS))]
    kinds += [("bytes of a page", "11,655 bytes", size), ("links of a page", "9.56", links)]
    walks = [sample(graph, walks=40, visits=100, seed=seed) for seed in range(means.size(20))]
    checks, held = [], 0
    for name, printed, values in kinds:
        seen = [one.mean(values.tolist().__getitem__) for one in walks]
        true = float(values.mean())
        held += sum(one.low <= true <= one.high for one in seen)
        found = mean_of([one.value for one in seen])
        checks.append(number(name, printed, found, means=(true * 0.98, true * 1.02), another=True))
    kept = share_of(held, len(kinds) * len(walks))
    return Outcome(
        (*checks, bound("intervals that hold what was planted", "95 %", kept, least=0.9)),
        f"A composed web of {n:,} pages on which the printed figures were planted; {len(walks)} surveys of 40 walks "
        "and "
        f"{walks[0].moves:,} page visits, their mean and its interval, to 2 %. Seeds 5 and 0 to {len(walks) - 1}.",
        "What is tested is the method: it must find what is there. The web of 1996 itself is gone.",
    )


# -- changing pages ------------------------------------------------------------------------------------------


@claim(
    "deo-gupta.cho",
    "§5.5",
    "More than 70 % of the pages stay unchanged for a month; half of them change within 50 days; the mean interval is "
    "about four months.",
)
def cho(means: Means) -> Outcome:
    one = np.array([1 / 120])
    mixed = np.concatenate((np.full(23, 1 / 1.0), np.full(77, 1 / 105.0)))
    month, fifty = (float(survival(one, np.array([days]))[0]) for days in (30, 50))
    both = [float(survival(mixed, np.array([days]))[0]) for days in (30, 50)]
    median = float(np.median(draw_lifetimes(np.repeat(one, means.size(20_000)), seed=1)))
    return Outcome(
        (
            bound(
                "unchanged after 30 days, all pages of one rate",
                "more than 70 %",
                exact(100 * month),
                least=70,
                unit="%",
            ),
            number("days until half have changed, one rate", "50", exact(median), unit="days", means=(45, 55)),
            number("unchanged after 50 days, one rate", "50 %", exact(100 * fifty), unit="%", means=(45, 55)),
            bound("unchanged after 30 days, mixed rates", "more than 70 %", exact(100 * both[0]), least=70, unit="%"),
            number("unchanged after 50 days, mixed rates", "50 %", exact(100 * both[1]), unit="%", means=(45, 55)),
        ),
        f"Poisson changes every 120 days on the mean; {means.size(20_000):,} lifetimes drawn, seed 1; and 23 % of "
        "the pages "
        "daily, the others every 105 days, as Cho and Garcia-Molina found in .com.",
        "The three figures do not fit one Poisson rate: with 120 days half of the pages change in 83, not 50. With "
        "mixed "
        f"rates {100 * both[1]:.0f} % are left after 50 days, but then fewer than 70 % after a month: the 70 % count "
        "pages "
        "over all domains, the 50 days are near those of .com.",
        (
            plot(
                line("one rate", np.arange(0, 121), survival(one, np.arange(0, 121))),
                line("mixed rates", np.arange(0, 121), survival(mixed, np.arange(0, 121))),
                title="One rate for all pages keeps 70 % for a month, but half of them for too long",
                x="days",
                y="share unchanged",
            ),
        ),
    )


@claim(
    "deo-gupta.brewington",
    "§5.5",
    "A (0.95, 1-week)-current index must re-fetch at least 45 million pages a day.",
)
def brewington(means: Means) -> Outcome:
    rates = brewington_rates()
    week = refetch(rates, pages=800_000_000, currency_wanted=0.95, grace_days=7.0)
    rounded = 800 / 18
    day = refetch(rates, pages=800_000_000, currency_wanted=0.95, grace_days=1.0)
    kept = currency(rates, 18.0, 7.0)
    return Outcome(
        (
            number(
                "fetches a day for 800 million pages", "45 million", exact(week.fetches_a_day / 1e6), unit="million"
            ),
            number("days between fetches", "18", exact(week.period_days), unit="days"),
            number("800 million / 18 days", "45 million", exact(rounded), unit="million", means=(44, 45.5)),
            bound("currency with a fetch every 18 days", "0.95", exact(kept), least=0.95),
            number(
                "(0.95, 1 day), by Brewington and Cybenko", "94 million", exact(day.fetches_a_day / 1e6), unit="million"
            ),
        ),
        "Brewington and Cybenko's lifetimes: Weibull, shape 1.4, scale 152.2 days; solved exactly.",
        "The longest period that keeps 0.95 is 18.5 days, 43 million a day. They took 18 whole days, 44.4 million, and "
        "printed 45.",
    )


# -- search engines ------------------------------------------------------------------------------------------


@claim(
    "deo-gupta.table-1",
    "§6.2, table 1",
    "The largest index, Google's 1,346 million pages, covers fewer than 35 % of the Web; AltaVista's 350 million far "
    "less than its 48 % of 1997.",
)
def table_1(means: Means) -> Outcome:
    sizes = {
        "Google": 1346,
        "FAST": 575,
        "Webtop": 500,
        "Inktomi": 500,
        "AltaVista": 350,
        "Northern Light": 265,
        "Excite": 250,
    }
    return Outcome(
        (
            bound(
                "Google, of four billion pages",
                "fewer than 35 %",
                exact(100 * sizes["Google"] / 4000),
                most=35,
                unit="%",
            ),
            bound("AltaVista", "has dropped from 48 %", exact(100 * sizes["AltaVista"] / 4000), most=48, unit="%"),
            bound(
                "all seven, without any overlap",
                "(not printed)",
                exact(100 * sum(sizes.values()) / 4000),
                most=100,
                unit="%",
            ),
        ),
        "Table 1 by the four billion pages of §1; arithmetic.",
        pictures=(
            plot(
                line("share of four billion", np.arange(1, 8), [each / 4000 for each in sizes.values()]),
                title="The largest index of 2001 held a third of the Web",
                x="engine, by size",
                y="share of the pages",
            ),
        ),
    )


@claim(
    "deo-gupta.lawrence",
    "§6",
    "In July 1999 no engine indexed more than 16 % of 800 million pages.",
)
def lawrence(means: Means) -> Outcome:
    web_pages, index = 800_000, 128_000
    rng = np.random.default_rng(1)
    inside = rng.permutation(web_pages)[:index]
    held = np.zeros(web_pages, dtype=bool)
    held[inside] = True
    asked = rng.integers(0, web_pages, means.size(20_000))
    return Outcome(
        (
            number(
                "share of an index found from random pages",
                "16 %",
                times(share_of(int(held[asked].sum()), len(asked)), 100),
                unit="%",
                another=True,
            ),
        ),
        f"A web of a thousandth of the size with an index of 16 % of it, {len(asked):,} random pages asked for; seed "
        "1.",
        "The share was put in, so this tests the method, which needs random pages of the web: Lawrence and Giles drew "
        "IP addresses. The indexes of 1999 are gone.",
    )


@claim(
    "deo-gupta.bharat-broder",
    "§6",
    "Relative size and overlap of two indexes follow from samples of each, checked in the other.",
)
def bharat_broder(means: Means) -> Outcome:
    rng = np.random.default_rng(2)
    pages = np.arange(100_000)
    first, second = rng.choice(pages, 48_000, replace=False), rng.choice(pages, 17_000, replace=False)
    found = overlap(first, second, samples=means.size(5000), seed=3)
    true = len(np.intersect1d(first, second)) / len(first), len(first) / len(second)
    several = mean_of([overlap(first, second, samples=means.size(5000), seed=seed).ratio.value for seed in range(20)])
    ours = Estimate(found.ratio.value, found.ratio.low, found.ratio.high)
    shared = Estimate(found.first_in_second.value, found.first_in_second.low, found.first_in_second.high)
    return Outcome(
        (
            number(
                "share of the larger index in the smaller", f"{true[0]:.3f} (known)", shared, means=(true[0], true[0])
            ),
            number("sizes, larger by smaller", f"{true[1]:.3f} (known)", ours, means=(true[1], true[1])),
            number("mean of twenty samples", f"{true[1]:.3f} (known)", several, means=(true[1] * 0.98, true[1] * 1.02)),
        ),
        f"Two random indexes of 48 and 17 % of 100,000 pages, {means.size(5000):,} pages of each checked in the other.",
        "|A|/|B| = P(in A | of B) / P(in B | of A). Real samples are drawn by queries, which prefer long pages.",
    )
