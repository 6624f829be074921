"""Models of how the web grew: each a seeded generator, its theory as functions, and a test of one against the other.

`MODELS` is the one table that the command line, the API, the docs and the contract test read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers
from periplus.models.table import MODELS, Model

_HOMES = {row.home.partition(":")[2]: row.home.partition(":")[0] for row in MODELS.values()}

__all__ = ["MODELS", "Model", *sorted(_HOMES)]

if TYPE_CHECKING:
    from periplus.models.generators.alpha_beta import alpha_beta as alpha_beta
    from periplus.models.generators.copying import linear_copying as linear_copying
    from periplus.models.generators.erdos_renyi import erdos_renyi as erdos_renyi
    from periplus.models.generators.erdos_renyi import erdos_renyi_links as erdos_renyi_links
    from periplus.models.generators.exponential_copying import exponential_copying as exponential_copying
    from periplus.models.generators.kleinberg import kleinberg as kleinberg
    from periplus.models.generators.preferential import directed_scale_free as directed_scale_free
    from periplus.models.generators.preferential import growth_only as growth_only
    from periplus.models.generators.preferential import preference_only as preference_only
    from periplus.models.generators.preferential import preferential_attachment as preferential_attachment
    from periplus.models.generators.rmat import rmat as rmat
    from periplus.models.generators.sites import site_growth as site_growth
    from periplus.models.generators.small_world import edge_addition as edge_addition
    from periplus.models.generators.small_world import watts_strogatz as watts_strogatz
    from periplus.models.generators.webmodel import web_model as web_model

__getattr__, __dir__ = offers(__name__, _HOMES)
