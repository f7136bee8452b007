"""Agents of a real-clock cell as processes of this machine, each at a port of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
from weir.resolved import OUTSIDE
from weir_lab.packages import python_path
from weir_lab.real.serve import TOKEN

from weir_testing.patience import PATIENCE_S

SECRET: Final = "what agents and workers share"
HOST: Final = "127.0.0.1"


@dataclass
class Agent:
    """One agent, which can be killed and started again at its port.

    before: words before its command. outside: an outside player's command; plays: what experiments
    call it.
    """

    role: str
    port: int
    scratch: Path
    host: str = HOST
    before: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    plays: str = OUTSIDE
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def start(self) -> None:
        words = [shutil.which("setpriv") or "setpriv", "--pdeathsig", "KILL"]
        words += [*self.before, sys.executable]
        words += ["-m", "weir_lab.real.serve", "--role", self.role, "--scratch", str(self.scratch)]
        words += ["--listen", f"{self.host}:{self.port}"]
        words += ["--plays", self.plays, "--outside", *self.outside] if self.outside else []
        env = {**os.environ, TOKEN: SECRET, "PYTHONPATH": os.pathsep.join(python_path())}
        self.process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("listening")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def run(self) -> str | None:
        """The run that it is busy with, which it does not give up by itself once asked so."""
        found: str | None = self._ask("agent")["run"]
        if found is not None:
            self._ask("run", run=found)
        return found

    def film_s(self) -> float:
        """How far that run's film is."""
        return float(self._ask("run", run=self.run() or "").get("film_s") or 0.0)

    def _ask(self, what: str, **given: str) -> dict[str, Any]:
        secret = {"Authorization": f"Bearer {SECRET}"}
        found: dict[str, Any] = httpx2.get(
            f"{self.url}/{what}", headers=secret, params=given, timeout=PATIENCE_S
        ).json()
        return found


@contextmanager
def agents(folder: Path, **roles: str) -> Iterator[Mapping[str, Agent]]:
    """Agents by name, given the role of each; killed at the end."""
    made = {name: Agent(role, free_port(), folder) for name, role in roles.items()}
    with started(made.values()):
        yield made


@contextmanager
def started(made: Collection[Agent]) -> Iterator[None]:
    """These agents, at work."""
    try:
        for agent in made:
            agent.start()
        yield
    finally:
        for agent in made:
            agent.kill()


def free_port() -> int:
    """A TCP port that nobody has now."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


def cell(server: Agent, gateway: Agent, *clients: Agent) -> dict[str, Any]:
    """As it stands in WEIR_CELLS."""
    return {
        "server": server.url,
        "gateway": gateway.url,
        "clients": [client.url for client in clients],
    }
