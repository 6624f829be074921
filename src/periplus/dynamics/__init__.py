"""What happens on a web: epidemics, protection, routing, and how pages change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

_HOMES = {
    "betweenness_sample": "periplus.dynamics.epidemics",
    "brewington_rates": "periplus.dynamics.change",
    "change_rate": "periplus.dynamics.change",
    "change_times": "periplus.dynamics.change",
    "currency": "periplus.dynamics.change",
    "draw_lifetimes": "periplus.dynamics.change",
    "greedy_routing": "periplus.dynamics.routing",
    "lifetime_survival": "periplus.dynamics.change",
    "percolation": "periplus.dynamics.epidemics",
    "percolation_curve": "periplus.dynamics.epidemics",
    "protect": "periplus.dynamics.epidemics",
    "protection": "periplus.dynamics.immunisation",
    "refetch": "periplus.dynamics.change",
    "spread": "periplus.dynamics.epidemics",
    "survival": "periplus.dynamics.change",
    "threshold": "periplus.dynamics.epidemics",
}

__all__ = [
    "betweenness_sample",
    "brewington_rates",
    "change_rate",
    "change_times",
    "currency",
    "draw_lifetimes",
    "greedy_routing",
    "lifetime_survival",
    "percolation",
    "percolation_curve",
    "protect",
    "protection",
    "refetch",
    "spread",
    "survival",
    "threshold",
]

if TYPE_CHECKING:
    from periplus.dynamics.change import (
        brewington_rates,
        change_rate,
        change_times,
        currency,
        draw_lifetimes,
        lifetime_survival,
        refetch,
        survival,
    )
    from periplus.dynamics.epidemics import (
        betweenness_sample,
        percolation,
        percolation_curve,
        protect,
        spread,
        threshold,
    )
    from periplus.dynamics.immunisation import protection
    from periplus.dynamics.routing import greedy_routing

__getattr__, __dir__ = offers(__name__, _HOMES)
