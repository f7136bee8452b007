"""The API, from the OpenAPI document that it serves."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from weir_orchestrator.api.app import make_app
from weir_orchestrator.settings import Settings

from docsite.schema import cell, default, kind, section

__all__ = ["document", "models", "operations"]

_OPERATIONS = """# Operations of the API

All paths stand below `/api/v1`, except for `/metrics`. A server shows the same at `/api/v1/docs`,
where it can be tried. The [Python client](../python.md) has a method of each operation's name.
What they are for: [the platform](../platform.md). Every error is a
[ProblemDetails](models.md#problemdetails).

"""
_MODELS = """# Models of the API

What [operations](operations.md) take and answer.

"""


def document() -> dict[str, Any]:
    """The OpenAPI document."""
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = make_app(Settings(data=Path(folder))).openapi()
    return found


def operations(document: dict[str, Any]) -> str:
    """Operations by tag, each with its parameters, body and answer."""
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            shown = _operation(method.upper(), path.removeprefix("/api/v1"), operation)
            by_tag.setdefault(operation["tags"][0], []).append(shown)
    return _OPERATIONS + "".join(
        f"## {tag.capitalize()}\n\n{''.join(shown)}" for tag, shown in sorted(by_tag.items())
    )


def models(document: dict[str, Any]) -> str:
    """A table for each model."""
    schemas = document["components"]["schemas"]
    return _MODELS + "".join(
        section(name, schemas[name], lambda of: f"#{of.lower()}") for name in sorted(schemas)
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    lines = [f"### {operation['operationId']}", "", f"`{method} {path}`", ""]
    lines += [operation.get("description", ""), ""]
    if parameters := operation.get("parameters", []):
        lines += ["| parameter | in | is | default | meaning |", "|---|---|---|---|---|"]
        lines += [_parameter(each) for each in parameters] + [""]
    if body := _content(operation.get("requestBody")):
        lines += [f"Takes {body}.", ""]
    for status, response in operation["responses"].items():
        if status[0] in "23":
            what = _content(response) or response["description"].lower()
            lines += [f"Answers {status}: {what}.", ""]
    return "\n".join(lines) + "\n"


def _parameter(of: dict[str, Any]) -> str:
    schema = of["schema"]
    given = "needed" if of.get("required") else default(schema)
    what = cell(kind(schema, _model))
    meaning = cell(of.get("description", ""))
    return f"| `{of['name']}` | {of['in']} | {what} | {given} | {meaning} |"


def _content(of: dict[str, Any] | None) -> str:
    """Kinds of content of a body or an answer; empty where it has none."""
    contents = (of or {}).get("content", {})
    if "application/json" in contents:
        return kind(contents["application/json"]["schema"], _model)
    return ", ".join(f"`{name}`" for name in contents)


def _model(name: str) -> str:
    return f"models.md#{name.lower()}"
