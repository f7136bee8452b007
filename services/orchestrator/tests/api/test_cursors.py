"""Every list that comes in pages, asked to go on from a place that none of its pages named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from weir_orchestrator.housekeeping.blocks import make_next
from weir_testing.platform import Platform
from weir_testing.platform.world import (
    Operation,
    World,
    empower_operator,
    make_world,
    openapi,
)

_LARGE: Final = "i:" + "9" * 400
_TOO_EARLY: Final = "dt:0001-01-01T00:00:00+14:00"
_SOME: Final = ("x", "i:1", _LARGE, "f:nan", "s:\x00", _TOO_EARLY)
"""Values as cursors have them: null, numbers, a text, a time."""
_ALL: Final = (
    *_SOME,
    *("true", "i:-1", f"i:{2**63}", "i:1_000", "i:a", "f:inf", "f:1e999", "f:a"),
    *("n:0.5", "n:NaN", "n:sNaN", "n:1e999999", "n:a", "s:", "s:a", "b:", "b:AA==", "b:A"),
    *("d:2026-11-29", "d:1e9", "dt:2026-11-29T00:00:00", "dt:2026-11-29T00:00:00Z", "dt:a"),
    *("t:12:00", "t:a", f"uuid:{'0' * 32}", "uuid:a", "?:a"),
)
_NO_CURSORS: Final = ("a", ">n:a~n:a", ">~~~", '>s:"~i:1')
_SORTS: Final = (None, "-started", "-jain")


def _lists() -> Iterator[Operation]:
    for path, methods in openapi()["paths"].items():
        described = methods.get("get", {})
        if any(each["name"] == "cursor" for each in described.get("parameters", ())):
            yield Operation(described["operationId"], "GET", path)


def _cursors(values: Sequence[str]) -> Iterator[str]:
    """Of lists that are sorted by one thing, and of those that are by two."""
    yield from _NO_CURSORS
    for value in values:
        yield f">{value}"
        yield f">{value}~i:1"
        yield f"<i:1~{value}"


def _told(world: World, operation: Operation, **query: Any) -> str:
    """What is wrong with the answer; empty where nothing is."""
    answer = world.platform.client("operator").get(
        world.url(operation), params={**world.request(operation)["params"], **query}
    )
    if answer.status_code == 422:
        paths = [each["path"] for each in answer.json()["problems"]]
        return "" if paths == ["cursor"] else f"told of {paths}"
    return "" if answer.status_code == 200 else f"status {answer.status_code}"


@pytest.mark.parametrize(
    "values", [_SOME, pytest.param(_ALL, marks=pytest.mark.long)], ids=["some", "all"]
)
def test_each_goes_on_or_is_refused(
    platform: Platform, tmp_path: Path, values: Sequence[str]
) -> None:
    world = make_world(platform, tmp_path)
    empower_operator(platform)
    assert make_next(platform.sessions, 2)
    wrong, tried = [], 0
    for operation in _lists():
        sorts = _SORTS if operation.id == "list_runs" else (None,)
        for sort, cursor in product(sorts, _cursors(values)):
            tried += 1
            query = {"cursor": cursor} | ({"sort": sort} if sort else {})
            try:
                lack = _told(world, operation, **query)
            except Exception as error:
                lack = f"raises {type(error).__name__}: {error}"[:200]
            if lack:
                wrong.append(f"{operation.path} {sort or ''} {cursor[:60]!r}: {lack}")
    assert not wrong, "\n".join(wrong)
    assert tried > 400
