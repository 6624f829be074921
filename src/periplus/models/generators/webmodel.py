"""The composed web model: sites, navigation, copied links and a bow-tie of given shape, in one synthetic web.

1. Pages are divided among the regions of the bow-tie, by default as Broder et al. (2000) found them.
2. In each region they are grouped into sites of Huberman–Adamic size (`sites`), and the sites into topics.
3. Inside a site the pages are a tree, linked both ways (navigational links).
4. Links that leave a site are grown by copying inside a topic: a page has a geometric number of them; each is, with
   probability ρ, drawn (from the page's topic, or with probability `across` from any page that its region may link to),
   and otherwise copied from an earlier page of the topic. In-degrees get a power-law tail.
5. Threads tie the regions together: the sites of the core form a ring; every site of IN links into the core, every site
   of OUT is linked from it, tendrils hang from IN or lead into OUT, tubes go from IN to OUT.
6. Regions link only where the bow-tie allows it, and a share of the pages that need lead nowhere (in OUT, in tendrils
   from IN, disconnected) are dead ends.

So the bow-tie of the graph has exactly the planned counts (a test). Pages of a site are a range of ids, sites of a
topic too. O(n + m). After Deo and Gupta, §3.4, 3.5 and 4.1, and Litvak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.models.generators.sites import FANOUT, sizes_for
from periplus.models.table import MODELS
from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.numeric.random import below_at, stream_key, uniform_at

REGIONS = ("in", "scc", "out", "tendrils_from_in", "tendrils_into_out", "tubes", "disconnected")
# Broder et al. 2000: 43,343,168 IN, 56,463,993 SCC, 43,166,185 OUT, 43,797,944 tendrils, 16,777,756 disconnected. They
# do not tell tendrils and tubes apart; here a twentieth of the tendrils are tubes, the rest half and half.
BRODER = (0.2129, 0.2774, 0.2121, 0.1022, 0.1022, 0.0108, 0.0824)
# Where the copied links of a region may go besides itself, as places in REGIONS.
_BEYOND = (1, 2, -1, -1, 2, 2, -1)
_LEADING_NOWHERE = ("out", "tendrils_from_in", "disconnected")
_MOST_LINKS = 64


@dataclass(frozen=True, slots=True)
class WebPlan:
    """How the pages are laid out: regions, sites and topics are ranges of ids."""

    region_starts: Offsets
    site_starts: Offsets
    site_regions: Offsets
    topic_starts: Offsets

    @property
    def pages(self) -> int:
        return int(self.region_starts[-1])

    def sites_of(self, region: int) -> Offsets:
        """The first pages of the sites of a region."""
        return self.site_starts[:-1][self.site_regions == region]

    def page_regions(self) -> Offsets:
        """The region of every page, as a place in REGIONS."""
        return np.repeat(np.arange(len(REGIONS)), np.diff(self.region_starts))


@checked(MODELS["web"])
def web_model(
    n: int,
    *,
    topics: int = 8,
    external: float = 5.0,
    rho: float = 0.15,
    across: float = 0.1,
    dead_ends: float = 0.3,
    scc_share: float = 0.2774,
    in_share: float = 0.2129,
    out_share: float = 0.2121,
    tendrils_share: float = 0.2152,
    urls: bool = False,
    seed: int = 0,
) -> Graph:
    """Grow the composed web model with a bow-tie of the given shares; `urls` gives every page an address."""
    shares = region_shares(scc_share, in_share, out_share, tendrils_share)
    plan = plan_pages(n, topics=topics, shares=shares, seed=seed)
    dead = _dead_ends(plan, dead_ends, seed)
    pieces = [_navigation(plan, dead), _threads(plan, seed), _copied(plan, dead, external, (rho, across), seed)]
    sources = np.concatenate([piece[0] for piece in pieces])
    targets = np.concatenate([piece[1] for piece in pieces])
    return Graph.from_edges(sources, targets, nodes=n, urls=_addresses(plan) if urls else None)


def region_shares(scc_share: float, in_share: float, out_share: float, tendrils_share: float) -> tuple[float, ...]:
    """The shares of REGIONS: tendrils and tubes divided as in BRODER, what is left disconnected."""
    told = scc_share + in_share + out_share + tendrils_share
    if told > 1.0 + 1e-9:
        raise ParameterError(
            "scc_share", scc_share, f"scc_share + in_share + out_share + tendrils_share at most 1 (it is {told:g})"
        )
    hanging = [tendrils_share * share / sum(BRODER[3:6]) for share in BRODER[3:6]]
    # Without the last bits, so that a share of 0.0108 that was 0.0108 before is so again.
    return tuple(round(share, 12) for share in (in_share, scc_share, out_share, *hanging, max(0.0, 1.0 - told)))


def plan_pages(n: int, *, topics: int = 8, shares: tuple[float, ...] = BRODER, seed: int = 0) -> WebPlan:
    """Share the pages out to regions, sites and topics."""
    quota = _quota(n, shares)
    sizes, regions, topic_starts = [], [], [0]
    for region, pages in enumerate(quota):
        made = sizes_for(int(pages), growth=0.05, deviation=0.2, founding=0.035, seed=seed * 8 + region)
        sizes.append(made)
        regions.append(np.full(len(made), region))
        ends = np.concatenate(([0], np.cumsum(made)))
        marks = np.unique(np.linspace(0, len(made), topics + 1).astype(np.int64))[1:]
        topic_starts += (ends[marks] + int(quota[:region].sum())).tolist()
    all_sizes = np.concatenate(sizes)
    return WebPlan(
        np.concatenate(([0], np.cumsum(quota))),
        np.concatenate(([0], np.cumsum(all_sizes))),
        np.concatenate(regions),
        np.unique(np.array(topic_starts, dtype=np.int64)),
    )


def _quota(n: int, shares: tuple[float, ...]) -> Offsets:
    """Pages of each region. The core is the largest strong component only while no other region is as large."""
    quota = np.floor(np.asarray(shares) / sum(shares) * n + 1e-9).astype(np.int64)  # a fifth of 2000 is 400
    quota[1] += n - quota.sum()
    # A region can only hang on regions that exist.
    for region, needed in ((3, 0), (4, 2), (5, 0), (5, 2)):
        if quota[needed] == 0:
            quota[1] += quota[region]
            quota[region] = 0
    largest = int(np.argmax(quota))
    if largest != 1 and n:
        raise ParameterError(
            "scc_share",
            f"{shares[1]:g}",
            f"more than that of any other region ({REGIONS[largest]} has {shares[largest]:g}): the core is the largest",
        )
    return np.asarray(quota)


def _dead_ends(plan: WebPlan, share: float, seed: int) -> Bools:
    """Dead ends stand in regions that lead nowhere, and never are the first page of a site, on which threads hang."""
    dead = np.random.Generator(np.random.Philox((seed, 1))).random(plan.pages) < share
    dead &= np.isin(plan.page_regions(), [REGIONS.index(name) for name in _LEADING_NOWHERE])
    dead[plan.site_starts[:-1]] = False
    return dead


def _navigation(plan: WebPlan, dead: Bools) -> tuple[AnyArray, AnyArray]:
    """Parent ↔ child in the tree of every site; a dead end does not link back, and its children hang on the root."""
    starts = np.repeat(plan.site_starts[:-1], np.diff(plan.site_starts))
    within = np.arange(plan.pages) - starts
    children = np.flatnonzero(within)
    parents = starts[children] + (within[children] - 1) // FANOUT
    parents = np.where(dead[parents], starts[children], parents)
    back = ~dead[children]
    return np.concatenate((parents, children[back])), np.concatenate((children, parents[back]))


def _threads(plan: WebPlan, seed: int) -> tuple[AnyArray, AnyArray]:
    """The links that make every site part of its region."""
    rng = np.random.Generator(np.random.Philox((seed, 2)))

    def any_page(region: int, count: int) -> AnyArray:
        low, high = plan.region_starts[region], plan.region_starts[region + 1]
        return rng.integers(low, max(high, low + 1), count)

    first = [plan.sites_of(region) for region in range(len(REGIONS))]
    links = [
        (first[1], np.roll(first[1], -1)),  # the core: a ring of sites
        (first[0], any_page(1, len(first[0]))),  # IN → core
        (any_page(1, len(first[2])), first[2]),  # core → OUT
        (any_page(0, len(first[3])), first[3]),  # IN → tendril
        (first[4], any_page(2, len(first[4]))),  # tendril → OUT
        (any_page(0, len(first[5])), first[5]),  # IN → tube
        (first[5], any_page(2, len(first[5]))),  # tube → OUT
    ]
    return np.concatenate([a for a, _ in links]), np.concatenate([b for _, b in links])


def _copied(plan: WebPlan, dead: Bools, external: float, chances: tuple[float, float], seed: int) -> tuple[Ids, Ids]:
    counts = np.zeros(plan.pages, dtype=np.int64)
    _draw_counts(counts, dead, external, seed)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    targets = np.empty(offsets[-1], dtype=np.uint32)
    topic_of = np.searchsorted(plan.topic_starts, np.arange(plan.pages), side="right") - 1
    regions = plan.page_regions()
    bounds = np.array([[plan.region_starts[r], plan.region_starts[r + 1]] for r in range(len(REGIONS))])
    beyond = np.array([bounds[b] if b >= 0 else (0, 0) for b in _BEYOND])
    lone = np.array([REGIONS[r] == "disconnected" for r in range(len(REGIONS))])
    limits = (plan.topic_starts, np.concatenate((bounds, beyond), axis=1), lone)
    _copy_links(offsets, targets, (topic_of, regions), limits, chances, seed)
    return np.repeat(np.arange(plan.pages, dtype=np.uint32), counts), targets


@njit(cache=True, nogil=True)
def _draw_counts(counts: Offsets, dead: Bools, mean: float, seed: int) -> None:
    """Geometric numbers of links that leave the site, 0 for dead ends."""
    key = stream_key(seed, 10)
    scale = 1.0 / np.log1p(-1.0 / (1.0 + mean))
    for page in range(len(counts)):
        if not dead[page]:
            counts[page] = min(_MOST_LINKS, int(np.log1p(-uniform_at(key, page)) * scale))


@njit(cache=True, nogil=True)
def _copy_links(
    offsets: Offsets,
    targets: Ids,
    places: tuple[Offsets, Offsets],
    limits: tuple[Offsets, Offsets, Bools],
    chances: tuple[float, float],
    seed: int,
) -> None:
    """Page by page, link by link: copy the prototype's i-th link (counted round and round), or draw."""
    topic_of, regions = places
    topic_starts, bounds, lone = limits
    rho, across = chances
    coin, draw, prototype = stream_key(seed, 11), stream_key(seed, 12), stream_key(seed, 13)
    for page in range(len(offsets) - 1):
        low = topic_starts[topic_of[page]]
        before = low + below_at(prototype, page, page - low) if page > low else page
        choices = offsets[before + 1] - offsets[before] if before < page else 0
        for link in range(offsets[page], offsets[page + 1]):
            if choices > 0 and uniform_at(coin, link) >= rho:
                targets[link] = targets[offsets[before] + (link - offsets[page]) % choices]
                continue
            region = regions[page]
            begin, end = low, topic_starts[topic_of[page] + 1]
            if not lone[region] and uniform_at(coin, len(targets) + link) < across:
                begin, end = bounds[region, 0], bounds[region, 1]
                beyond = bounds[region, 3] - bounds[region, 2]
                if beyond > 0 and uniform_at(draw, len(targets) + link) < 0.5:
                    begin, end = bounds[region, 2], bounds[region, 3]
            target = begin + below_at(draw, link, end - begin)
            if target == page:  # a page recommends others; alone in its topic it has nobody else
                target = begin + (target + 1 - begin) % (end - begin)
            targets[link] = target


def _addresses(plan: WebPlan) -> UrlTable:
    """`http://s0000012.example/p000034`: in the order of ids, because sites and pages are numbered in width."""

    def keys() -> Iterator[str]:
        for site in range(len(plan.site_starts) - 1):
            for page in range(int(plan.site_starts[site + 1] - plan.site_starts[site])):
                name = f"p{page:07d}" if page else ""
                yield f"example,s{site:07d})http/{name}"

    return UrlTable.from_keys(keys())
