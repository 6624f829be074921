"""The Markov-chain rank among the results (Zhang and Dong 2000; Deo and Gupta 7.4.3).

The surfer moves among the pages of the root set only; sim(i) is the text score of page i over the highest. See
`periplus.rank.methods.markov` for the tendencies.
"""

from __future__ import annotations

import numpy as np

from periplus.focus.base import Focus
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.markov import markov_chain
from periplus.record import Scores

STOP = Tol(1e-6) | MaxIter(1000)


def markov(focus: Focus) -> Scores:
    """The stationary distribution over the root set, zero elsewhere."""
    highest = focus.text.max(initial=0.0)
    similarity = focus.text / highest if highest > 0 else np.ones(len(focus.root))
    found = markov_chain(focus.graph.subgraph(focus.root), similarity=similarity, stop=STOP)
    return Scores(
        "markov",
        focus.over_base(found.values),
        parameters=found.parameters,
        iterations=found.iterations,
        error_bound=found.error_bound,
    )
