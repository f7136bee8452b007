"""States follow each other only as the rules say."""

from __future__ import annotations

import pytest
from weir_engine.states import History, Refused, move


def _through(*states: str) -> History:
    history: History = []
    for state in states:
        history = move(history, state, "why" if state in {"failed", "invalid"} else "")
    return history


@pytest.mark.parametrize("end", ["succeeded", "failed", "invalid", "cancelled"])
def test_a_run_goes_from_pending_to_an_end_with_dates(end: str) -> None:
    history = _through("pending", "queued", "running", end)
    assert [entry["state"] for entry in history] == ["pending", "queued", "running", end]
    assert [entry["at"] for entry in history] == sorted(entry["at"] for entry in history)


@pytest.mark.parametrize("end", ["failed", "cancelled", "invalid"])
def test_what_did_not_succeed_can_be_tried_again(end: str) -> None:
    assert _through("pending", "queued", "running", end, "pending")[-1]["state"] == "pending"


@pytest.mark.parametrize(
    ("states", "says"),
    [
        (("running",), "pending first"),
        (("pending", "running"), "does not follow"),
        (("pending", "queued", "running", "succeeded", "pending"), "never run again"),
        (("pending", "dancing"), "not a state"),
    ],
)
def test_refusals_say_why(states: tuple[str, ...], says: str) -> None:
    with pytest.raises(Refused, match=says):
        _through(*states)


def test_a_failure_needs_a_reason() -> None:
    with pytest.raises(Refused, match="needs a reason"):
        move(_through("pending", "queued", "running"), "failed")
