"""Periplus: chart a piece of the web.

`import periplus` is cheap: each name below, and each part (`periplus.rank`), is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from periplus.lazy import offers

__version__ = "0.1.0"

# No name of a folder stands here: `import periplus.search` would put the package in the function's place.
_HOMES = {
    "Collection": "periplus.collection",
    "Graph": "periplus.graph",
    "Library": "periplus.library",
    "MaxIter": "periplus.numeric.stop",
    "PeriplusError": "periplus.errors",
    "Scores": "periplus.record",
    "Tol": "periplus.numeric.stop",
    "add": "periplus.pipeline",
    "add_pages": "periplus.pipeline",
    "bowtie": "periplus.structure",
    "build": "periplus.pipeline",
    "cocitation": "periplus.similar",
    "companion": "periplus.similar",
    "compare": "periplus.rank",
    "degrees": "periplus.structure",
    "diameter": "periplus.structure",
    "distances": "periplus.structure",
    "harmonic": "periplus.rank",
    "hits": "periplus.rank",
    "hits_vector": "periplus.rank",
    "indegree": "periplus.rank",
    "katz": "periplus.rank",
    "leiden": "periplus.communities",
    "markov_chain": "periplus.rank",
    "monte_carlo": "periplus.rank",
    "open_graph": "periplus.pipeline",
    "open_library": "periplus.library",
    "opic": "periplus.rank",
    "pagerank": "periplus.rank",
    "personalised_pagerank": "periplus.rank",
    "push": "periplus.rank",
    "randomised_hits": "periplus.rank",
    "reputation": "periplus.rank",
    "salsa": "periplus.rank",
    "simple_pagerank": "periplus.rank",
    "strong_components": "periplus.structure",
    "study": "periplus.structure",
    "subspace_hits": "periplus.rank",
    "topic_distillation": "periplus.rank",
    "trawl": "periplus.communities",
    "two_level_reputation": "periplus.rank",
    "weak_components": "periplus.structure",
    "weighted_hits": "periplus.rank",
    "write_graph": "periplus.graph",
}

__all__ = [
    "Collection",
    "Graph",
    "Library",
    "MaxIter",
    "PeriplusError",
    "Scores",
    "Tol",
    "add",
    "add_pages",
    "bowtie",
    "build",
    "cocitation",
    "companion",
    "compare",
    "degrees",
    "diameter",
    "distances",
    "harmonic",
    "hits",
    "hits_vector",
    "indegree",
    "katz",
    "leiden",
    "markov_chain",
    "monte_carlo",
    "open_graph",
    "open_library",
    "opic",
    "pagerank",
    "personalised_pagerank",
    "push",
    "randomised_hits",
    "reputation",
    "salsa",
    "simple_pagerank",
    "strong_components",
    "study",
    "subspace_hits",
    "topic_distillation",
    "trawl",
    "two_level_reputation",
    "weak_components",
    "weighted_hits",
    "write_graph",
]

# Reachable as attributes without an import of their own: `import periplus; periplus.rank.hits(graph)`.
_PARTS = (
    "catalog",
    "cli",
    "collection",
    "communities",
    "crawl",
    "demo",
    "draw",
    "durable",
    "dynamics",
    "errors",
    "focus",
    "graph",
    "gravity",
    "index",
    "lazy",
    "library",
    "models",
    "numeric",
    "pages",
    "pipeline",
    "rank",
    "record",
    "reproduce",
    "sandbox",
    "search",
    "serve",
    "similar",
    "structure",
    "web",
    "wording",
)

if TYPE_CHECKING:
    from periplus import catalog as catalog
    from periplus import cli as cli
    from periplus import collection as collection
    from periplus import communities as communities
    from periplus import crawl as crawl
    from periplus import demo as demo
    from periplus import draw as draw
    from periplus import durable as durable
    from periplus import dynamics as dynamics
    from periplus import errors as errors
    from periplus import focus as focus
    from periplus import graph as graph
    from periplus import gravity as gravity
    from periplus import index as index
    from periplus import lazy as lazy
    from periplus import library as library
    from periplus import models as models
    from periplus import numeric as numeric
    from periplus import pages as pages
    from periplus import pipeline as pipeline
    from periplus import rank as rank
    from periplus import record as record
    from periplus import reproduce as reproduce
    from periplus import sandbox as sandbox
    from periplus import search as search
    from periplus import serve as serve
    from periplus import similar as similar
    from periplus import structure as structure
    from periplus import web as web
    from periplus import wording as wording
    from periplus.collection import Collection
    from periplus.communities import leiden, trawl
    from periplus.errors import PeriplusError
    from periplus.graph import Graph, write_graph
    from periplus.library import Library, open_library
    from periplus.numeric.stop import MaxIter, Tol
    from periplus.pipeline import add, add_pages, build, open_graph
    from periplus.rank import (
        compare,
        harmonic,
        hits,
        hits_vector,
        indegree,
        katz,
        markov_chain,
        monte_carlo,
        opic,
        pagerank,
        personalised_pagerank,
        push,
        randomised_hits,
        reputation,
        salsa,
        simple_pagerank,
        subspace_hits,
        topic_distillation,
        two_level_reputation,
        weighted_hits,
    )
    from periplus.record import Scores
    from periplus.similar import cocitation, companion
    from periplus.structure import (
        bowtie,
        degrees,
        diameter,
        distances,
        strong_components,
        study,
        weak_components,
    )


__getattr__, __dir__ = offers(__name__, _HOMES, _PARTS)
