"""Code that campaigns bring is run where it can be confined, or where somebody said so."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from weir_engine.errors import CannotRun
from weir_engine.executor.local import LocalExecutor
from weir_engine.states import move
from weir_engine.task import Environment, Task
from weir_lab import confine
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.db import Worker as WorkerRow
from weir_orchestrator.settings import Settings
from weir_orchestrator.work import sandbox
from weir_orchestrator.work.worker import Worker
from weir_testing import cells
from weir_testing.node_players import SMALL, brought
from weir_testing.platform import Platform
from weir_testing.platform.work import behaving, key_of


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine.landlock, "abi", lambda: 0)
    confine.lacking.cache_clear()
    monkeypatch.setattr(confine, "lacking", confine.lacking.__wrapped__)


@pytest.mark.usefixtures("no_landlock")
@pytest.mark.parametrize(
    ("settings", "refused"),
    [
        ({"auth": "login"}, True),
        ({"database": "postgresql+psycopg://weir@nowhere/weir"}, True),
        ({"auth": "login", "unconfined": True}, False),
        ({}, False),
    ],
)
def test_it_fails_closed(settings: dict[str, object], refused: bool) -> None:
    said = sandbox.refusal(Settings(**settings))  # type: ignore[arg-type]
    assert bool(said) == refused
    assert not refused or ("Landlock" in said and "WEIR_UNCONFINED=true" in said)


def test_where_there_is_a_sandbox_nothing_is_refused() -> None:
    if confine.lacking():
        pytest.skip(f"this kernel lacks {confine.lacking()}")
    assert sandbox.refusal(Settings(auth="login")) == ""


@pytest.mark.parametrize("own", [cells.own_abr("class A: ..."), brought(SMALL)])
def test_a_refused_player_is_a_failure_with_its_reason(
    environment: Environment, own: dict[str, Any]
) -> None:
    refusing = replace(environment, refusal="no sandbox here")
    asked = {**behaving("well"), "clients": [own]}
    history = move(move([], "pending"), "queued")
    tasks = [
        Task(key_of(n), "small", {}, n, n, experiment, history=history)  # type: ignore[arg-type]
        for n, experiment in enumerate((asked, behaving("well")))
    ]
    events = list(LocalExecutor(refusing, 1).execute(tasks))
    ends = {event.task.replicate: event for event in events if event.state != "running"}
    assert (ends[0].state, ends[0].reason) == ("failed", "no sandbox here")
    assert ends[1].state == "succeeded"


@pytest.mark.usefixtures("no_landlock")
def test_a_worker_tells_the_platform_that_it_refuses(
    platform_with: Callable[..., Platform], monkeypatch: pytest.MonkeyPatch, kernel: Kernel
) -> None:
    platform = platform_with(auth="login", as_root=True)
    monkeypatch.setattr(lab_kernel, "installed", lambda: [kernel])
    worker = Worker(platform.settings)
    worker.drain()
    worker.run()
    with platform.sessions() as session:
        said = session.scalars(select(WorkerRow.refusal)).all()
    assert said == [sandbox.refusal(platform.settings)] != [""]


def test_root_is_refused_on_a_platform_with_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(CannotRun, match="WEIR_AS_ROOT=true"):
        sandbox.require_user(Settings(auth="login"))
    sandbox.require_user(Settings(auth="login", as_root=True))
    sandbox.require_user(Settings(data=Path("here")))
