"""Leiden (Traag, Waltman & van Eck 2019) on a weighted graph.

Round by round: move nodes (`move_nodes`), refine the communities (`refine`), make one node of each part, and go on
with these, which begin in the communities found. A round ends when no two nodes share a community; its result is then
made of connected parts. The next round begins with the whole graph and this result, until the quality grows no more.

Everything is done in one thread in an order drawn from the seed: the same answer everywhere. About ten passes over the
links per round. Pages of one site have ids near each other and link to each other: nodes are taken in runs of ids, the
runs in random order, so that a run finds rows and labels in the cache that the one before has read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from periplus.communities.modular.moves import connected_parts, move_nodes, quality_of, refine, renumber
from periplus.communities.modular.weighted import Weighted, aggregate
from periplus.numeric.arrays import AnyArray

# Rounds that gain less than this part of the quality are not worth their time.
LEAST_GAIN = 1e-4
MAX_ROUNDS = 10

RUN = 1024
CACHED = 1 << 16  # the rows of fewer nodes are in the cache wherever they lie: these are taken one by one


class Partition(NamedTuple):
    """A label per node, numbered by falling size, the quality, and the rounds it took."""

    labels: AnyArray
    quality: float
    rounds: int


def partition(graph: Weighted, gamma: float, *, seed: int = 0, rounds: int = MAX_ROUNDS) -> Partition:
    """Communities of a weighted graph at resolution γ (in units of weight over size²)."""
    random = np.random.default_rng(seed)
    labels: AnyArray = np.arange(graph.nodes)
    quality, done = -np.inf, 0
    while done < rounds:
        found = _round(graph, gamma, labels, random)
        done += 1
        value = quality_of(graph, gamma, found)
        grown = value - quality
        if grown > 0:
            labels, quality = found, value
        if grown <= LEAST_GAIN * abs(value):
            break
    labels, _ = renumber(connected_parts(graph, labels))
    return Partition(by_size(labels), quality, done)


def _round(graph: Weighted, gamma: float, labels: AnyArray, random: np.random.Generator) -> AnyArray:
    """One round from a partition; the result is made of connected parts."""
    labels, count = renumber(labels)
    node_of = np.arange(graph.nodes)
    while True:
        move_nodes(graph, gamma, labels, order_of(graph.nodes, random))
        labels, count = renumber(labels)
        if count == graph.nodes:
            return labels[node_of]
        parts, number = renumber(refine(graph, gamma, labels, order_of(graph.nodes, random)))
        if number == graph.nodes:  # nothing could be merged: the parts are the communities
            return labels[node_of]
        label_of = np.empty(number, np.int64)
        label_of[parts] = labels
        graph, labels, node_of = aggregate(graph, parts, number), label_of, parts[node_of]


def order_of(nodes: int, random: np.random.Generator) -> AnyArray:
    """All nodes once, in the order they are taken."""
    run = RUN if nodes > CACHED else 1
    starts = run * random.permutation(-(-nodes // run))
    order: AnyArray = (starts[:, None] + np.arange(run)).ravel()
    return order[order < nodes]


def by_size(labels: AnyArray) -> AnyArray:
    """The same partition, label 0 the largest group; of equal ones that with the smaller first member."""
    sizes = np.bincount(labels)
    order = np.argsort(-sizes, kind="stable")
    place = np.empty(len(sizes), np.int64)
    place[order] = np.arange(len(sizes))
    return place[labels]
