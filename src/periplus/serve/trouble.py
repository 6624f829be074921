"""Errors → answers: a page that says what happened and what to do, or `{"error", "message"}` under `/api/`.

The gate handles unforeseen errors, so that their answers carry its headers too.
"""

from __future__ import annotations

from typing import cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from periplus.errors import MissingStageError, PeriplusError, UnknownPageError, UsageError
from periplus.serve.render import render
from periplus.wording import sentence

NO_SUCH_PAGE = "There is no such page here."


def handle_errors(app: FastAPI) -> None:
    """Register the handlers."""
    app.add_exception_handler(PeriplusError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def answer(request: Request, status: int, slug: str, message: str) -> Response:
    """One shape for every failure."""
    line = " ".join(message.split())
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": slug, "message": line}, status_code=status)
    query = request.query_params.get("q", "")
    return render(request, "trouble.html", status=status, code=status, message=sentence(line), query=query[:512])


def _ours(request: Request, error: Exception) -> Response:
    known = cast(PeriplusError, error)
    not_here = isinstance(known, UnknownPageError | MissingStageError)
    status = 404 if not_here else 400 if isinstance(known, UsageError) else 500
    return answer(request, status, known.slug, str(known))


def _invalid(request: Request, error: Exception) -> Response:
    first = cast(RequestValidationError, error).errors()[0]
    name = str(first["loc"][-1])
    if first["type"] == "missing":
        return answer(request, 400, "parameter", f"{name} is missing")
    wanted = str(first["msg"]).removeprefix("Input should be ").partition(",")[0]
    return answer(request, 400, "parameter", f"{name} = {str(first['input'])[:80]} is not allowed: {wanted}")


def _http(request: Request, error: Exception) -> Response:
    known = cast(HTTPException, error)
    if known.status_code == 404:
        said = NO_SUCH_PAGE if known.detail == "Not Found" else known.detail
        return answer(request, 404, "not-found", said)
    return answer(request, known.status_code, "http", known.detail)
