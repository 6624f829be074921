"""How good the methods of periplus.communities are, on data with known answers: the tables of docs/communities.md.

    python benchmarks/communities_quality.py             prints the tables
    python benchmarks/communities_quality.py --write     and puts them into docs/communities.md

*Agreement* is adjusted mutual information with the given classes, pages without a class left out. Groups that may
overlap are given by their *purity*: the share of a group's pages that are of its most frequent class, on average.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import numpy as np
from communities_data import Known, article_texts, demo, every_graph, planted, polblogs, wikispeedia
from communities_labels import LABELLERS, shares_found
from report import write_section

from periplus.communities import (
    COMMUNITIES,
    PageGroups,
    Tree,
    adjusted_mutual_information,
    dendrogram_purity,
    knowledge,
    leiden,
    likeness,
    trawl,
    tree,
)
from periplus.communities.hierarchy.grow import FEWEST, MOST
from periplus.communities.hierarchy.names import LEAD, naming_terms
from periplus.communities.modular.weighted import undirected
from periplus.graph import Graph
from periplus.rank.methods.terms import term_matrix

PAGE = Path(__file__).resolve().parent.parent / "docs" / "communities.md"
SEEDS = 5

# -- every method on every graph -----------------------------------------------------------------------------


def agreement(labels: np.ndarray, classes: np.ndarray) -> str:
    """AMI, how many groups, and the share of the classed pages that are in one where that is not all."""
    known = classes >= 0
    if labels.max(initial=-1) < 0:
        return "no groups"
    told = f"{adjusted_mutual_information(classes, labels):.3f} ({len(np.unique(labels[labels >= 0])):,})"
    inside = np.mean(labels[known] >= 0)
    return told if inside > 0.995 else f"{told}, {inside:.0%} of pages"


def purity(found: PageGroups, classes: np.ndarray) -> str:
    """The mean share of the most frequent class, how many groups, and the share of pages in one or more."""
    shares, covered = [], np.zeros(len(classes), bool)
    for group in found:
        covered[group.pages] = True
        known = classes[group.pages]
        known = known[known >= 0]
        if len(known) > 1:
            shares.append(np.bincount(known).max() / len(known))
    if not shares:
        return "no groups"
    return f"purity {np.mean(shares):.2f} ({len(found):,}), {np.mean(covered[classes >= 0]):.0%} of pages"


def around_seeds(graph: Graph, classes: np.ndarray) -> str:
    """Min-cut around ten pages of a class, twenty times: the share of what it adds that is of that class."""
    rng, method = np.random.default_rng(1), COMMUNITIES["min-cut"].function()
    shares, sizes = [], []
    for _ in range(20):
        kind = rng.choice(classes[classes >= 0])
        seeds = rng.choice(np.flatnonzero(classes == kind), 10)
        members = np.setdiff1d(method(graph, seeds=seeds.tolist(), k=20).members(0), seeds)
        sizes.append(len(members))
        if len(members):
            shares.append(np.mean(classes[members] == kind))
    told = f"{np.mean(shares):.2f} of what it adds" if shares else "adds nothing"
    return f"{told}, {np.median(sizes):.0f} pages"


def measured(name: str, one: Known) -> list[str]:
    if name == "min-cut":
        return [around_seeds(one.graph, classes) for classes in one.classes.values()]
    found = COMMUNITIES[name].function()(one.graph)
    if isinstance(found, PageGroups):
        return [purity(found, classes) for classes in one.classes.values()]
    labels = np.asarray(found.labels)
    return [agreement(labels, classes) for classes in one.classes.values()]


def peers(graph: Graph) -> dict[str, Callable[[], Any]]:
    """Other programs' methods on the same links without directions, two where pages link to each other."""
    import igraph
    from scipy.sparse import csr_matrix
    from sknetwork.clustering import Louvain
    from sknetwork.hierarchy import Paris, cut_straight

    weighted = undirected(graph)
    rows = np.repeat(np.arange(weighted.nodes), np.diff(weighted.offsets))
    once = rows < weighted.neighbours
    one = igraph.Graph(weighted.nodes, np.stack([rows[once], weighted.neighbours[once]], axis=1))
    weights = weighted.weights[once].tolist()
    shape = (weighted.nodes, weighted.nodes)
    matrix = csr_matrix((weighted.weights, weighted.neighbours.astype(np.int32), weighted.offsets), shape=shape)
    groups = round(np.sqrt(graph.nodes))
    return {
        "igraph: Leiden": lambda: one.community_leiden("modularity", weights=weights, n_iterations=4).membership,
        "igraph: Infomap": lambda: one.community_infomap(weights).membership,
        "igraph: label propagation": lambda: one.community_label_propagation(weights).membership,
        "scikit-network: Louvain": lambda: Louvain(random_state=1).fit_predict(matrix),
        "scikit-network: Paris, √n groups": lambda: cut_straight(Paris().fit_transform(matrix), groups),
    }


