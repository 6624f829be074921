"""`RANKERS`: one line a ranking, read by the command line, the API, the docs and the contract test.

An entry says where the function lives, what it measures in one line, and which arguments it takes with their ranges.
Nothing is imported until `function()` is called, so that listing the rankers costs nothing. To add one: a file with a
function `(graph, *, …) -> Scores`, and a line here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from periplus.errors import ParameterError
from periplus.rank.scores import Scores

Kind = Literal["float", "int", "choice", "flag", "vector", "text", "pages"]
Family = Literal["counting", "walk", "spectral", "topic", "distance"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One keyword argument of a ranker; `allowed` is the range in words, `default` what the function takes itself."""

    name: str
    kind: Kind
    default: Any
    allowed: str
    help: str
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Ranker:
    """One ranking: `function()` imports it; `stops` says that it takes a stopping rule, `hubs` that it has two vectors.

    `needs_links` is true where a graph without links has no answer, and `needs` names what else it cannot do without:
    "urls" for the URL table of the graph, or the name of a required parameter.
    """

    name: str
    home: str
    help: str
    family: Family
    parameters: tuple[Parameter, ...] = ()
    stops: bool = True
    hubs: bool = False
    needs_links: bool = False
    needs: tuple[str, ...] = ()

    def function(self) -> Callable[..., Scores]:
        """The ranking itself, imported now."""
        module, _, name = self.home.partition(":")
        return cast("Callable[..., Scores]", getattr(importlib.import_module(module), name))

    def missing(self, given: Container[str] = ()) -> list[str]:
        """The parameters that it cannot do without and that are not among those `given`."""
        return [parameter.name for parameter in self.parameters if parameter.required and parameter.name not in given]

    def summary(self) -> dict[str, Any]:
        """The entry as plain data."""
        return {
            "name": self.name,
            "help": self.help,
            "family": self.family,
            "hubs": self.hubs,
            "needs": list(self.needs),
            "parameters": [
                {"name": p.name, "kind": p.kind, "default": p.default, "allowed": p.allowed, "help": p.help}
                for p in self.parameters
            ],
        }


def _damping(meaning: str = "Probability of following a link.") -> Parameter:
    return Parameter("damping", "float", 0.85, "0 ≤ damping < 1", meaning)


_DANGLING = Parameter(
    "dangling",
    "choice",
    "preference",
    "preference, uniform or none",
    "Where the surfer goes from a page without links.",
    choices=("preference", "uniform", "none"),
)
_PREFERENCE = Parameter("preference", "vector", None, "non-negative, one number a page", "Where jumps land (.npy).")
_SEED = Parameter("seed", "int", 0, "≥ 0", "Seed of the random stream.")
_SAME_HOST = Parameter(
    "same_host",
    "choice",
    "drop",
    "drop or keep",
    "Whether links inside a host count.",
    choices=("drop", "keep"),
)

