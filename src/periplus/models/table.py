"""`MODELS`: one row per model, read by the command line, the API, the laboratory, the docs and the contract test.

To add one: a file with a generator `(n, *, …, seed) -> Graph` under `@checked(MODELS["name"])`, and a row here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from periplus.catalog import SEED, Algorithm, Catalogue, Parameter, nodes_parameter
from periplus.graph.graph import Graph

MIXTURE_FORM = "rate:share,rate:share,…"
Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Model(Algorithm):
    """One model of how the web grew.

    `sizes` says why a graph may have other than n pages. `links` returns about how many links a graph has, `drawn` how
    many are drawn where many repeat others and are merged with them. `theory` is the home of what theory says of it
    (a `Theory` of `periplus.models.pictures.theories`).
    """

    returns: tuple[str, ...] = ("graph",)
    directed: bool = True
    sizes: str = ""
    links: Callable[[Given], float] = lambda given: math.inf
    drawn: Callable[[Given], float] | None = None
    theory: str = ""

    def generate(self, **given: Any) -> Graph:
        """Grow a graph."""
        graph: Graph = self.function()(**self.checked(given))
        return graph


def _probability(name: str, default: float, help: str) -> Parameter:
    return Parameter(name, "float", default, help, 0.0, 1.0)


_DIRECTED = Parameter("directed", "flag", True, "ordered pairs; otherwise every link goes both ways")
_NEW_LINKS = Parameter("m0", "int", 3, "links per new page", 1, 10_000, also=("m", "k", "outdegree"))
_RING_DEGREE = Parameter("d", "int", 10, "degree of the ring lattice, even", 2, 10_000, also=("k", "nei", "degree"))
_LATTICE = (nodes_parameter(3), _RING_DEGREE)

MODELS: Catalogue[Model] = Catalogue(
    "model",
    (
        Model(
            "erdos-renyi",
            "periplus.models.generators.erdos_renyi:erdos_renyi",
            "every pair of pages is linked with probability p",
            paper="Deo & Gupta 3.1; Erdős & Rényi 1959",
            family="random",
            parameters=(nodes_parameter(), _probability("p", 0.01, "probability of a link"), _DIRECTED, SEED),
            links=lambda given: given["n"] ** 2 * given["p"],
            theory="periplus.models.pictures.theories:ERDOS_RENYI",
        ),
        Model(
            "erdos-renyi-links",
            "periplus.models.generators.erdos_renyi:erdos_renyi_links",
            "exactly m links, every such graph alike",
            paper="Deo & Gupta 3.1; Erdős & Rényi 1959",
            family="random",
            parameters=(nodes_parameter(), Parameter("m", "int", 5000, "links", 0), _DIRECTED, SEED),
            links=lambda given: 2.0 * given["m"],
            theory="periplus.models.pictures.theories:ERDOS_RENYI_LINKS",
        ),
        Model(
            "watts-strogatz",
            "periplus.models.generators.small_world:watts_strogatz",
            "a ring lattice whose links are reassigned with probability p, round robin",
            paper="Deo & Gupta 3.2; Watts & Strogatz 1998",
            family="small world",
            parameters=(*_LATTICE, _probability("p", 0.1, "probability that a link is reassigned"), SEED),
            directed=False,
            links=lambda given: given["n"] * given["d"],
            theory="periplus.models.pictures.theories:WATTS_STROGATZ",
        ),
        Model(
            "edge-addition",
            "periplus.models.generators.small_world:edge_addition",
            "a ring lattice with pdn/2 random links added",
            paper="Deo & Gupta 3.2; Newman & Watts 1999",
            family="small world",
            parameters=(*_LATTICE, _probability("p", 0.1, "shortcuts per link of the lattice"), SEED),
            directed=False,
            links=lambda given: given["n"] * given["d"] * (1 + given["p"]),
            theory="periplus.models.pictures.theories:EDGE_ADDITION",
        ),
        Model(
            "preferential-attachment",
            "periplus.models.generators.preferential:preferential_attachment",
            "new pages link to old ones in proportion to their degree",
            paper="Deo & Gupta 3.3, Litvak; Barabási & Albert 1999",
            family="growth",
            parameters=(
                nodes_parameter(),
                _NEW_LINKS,
                Parameter("n0", "int", 0, "first pages, without links (0: as many as m0)", 0),
                Parameter(
                    "start",
                    "choice",
                    "null",
                    "null: pages without links (Deo & Gupta); one: a single page (Litvak)",
                    choices=("null", "one"),
                ),
                SEED,
            ),
            directed=False,
            links=lambda given: 2.0 * given["n"] * given["m0"],
            theory="periplus.models.pictures.theories:PREFERENTIAL_ATTACHMENT",
        ),
        Model(
            "growth-only",
            "periplus.models.generators.preferential:growth_only",
            "control: new pages link to old ones drawn uniformly",
            paper="Deo & Gupta 3.3",
            family="growth",
            parameters=(nodes_parameter(), _NEW_LINKS, SEED),
            directed=False,
            links=lambda given: 2.0 * given["n"] * given["m0"],
            theory="periplus.models.pictures.theories:GROWTH_ONLY",
        ),
        Model(
            "preference-only",
            "periplus.models.generators.preferential:preference_only",
            "control: a fixed number of pages, links drawn by degree",
            paper="Deo & Gupta 3.3",
            family="growth",
            parameters=(
                nodes_parameter(2),
                Parameter("m", "int", 3000, "links drawn; those that repeat others are merged", 0),
                SEED,
            ),
            directed=False,
            drawn=lambda given: 2.0 * given["m"],
            links=lambda given: 2.0 * given["m"],
            theory="periplus.models.pictures.theories:PREFERENCE_ONLY",
        ),
        Model(
            "directed-scale-free",
            "periplus.models.generators.preferential:directed_scale_free",
            "directed preferential attachment with the web's exponents, in 2.1 and out 2.7",
            paper="Deo & Gupta 3.3, Litvak; Bollobás et al. 2003",
            family="growth",
            parameters=(
                nodes_parameter(),
                Parameter("in_exponent", "float", 2.1, "exponent of the in-degree", 2.0, 10.0, open_low=True),
                Parameter("out_exponent", "float", 2.7, "exponent of the out-degree", 2.0, 10.0, open_low=True),
                Parameter(
                    "mean_degree",
                    "float",
                    7.5,
                    "links drawn per page; repeats are merged",
                    1.0,
                    10_000.0,
                    open_low=True,
                ),
                Parameter("gamma", "float", 0.02, "probability that a step adds a page that is linked to", 0.0, 1.0),
                SEED,
            ),
            drawn=lambda given: given["n"] * given["mean_degree"],
            links=lambda given: given["n"] * given["mean_degree"],
            theory="periplus.models.pictures.theories:DIRECTED_SCALE_FREE",
        ),
        Model(
            "linear-copying",
            "periplus.models.generators.copying:linear_copying",
            "pages added one by one copy the links of a random prototype",
            paper="Deo & Gupta 3.5; Kumar et al. 2000",
            family="copying",
            parameters=(
                nodes_parameter(),
                Parameter("rho", "float", 0.2, "probability that a link is drawn, not copied", 0.0, 1.0, open_low=True),
                Parameter("out_degree", "int", 7, "links per page", 1, 10_000),
                SEED,
            ),
            links=lambda given: given["n"] * given["out_degree"],
            theory="periplus.models.pictures.theories:LINEAR_COPYING",
        ),
        Model(
            "exponential-copying",
            "periplus.models.generators.exponential_copying:exponential_copying",
            "the web grows by a factor each step, and links to a page beget links to it",
            paper="Deo & Gupta 3.5; Kumar et al. 2000",
            family="copying",
            parameters=(
                nodes_parameter(),
                Parameter("g", "float", 0.1, "growth per step", 0.0, 1.0, open_low=True),
                Parameter("chi", "int", 2, "self-links of a new page", 2, 1000),
                Parameter(
                    "chi_tail",
                    "float",
                    0.5,
                    "share of new links with an old tail",
                    0.0,
                    1.0,
                    open_low=True,
                    open_high=True,
                ),
                Parameter("kappa", "float", 5.0, "links per page beside its self-links", 0.0, 10_000.0, open_low=True),
                SEED,
            ),
            links=lambda given: given["n"] * (given["kappa"] + given["chi"]),
            theory="periplus.models.pictures.theories:EXPONENTIAL_COPYING",
        ),
        Model(
            "alpha-beta",
            "periplus.models.generators.alpha_beta:alpha_beta",
            "degree d has e^α/d^β pages, joined at random",
            paper="Deo & Gupta 3.6; Aiello, Chung & Lu 2000",
            family="degrees",
            parameters=(
                nodes_parameter(),
                Parameter("beta", "float", 2.5, "exponent of the degrees", 1.0, 20.0, open_low=True),
                Parameter("alpha", "float", 0.0, "logarithm of the pages of degree one (0: from n)", 0.0, 22.0),
                SEED,
            ),
            directed=False,
            sizes="the sum of the whole numbers of pages of each degree",
            links=lambda given: 40.0 * max(given["n"], math.exp(given["alpha"])),
            theory="periplus.models.pictures.theories:ALPHA_BETA",
        ),
        Model(
            "kleinberg",
            "periplus.models.generators.kleinberg:kleinberg",
            "a k-dimensional grid with long-range contacts at distance L drawn as L^-r",
            paper="Deo & Gupta 7.5; Kleinberg 2000",
            family="small world",
            parameters=(
                nodes_parameter(),
                Parameter("dimensions", "int", 2, "of the grid", 1, 8),
                Parameter("reach", "int", 1, "local contacts within this distance", 1, 16),
                Parameter("long_range", "int", 1, "long-range contacts per page", 0, 1000),
                Parameter("r", "float", 2.0, "exponent of their distance", 0.0, 100.0),
                SEED,
            ),
            sizes="the largest grid of at most n pages",
            links=lambda given: (
                given["n"] * (float(2 * given["reach"] + 1) ** given["dimensions"] + given["long_range"])
            ),
            theory="periplus.models.pictures.theories:KLEINBERG",
        ),
        Model(
            "site-growth",
            "periplus.models.generators.sites:site_growth",
            "sites of Huberman–Adamic size, each a tree of pages",
            paper="Deo & Gupta 3.4; Huberman & Adamic 1999",
            family="sites",
            parameters=(
                nodes_parameter(),
                Parameter("growth", "float", 0.05, "mean growth of a site per step", 0.0, 10.0),
                Parameter("deviation", "float", 0.2, "standard deviation of that growth", 0.0, 10.0, open_low=True),
                Parameter(
                    "founding", "float", 0.035, "growth of the number of sites per step", 0.0, 10.0, open_low=True
                ),
                Parameter("mixture", "text", "", "growth rates with their shares of the sites", form=MIXTURE_FORM),
                SEED,
            ),
            directed=False,
            links=lambda given: 2.0 * given["n"],
            theory="periplus.models.pictures.theories:SITE_GROWTH",
        ),
        Model(
            "web",
            "periplus.models.generators.webmodel:web_model",
            "the composed web: sites, navigation, copied links, dead ends, a bow-tie of given shape",
            paper="Deo & Gupta 3.4, 3.5, 4.1, Litvak; Broder et al. 2000",
            family="sites",
            parameters=(
                nodes_parameter(10),
                Parameter("topics", "int", 8, "topics, inside which links are copied", 1, 10_000),
                Parameter(
                    "external", "float", 5.0, "mean links per page that leave its site", 0.0, 60.0, open_low=True
                ),
                Parameter(
                    "rho", "float", 0.15, "probability that such a link is drawn, not copied", 0.0, 1.0, open_low=True
                ),
                _probability("across", 0.1, "share of drawn links that leave the topic"),
                _probability("dead_ends", 0.3, "share of dead ends among pages that need lead nowhere"),
                Parameter(
                    "scc_share", "float", 0.2774, "pages in the core, its largest region", 0.0, 1.0, open_low=True
                ),
                _probability("in_share", 0.2129, "pages that lead into the core"),
                _probability("out_share", 0.2121, "pages that the core leads to"),
                _probability("tendrils_share", 0.2152, "pages in tendrils and tubes; what is left is disconnected"),
                Parameter("urls", "flag", False, "give every page an address"),
                SEED,
            ),
            links=lambda given: given["n"] * (3 + given["external"]),
            theory="periplus.models.pictures.theories:WEB",
        ),
        Model(
            "rmat",
            "periplus.models.generators.rmat:rmat",
            "recursive quadrants, for comparison with other benchmarks",
            paper="Chakrabarti, Zhan & Faloutsos 2004",
            family="degrees",
            parameters=(
                nodes_parameter(),
                Parameter("degree", "int", 16, "links drawn per page; repeats are merged", 1, 10_000),
                _probability("a", 0.57, "both ends low"),
                _probability("b", 0.19, "target high"),
                _probability("c", 0.19, "source high"),
                SEED,
            ),
            drawn=lambda given: float(given["degree"] << (given["n"] - 1).bit_length()),
            sizes="n is rounded up to a power of two",
            links=lambda given: 2.0 * given["n"] * given["degree"],
            theory="periplus.models.pictures.theories:RMAT",
        ),
    ),
)
