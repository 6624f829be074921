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
from periplus.wording import sentence


@dataclass(frozen=True, slots=True)
class Ranker(Algorithm):
    """One ranking; `title` is its name for people, `hub_label` what its second vector measures, where it has one."""

    returns: tuple[str, ...] = ("scores",)
    hub_label: str = ""
    title: str = ""

    def heading(self, *, hubs: bool = False) -> str:
        """The ranking as a person calls it: `Authorities`, `Hubs (SALSA)`, `PageRank`."""
        named = self.title or sentence(self.label.replace("authority", "authorities"))
        if not hubs:
            return named
        return named.replace("Authorities", "Hubs") if "Authorities" in named else f"Hubs ({named})"

    def explained(self, *, hubs: bool = False) -> str:
        """What it measures, in one line."""
        return f"Pages with {self.hub_label.partition(' (')[0]}." if hubs else self.help

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


def _solver(name: str, home: str, help: str, paper: str = "", *, when: str) -> Algorithm:
    home = f"periplus.rank.linear.{home}"
    return Algorithm(name, home, help, family="solver", returns=("solution",), paper=paper, when=when)


SOLVERS: Catalogue[Algorithm] = Catalogue(
    "solver",
    (
        _solver(
            "auto",
            "auto:auto",
            "The fastest of the others for this graph, judged as it goes.",
            when="always, unless you compare solvers",
        ),
        _solver(
            "power",
            "power:power",
            "Passes over all links. Jumps make up for what pages do not hand on, so that the second eigenvalue of the "
            "link matrix decides how many passes it takes.",
            "Brin & Page 1998",
            when="taken by `auto` after `lumped`, where links lead everywhere and at most 40 passes are foreseen",
        ),
        _solver(
            "adaptive",
            "adaptive:adaptive",
            "Passes that leave out pages which have settled.",
            "Kamvar, Haveliwala & Golub 2004 (Špánek [13])",
            when="by name only: to repeat Špánek's comparison",
        ),
        _solver(
            "gauss-seidel",
            "sweep:gauss_seidel",
            "Sweeps that use each new value at once, against the links of a graph that grew.",
            "Arasu et al. 2002",
            when="by name, for webs that fill the memory: one vector beside the links (docs/scale.md)",
        ),
        _solver(
            "lumped",
            "sweep:lumped",
            "Exact through all pages that no cycle feeds, Gauss–Seidel on the core, then the pages that feed no cycle.",
            "Lee, Golub & Zenios 2003 (Litvak [15], Špánek [14])",
            when="taken by `auto` first, below damping 0.95, on graphs that grew: a tenth of the pages have no in-link",
        ),
        _solver(
            "scc",
            "scc:scc",
            "Merges pages with the same in-links, substitutes chains away, then solves the strong components in "
            "topological order by Gauss–Seidel with Anderson mixing.",
            "Langville & Meyer 2006 (Litvak [14])",
            when="taken by `auto` last: web graphs, at any damping",
        ),
        _solver(
            "extrapolation",
            "power:extrapolation",
            "Passes, with the slowest eigenvectors taken out now and then (reduced-rank extrapolation).",
            "Kamvar et al. 2003",
            when="by name only: to compare accelerations of the power method",
        ),
        _solver(
            "blocking",
            "power:blocking",
            "Passes through bins of targets: two streams of memory instead of a random read for each link.",
            "Beamer, Asanović & Patterson 2017",
            when="taken by `auto` instead of the others, from four million pages whose links reach far",
        ),
        _solver(
            "krylov",
            "krylov:krylov",
            "BiCGSTAB, through bins of targets likewise.",
            "Gleich, Zhukov & Berkhin 2004",
            when="taken by `auto` last on those graphs, at damping 0.95 and above",
        ),
    ),
)

# -- parameters that several rankings share ----------------------------------------------------------------------


def damping_parameter(help: str = "Probability of following a link.") -> Parameter:
    also = ("alpha", "damping_factor", "damp", "d")
    return Parameter("damping", "float", 0.85, help, 0.0, 1.0, open_high=True, also=also)


def stop_parameter(stop: Stop) -> Parameter:
    also = (
        "tol",
        "tolerance",
        "eps",
        "epsilon",
        "max_iter",
        "max_iterations",
        "maxiter",
        "n_iter",
        "niter",
        "iterations",
    )
    return Parameter("stop", "stop", stop, "When to stop.", also=also)


def _vector(name: str, help: str, *, required: bool = False, also: tuple[str, ...] = ()) -> Parameter:
    return Parameter(name, "vector", None, help, form="numbers ≥ 0, one per page", required=required, also=also)


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
_ELSEWHERE = ("personalization", "personalisation", "personalize", "reset", "restart")
_PREFERENCE = _vector("preference", "Where jumps land (.npy).", also=_ELSEWHERE)
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
    when: str = "",
    title: str = "",
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
        when=when,
        title=title,
    )


