"""`/api`: the JSON API as a page to read, made from its OpenAPI description, so that the two cannot disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from periplus.serve.render import render

router = APIRouter(include_in_schema=False)
_EXAMPLES = {
    "/api/search": "q=wind&size=3",
    "/api/compare": "q=wind&a=text&b=blended",
    "/api/communities": "q=wind",
    "/api/info": "",
    "/api/algorithms": "",
    "/api/structure": "",
}


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of a call, or a field of an answer."""

    name: str
    kind: str
    required: bool
    default: str
    says: str


@dataclass(frozen=True, slots=True)
class Call:
    """One address of the API."""

    path: str
    says: str
    parameters: tuple[Field, ...]
    shape: str
    example: str | None


@router.get("/api")
def about(request: Request) -> Response:
    """The JSON API: every address with its parameters, an example to click, and the shapes of the answers."""
    described: dict[str, Any] = request.app.openapi()
    shapes = described["components"]["schemas"]
    calls = [_call(path, operations["get"]) for path, operations in described["paths"].items()]
    used = {name: _shape(shape) for name, shape in sorted(shapes.items()) if not name.endswith("ValidationError")}
    return render(request, "api.html", calls=calls, shapes=used, base=str(request.base_url).rstrip("/"))


def _call(path: str, operation: dict[str, Any]) -> Call:
    parameters = tuple(
        Field(one["name"], _word(one["schema"]), one["required"], _default(one["schema"]), _plain(one))
        for one in operation.get("parameters", [])
    )
    answer = operation["responses"]["200"].get("content", {}).get("application/json", {}).get("schema", {})
    example = _EXAMPLES.get(path)
    address = None if example is None else path + ("?" + example if example else "")
    return Call(path, _plain(operation), parameters, answer.get("$ref", "").rpartition("/")[2], address)


def _default(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return "" if default in (None, "") else str(default)


def _shape(schema: dict[str, Any]) -> tuple[str, tuple[Field, ...]]:
    needed = schema.get("required", [])
    fields = tuple(
        Field(name, _word(one), name in needed, "", _plain(one)) for name, one in schema.get("properties", {}).items()
    )
    return _plain(schema), fields


def _plain(described: dict[str, Any]) -> str:
    return str(described.get("description", "")).replace("`", "")


def _word(schema: dict[str, Any]) -> str:
    """A type in a few words: `integer, 1 to 100`, `list of Hit`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_word(one) for one in schema["anyOf"] if one.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_word(schema.get('items', {}))}"
    low, high = schema.get("minimum"), schema.get("maximum")
    bounds = "" if low is None else f", from {low}" if high is None else f", {low} to {high}"
    return str(schema.get("type", "anything")) + bounds
