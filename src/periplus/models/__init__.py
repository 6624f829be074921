"""Models of how the web grew: each a seeded generator, its theory as functions, and a test of one against the other.

`MODELS` is the one table that the command line, the API, the docs and the contract test read.
"""

from __future__ import annotations

from periplus.models.base import SEED, Model, Parameter, nodes_parameter

_TABLE = (
    Model(
        "linear-copying",
        "periplus.models.copying:linear_copying",
        "pages added one by one copy the links of a random prototype",
        "D 3.5; Kumar et al. 2000",
        (
            nodes_parameter(),
            Parameter(
                "rho", float, 0.2, "probability that a link is drawn uniformly, not copied", 0.0, 1.0, open_low=True
            ),
            Parameter("out_degree", int, 7, "links a page", 1, 10_000),
            SEED,
        ),
    ),
)

MODELS: dict[str, Model] = {model.name: model for model in _TABLE}
