"""Union–find: sets that grow together, as a forest in one array, `parent[i] == i` at a root.

Each caller hangs one root below the other itself, by id or by size, as its result wants it (Tarjan 1975).
Cost: nearly O(1) per call, as every call halves the path that it walks.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def root(parent, place):  # type: ignore[no-untyped-def]
    """The root above a place. Unsigned, so that no index is checked for a sign."""
    here = np.uint64(place)
    above = np.uint64(parent[here])
    while above != here:
        parent[here] = parent[above]
        here = np.uint64(parent[here])
        above = np.uint64(parent[here])
    return here
