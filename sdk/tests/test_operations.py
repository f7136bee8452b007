"""What the client asks is what the API's own description says."""

from __future__ import annotations

import inspect
import re
import tempfile
import types
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, assert_type, get_args

import generate
import pytest
from weir_orchestrator.api.app import make_app
from weir_orchestrator.settings import Settings
from weir_sdk import AsyncClient, Client, Event, models
from weir_sdk.call import Call, Json, Page
from weir_sdk.calls import (
    alarms,
    audit,
    badges,
    bisections,
    campaigns,
    cards,
    files,
    library,
    results,
    runs,
    schedules,
    session,
    teams,
    tokens,
    trends,
    users,
    webhooks,
)

NOUNS: Final = (
    *(alarms, audit, badges, bisections, campaigns, cards, files, library, results, runs),
    *(schedules, session, teams, tokens, trends, users, webhooks),
)
NOT_CALLS: Final = frozenset(
    [
        "begin_single_sign_on",
        "end_single_sign_on",
        "live",
        "ready",
        "show_badge",
        "show_shared_card",
        "watch_campaign",
        "watch_team",
    ]
)
"""For browsers, pages elsewhere and supervisors; streams are watched by methods of the clients."""
OPERATIONS: Final = {
    name: function
    for noun in NOUNS
    for name, function in vars(noun).items()
    if isinstance(function, types.FunctionType)
    and function.__module__ == noun.__name__
    and name in noun.__all__
    and name != "campaign"
}
VALUES: Final[dict[str, Any]] = {
    "campaign": "0b9f3a52-8f6e-4a6e-9d3e-2f1f4c1b7a10",
    "schedule": "0b9f3a52-8f6e-4a6e-9d3e-2f1f4c1b7a10",
    "run": 7,
    "card": "0b9f3a52-8f6e-4a6e-9d3e-2f1f4c1b7a10",
    "view": {"name": "kept"},
    "alarm": 7,
    "muted_until": datetime(2027, 1, 1, tzinfo=UTC),
    "trend": 7,
    "files": {},
    "subjects": {},
    "effects": {"mean_bitrate_bps": "5%"},
    "a": 7,
    "b": 8,
    "content": b"x",
    "kinds": ["cwnd"],
    "state": ["failed"],
    "kind": ["run.ended"],
    "only": ["failed"],
    "events": ["run.failed"],
    "levels": {"server.congestion_control": "reno"},
}


@pytest.fixture(scope="module")
def described() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Operation id -> method, path, description."""
    with tempfile.TemporaryDirectory() as folder:
        document = make_app(Settings(data=Path(folder))).openapi()
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }


def called(make: Callable[..., Call[Any]]) -> Call[Any]:
    """A call with a value for every parameter."""
    parameters = inspect.signature(make).parameters.values()
    given = [p for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD]
    return make(**{p.name: VALUES.get(p.name, _default(p)) for p in given})


def _default(parameter: inspect.Parameter) -> Any:
    if parameter.default in (None, inspect.Parameter.empty):
        return 3 if "int" in str(parameter.annotation) else "local"
    return parameter.default


@pytest.mark.parametrize("name", OPERATIONS)
def test_calls_are_those_of_the_api(
    name: str, described: dict[str, tuple[str, str, dict[str, Any]]]
) -> None:
    method, path, operation = described[name]
    call = called(OPERATIONS[name])
    assert call.method == method
    pattern = re.sub(r"\{name\}", ".+", re.sub(r"\{(?!name)\w+\}", "[^/]+", path))
    assert re.fullmatch(pattern, f"/api/v1{call.path}")
    known = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
    assert {key.partition(".")[0] for key, _ in call.params} <= known
    assert (call.json is not None or call.content is not None) == ("requestBody" in operation)
    if isinstance(call.answer, Json):
        success = next(r for status, r in operation["responses"].items() if status[0] == "2")
        schema = success["content"]["application/json"]["schema"]
        assert _schema_name(call.answer.kind) in (schema.get("$ref", ""), str(schema.get("items")))


def _schema_name(kind: Any) -> str:
    base = "#/components/schemas/"
    if kind == dict[str, Any]:
        return f"{base}CampaignSchema"
    if isinstance(kind, type) and issubclass(kind, Page):
        return f"{base}Page_{kind.__pydantic_generic_metadata__['args'][0].__name__}_"
    if args := get_args(kind):
        name = args[0].__name__
        return f"{base}ShippedCampaigns" if name == "ShippedOut" else str({"$ref": base + name})
    return f"{base}{kind.__name__}"


def test_no_operation_of_the_api_is_left_out(
    described: dict[str, tuple[str, str, dict[str, Any]]],
) -> None:
    assert set(described) == set(OPERATIONS) | NOT_CALLS


def test_both_clients_have_every_operation() -> None:
    for name in OPERATIONS:
        assert callable(getattr(Client, name)), name
        assert callable(getattr(AsyncClient, name)), name


def test_methods_tell_their_parameters_and_what_they_do() -> None:
    for name, make in OPERATIONS.items():
        for client in (object.__new__(Client), object.__new__(AsyncClient)):
            method = getattr(client, name)
            assert inspect.signature(method) == inspect.signature(make)
            assert inspect.getdoc(method) == inspect.getdoc(make)


def test_results_have_their_types_in_both_clients() -> None:
    """Type checkers hold what stands here; nothing is sent."""

    def at_once(client: Client) -> None:
        assert_type(client.show_me(), models.Me)
        assert_type(client.list_runs("c", limit=3), Iterator[models.RunOut])
        assert_type(client.wait_for_campaign("c"), models.CampaignOut)
        assert_type(client.watch_team("t"), Iterator[Event])

    async def on_an_event_loop(client: AsyncClient) -> None:
        assert_type(await client.show_me(), models.Me)
        assert_type(client.list_runs("c", limit=3), AsyncIterator[models.RunOut])
        assert_type(await client.wait_for_campaign("c"), models.CampaignOut)
        assert_type(client.watch_team("t"), AsyncIterator[Event])

    with Client("http://127.0.0.1") as client:
        assert isinstance(client.watch_team("t"), Iterator)
    assert isinstance(AsyncClient("http://127.0.0.1").watch_team("t"), AsyncIterator)


def test_webhooks_can_be_told_of_all_that_there_is() -> None:
    told = get_args(models.WebhookOut.model_fields["events"].annotation)[0]
    assert get_args(webhooks.Kind) == get_args(told)


def test_models_are_those_of_the_api() -> None:
    assert generate.MODELS.read_text() == generate.generated(), "run sdk/generate.py"
