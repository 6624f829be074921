"""Link database + tree of communities → the sky: where every page stands in space, and how it came to stand there.

The build makes the sky of the preset "sky", which starts from the tree of communities. `periplus map` keeps others
beside it, under the names of their presets; a new build discards these. Links that ask not to be followed pull nobody.

A sky takes time like a ranking, two passes over the links per step; the number of steps falls with the links, so that a
build never spends more than `WORK` links on it: about half a minute on two cores.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.communities.hierarchy.tree import Tree
from periplus.graph.graph import Graph
from periplus.gravity.formation import Formation
from periplus.gravity.layouts import world
from periplus.gravity.start import Tree as Branches
from periplus.gravity.table import LAYOUTS
from periplus.pipeline.stages.communities import load_communities
from periplus.pipeline.stages.graph import load_links
from periplus.pipeline.stages.scores import recommending
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.record import PagePositions

SKY = "sky"
WORK = 3_000_000_000  # links × steps of a build
FEWEST = 30  # steps in which pages find their neighbours


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    graph = recommending(load_links(collection))
    forming = form(graph, SKY, steps=steps_within(graph), tree=load_communities(collection).tree)
    forming.run(each=lambda so_far: say(SKY, so_far.simulation.steps, so_far.steps))
    forming.record().save(folder, SKY)
    return {"pages": graph.nodes, "steps": forming.steps, "gathered": round(forming.now.gathered, 4)}


def steps_within(graph: Graph) -> int:
    """The steps of a build: those of the preset, fewer where there are many links."""
    return max(FEWEST, min(usual_steps(SKY), WORK // max(graph.links, 1)))


def usual_steps(preset: str) -> int:
    """The steps of a preset."""
    return int(next(one.default for one in LAYOUTS[preset].parameters if one.name == "steps"))


def form(graph: Graph, preset: str, *, steps: int, tree: Tree | None = None, **settings: Any) -> Formation:
    """A formation before its first step; pages begin by the tree where one is given."""
    about = {"preset": preset, "start": "auto" if tree is None else "tree", "seed": 0, "navigational": False}
    about |= {name: settings[name] for name in about.keys() & settings.keys()}
    branches = None if tree is None else Branches(tree.parents, tree.labels)
    return Formation(world(graph, preset, tree=branches, **settings), steps, about=about)


def load_skies(collection: Collection) -> dict[str, PagePositions]:
    """Every sky that is kept, by name, its arrays memory-mapped."""
    urls = Graph.open(collection.current("graph")).urls
    return PagePositions.load_all(collection.current("sky"), urls=urls)


def keep_sky(collection: Collection, sky: PagePositions, name: str) -> None:
    """Keep a sky asked for by hand beside that of the build."""
    collection.keep("sky", sky.files(name))


STAGE = Stage(
    SKY,
    "let the pages move to where their links pull them",
    inputs=("graph", "communities"),
    run=_run,
    load=load_skies,
    files={
        "NAME.npy": "float32, a point in space per page; NAME is sky, and paper once it was asked for",
        "NAME-masses.npy": "float32, the mass of each page; the mean is 1",
        "NAME-velocities.npy": "float32, the speed of each page, to go on from",
        "NAME-order.npy": "uint32, the pages by mass, heaviest first; those that are filmed before the others",
        "NAME-frames.npy": "int16, how it came about: frame, page in that order, coordinate",
        "NAME.json": "constants, steps, reach of each frame, numbers over time, digest of the links that pulled",
    },
)