def methods_table() -> Iterator[str]:
    """A page in one group: adjusted mutual information with the given classes, the groups in brackets,
    and the share of the classed pages that are in one where not all are. For groups that may overlap: purity, the
    share of their most frequent class. For `min-cut`: around ten pages of a class, the share of what it adds.
    """
    data = every_graph()
    yield "| method | " + " | ".join(f"{one.name}, {kind}" for one in data for kind in one.classes) + " |"
    yield "|---|" + "---|" * sum(len(one.classes) for one in data)
    for name in COMMUNITIES:
        yield f"| `{name}` | " + " | ".join(cell for one in data for cell in measured(name, one)) + " |"
    others = [peers(one.graph) for one in data]
    for name in others[0]:
        cells = []
        for one, calls in zip(data, others, strict=True):
            labels = np.asarray(calls[name]())
            cells += [agreement(labels, classes) for classes in one.classes.values()]
        yield f"| {name} | " + " | ".join(cells) + " |"


# -- two camps -----------------------------------------------------------------------------------------------


def in_their_camp(labels: np.ndarray, camps: np.ndarray) -> float:
    """The share of the pages with links whose community is mostly of their camp."""
    known = (camps >= 0) & (labels >= 0)
    votes = np.zeros((labels.max() + 1, 2))
    np.add.at(votes, (labels[known], camps[known]), 1)
    return float(votes.max(axis=1).sum() / (camps >= 0).sum())


def camps_table() -> Iterator[str]:
    """Polblogs: how many blogs of 1,224 with links stand in a community of their camp."""
    one = polblogs()
    camps = one.classes["2 camps"]
    yield "| communities | groups of ten or more | smaller groups | in a community of their camp |"
    yield "|---|---:|---:|---:|"
    for name, call in {
        **{f"`leiden`, seed {seed}": (lambda seed=seed: leiden(one.graph, seed=seed).labels) for seed in range(SEEDS)},
        "`leiden`, resolution 0.5": lambda: leiden(one.graph, resolution=0.5).labels,
        "`likeness`": lambda: likeness(one.graph).labels,
    }.items():
        labels = np.asarray(call())
        sizes = np.bincount(labels[labels >= 0])
        yield f"| {name} | {(sizes >= 10).sum()} | {(sizes < 10).sum()} | {in_their_camp(labels, camps):.1%} |"


# -- the tree ------------------------------------------------------------------------------------------------


def tree_table() -> Iterator[str]:
    """Five seeds: the flat middle, the tree, its shape, and how alike two seeds are."""
    one = wikispeedia()
    fine, top = one.classes.values()
    yield "| seed | flat: 127 | 15 | purity: 127 | 15 | children | with 5–15 | steps | each level: 127 / 15 |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---|"
    flats, figures = [], []
    for seed in range(SEEDS):
        found = tree(one.graph, seed=seed)
        row, levels = tree_figures(found, fine, top)
        flats.append(found.extra["flat"])
        figures.append(row)
        yield f"| {seed} | " + " | ".join(shown(row)) + f" | {levels} |"
    yield "| mean | " + " | ".join(shown(np.mean(figures, axis=0))) + " | |"
    alike = [adjusted_mutual_information(flats[a], flats[b]) for a in range(SEEDS) for b in range(a)]
    yield f"\nThe middles of two seeds agree by {np.mean(alike):.2f} ({min(alike):.2f} to {max(alike):.2f})."


def shown(row: Any) -> list[str]:
    return [*(f"{value:.3f}" for value in row[:4]), f"{row[4]:.1f}", f"{row[5]:.0%}", f"{row[6]:g}"]


def tree_figures(found: Tree, fine: np.ndarray, top: np.ndarray) -> tuple[list[float], str]:
    inner = np.array([len(children) for children in found.children if children])
    flat = found.extra["flat"]
    row = [adjusted_mutual_information(fine, flat), adjusted_mutual_information(top, flat)]
    row += [dendrogram_purity(found, fine), dendrogram_purity(found, top), float(inner.mean())]
    row += [float(np.mean((inner >= FEWEST) & (inner <= MOST))), float(found.depths.max())]
    levels = [
        f"{adjusted_mutual_information(fine, level):.2f} / {adjusted_mutual_information(top, level):.2f}"
        for level in found.levels()
    ]
    return row, ", ".join(levels)


# -- labels --------------------------------------------------------------------------------------------------