_ENTRIES = (
    Ranker("indegree", "periplus.rank.indegree:indegree", "How many pages link here.", "counting", stops=False),
    Ranker(
        "pagerank",
        "periplus.rank.pagerank:pagerank",
        "Where a surfer who follows links and sometimes jumps spends the time.",
        "walk",
        (
            _damping(),
            _PREFERENCE,
            _DANGLING,
            Parameter("solver", "text", "auto", "auto or a solver's name", "How the equation is solved."),
            Parameter("normalised", "flag", True, "true or false", "Scores sum to one; without, their mean is one."),
        ),
    ),
    Ranker(
        "personalised",
        "periplus.rank.seeded:personalised_pagerank",
        "PageRank of a surfer who always jumps back to the pages given.",
        "walk",
        (
            Parameter("seeds", "pages", None, "one page or more", "Pages that jumps lead to.", required=True),
            _damping(),
        ),
        needs=("seeds",),
    ),
    Ranker(
        "monte-carlo",
        "periplus.rank.montecarlo:monte_carlo",
        "PageRank estimated by random walks, with confidence intervals.",
        "walk",
        (
            Parameter("walks", "int", 1, "≥ 1", "Walks from each page."),
            Parameter(
                "estimate",
                "choice",
                "complete-path",
                "end-point, complete-path or dangling-stop",
                "What of a walk is counted.",
                choices=("end-point", "complete-path", "dangling-stop"),
            ),
            _damping(),
            _PREFERENCE,
            _SEED,
            Parameter("first", "int", 0, "≥ 0", "Number of the first walk: more walks than an earlier run has."),
            Parameter("confidence", "float", 0.95, "0 < confidence < 1", "Of the intervals."),
        ),
        stops=False,
    ),
    Ranker(
        "opic",
        "periplus.rank.opic:opic",
        "PageRank as a crawler computes it on line: cash handed on along links.",
        "walk",
        (
            Parameter("rounds", "int", 20, "≥ 1", "Visits to each page."),
            _damping(),
            Parameter("window", "float", None, "> 0", "Forget what is older (default: nothing)."),
        ),
        stops=False,
    ),
    Ranker(
        "simple-pagerank",
        "periplus.rank.simple:simple_pagerank",
        "The walk without jumps, on the largest strongly connected component.",
        "walk",
        needs_links=True,
    ),
    Ranker(
        "hits",
        "periplus.rank.hits:hits",
        "Authorities that good hubs link to, hubs that link to good authorities.",
        "spectral",
        hubs=True,
        needs_links=True,
    ),
    Ranker(
        "hits-vector",
        "periplus.rank.eigen:hits_vector",
        "One end of a further HITS eigenvector: another community of hubs and authorities.",
        "spectral",
        (
            Parameter("index", "int", 2, "1 to 200 (1 is HITS itself)", "Which eigenvector, by falling eigenvalue."),
            Parameter(
                "end", "choice", "positive", "positive or negative", "Which end of it.", ("positive", "negative")
            ),
        ),
        hubs=True,
        needs_links=True,
    ),
    Ranker(
        "subspace-hits",
        "periplus.rank.eigen:subspace_hits",
        "HITS over several eigenvectors at once, which a small change cannot turn over.",
        "spectral",
        (
            Parameter("dimensions", "int", 20, "1 to 200", "How many eigenvectors."),
            Parameter(
                "power", "float", 2.0, "0 ≤ power ≤ 1e6", "Weight of an eigenvector: its eigenvalue to this power."
            ),
        ),
        hubs=True,
        needs_links=True,
    ),
    Ranker(
        "randomised-hits",
        "periplus.rank.randomised:randomised_hits",
        "HITS with jumps: forwards and backwards along links, by turns.",
        "spectral",
        (
            Parameter("jump", "float", 0.15, "0 < jump < 1", "Probability of jumping to any page."),
            Parameter(
                "matrix", "choice", "walk", "walk or links", "Walk (Ng et al.) or links (→ HITS).", ("walk", "links")
            ),
        ),
        hubs=True,
        needs_links=True,
    ),
    Ranker(
        "salsa",
        "periplus.rank.salsa:salsa",
        "The random walk between hubs and authorities, in closed form.",
        "walk",
        stops=False,
        hubs=True,
        needs_links=True,
    ),
    Ranker(
        "weighted-hits",
        "periplus.rank.weighted:weighted_hits",
        "HITS where one host has one voice (Bharat and Henzinger).",
        "spectral",
        (_SAME_HOST,),
        hubs=True,
        needs_links=True,
        needs=("urls",),
    ),
    Ranker(
        "distillation",
        "periplus.rank.weighted:topic_distillation",
        "Weighted HITS over the pages that are relevant to a topic.",
        "topic",
        (
            Parameter(
                "relevance", "vector", None, "non-negative, one number a page", "Relevance (.npy).", required=True
            ),
            Parameter("threshold", "text", "median", "a number, median or tenth", "Less relevant pages are left out."),
            _SAME_HOST,
        ),
        hubs=True,
        needs_links=True,
        needs=("urls", "relevance"),
    ),
    Ranker(
        "markov",
        "periplus.rank.markov:markov_chain",
        "A surfer who stays, follows, returns or picks another result (Zhang and Dong).",
        "walk",
        (
            Parameter("relevance", "float", 0.25, "0 < relevance < 1", "ω: tendency to stay on a page."),
            Parameter("authority", "float", 0.4, "0 < authority < 1", "μ: tendency to follow a link."),
            Parameter("integrativity", "float", 0.2, "0 < integrativity < 1", "θ: tendency to go back along a link."),
            Parameter("novelty", "float", 0.15, "0 < novelty < 1", "ε: tendency to pick any other page."),
            Parameter(
                "similarity", "vector", None, "0 ≤ similarity ≤ 1", "Similarity to the query (.npy); 1 by default."
            ),
        ),
    ),
    Ranker(
        "reputation",
        "periplus.rank.reputation:reputation",
        "How likely a surfer who looks for a term visits the page.",
        "topic",
        (
            Parameter("topic", "vector", None, "non-negative, one number a page", "Pages with the term (.npy)."),
            _damping("Probability of following a link (1 − p)."),
        ),
    ),
    Ranker(
        "two-level-reputation",
        "periplus.rank.reputation:two_level_reputation",
        "Reputation with hubs: the surfer goes forwards and backwards by turns.",
        "topic",
        (
            Parameter("topic", "vector", None, "non-negative, one number a page", "Pages with the term (.npy)."),
            _damping("Probability of following a link (1 − p)."),
        ),
        hubs=True,
    ),
    Ranker(
        "harmonic",
        "periplus.rank.harmonic:harmonic",
        "Sum of 1/distance from every page that reaches this one.",
        "distance",
        (
            Parameter(
                "samples", "int", None, "≥ 1, at most the number of pages", "Sources to sample (default: all if few)."
            ),
            _SEED,
        ),
        stops=False,
    ),
    Ranker(
        "katz",
        "periplus.rank.katz:katz",
        "Number of walks that end here, longer ones counting less.",
        "counting",
        (Parameter("attenuation", "float", None, "0 < attenuation < 1/ρ(A)", "Weight of one step (default 0.85/σ₁)."),),
    ),
)

RANKERS: Mapping[str, Ranker] = {entry.name: entry for entry in _ENTRIES}


def get_ranker(name: str) -> Ranker:
    """The entry of that name; the error lists those there are."""
    if not isinstance(name, str) or name not in RANKERS:
        raise ParameterError("method", name, f"one of {', '.join(RANKERS)}")
    return RANKERS[name]


def ranking(name: str, given: Container[str] = ()) -> Callable[..., Scores]:
    """The function of that name, to be called with the arguments `given`; refused where it cannot do with them."""
    entry = get_ranker(name)
    if missing := entry.missing(given):
        raise ParameterError("method", name, f"a ranking that is given all it needs: {name} lacks {', '.join(missing)}")
    return entry.function()
