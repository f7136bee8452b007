"""The OpenAPI document says what programs need: examples, and every error by its kind."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.platform.world import openapi


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi()


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [op for methods in document["paths"].values() for op in methods.values()]


def has_example(value: Any, schemas: dict[str, Any]) -> bool:
    """Whether an example stands somewhere in it, or in a schema that it refers to."""
    if isinstance(value, list):
        return any(has_example(each, schemas) for each in value)
    if not isinstance(value, dict):
        return False
    if "$ref" in value:
        return has_example(schemas[value["$ref"].rpartition("/")[2]], schemas)
    return bool(value.get("examples")) or any(has_example(v, schemas) for v in value.values())


def test_every_json_body_has_an_example(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    bodies = {
        op["operationId"]: op["requestBody"]["content"]["application/json"]
        for op in operations(document)
        if "application/json" in op.get("requestBody", {}).get("content", {})
    }
    assert len(bodies) > 15
    assert [name for name, body in bodies.items() if not has_example(body, schemas)] == []


def test_every_part_of_a_path_has_an_example_or_a_format(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    bare = [
        f"{op['operationId']}: {given['name']}"
        for op in operations(document)
        for given in op.get("parameters", [])
        if given["in"] == "path"
        and not has_example(given, schemas)
        and not given["schema"].keys() & {"format", "pattern"}
    ]
    assert bare == []


def test_every_error_is_a_problem_of_a_kind(document: dict[str, Any]) -> None:
    untyped = [
        f"{op['operationId']}: {status}"
        for op in operations(document)
        for status, answer in op["responses"].items()
        if status[0] in "45" and "application/problem+json" not in answer.get("content", {})
    ]
    assert untyped == []
    for op in operations(document):
        assert {"413", "503"} <= op["responses"].keys(), op["operationId"]


def test_every_field_and_parameter_is_described(document: dict[str, Any]) -> None:
    """The reference of the documentation is made of it."""
    schemas = document["components"]["schemas"]
    fields = {
        f"{name}.{field}": of
        for name, schema in schemas.items()
        for field, of in schema.get("properties", {}).items()
    }
    given = {
        f"{op['operationId']}: {parameter['name']}": parameter
        for op in operations(document)
        for parameter in op.get("parameters", [])
    }
    assert len(fields) > 300 and len(given) > 100
    bare = [name for name, of in (fields | given).items() if not is_described(of)]
    assert bare == []


def is_described(value: dict[str, Any]) -> bool:
    """Also where null may stand for it, and it is described itself."""
    either = value.get("anyOf", [])
    return bool(value.get("description")) or any(each.get("description") for each in either)


def test_every_schema_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    """Two models of one name are told apart by their modules' names: no name for users."""
    assert [name for name in document["components"]["schemas"] if "__" in name] == []