def labels_table() -> Iterator[str]:
    """Three words from one half of each community's pages, asked of the other half."""
    one = wikispeedia()
    groups, (texts, called) = likeness(one.graph).labels, article_texts()
    yield "| words of | " + " | ".join(LABELLERS) + " |"
    yield "|---|" + "---:|" * len(LABELLERS)
    called, said = term_matrix(called), term_matrix(text[:LEAD] for text in texts)
    for title, words in {
        "titles and texts of links": called,
        "these, and where pages say so (ours)": naming_terms(called, said),
    }.items():
        cells = [f"{shares_found(words, texts, groups, labeller):.3f}" for labeller in LABELLERS.values()]
        yield f"| {title} | " + " | ".join(cells) + " |"


# -- planted communities -------------------------------------------------------------------------------------


def planted_table() -> Iterator[str]:
    """The share of planted communities that have a core of their pages alone, and of those that come back grown.

    Grown: half or more of the pages of some group of `knowledge` are theirs. A group keeps ten hubs, ten authorities
    and its core, so it cannot hold a large community whole: the last column says how much of it the best such group
    holds, on average, none counting as 0. Dourisboure, Geraci and Pellegrini (2009) print, for their own method and
    whole communities: 30 pages and more about 100 %, 20 pages and a density over 50 % about 80 %.
    """
    yield "| pages | density | a core | grown | of their pages in it |"
    yield "|---:|---:|---:|---:|---:|"
    for size in (10, 20, 30, 50):
        for density in (0.3, 0.5, 0.7, 1.0):
            graph, groups = planted(size, density)
            cores = [core.pages for core in trawl(graph)]
            held = held_shares([group.pages for group in knowledge(graph, most=100_000)], groups)
            told = f"{np.mean(held > 0):.0%} | {np.mean(held):.0%}"
            yield f"| {size} | {density:.0%} | {with_core(cores, groups):.0%} | {told} |"


def with_core(cores: list[np.ndarray], groups: np.ndarray) -> float:
    """How many of the planted groups have a core all of whose pages are theirs."""
    owner = np.full(int(max(group.max() for group in (*cores, groups))) + 1, -1)
    owner[groups] = np.arange(len(groups))[:, None]
    inside = {int(owner[core[0]]) for core in cores if len(set(owner[core].tolist())) == 1}
    return len(inside - {-1}) / len(groups)


def held_shares(found: list[np.ndarray], groups: np.ndarray) -> np.ndarray:
    """For each planted group the largest share of it in a found one that is mostly of it; 0 without one."""
    owner = np.full(int(max(group.max() for group in (*found, groups))) + 1, -1)
    owner[groups] = np.arange(len(groups))[:, None]
    shares = np.zeros(len(groups))
    for pages in found:
        kinds, counts = np.unique(owner[pages], return_counts=True)
        most, kind = counts.max(), kinds[counts.argmax()]
        if kind >= 0 and 2 * most >= len(pages):
            shares[kind] = max(shares[kind], most / groups.shape[1])
    return shares


# -- a sample ------------------------------------------------------------------------------------------------


def sample() -> Iterator[str]:
    """The tops of two trees, as a person would read them."""
    texts, called = article_texts()
    named = naming_terms(term_matrix(called), term_matrix(text[:LEAD] for text in texts))
    web = demo()
    for one, words, depth in ((wikispeedia(), named, 2), (web, term_matrix(web.titles), 1)):
        found = tree(one.graph, words=words)
        yield f"{one.name}:\n\n```"
        for node in range(len(found.parents)):
            level = int(found.depths[node])
            if 0 < level <= depth:
                best = found.node(node)["authorities"][:2]
                pages = ", ".join(one.titles[page] for page in best)
                yield f"{'    ' * (level - 1)}{found.name(node)}  ({found.node_sizes[node]:,}: {pages})"
        yield "```\n"


PARTS = {
    "methods": ("Every method on data with known classes", methods_table),
    "tree": ("The tree of wikispeedia", tree_table),
    "camps": ("The two camps of polblogs", camps_table),
    "labels": ("Labels as queries", labels_table),
    "planted": ("Planted communities", planted_table),
    "sample": ("A sample", sample),
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--part", action="append", choices=list(PARTS), help="only this one; give it again for others")
    asked.add_argument("--write", action="store_true", help="put the tables into docs/communities.md")
    options = asked.parse_args()
    if options.write and options.part:
        asked.error("--write writes all the parts: name none of them")
    told = []
    for part in options.part or PARTS:
        title, table = PARTS[part]
        told.append(f"### {title}\n\n{cleandoc(table.__doc__ or '')}\n".replace("\n\n\n", "\n\n"))
        print(told[-1])
        for line in table():
            told.append(line)
            print(line, flush=True)
        told.append("")
    if options.write:
        write_section("communities_quality.py", "How good they are", "\n".join(told).rstrip(), PAGE)


if __name__ == "__main__":
    main()
