"""The knowledge base of a web (Kumar et al. 1999; Deo & Gupta 7.3): what its communities are about, who is in them.

1. Cores are trawled, from the largest size down: (6, 6), (5, 5), (4, 4), (3, 3), each among what the sizes before have
   left, so that a page is a fan of one core at most and a centre of one at most.
2. A core grows into a community: the pages that its *fans* link to, and every page that links to at least two of its
   *centres*. (Deo & Gupta print it the other way round: successors of the side linked to, and pages pointing to two of
   the side that links.) Popular pages, with more than `cap` in-links, bring at most `MOST_JOINING` pages along.
3. HITS on the community; its best authorities and hubs are kept.
4. Communities whose kept pages are nearly the same (half of the smaller's are the other's) are merged; the first
   stays.
5. Each is named by the terms that tell its kept pages from the whole web (log-likelihood); `sources` says for each term
   on which of its pages it stands.

O(m) a size for the cores, and HITS on a few hundred pages each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from periplus.catalog import checked
from periplus.communities.about import about
from periplus.communities.groups import PageGroup, PageGroups
from periplus.communities.hierarchy.names import distinct_words, likelihood
from periplus.communities.hierarchy.tree import url_terms
from periplus.communities.table import COMMUNITIES
from periplus.communities.trawling.trawl import trawl
from periplus.errors import NotConvergedError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank.methods.hits import hits
from periplus.rank.methods.terms import Terms

SIZES = (6, 5, 4, 3)
ROLES = ("authorities", "hubs", "fans", "centres")
KEPT = 10
MOST_JOINING = 1000
_WORDS = 5
_STOP = Tol(1e-4) | MaxIter(200)


@checked(COMMUNITIES["knowledge"])
def knowledge(graph: Graph, *, cap: int = 50, most: int = 1000, words: Terms | None = None) -> PageGroups:
    """The communities of a web, the largest cores first, with hubs, authorities, names and where these come from."""
    found: list[PageGroup] = []
    owner: defaultdict[int, list[int]] = defaultdict(list)
    cores = _cores(graph, cap, most)
    for fans, centres in cores:
        pages = community(graph, fans, centres)
        authorities, hubs = _best(graph, pages)
        if not len(authorities):
            continue
        kept = np.union1d(authorities, hubs)
        shared = Counter(number for page in kept.tolist() for number in owner[page])
        if any(2 * count >= min(len(kept), len(found[at].facts["kept"])) for at, count in shared.items()):
            continue
        for page in kept.tolist():
            owner[page].append(len(found))
        parts = {"authorities": authorities, "hubs": hubs, "fans": fans, "centres": centres}
        found.append(PageGroup(parts, facts={"kept": kept, "size": len(pages)}))
    terms = words if words is not None else url_terms(graph)
    columns = terms.matrix.tocsc()
    named = tuple(_named(group, terms, columns) for group in found)
    extra = {"cores": len(cores), "merged": len(cores) - len(found)}
    parameters = {"cap": cap, "most": most}
    return PageGroups("knowledge", named, graph.nodes, parameters, "communities", graph.digest, extra, graph.urls)


def _cores(graph: Graph, cap: int, most: int) -> list[tuple[Ids, Ids]]:
    """Disjoint cores, the largest sizes first, `most` at most."""
    cores: list[tuple[Ids, Ids]] = []
    fans_gone, centres_gone = np.zeros(graph.nodes, np.bool_), np.zeros(graph.nodes, np.bool_)
    left = graph
    for size in SIZES:
        for core in trawl(left, i=size, j=size, cap=cap):
            cores.append((core.parts["fans"], core.parts["centres"]))
            fans_gone[core.parts["fans"]] = centres_gone[core.parts["centres"]] = True
        left = graph.without(fans_gone[graph.sources] | centres_gone[graph.out_targets])
    return cores[:most]


def community(graph: Graph, fans: Ids, centres: Ids) -> Ids:
    """The core, what its fans link to, and who links to at least two of its centres."""
    followed = np.concatenate([graph.successors(int(fan)) for fan in fans])
    linking = np.concatenate([graph.predecessors(int(centre))[:MOST_JOINING] for centre in centres])
    sources, counts = np.unique(linking, return_counts=True)
    return np.unique(np.concatenate([fans, centres, followed, sources[counts >= 2]])).astype(np.uint32)


def _best(graph: Graph, pages: Ids) -> tuple[Ids, Ids]:
    """The best authorities and hubs of a community by HITS on the links inside it."""
    part = graph.subgraph(pages)
    if not part.links:
        return pages[:0], pages[:0]
    try:
        scores: Any = hits(part, gap=False, stop=_STOP)
    except NotConvergedError as error:  # good enough for ten pages of each
        scores = error.partial
    return _highest(pages, scores.values), _highest(pages, scores.extra["hubs"])


def _highest(pages: Ids, values: AnyArray) -> Ids:
    exact = np.round(values / max(float(values.max()), 1e-300), 3)  # beyond that the order is chance
    order = np.lexsort((pages, -exact))[:KEPT]
    return pages[order[values[order] > 0]]


def _named(group: PageGroup, terms: Terms, by_page: Any) -> PageGroup:
    """The group with its name, and for each of its words the pages that have it."""
    kept = group.facts["kept"]
    columns = by_page[:, kept].tocoo()
    inside = np.bincount(columns.row, minlength=len(terms.vocabulary)).astype(np.float64)
    everywhere = np.diff(terms.matrix.indptr)
    counts = len(kept), terms.matrix.shape[1] - len(kept)
    values = likelihood(inside, np.array(counts[0]), everywhere - inside, np.array(counts[1]))
    order = np.lexsort((np.arange(len(values)), -values))[: 8 * _WORDS]
    ranked = [terms.vocabulary[at] for at in order.tolist() if values[at] > 0]
    words = distinct_words(ranked)[:_WORDS]
    sources = {word: sorted(kept[columns.col[columns.row == terms.number(word)]].tolist()) for word in words}
    facts = {"size": group.facts["size"], "words": words, "sources": sources}
    return PageGroup(group.parts, " · ".join(words[:3]), facts)


def search(base: PageGroups, query: str) -> list[int]:
    """The communities about some words: those with the most of the words first, and in the order of the base."""
    return about((group.facts["words"] for group in base), query)
