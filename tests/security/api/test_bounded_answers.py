"""What a request says comes back in an answer only in part, and is taken only as what it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.campaigns import body
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.world import make_world, openapi, operations

HERE = f"/api/v1/teams/{TEAM}"
MOST_BYTES = 100_000
"""Of an answer that tells what is wrong."""

# What the API says is said before, or after, any database.
pytestmark = pytest.mark.parametrize("platform_settings", SERVED, indirect=True)


@pytest.mark.parametrize(
    "sent",
    [
        {f"{number:x}": 0 for number in range(200_000)},
        {**body(), "files": {f"{number}.csv": "x" * 10 for number in range(50_000)}},
        {**body(), "overrides": {"a" * 190 + str(number): "b" * 10 for number in range(10_000)}},
        {**body(), "seed": [[]] * 500_000},
        {**body(), "x" * 2_000_000: 1},
        {**body(), "priority": "9" * 2_000_000},
        {"document": "x" * 3_000_000},
        {"document": 'name: "' + "x" * 400_000 + '"'},
        {"document": json.dumps({f"k{number}": "v" * 200 for number in range(2_000)})},
        {"document": json.dumps({"name": "q", "experiment": {"duration": "x" * 400_000}})},
    ],
    ids=["fields", "files", "paths", "list", "name", "text", "document", "value", "keys", "level"],
)
def test_a_refusal_is_short_whatever_was_sent(platform: Platform, sent: dict[str, Any]) -> None:
    member = platform.client("submit")
    for path in ("validate", "estimate"):
        answer = member.post(f"{HERE}/campaigns/{path}", json=sent)
        assert answer.status_code in {200, 422}
        assert len(answer.content) < MOST_BYTES
        assert answer.json()["problems"]


def test_numbers_without_end_are_refused_in_few_words(platform: Platform) -> None:
    member = platform.client("submit")
    for number in ("9" * 4_000, "1e999999", "-" + "9" * 4_400, "NaN", "Infinity"):
        content = json.dumps(body())[:-1] + f', "seed": {number}}}'
        headers = {"Content-Type": "application/json"}
        answer = member.post(f"{HERE}/campaigns/validate", content=content, headers=headers)
        assert answer.status_code == 422
        assert len(answer.content) < 2_000


def test_names_without_end_come_back_cut(platform: Platform) -> None:
    member = platform.client("submit")
    for path in ("a" * 30_000, f"teams/{'a' * 30_000}", f"runs/{'9' * 30_000}"):
        answer = member.get(f"/api/v1/{path}")
        assert answer.status_code in {404, 422}
        assert len(answer.content) < 2_000


def test_numbers_and_switches_are_taken_as_themselves_only(
    platform: Platform, tmp_path: Any
) -> None:
    world, schemas = make_world(platform, tmp_path), openapi()
    tried = 0
    for operation in operations():
        described = schemas["paths"][operation.path][operation.method.lower()]
        content = described.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            continue
        shapes = (content["schema"], *content["schema"].get("anyOf", ()))
        name = next(each["$ref"] for each in shapes if "$ref" in each).rpartition("/")[2]
        for field, lax in _lax(schemas["components"]["schemas"][name]["properties"]):
            client = platform.client("operator" if "/teams/" not in operation.path else "admin")
            sent = {**(world.request(operation).get("json") or {}), field: lax}
            answer = client.request(operation.method, world.url(operation), json=sent)
            assert answer.status_code == 422, (operation.id, field, lax, answer.text)
            assert field in [problem["path"] for problem in answer.json()["problems"]]
            tried += 1
    assert tried > 20


def _lax(properties: dict[str, Any]) -> list[tuple[str, Any]]:
    """Fields with a value of another type that a lax reader would take."""
    found: list[tuple[str, Any]] = []
    for field, described in properties.items():
        kinds = {each.get("type") for each in (described, *described.get("anyOf", ()))}
        if "integer" in kinds:
            found += [(field, False), (field, True), (field, "1"), (field, 1.5)]
        if "boolean" in kinds:
            found += [(field, 0), (field, 1), (field, "true"), (field, "off")]
    return found