RANKERS: Catalogue[Ranker] = Catalogue(
    "method",
    (
        _ranker(
            "indegree", "indegree:indegree", "How many pages link here.", "counting",
            "the number of pages that link to them", title="In-links",
            when="always, as the baseline: what does not beat it is not worth its time",
        ),
        _ranker(
            "pagerank", "pagerank:pagerank", "Where a surfer who follows links and sometimes jumps spends the time.",
            "walk", "PageRank",
            DAMPING, _PREFERENCE, _DANGLING,
            Parameter(
                "solver", "choice", "auto", "How the equation is solved.", choices=tuple(SOLVERS),
                also=("method", "implementation", "algorithm"),
            ),
            Parameter("normalised", "flag", True, "Scores sum to one; without, their mean is one."),
            PAGERANK_STOP,
            paper="Brin & Page 1998; Špánek 4; Litvak; Deo & Gupta 7.4.1; Fogaras 3.1",
            when="one ranking for a whole web, once and for all queries",
        ),
        _ranker(
            "personalised", "seeded:personalised_pagerank",
            "PageRank of a surfer who always jumps back to the pages given.", "walk", "nearness to the pages given",
            Parameter(
                "seeds", "pages", None, "Pages that jumps lead to.", required=True,
                also=(*_ELSEWHERE, "preference", "sources", "pages", "nodes"),
            ),
            DAMPING, PAGERANK_STOP, paper="Haveliwala 2002; Litvak", when="“like these pages”",
        ),
        _ranker(
            "monte-carlo", "montecarlo:monte_carlo", "PageRank estimated by random walks, with confidence intervals.",
            "walk", "sampled PageRank",
            Parameter("walks", "int", 1, "Walks from each page.", 1, also=("num_walks", "n_walks", "samples")),
            Parameter(
                "estimate", "choice", "complete-path", "What of a walk is counted.",
                choices=("end-point", "complete-path", "dangling-stop"),
            ),
            DAMPING, _PREFERENCE, SEED,
            Parameter("first", "int", 0, "Number of the first walk: more walks than an earlier run has.", 0),
            Parameter("confidence", "float", 0.95, "Of the intervals.", 0.0, 1.0, open_low=True, open_high=True),
            paper="Avrachenkov et al. 2007 (Litvak [2])", when="before the crawl is complete, or in a hurry",
        ),
        _ranker(
            "opic", "opic:opic", "PageRank as a crawler computes it on line: cash handed on along links.",
            "walk", "importance (OPIC)",
            Parameter("rounds", "int", 20, "Visits to each page.", 1, 10**9), DAMPING,
            Parameter("window", "float", None, "Forget what is older (default: nothing).", 0.0, open_low=True),
            paper="Abiteboul, Preda & Cobena 2003 (Litvak [1])", when="while the crawl goes on",
        ),
        _ranker(
            "simple-pagerank", "simple:simple_pagerank",
            "The walk without jumps, on the largest strongly connected component.", "walk", "simple PageRank",
            _LONG_STOP, needs=("links",), paper="Fogaras def. 3", when="to see why jumps are needed",
        ),
        _ranker(
            "hits", "hits:hits", "Authorities that good hubs link to, hubs that link to good authorities.",
            "spectral", "authority (HITS)", stop_parameter(Tol(1e-7) | MaxIter(2000)), needs=("links",),
            paper="Kleinberg 1999; Fogaras 3.2; Deo & Gupta 7.2; Špánek 2.4",
            hub_label="links to good pages (hub, HITS)", title="Authorities",
            when="the pages of one query, when one community is what you want",
        ),
        _ranker(
            "hits-vector", "hits_vectors:hits_vector",
            "One end of a further HITS eigenvector: another community of hubs and authorities.", "spectral",
            "authority (another HITS eigenvector)",
            Parameter(
                "index", "int", 2, "Which eigenvector, by falling eigenvalue; 1 is HITS itself.", 1, MOST_VECTORS,
                also=("k", "which"),
            ),
            Parameter("end", "choice", "positive", "Which end of it.", choices=("positive", "negative")),
            _VECTORS_STOP, needs=("links",), paper="Gibson, Kleinberg & Raghavan 1998 (Deo & Gupta 7.1)",
            hub_label="links to those pages (hub, another HITS eigenvector)", when="a word with several meanings",
        ),
        _ranker(
            "subspace-hits", "hits_vectors:subspace_hits",
            "HITS over several eigenvectors at once, which a small change cannot turn over.", "spectral",
            "authority (subspace HITS)",
            Parameter(
                "dimensions", "int", 20, "How many eigenvectors.", 1, MOST_VECTORS, also=("k", "n_components", "rank")
            ),
            Parameter("power", "float", 2.0, "An eigenvector weighs its eigenvalue to this power.", 0.0, MOST_POWER),
            _VECTORS_STOP, needs=("links",), paper="Ng, Zheng & Jordan 2001 (Fogaras 4)",
            hub_label="links to good pages (hub, subspace HITS)", when="the eigengap of HITS is small",
        ),
        _ranker(
            "randomised-hits", "randomised:randomised_hits",
            "HITS with jumps: forwards and backwards along links, by turns.", "spectral", "authority (randomised HITS)",
            Parameter(
                "jump", "float", 0.15, "Probability of jumping to any page.", 0.0, 1.0, open_low=True, open_high=True,
                also=("epsilon", "restart"),
            ),
            Parameter("matrix", "choice", "walk", "Walk (Ng et al.) or links (→ HITS).", choices=("walk", "links")),
            stop_parameter(Tol(1e-9) | MaxIter(2000)), needs=("links",),
            paper="Ng, Zheng & Jordan 2001 (Fogaras 4)", hub_label="links to good pages (hub, randomised HITS)",
            when="the eigengap of HITS is small",
        ),
        _ranker(
            "salsa", "salsa:salsa", "The random walk between hubs and authorities, in closed form.", "walk",
            "authority (SALSA)", needs=("links",), paper="Lempel & Moran 2001 (Špánek [7], [15])",
            hub_label="links to good pages (hub, SALSA)",
            when="the pages of one query, without the drift of HITS",
        ),
        _ranker(
            "weighted-hits", "weighted:weighted_hits", "HITS where one host has one voice (Bharat and Henzinger).",
            "spectral", "authority (weighted HITS)", _SAME_HOST, _LONG_STOP, needs=("links", "urls"),
            paper="Bharat & Henzinger 1998 (Deo & Gupta 7.6)", hub_label="links to good pages (hub, weighted HITS)",
            when="many pages of one host link alike",
        ),
        _ranker(
            "distillation", "weighted:topic_distillation",
            "Weighted HITS over the pages that are relevant to a topic.", "topic", "authority on the topic",
            _vector("relevance", "Relevance (.npy).", required=True),
            Parameter(
                "threshold", "text", "median", "Less relevant pages are left out.", form="a number, median or tenth"
            ),
            _SAME_HOST, _LONG_STOP, needs=("links", "urls"), paper="Bharat & Henzinger 1998 (Deo & Gupta 7.6)",
            hub_label="links to good pages on the topic (hub)", when="you also have text scores",
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
            when="a result list, with the similarity of each result",
        ),
        _ranker(
            "reputation", "reputation:reputation", "How likely a surfer who looks for a term visits the page.",
            "topic", "reputation", _TOPIC, _FOLLOWING, PAGERANK_STOP,
            paper="Rafiei & Mendelzon 2000 (Deo & Gupta 7.4.2)", when="“who is known for this?”",
        ),
        _ranker(
            "two-level-reputation", "reputation:two_level_reputation",
            "Reputation with hubs: the surfer goes forwards and backwards by turns.", "topic", "two-level reputation",
            _TOPIC, _FOLLOWING, PAGERANK_STOP, paper="Rafiei & Mendelzon 2000 (Deo & Gupta 7.4.2)",
            hub_label="links to reputed pages (hub)", when="“who is known for this, and who lists them?”",
        ),
        _ranker(
            "harmonic", "harmonic:harmonic", "Sum of 1/distance from every page that reaches this one.", "distance",
            "harmonic centrality",
            Parameter(
                "samples", "int", None, "Sources to sample, at most all pages (default: all if few).", 1,
                also=("k", "sources", "nsamples"),
            ),
            SEED, paper="Boldi & Vigna 2014", when="“how central?”, free of loops and mass",
        ),
        _ranker(
            "katz", "katz:katz", "Number of walks that end here, longer ones counting less.", "counting",
            "Katz's index",
            Parameter(
                "attenuation", "float", None, "Weight of one step (default 0.85/σ₁).", 0.0, open_low=True,
                form="0 < attenuation < 1/ρ(A)", also=("alpha", "beta"),
            ),
            PAGERANK_STOP, paper="Katz 1953", when="between in-degree and eigenvectors",
        ),
    ),
)  # fmt: skip


def ranking(name: str, given: Collection[str] = ()) -> Callable[..., Scores]:
    """The function of that name, to be called with the arguments `given`; refused where it needs others too."""
    row = RANKERS.find(name)
    if missing := row.missing(given):
        raise ParameterError("method", name, f"a ranking that is given all it needs: {name} lacks {', '.join(missing)}")
    return row.function()
