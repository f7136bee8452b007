"""Code that a campaign brings is refused at once where every worker says that it runs none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from weir_orchestrator.db import Worker
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, upload

_ABR: Final = b"""class Steady:
    def __init__(self, ladder, options):
        pass

    def choose(self, state):
        return 1
"""
_CC: Final = b'static struct tcp_congestion_ops steady = { .name = "steady", };\n'
_MANIFEST: Final = b'{"main": "main.js"}'
_OWN: Final[dict[str, Any]] = {
    "experiment": {**SPEC["experiment"], "clients": [{"count": 2}]},
    "factors": {"clients.0.player": ["./abr/steady.py:Steady"]},
}
_NO_SANDBOX = "its kernel offers no sandbox: it lacks Landlock"


def _workers(platform: Platform, *refusals: str, state: str = "up") -> None:
    with platform.sessions.begin() as session:
        for pid, refusal in enumerate(refusals):
            session.add(Worker(host="here", pid=pid, jobs=1, state=state, refusal=refusal))


@pytest.mark.parametrize("named", ["steady.py:Steady", "mine/"])
def test_own_players_are_refused_where_no_worker_could_confine_them(
    platform: Platform, named: str
) -> None:
    client = platform.client("submit")
    texts = {"abr/steady.py": _ABR, "abr/mine/package.json": _MANIFEST, "abr/mine/main.js": b""}
    asked = {**_OWN, "factors": {"clients.0.player": [f"./abr/{named}"]}}
    own = body(asked, files={name: upload(client, text) for name, text in texts.items()})
    _workers(platform, _NO_SANDBOX, _NO_SANDBOX)
    for where, status in (("campaigns", 422), ("campaigns/validate", 200)):
        answer = client.post(f"{HERE}/{where}", json=own)
        assert answer.status_code == status, answer.text
        (problem,) = answer.json()["problems"]
        assert problem["path"] == "experiment.clients.player"
        assert problem["value"] == named
        assert problem["allowed"] == "no players of your own here"
        assert _NO_SANDBOX in problem["remedy"]
    assert client.post(f"{HERE}/campaigns", json=body()).status_code == 201


@pytest.mark.parametrize(
    ("refusals", "state"),
    [((), "up"), ((_NO_SANDBOX, ""), "up"), ((_NO_SANDBOX,), "gone")],
    ids=["none is there to ask", "one can", "only one that is gone could not"],
)
def test_own_players_are_taken_elsewhere(
    platform: Platform, refusals: tuple[str, ...], state: str
) -> None:
    client = platform.client("submit")
    own = body(_OWN, files={"abr/steady.py": upload(client, _ABR)})
    _workers(platform, *refusals, state=state)
    assert client.post(f"{HERE}/campaigns", json=own).status_code == 201


def test_c_is_refused_where_no_worker_could_confine_it(
    platform_with: Callable[..., Platform],
) -> None:
    platform = platform_with(kernel_code=True)
    client = platform.client("submit")
    _workers(platform, _NO_SANDBOX)
    answer = client.post(f"{HERE}/campaigns", json=body(files={"steady.c": upload(client, _CC)}))
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert (problem["path"], problem["value"]) == ("files.steady.c", "steady.c")
    assert _NO_SANDBOX in problem["remedy"]
