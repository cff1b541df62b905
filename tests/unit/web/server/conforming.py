"""Holds what the server answers to its own OpenAPI document, without room for more."""

import json
import re
from functools import cache
from typing import Any

import jsonschema_rs

from ninefold.web.server.app import ROUTES
from ninefold.web.server.openapi import build_document


@cache
def document() -> dict[str, Any]:
    """The document of the server."""
    return build_document(ROUTES)


def check_answer(method: str, path: str, status: int, kind: str, body: bytes) -> None:
    """Fail if the document does not describe this answer to a request it describes."""
    operation = _operation(method, path.partition("?")[0])
    if operation is None or status >= 500:
        return
    where = f"{method} {operation} answered {status}"
    response = _response(operation, method.lower(), str(status))
    assert response is not None, f"{where}, which is not declared: {body[:200]!r}"
    content = response.get("content", {})
    assert kind.partition(";")[0] in content or not (content or body), f"{where} as {kind}"
    if kind == "application/json":
        _validator(operation, method.lower(), str(status)).validate(json.loads(body))


def _operation(method: str, path: str) -> str | None:
    """The path of the document that this one is an instance of; fixed ones come first."""
    for found in sorted(document()["paths"], key=lambda one: "{" in one):
        pattern = re.sub(r"{\w+}", "[^/]+", found)
        if re.fullmatch(pattern, path) and method.lower() in document()["paths"][found]:
            return str(found)
    return None


def _response(path: str, method: str, status: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = document()["paths"][path][method]["responses"].get(status)
    if found and "$ref" in found:
        found = document()["components"]["responses"][found["$ref"].rpartition("/")[2]]
    return found


@cache
def _validator(path: str, method: str, status: str) -> jsonschema_rs.Draft202012Validator:
    response = _response(path, method, status)
    assert response is not None
    schema = response["content"]["application/json"]["schema"]
    closed = {**_closed(schema), "components": _closed(document()["components"])}
    return jsonschema_rs.Draft202012Validator(closed)


def _closed(part: Any) -> Any:
    """The same schemas, but with no other fields than those they name."""
    if isinstance(part, list):
        return [_closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {name: _closed(one) for name, one in part.items()}
    if found.get("type") == "object" and "properties" in found:
        found["additionalProperties"] = False
    return found
