"""Models of how the web grew: each a seeded generator, its theory as functions, and a test of one against the other.

`MODELS` is the one table that the command line, the API, the docs and the contract test read.
"""

from __future__ import annotations

from periplus.models.base import MIXTURE_FORM, SEED, Model, Parameter, nodes_parameter

__all__ = ["MODELS", "Model", "Parameter"]


def _probability(name: str, default: float, help: str) -> Parameter:
    return Parameter(name, float, default, help, 0.0, 1.0)


_DIRECTED = Parameter("directed", bool, True, "ordered pairs; otherwise every link goes both ways")
_LATTICE = (nodes_parameter(3), Parameter("d", int, 10, "degree of the ring lattice, even", 2, 10_000))

_TABLE = (
    Model(
        "erdos-renyi",
        "periplus.models.erdos_renyi:erdos_renyi",
        "every pair of pages is linked with probability p",
        "Deo & Gupta 3.1; Erdős & Rényi 1959",
        (nodes_parameter(), _probability("p", 0.01, "probability of a link"), _DIRECTED, SEED),
    ),
    Model(
        "erdos-renyi-links",
        "periplus.models.erdos_renyi:erdos_renyi_links",
        "exactly m links, every such graph alike",
        "Deo & Gupta 3.1; Erdős & Rényi 1959",
        (nodes_parameter(), Parameter("m", int, 5000, "links", 0), _DIRECTED, SEED),
    ),
    Model(
        "watts-strogatz",
        "periplus.models.small_world:watts_strogatz",
        "a ring lattice whose links are reassigned with probability p, round robin",
        "Deo & Gupta 3.2; Watts & Strogatz 1998",
        (*_LATTICE, _probability("p", 0.1, "probability that a link is reassigned"), SEED),
        directed=False,
    ),
    Model(
        "edge-addition",
        "periplus.models.small_world:edge_addition",
        "a ring lattice with pdn/2 random links added",
        "Deo & Gupta 3.2; Newman & Watts 1999",
        (*_LATTICE, _probability("p", 0.1, "shortcuts per link of the lattice"), SEED),
        directed=False,
    ),
    Model(
        "preferential-attachment",
        "periplus.models.preferential:preferential_attachment",
        "new pages link to old ones in proportion to their degree",
        "Deo & Gupta 3.3, Litvak; Barabási & Albert 1999",
        (
            nodes_parameter(),
            Parameter("m0", int, 3, "links a new page", 1, 10_000),
            Parameter("n0", int, 0, "first pages, without links (0: as many as m0)", 0),
            Parameter(
                "start",
                str,
                "null",
                "null: pages without links (Deo & Gupta); one: a single page (Litvak)",
                choices=("null", "one"),
            ),
            SEED,
        ),
        directed=False,
    ),
    Model(
        "growth-only",
        "periplus.models.preferential:growth_only",
        "control: new pages link to old ones drawn uniformly",
        "Deo & Gupta 3.3",
        (nodes_parameter(), Parameter("m0", int, 3, "links a new page", 1, 10_000), SEED),
        directed=False,
    ),
    Model(
        "preference-only",
        "periplus.models.preferential:preference_only",
        "control: a fixed number of pages, links drawn by degree",
        "Deo & Gupta 3.3",
        (nodes_parameter(2), Parameter("m", int, 3000, "links drawn; those that repeat others are merged", 0), SEED),
        directed=False,
        drawn=lambda given: 2.0 * given["m"],
    ),
    Model(
        "directed-scale-free",
        "periplus.models.preferential:directed_scale_free",
        "directed preferential attachment with the web's exponents, in 2.1 and out 2.7",
        "Deo & Gupta 3.3, Litvak; Bollobás et al. 2003",
        (
            nodes_parameter(),
            Parameter("in_exponent", float, 2.1, "exponent of the in-degree", 2.0, 10.0, open_low=True),
            Parameter("out_exponent", float, 2.7, "exponent of the out-degree", 2.0, 10.0, open_low=True),
            Parameter(
                "mean_degree", float, 7.5, "links drawn a page; repeats are merged", 1.0, 10_000.0, open_low=True
            ),
            Parameter("gamma", float, 0.02, "probability that a step adds a page that is linked to", 0.0, 1.0),
            SEED,
        ),
        drawn=lambda given: given["n"] * given["mean_degree"],
    ),
    Model(
        "linear-copying",
        "periplus.models.copying:linear_copying",
        "pages added one by one copy the links of a random prototype",
        "Deo & Gupta 3.5; Kumar et al. 2000",
        (
            nodes_parameter(),
            Parameter("rho", float, 0.2, "probability that a link is drawn, not copied", 0.0, 1.0, open_low=True),
            Parameter("out_degree", int, 7, "links a page", 1, 10_000),
            SEED,
        ),
    ),
    Model(
        "exponential-copying",
        "periplus.models.exponential_copying:exponential_copying",
        "the web grows by a factor each step, and links to a page beget links to it",
        "Deo & Gupta 3.5; Kumar et al. 2000",
        (
            nodes_parameter(),
            Parameter("g", float, 0.1, "growth a step", 0.0, 1.0, open_low=True),
            Parameter("chi", int, 2, "self-links of a new page", 2, 1000),
            Parameter("chi_tail", float, 0.5, "share of new links with an old tail", 0.0, 1.0, True, True),
            Parameter("kappa", float, 5.0, "links a page beside its self-links", 0.0, 10_000.0, open_low=True),
            SEED,
        ),
    ),
    Model(
        "alpha-beta",
        "periplus.models.alpha_beta:alpha_beta",
        "e^α/d^β pages of degree d, joined at random",
        "Deo & Gupta 3.6; Aiello, Chung & Lu 2000",
        (
            nodes_parameter(),
            Parameter("beta", float, 2.5, "exponent of the degrees", 1.0, 20.0, open_low=True),
            Parameter("alpha", float, 0.0, "logarithm of the pages of degree one (0: from n)", 0.0, 22.0),
            SEED,
        ),
        directed=False,
        sizes="the sum of the whole numbers of pages of each degree",
    ),
    Model(
        "kleinberg",
        "periplus.models.kleinberg:kleinberg",
        "a k-dimensional grid with long-range contacts at distance L drawn as L^-r",
        "Deo & Gupta 7.5; Kleinberg 2000",
        (
            nodes_parameter(),
            Parameter("dimensions", int, 2, "of the grid", 1, 8),
            Parameter("reach", int, 1, "local contacts within this distance", 1, 16),
            Parameter("long_range", int, 1, "long-range contacts a page", 0, 1000),
            Parameter("r", float, 2.0, "exponent of their distance", 0.0, 100.0),
            SEED,
        ),
        sizes="the largest grid of at most n pages",
    ),
    Model(
        "site-growth",
        "periplus.models.sites:site_growth",
        "sites of Huberman–Adamic size, each a tree of pages",
        "Deo & Gupta 3.4; Huberman & Adamic 1999",
        (
            nodes_parameter(),
            Parameter("growth", float, 0.05, "mean growth of a site a step", 0.0, 10.0),
            Parameter("deviation", float, 0.2, "standard deviation of that growth", 0.0, 10.0, open_low=True),
            Parameter("founding", float, 0.035, "growth of the number of sites a step", 0.0, 10.0, open_low=True),
            Parameter("mixture", str, "", "growth rates with their shares of the sites", form=MIXTURE_FORM),
            SEED,
        ),
        directed=False,
    ),
    Model(
        "web",
        "periplus.models.webmodel:web_model",
        "the composed web: sites, navigation, copied links, dead ends, a bow-tie of given shape",
        "Deo & Gupta 3.4, 3.5, 4.1, Litvak; Broder et al. 2000",
        (
            nodes_parameter(10),
            Parameter("topics", int, 8, "topics, inside which links are copied", 1, 10_000),
            Parameter("external", float, 5.0, "mean links a page that leave its site", 0.0, 60.0, open_low=True),
            Parameter("rho", float, 0.15, "probability that such a link is drawn, not copied", 0.0, 1.0, open_low=True),
            _probability("across", 0.1, "share of drawn links that leave the topic"),
            _probability("dead_ends", 0.3, "share of dead ends among pages that need lead nowhere"),
            Parameter("scc_share", float, 0.2774, "pages in the core, its largest region", 0.0, 1.0, open_low=True),
            _probability("in_share", 0.2129, "pages that lead into the core"),
            _probability("out_share", 0.2121, "pages that the core leads to"),
            _probability("tendrils_share", 0.2152, "pages in tendrils and tubes; what is left is disconnected"),
            Parameter("urls", bool, False, "give every page an address"),
            SEED,
        ),
    ),
    Model(
        "rmat",
        "periplus.models.rmat:rmat",
        "recursive quadrants, for comparison with other benchmarks",
        "Chakrabarti, Zhan & Faloutsos 2004",
        (
            nodes_parameter(),
            Parameter("degree", int, 16, "links drawn a page; repeats are merged", 1, 10_000),
            _probability("a", 0.57, "both ends low"),
            _probability("b", 0.19, "target high"),
            _probability("c", 0.19, "source high"),
            SEED,
        ),
        drawn=lambda given: float(given["degree"] << (given["n"] - 1).bit_length()),
        sizes="n is rounded up to a power of two",
    ),
)

MODELS: dict[str, Model] = {model.name: model for model in _TABLE}
