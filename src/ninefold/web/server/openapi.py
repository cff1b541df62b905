"""The OpenAPI document of all addresses, made from their declarations."""

from collections.abc import Iterable
from inspect import getdoc
from typing import Any

from ninefold import __version__
from ninefold.web.server.answers import error_of
from ninefold.web.server.fields import Field, Fields, schema_of
from ninefold.web.server.requests import MESSAGE
from ninefold.web.server.routes import CONFLICT, STATUS, Route, by_path
from ninefold.web.server.view import Json

_REF = "#/components/"
# What any request may meet, and what those that change something may meet besides.
_ANY = ("not-identified", "bad-request", "wrong-host", "too-many-requests", "unavailable")
_UNSAFE = ("wrong-origin", "too-large")


def build_document(routes: Iterable[Route]) -> Json:
    """The description of these addresses in OpenAPI 3.1."""
    paths = {
        path: {method.lower(): _operation(route) for method, route in found.items()}
        for path, found in by_path(routes).items()
    }
    schemas: Json = {}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ninefold", "version": __version__, "description": _ABOUT},
        "paths": _with_names(paths, schemas),
        "components": {
            "schemas": {**schemas, "Message": _strict(MESSAGE)},
            "responses": {code: _refusal([code]) for code in (*_ANY, *_UNSAFE)},
            "securitySchemes": _SECURITY,
        },
        "security": [{}, {"cookie": []}, {"token": []}],
    }


_ABOUT = (
    "Bodies and answers are JSON. A visitor is known by a signed cookie, a bot by its token. "
    "An error has a code that does not change and a message for people. Over the WebSocket /ws, "
    "clients send objects as in the schema Message and receive events as in the schema Event."
)
_SECURITY = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": "ninefold"},
    "token": {"type": "http", "scheme": "bearer"},
}


def _operation(route: Route) -> Json:
    summary = (getdoc(route.answer) or "").partition("\n")[0]
    found: Json = {
        "operationId": getattr(route.answer, "__name__", ""),
        "summary": summary,
        "parameters": [
            *(_parameter("path", *one) for one in route.parameters.items()),
            *(_parameter("query", *one) for one in route.query.items()),
        ],
        "responses": {str(route.status): _response(route.returns, summary), **_errors(route)},
    }
    if route.body is not None:
        content = {"application/json": {"schema": _strict(route.body)}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _strict(fields: Fields) -> Json:
    return {**schema_of(fields), "additionalProperties": False}


def _parameter(place: str, name: str, field: Field) -> Json:
    is_required = place == "path" or field.is_required
    return {"name": name, "in": place, "required": is_required, "schema": field.schema}


def _response(returns: Field | str, description: str) -> Json:
    if isinstance(returns, Field):
        content: Json = {"application/json": {"schema": returns.schema}}
    else:
        content = {returns: {"schema": {"type": "string"}}} if returns else {}
    return {"description": description, **({"content": content} if content else {})}


def _errors(route: Route) -> Json:
    """The refusals by their status, each with its codes."""
    codes = [*_ANY, *(() if route.method == "GET" else _UNSAFE), *route.errors]
    found: dict[int, list[str]] = {}
    for code in sorted({*codes}):
        found.setdefault(STATUS.get(code, CONFLICT), []).append(code)
    return {str(status): _named_refusal(codes) for status, codes in sorted(found.items())}


def _named_refusal(codes: list[str]) -> Json:
    """A refusal that any request may meet is described once."""
    if len(codes) == 1 and codes[0] in (*_ANY, *_UNSAFE):
        return {"$ref": f"{_REF}responses/{codes[0]}"}
    return _refusal(codes)


def _refusal(codes: list[str]) -> Json:
    return _response(error_of(tuple(codes)), ", ".join(codes))


def _with_names(part: Any, schemas: Json) -> Any:
    """The same, with every schema that has a title moved to the named ones."""
    if isinstance(part, list):
        return [_with_names(one, schemas) for one in part]
    if not isinstance(part, dict):
        return part
    found = {name: _with_names(one, schemas) for name, one in part.items()}
    title = found.get("title")
    if found.get("type") != "object" or not isinstance(title, str):
        return found
    assert schemas.setdefault(title, found) == found, f"two schemas are called {title}"
    return {"$ref": f"{_REF}schemas/{title}"}
