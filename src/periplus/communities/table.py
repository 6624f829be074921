"""`COMMUNITIES`: one row per method, read by the command line, the API, the docs and the contract test.

To add one: a file with a function `(graph, *, …)` under `@checked(COMMUNITIES["name"])` that returns `PageLabels` or
`PageGroups`, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from periplus.catalog import SEED, Algorithm, Catalogue, Parameter

if TYPE_CHECKING:
    from periplus.communities.groups import PageGroups
    from periplus.record import PageLabels


@dataclass(frozen=True, slots=True)
class Method(Algorithm):
    """One way to find communities: "labels" (each page in one at most) or "groups" (they may overlap)."""

    returns: tuple[str, ...] = ("labels",)

    def function(self) -> Callable[..., PageLabels | PageGroups]:
        """The method itself, imported now."""
        return Algorithm.function(self)


_SEEDS = Parameter(
    "seeds", "pages", None, "Pages to begin with.", required=True, also=("pages", "nodes", "sources", "seed_set")
)
_PRESET = Parameter("preset", "choice", "sky", "which gravitational model", choices=("sky", "paper"))
_STEPS = Parameter("steps", "int", None, "steps of time (default: those of the preset)", 0, 10**7, also=("n_iter",))
_IN_THE_SKY = (_PRESET, _STEPS, SEED)
_BENNOUAS = "Bennouas, Bouklit & de Montgolfier 2003, 4.4"

_RESOLUTION = Parameter(
    "resolution", "float", 1.0, "γ: higher gives more and smaller communities.", 0.0, open_low=True,
    also=("gamma", "resolution_parameter"),
)  # fmt: skip

COMMUNITIES: Catalogue[Method] = Catalogue(
    "method",
    (
        Method(
            "trawl", "periplus.communities.trawling.trawl:trawl",
            "Disjoint (i, j) cores: i fans that all link to the same j centres.", "cores",
            parameters=(
                Parameter("i", "int", 3, "fans of a core", 2, 10, also=("fans",)),
                Parameter("j", "int", 3, "centres of a core", 2, 10, also=("centres", "centers")),
                Parameter("cap", "int", 50, "pages with more in-links are no centres", 1, also=("max_in_degree", "k")),
            ),
            returns=("groups",), paper="Kumar et al. 1999; Deo & Gupta 7.3; Fogaras 2",
            when="communities that nobody has named yet",
        ),
        Method(
            "leiden", "periplus.communities.modular.leiden:leiden",
            "Groups with more links inside than chance would give; each connected.", "partition",
            parameters=(
                _RESOLUTION,
                Parameter(
                    "quality", "choice", "modularity", "What is maximised.", choices=("modularity", "cpm"),
                    also=("objective", "objective_function", "partition_type"),
                ),
                SEED,
            ),
            paper="Traag, Waltman & van Eck 2019", when="one partition of the whole web",
        ),
        Method(
            "likeness", "periplus.communities.hierarchy.tree:likeness",
            "About √n groups by likeness of links and links, two to one (Leiden).", "partition",
            parameters=(SEED,), paper="this project; Traag, Waltman & van Eck 2019",
            when="subjects of a web: what is linked alike belongs together",
        ),
        Method(
            "tree", "periplus.communities.hierarchy.tree:tree",
            "One labelled tree over all pages; each page's label is its leaf.", "tree",
            parameters=(SEED,), paper="this project; the open question of Fogaras 5",
            when="to walk a web from its subjects down to its pages",
        ),
        Method(
            "min-cut", "periplus.communities.local.mincut:min_cut",
            "The pages around seeds that have more links inside than outside, in the whole graph.", "local",
            parameters=(
                _SEEDS,
                Parameter("k", "int", None, "capacity of a link (default: number of seeds)", 1, also=("capacity",)),
                Parameter("steps", "int", 2, "links from the seeds to the edge of the vicinity", 1, 10),
                Parameter("limit", "int", 2000, "pages of the vicinity", 2, 100_000),
            ),
            paper="Flake, Lawrence & Giles 2000; Bennouas et al. 3", when="“what belongs with these pages?”",
        ),
        Method(
            "knowledge", "periplus.communities.knowing.base:knowledge",
            "Cores grown into named communities, with their hubs and authorities.", "cores",
            parameters=(
                Parameter("cap", "int", 50, "pages with more in-links are no centres", 1, also=("max_in_degree",)),
                Parameter("most", "int", 1000, "cores that are grown, the largest first", 1),
            ),
            returns=("groups",), paper="Kumar et al. 1999; Deo & Gupta 7.3",
            when="to look up what a web is about, and who is in it",
        ),
        Method(
            "eigenvectors", "periplus.communities.local.eigenvectors:eigenvectors",
            "Hubs and authorities at both ends of the leading eigenvectors of HITS.", "local",
            parameters=(
                Parameter("count", "int", 6, "eigenvectors", 1, 200, also=("n_components",)),
                Parameter("pages", "int", 10, "pages of each role", 1),
            ),
            returns=("groups",), paper="Gibson, Kleinberg & Raghavan 1998; Deo & Gupta 7.1",
            when="the base set of a query: a word with several meanings",
        ),
        Method(
            "sites", "periplus.communities.local.sites:sites",
            "The smallest ranges of addresses with more links inside than across.", "addresses",
            parameters=(
                Parameter("ratio", "float", 1.0, "links inside for each across", 0.0),
                Parameter("least", "int", 3, "pages of a range", 1),
            ),
            paper="Deo & Gupta 7.1", when="to see which hosts and directories are sites of their own",
        ),
        Method(
            "aggregates", "periplus.communities.local.aggregates:aggregates",
            "What is left in one piece when articulation points are removed.", "cuts",
            parameters=(Parameter("least", "int", 3, "pages of a piece", 1),),
            paper="Botafogo & Shneiderman 1991; Deo & Gupta 7", when="hand-made sites that hang on index pages",
        ),
        Method(
            "centres", "periplus.communities.local.centres:centres",
            "The connected groups of a result set, with centres and attractors.", "local",
            parameters=(
                Parameter("results", "pages", None, "Pages of the result (default: all).", also=("pages",)),
                Parameter("best", "int", 3, "centres and attractors of a group", 1),
                Parameter("least", "int", 2, "pages of a group", 1),
            ),
            returns=("groups",), paper="Adamic 1999; Bennouas et al. 3", when="where to begin in a list of results",
        ),
        Method(
            "attractors", "periplus.communities.spatial.sky:attractors",
            "Pages around the heavy pages of the gravitational sky.", "sky",
            parameters=(
                Parameter("mass", "float", 3.0, "an attractor has so many times the mean mass", 0.0),
                Parameter("together", "float", 0.1, "attractors nearer than this are one, in radii of the sky", 0.0),
                Parameter("reach", "float", 1.0, "pages farther than this belong nowhere, in radii", 0.0),
                *_IN_THE_SKY,
            ),
            paper=_BENNOUAS, when="communities that gather about a well-known page",
        ),
        Method(
            "spheres", "periplus.communities.spatial.sky:spheres",
            "Balls in the gravitational sky with the most mass in the least volume.", "sky",
            parameters=(
                Parameter("k", "int", 8, "balls at most", 1, also=("n_clusters",)),
                Parameter("volume", "float", 1.0, "what volume costs, against mass", 0.0),
                *_IN_THE_SKY,
            ),
            paper=_BENNOUAS, when="the few densest places of a web",
        ),
        Method(
            "dichotomy", "periplus.communities.spatial.sky:dichotomy",
            "Near pages of the gravitational sky paired, and the pairs paired, while they are dense.", "sky",
            parameters=(
                Parameter("density", "float", 8.0, "least density, in that of the whole sky", 0.0, open_low=True),
                *_IN_THE_SKY,
            ),
            paper=_BENNOUAS, when="many small groups of pages that lie together",
        ),
    ),
)  # fmt: skip
