"""`weir up`: what it refuses, what it makes, and children that it starts again."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.cli import main
from weir_orchestrator.cli.platform.up import environment, make_local
from weir_orchestrator.db import Membership, Team, User, connect, make_sessions, schema
from weir_orchestrator.processes.supervise import Program, Supervisor
from weir_orchestrator.settings import Settings
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform import Platform


@pytest.fixture(autouse=True)
def _built(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> None:
    monkeypatch.setattr(lab_kernel, "find", lambda: kernel)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--host", "0.0.0.0"], 2, "without login only"),
        (["--auth", "maybe"], 2, "auth: "),
        (["--port", "70000"], 2, "port: "),
        (["--database", "mysql://x"], 2, "database: mysql://x — allowed: "),
    ],
)
def test_bad_settings_are_refused(
    words: list[str], code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["up", "--data", str(tmp_path), *words]) == code
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["up", "--data", str(tmp_path), "--port", port]) == 3
    assert f"cannot listen on 127.0.0.1 port {port}" in capsys.readouterr().err


def test_without_a_lab_kernel_there_are_no_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lab_kernel, "find", lambda: None)
    assert main(["up", "--data", str(tmp_path)]) == 3
    assert "`weir kernel build`" in capsys.readouterr().err


def test_everybody_is_the_local_administrator_once(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path}/weir.db")
    schema.upgrade(engine)
    sessions = make_sessions(engine)
    for _ in range(2):
        with sessions.begin() as session:
            make_local(session)
    with sessions() as session:
        assert session.scalars(select(Team.slug)).all() == ["local"]
        assert session.scalars(select(User.is_admin)).all() == [True]
        assert session.scalars(select(Membership.role)).all() == ["admin"]
    engine.dispose()


@pytest.mark.parametrize("kernel_code", [True, frozenset({"lab", "qoe-lab"})])
def test_children_get_the_same_settings(
    kernel_code: bool | frozenset[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Settings(data=tmp_path, port=0, kernel_code=kernel_code, jobs=3)
    for name, value in environment(given).items():
        monkeypatch.setenv(name, value)
    assert Settings() == given


def test_what_dies_is_started_again_until_stopped(
    platform_with: Callable[..., Platform],
) -> None:
    program = Program("housekeeper")
    settings = platform_with().settings
    supervisor = Supervisor([program], environment(settings))
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    try:
        first = pid_of(program, other_than=None)
        os.kill(first, signal.SIGKILL)
        second = pid_of(program, other_than=first)
        assert second != first
    finally:
        supervisor.stop()
        thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert program.process is None


def pid_of(program: Program, other_than: int | None) -> int:
    found: list[int] = []

    def started() -> bool:
        process = program.process
        if process is not None and process.pid != other_than and process.poll() is None:
            found.append(process.pid)
        return bool(found)

    until(started, "its start")
    return found[0]
