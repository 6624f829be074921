"""`/tree`: the labelled tree over all pages. `/tree/<node>`: one node, what hangs below it, and its pages."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from periplus.draw.icicle import Piece, icicle
from periplus.draw.page import PHONE
from periplus.library.branches import Branch, NodeView, branch_facts, leaf_pages, node_view, nodes_table, tree_of
from periplus.library.communities import memberships_of
from periplus.library.drawn import graph_of_pages
from periplus.library.page_links import check_offset
from periplus.library.sites import SHOWN_PAGES
from periplus.library.tables import pages_table
from periplus.search.rankers import TEXT_ONLY
from periplus.serve.api import PROBLEMS, Step
from periplus.serve.render import pager, render
from periplus.serve.state import library_of
from periplus.serve.tables import csv_answer, gexf_answer
from periplus.wording import counted, percent

router = APIRouter()
Number = Annotated[int, Path(ge=0, description="A node of the tree; 0 is the root.")]
_WIDE = 640


class TreeNode(BaseModel):
    """One node of the tree; pages are told by URL."""

    id: int
    parent: int | None
    label: str
    size: int
    density: float = Field(description="The share of all ordered pairs of its pages that are links.")
    authorities: list[str]
    hubs: list[str]


class TreeAnswer(BaseModel):
    """A node, the path to it from the root, and what hangs below it in the order of the outline."""

    node: TreeNode
    path: list[Step]
    nodes: list[TreeNode]


@router.get("/tree", include_in_schema=False)
def tree(request: Request) -> Response:
    """The whole collection as one labelled tree, from its subjects down to its pages."""
    return _shown(request, 0, 0)


@router.get("/tree.csv", include_in_schema=False)
def tree_csv(request: Request) -> Response:
    """Every node of the tree as CSV."""
    return csv_answer("tree", nodes_table(library_of(request)))


@router.get("/tree.json", include_in_schema=False)
def tree_json(request: Request) -> Response:
    """The whole tree as JSON, with the leaf of every page, as `periplus tree --json` prints it."""
    return JSONResponse(tree_of(library_of(request)).as_tree())


@router.get("/tree/{number}.csv", include_in_schema=False)
def node_csv(request: Request, number: Number) -> Response:
    """All pages under one node as CSV."""
    library = library_of(request)
    found = memberships_of(library)
    return csv_answer(f"tree-{number}", pages_table(library, found.tree.pages_of(found.node(number))))


@router.get("/tree/{number}.gexf", include_in_schema=False)
def node_gexf(request: Request, number: Number) -> Response:
    """The pages under one node and the links among them, with their communities, for Gephi."""
    library = library_of(request)
    found = memberships_of(library)
    return gexf_answer(f"tree-{number}", graph_of_pages(library, found.tree.pages_of(found.node(number))))


@router.get("/tree/{number}", include_in_schema=False)
def node(request: Request, number: Number, offset: Annotated[int, Query(ge=0)] = 0) -> Response:
    """One node of the tree: its path, what hangs below it, its best pages, and what its name came from."""
    return _shown(request, number, offset)


@router.get("/api/tree/{number}", response_model=TreeAnswer, responses=PROBLEMS, tags=["communities"])
def api_tree(
    request: Request,
    number: Number,
    depth: Annotated[int, Query(ge=0, le=3, description="How many levels below the node.")] = 1,
) -> dict[str, Any]:
    """A node of the tree of communities, the path to it, and what hangs below it. `/tree.json` is the whole tree."""
    return branch_facts(library_of(request), number, depth=depth)


def _shown(request: Request, number: int, offset: int) -> Response:
    library = library_of(request)
    view = node_view(library, number)
    leaf = not view.branch.below and not view.branch.cut
    check_offset(offset, view.size if leaf else 0)
    ranker = library.searcher.rankers.default
    return render(
        request,
        "tree.html",
        view=view,
        leaf=leaf,
        pictures=() if leaf else _pictures(view),
        rows=leaf_pages(library, number, offset=offset, size=SHOWN_PAGES) if leaf else (),
        ranker="" if ranker == TEXT_ONLY else library.searcher.rankers.title(ranker),
        pages=library.graph.nodes,
        parts=pager(f"/tree/{number}", offset, SHOWN_PAGES, view.size),
    )


def _pictures(view: NodeView) -> tuple[Markup, Markup]:
    """The icicle for a screen and for a phone."""
    pieces = [_piece(one) for one in view.branch.below]
    largest = max(view.branch.below, key=lambda one: one.size)
    title = f"{counted(len(pieces), 'branch')}; the largest, {largest.name}, has {percent(largest.size / view.size)}"
    return Markup(icicle(pieces, title=title, width=_WIDE)), Markup(icicle(pieces, title=title, width=PHONE))


def _piece(branch: Branch) -> Piece:
    return Piece(branch.name, branch.size, f"/tree/{branch.number}", tuple(_piece(one) for one in branch.below))
