"""`RANKERS` and `SOLVERS`: one row per ranking, one per way of solving PageRank's equation.

The command line, the API, the labels of search results, the docs and the contract test read these tables. Nothing is
imported until `function()` is called. To add a ranking: a file with a function `(graph, *, …) -> Scores` under
`@checked(RANKERS["name"])`, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from periplus.catalog import SEED, Algorithm, Catalogue, Parameter
from periplus.errors import ParameterError
from periplus.numeric.stop import MaxIter, Stop, Tol
from periplus.record import Scores


@dataclass(frozen=True, slots=True)
class Ranker(Algorithm):
    """One ranking; `hub_label` is what its second vector measures, where it has one."""

    returns: tuple[str, ...] = ("scores",)
    hub_label: str = ""

    @property
    def hubs(self) -> bool:
        """Whether it returns hubs beside authorities."""
        return "hubs" in self.returns

    @property
    def stop(self) -> Parameter | None:
        """Its stopping rule; None for methods that know when they are done."""
        return self.parameter("stop")

    def function(self) -> Callable[..., Scores]:
        """The ranking itself, imported now."""
        return Algorithm.function(self)


# -- ways to solve y = α Hᵀ y + b --------------------------------------------------------------------------------


def _solver(name: str, home: str, help: str, paper: str = "") -> Algorithm:
    return Algorithm(name, f"periplus.rank.linear.{home}", help, family="solver", returns=("solution",), paper=paper)


SOLVERS: Catalogue[Algorithm] = Catalogue(
    "solver",
    (
        _solver("auto", "auto:auto", "The fastest of the others for this graph, judged as it goes."),
        _solver("power", "power:power", "Passes over all links, their jumps balanced.", "Brin & Page 1998"),
        _solver(
            "adaptive",
            "adaptive:adaptive",
            "Passes that leave out pages which have settled.",
            "Kamvar, Haveliwala & Golub 2004 (Špánek [13])",
        ),
        _solver("gauss-seidel", "sweep:gauss_seidel", "Sweeps that use each new value at once.", "Arasu et al. 2002"),
        _solver(
            "lumped",
            "sweep:lumped",
            "Pages without in-links or out-links first and last, sweeps for the rest.",
            "Lee, Golub & Zenios 2003 (Litvak [15], Špánek [14])",
        ),
        _solver(
            "scc",
            "scc:scc",
            "Strong components in topological order, each solved by itself.",
            "Langville & Meyer 2006 (Litvak [14])",
        ),
        _solver(
            "extrapolation",
            "power:extrapolation",
            "Passes, with the slowest eigenvector taken out now and then.",
            "Kamvar et al. 2003",
        ),
        _solver(
            "blocking",
            "power:blocking",
            "Passes through bins of targets, for graphs larger than the caches.",
            "Beamer, Asanović & Patterson 2017",
        ),
        _solver("krylov", "krylov:krylov", "BiCGSTAB, for damping near one.", "Gleich, Zhukov & Berkhin 2004"),
    ),
)

# -- parameters that several rankings share ----------------------------------------------------------------------


def damping_parameter(help: str = "Probability of following a link.") -> Parameter:
    return Parameter("damping", "float", 0.85, help, 0.0, 1.0, open_high=True)


def stop_parameter(stop: Stop) -> Parameter:
    return Parameter("stop", "stop", stop, "When to stop.")


def _vector(name: str, help: str, *, required: bool = False) -> Parameter:
    return Parameter(name, "vector", None, help, form="numbers ≥ 0, one per page", required=required)


DAMPING = damping_parameter()
PAGERANK_STOP = stop_parameter(Tol(1e-9) | MaxIter(1000))
_LONG_STOP = stop_parameter(Tol(1e-9) | MaxIter(10_000))
_VECTORS_STOP = stop_parameter(Tol(1e-7) | MaxIter(1000))
_DANGLING = Parameter(
    "dangling",
    "choice",
    "preference",
    "Where the surfer goes from a page without links.",
    choices=("preference", "uniform", "none"),
)
_PREFERENCE = _vector("preference", "Where jumps land (.npy).")
_TOPIC = _vector("topic", "Pages with the term (.npy).")
_FOLLOWING = damping_parameter("Probability of following a link (1 − p).")
_SAME_HOST = Parameter("same_host", "choice", "drop", "Whether links inside a host count.", choices=("drop", "keep"))
_HUBS = ("scores", "hubs")
# Communities are looked for among the leading vectors; the work grows with the square of their number.
MOST_VECTORS = 200
# Long before this power only eigenvalues that equal the first count; far beyond it the certificate overflows.
MOST_POWER = 1e6


def _tendency(name: str, default: float, help: str) -> Parameter:
    return Parameter(name, "float", default, help, 0.0, 1.0, open_low=True, open_high=True)


# -- rankings ----------------------------------------------------------------------------------------------------


def _ranker(
    name: str,
    home: str,
    help: str,
    family: str,
    label: str,
    *parameters: Parameter,
    paper: str = "",
    needs: tuple[str, ...] = (),
    hub_label: str = "",
) -> Ranker:
    return Ranker(
        name,
        f"periplus.rank.methods.{home}",
        help,
        family,
        label,
        parameters,
        returns=_HUBS if hub_label else ("scores",),
        needs=needs,
        paper=paper,
        hub_label=hub_label,
    )


RANKERS: Catalogue[Ranker] = Catalogue(
    "method",
    (
        _ranker(
            "indegree", "indegree:indegree", "How many pages link here.", "counting",
            "the number of pages that link to them",
        ),
        _ranker(
            "pagerank", "pagerank:pagerank", "Where a surfer who follows links and sometimes jumps spends the time.",
            "walk", "PageRank",
            DAMPING, _PREFERENCE, _DANGLING,
            Parameter("solver", "choice", "auto", "How the equation is solved.", choices=tuple(SOLVERS)),
            Parameter("normalised", "flag", True, "Scores sum to one; without, their mean is one."),
            PAGERANK_STOP,
            paper="Brin & Page 1998; Špánek 4; Litvak; Deo & Gupta 7.4.1; Fogaras 3.1",
        ),
        _ranker(
            "personalised", "seeded:personalised_pagerank",
            "PageRank of a surfer who always jumps back to the pages given.", "walk", "nearness to the pages given",
            Parameter("seeds", "pages", None, "Pages that jumps lead to.", required=True), DAMPING, PAGERANK_STOP,
            paper="Haveliwala 2002; Litvak",
        ),
        _ranker(
            "monte-carlo", "montecarlo:monte_carlo", "PageRank estimated by random walks, with confidence intervals.",
            "walk", "PageRank (sampled)",
            Parameter("walks", "int", 1, "Walks from each page.", 1),
            Parameter(
                "estimate", "choice", "complete-path", "What of a walk is counted.",
                choices=("end-point", "complete-path", "dangling-stop"),
            ),
            DAMPING, _PREFERENCE, SEED,
            Parameter("first", "int", 0, "Number of the first walk: more walks than an earlier run has.", 0),
            Parameter("confidence", "float", 0.95, "Of the intervals.", 0.0, 1.0, open_low=True, open_high=True),
            paper="Avrachenkov et al. 2007 (Litvak [2])",
        ),
        _ranker(
            "opic", "opic:opic", "PageRank as a crawler computes it on line: cash handed on along links.",
            "walk", "cash (OPIC)",
            Parameter("rounds", "int", 20, "Visits to each page.", 1, 10**9), DAMPING,
            Parameter("window", "float", None, "Forget what is older (default: nothing).", 0.0, open_low=True),
            paper="Abiteboul, Preda & Cobena 2003 (Litvak [1])",
        ),
        _ranker(
            "simple-pagerank", "simple:simple_pagerank",
            "The walk without jumps, on the largest strongly connected component.", "walk", "simple PageRank",
            _LONG_STOP, needs=("links",), paper="Fogaras def. 3",
        ),
        _ranker(
            "hits", "hits:hits", "Authorities that good hubs link to, hubs that link to good authorities.",
            "spectral", "authority (HITS)", stop_parameter(Tol(1e-7) | MaxIter(2000)), needs=("links",),
            paper="Kleinberg 1999; Fogaras 3.2; Deo & Gupta 7.2; Špánek 2.4",
            hub_label="links to good pages (hub, HITS)",
        ),
        _ranker(
            "hits-vector", "hits_vectors:hits_vector",
            "One end of a further HITS eigenvector: another community of hubs and authorities.", "spectral",
            "a further HITS eigenvector",
            Parameter(
                "index", "int", 2, "Which eigenvector, by falling eigenvalue; 1 is HITS itself.", 1, MOST_VECTORS
            ),
            Parameter("end", "choice", "positive", "Which end of it.", choices=("positive", "negative")),
            _VECTORS_STOP, needs=("links",), paper="Gibson, Kleinberg & Raghavan 1998 (Deo & Gupta 7.1)",
            hub_label="links to those pages (hub)",
        ),
        _ranker(
            "subspace-hits", "hits_vectors:subspace_hits",
            "HITS over several eigenvectors at once, which a small change cannot turn over.", "spectral",
            "authority (subspace HITS)",
            Parameter("dimensions", "int", 20, "How many eigenvectors.", 1, MOST_VECTORS),
            Parameter("power", "float", 2.0, "An eigenvector weighs its eigenvalue to this power.", 0.0, MOST_POWER),
            _VECTORS_STOP, needs=("links",), paper="Ng, Zheng & Jordan 2001 (Fogaras 4)",
            hub_label="links to good pages (hub, subspace HITS)",
        ),
        _ranker(
            "randomised-hits", "randomised:randomised_hits",
            "HITS with jumps: forwards and backwards along links, by turns.", "spectral", "authority (randomised HITS)",
            Parameter(
                "jump", "float", 0.15, "Probability of jumping to any page.", 0.0, 1.0, open_low=True, open_high=True
            ),
            Parameter("matrix", "choice", "walk", "Walk (Ng et al.) or links (→ HITS).", choices=("walk", "links")),
            stop_parameter(Tol(1e-9) | MaxIter(2000)), needs=("links",),
            paper="Ng, Zheng & Jordan 2001 (Fogaras 4)", hub_label="links to good pages (hub, randomised HITS)",
        ),
        _ranker(
            "salsa", "salsa:salsa", "The random walk between hubs and authorities, in closed form.", "walk",
            "authority (SALSA)", needs=("links",), paper="Lempel & Moran 2001 (Špánek [7], [15])",
            hub_label="links to good pages (hub, SALSA)",
        ),
        _ranker(
            "weighted-hits", "weighted:weighted_hits", "HITS where one host has one voice (Bharat and Henzinger).",
            "spectral", "authority (weighted HITS)", _SAME_HOST, _LONG_STOP, needs=("links", "urls"),
            paper="Bharat & Henzinger 1998 (Deo & Gupta 7.6)", hub_label="links to good pages (hub, weighted HITS)",
        ),
        _ranker(
            "distillation", "weighted:topic_distillation",
            "Weighted HITS over the pages that are relevant to a topic.", "topic", "authority on the topic",
            _vector("relevance", "Relevance (.npy).", required=True),
            Parameter(
                "threshold", "text", "median", "Less relevant pages are left out.", form="a number, median or tenth"
            ),
            _SAME_HOST, _LONG_STOP, needs=("links", "urls"), paper="Bharat & Henzinger 1998 (Deo & Gupta 7.6)",
            hub_label="links to good pages on the topic (hub)",
        ),
        _ranker(
            "markov", "markov:markov_chain",
            "A surfer who stays, follows, returns or picks another result (Zhang and Dong).", "walk",
            "Markov-chain rank",
            _tendency("relevance", 0.25, "ω: tendency to stay on a page."),
            _tendency("authority", 0.4, "μ: tendency to follow a link."),
            _tendency("integrativity", 0.2, "θ: tendency to go back along a link."),
            _tendency("novelty", 0.15, "ε: tendency to pick any other page."),
            Parameter(
                "similarity", "vector", None, "Similarity to the query (.npy); 1 by default.",
                form="0 ≤ similarity ≤ 1, one number per page",
            ),
            _LONG_STOP, paper="Zhang & Dong 2000 (Deo & Gupta 7.4.3)",
        ),
        _ranker(
            "reputation", "reputation:reputation", "How likely a surfer who looks for a term visits the page.",
            "topic", "reputation", _TOPIC, _FOLLOWING, PAGERANK_STOP,
            paper="Rafiei & Mendelzon 2000 (Deo & Gupta 7.4.2)",
        ),
        _ranker(
            "two-level-reputation", "reputation:two_level_reputation",
            "Reputation with hubs: the surfer goes forwards and backwards by turns.", "topic", "two-level reputation",
            _TOPIC, _FOLLOWING, PAGERANK_STOP, paper="Rafiei & Mendelzon 2000 (Deo & Gupta 7.4.2)",
            hub_label="links to reputed pages (hub)",
        ),
        _ranker(
            "harmonic", "harmonic:harmonic", "Sum of 1/distance from every page that reaches this one.", "distance",
            "harmonic centrality",
            Parameter("samples", "int", None, "Sources to sample, at most all pages (default: all if few).", 1),
            SEED, paper="Boldi & Vigna 2014",
        ),
        _ranker(
            "katz", "katz:katz", "Number of walks that end here, longer ones counting less.", "counting",
            "Katz's index",
            Parameter(
                "attenuation", "float", None, "Weight of one step (default 0.85/σ₁).", 0.0, open_low=True,
                form="0 < attenuation < 1/ρ(A)",
            ),
            PAGERANK_STOP, paper="Katz 1953",
        ),
    ),
)  # fmt: skip


def ranking(name: str, given: Collection[str] = ()) -> Callable[..., Scores]:
    """The function of that name, to be called with the arguments `given`; refused where it needs others too."""
    row = RANKERS.find(name)
    if missing := row.missing(given):
        raise ParameterError("method", name, f"a ranking that is given all it needs: {name} lacks {', '.join(missing)}")
    return row.function()
