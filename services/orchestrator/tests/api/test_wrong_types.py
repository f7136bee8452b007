"""Every operation of the API, told in each parameter and field something of another type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.world import (
    Operation,
    World,
    empower_operator,
    make_world,
    openapi,
)

WORD: Final = "no such value"
OTHERWISE: Final[dict[str, Any]] = {"object": [WORD], "array": WORD}
"""What each type is not; of all others a list of an object is none."""
SIGNED_OUT: Final = frozenset({"sign_out", "change_my_password"})
document: Final = cache(openapi)


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """What a reference names."""
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def takes_any_text(schema: dict[str, Any]) -> bool:
    """Whether a parameter, which is always text, may be any."""
    schema = resolved(schema)
    if choices := schema.get("anyOf"):
        return any(map(takes_any_text, choices))
    if schema.get("type") == "array":
        return takes_any_text(schema["items"])
    if schema.get("type") == "object":
        return True  # of parameters: one whose name is open
    if schema.get("type") not in {"string", None} or schema.keys() & {"format", "enum", "const"}:
        return False
    return re.search(schema.get("pattern", ""), WORD) is not None


def operations() -> Iterator[tuple[Operation, dict[str, Any]]]:
    for path, methods in document()["paths"].items():
        for method, described in methods.items():
            yield Operation(described["operationId"], method.upper(), path), described


def wrong_parameters(described: dict[str, Any]) -> list[tuple[str, str]]:
    """Names of those that cannot be WORD, and where each stands."""
    return [
        (each["in"], each["name"])
        for each in described.get("parameters", ())
        if each["in"] in {"path", "query"} and not takes_any_text(each["schema"])
    ]


def wrong_fields(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Path of each field of a JSON body, however deep, and a body that has another type there."""
    media = described.get("requestBody", {}).get("content", {}).get("application/json")
    if media is not None:
        yield from ((path, body) for path, body in wrong_within(media["schema"]) if path)


def wrong_within(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Paths of a value and all that may stand in it, and the value with another type there."""
    if wrong := other_than(schema):
        yield "", wrong
    for kind in map(resolved, resolved(schema).get("anyOf", [schema])):
        inner = dict(kind.get("properties", {}))
        if isinstance(more := kind.get("additionalProperties"), dict):
            inner["a"] = more
        for name, each in inner.items():
            for path, value in wrong_within(each):
                yield f"{name}.{path}".removesuffix("."), {name: value}
        if kind.get("type") == "array":
            for path, value in wrong_within(kind["items"]):
                yield f"0.{path}".removesuffix("."), [value]


def other_than(schema: dict[str, Any]) -> Any:
    """A value of another type; None where any will do."""
    schema = resolved(schema)
    kinds = {resolved(each).get("type") for each in schema.get("anyOf", [schema])}
    if None in kinds:
        return None
    return next((OTHERWISE[kind] for kind in OTHERWISE if kind in kinds), [{"x": WORD}])


def told(world: World, operation: Operation, change: dict[str, Any]) -> Any:
    """The answer to a good request with some of its arguments changed."""
    url = operation.path.format_map({**world.values, **change.get("path", {})})
    asked = world.request(operation)
    query = {**asked.pop("params", {}), **change.get("query", {})}
    if "json" in change:
        asked["json"] = {**(asked.get("json") or {}), **change["json"]}
    asker = world.platform.client("read" if operation.id in SIGNED_OUT else "operator")
    return asker.request(operation.method, url, params=query, **asked)


def missing(answer: Any, path: str) -> str:
    """What the answer does not say of that path; empty where nothing is."""
    if answer.status_code != 422:
        return f"status {answer.status_code}"
    problems = [each for each in answer.json()["problems"] if each["path"].startswith(path)]
    if not problems:
        return f"no problem with that path: {answer.text[:300]}"
    sent = answer.request.content.decode()
    secret = any(word in sent for word in ("password", "secret_"))
    lacks = [each for each in problems if each["value"] is None and not secret]
    lacks += [each for each in problems if not each["allowed"] or not each["remedy"]]
    return f"no value, allowed or remedy: {lacks}" if lacks else ""


@pytest.mark.parametrize("platform_settings", ["embedded"], indirect=True)
def test_each_is_refused_by_its_path(platform: Platform, tmp_path: Path) -> None:
    world = make_world(platform, tmp_path)
    empower_operator(platform)
    wrong, tried, nested = [], 0, 0
    for operation, described in operations():
        cases = [(name, {where: {name: WORD}}) for where, name in wrong_parameters(described)]
        cases += [(path, {"json": body}) for path, body in wrong_fields(described)]
        for name, change in cases:
            tried += 1
            if lack := missing(told(world, operation, change), name):
                wrong.append(f"{operation.method} {operation.path} {name}: {lack}")
        nested += sum("." in path for path, _ in cases)
    assert not wrong, "\n".join(wrong)
    assert tried > 100 and nested > 20
