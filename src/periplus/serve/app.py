"""`create_app`: a collection as web pages and a JSON API.

To add a view: one module with a `router`, and one line in `VIEWS`. A view that has a label stands in the navigation of
every page; docs/serving.md lists its addresses with the first line of each handler's docstring. Handlers take the
`Request`, get the collection by `library_of(request)` and answer with `render(request, TEMPLATE, …)`: "table.html" for
a plain table, or a template of their own. Errors of `periplus.errors` become pages, or JSON under `/api/`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import NamedTuple

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from periplus import __version__
from periplus.library.library import Library
from periplus.serve.gate import BURST, RATE, Gate
from periplus.serve.state import Opened
from periplus.serve.token import Token
from periplus.serve.trouble import handle_errors

LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")


class View(NamedTuple):
    """A part of the site: the module whose `router` answers, and its place in the navigation (label and path).

    `private`: for the owner's own machine only; a server that shows the collection to others has no such view.
    """

    module: str
    label: str = ""
    path: str = ""
    private: bool = False


VIEWS: tuple[View, ...] = (
    View("periplus.serve.front", "Search", "/"),
    View("periplus.serve.compare"),
    View("periplus.serve.suggest"),
    View("periplus.serve.portrait"),
    View("periplus.serve.memento", private=True),
    View("periplus.serve.related"),
    View("periplus.serve.site", "Sites", "/sites"),
    View("periplus.serve.communities", "Communities", "/communities"),
    View("periplus.serve.tree", "Tree", "/tree"),
    View("periplus.serve.structure", "Structure", "/structure"),
    View("periplus.serve.map", "Sky", "/map"),
    View("periplus.serve.audit", "Audit", "/audit", private=True),
    View("periplus.serve.activity", private=True),
    View("periplus.serve.lab.page", "Laboratory", "/lab"),
    View("periplus.serve.papers", "Papers", "/papers"),
    View("periplus.serve.api"),
    View("periplus.serve.programs.feed"),
    View("periplus.serve.programs.about"),
    View("periplus.serve.assets"),
)


def router_of(view: View) -> APIRouter:
    """What answers for a view."""
    router: APIRouter = importlib.import_module(view.module).router
    return router


def addresses(view: View) -> list[tuple[str, str]]:
    """The addresses of a view in order, with what stands there."""
    routes = [route for route in router_of(view).routes if isinstance(route, APIRoute)]
    return [(route.path, (route.endpoint.__doc__ or "").partition("\n")[0]) for route in routes]


def create_app(
    library: Library,
    *,
    hosts: Sequence[str] = LOCAL_HOSTS,
    rate: float = RATE,
    burst: float = BURST,
    token: Token | None = None,
) -> FastAPI:
    """The application over one opened collection; it answers to `hosts` only, and only who has the token, if any."""
    app = FastAPI(
        title="Periplus",
        version=__version__,
        summary="Search a charted piece of the web, and ask how its pages link.",
        docs_url=None,  # both load their scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.state.opened = Opened(library)
    app.state.name = library.collection.settings.name
    views = [view for view in VIEWS if not (view.private and library.public)]
    app.state.nav = [(view.label, view.path) for view in views if view.label]
    for view in views:
        app.include_router(router_of(view))
    handle_errors(app)
    app.add_middleware(Gate, hosts=tuple(hosts), rate=rate, burst=burst, token=token)
    return app
