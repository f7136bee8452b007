"""Agents as processes of this machine, for a cell without containers."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.errors import RunFailure

from weir_lab.packages import python_path
from weir_lab.real.remote import Address
from weir_lab.real.serve import TOKEN

ADDRESS = "127.0.0.1"


@contextmanager
def local_agents(hosts: list[str], folder: Path) -> Iterator[dict[str, Address]]:
    """Start an agent for each host; end them all. folder: for their scratch files.

    Raises RunFailure when one does not start.
    """
    token = secrets.token_hex(16)
    path = os.pathsep.join(python_path())
    env = {**os.environ, TOKEN: token, "PYTHONPATH": path}
    agents = {host: _start(host, env, folder) for host in hosts}
    try:
        yield {host: Address(_url(host, agent), token) for host, agent in agents.items()}
    finally:
        for agent in agents.values():
            agent.terminate()
        for agent in agents.values():
            agent.wait()


def _start(host: str, env: dict[str, str], folder: Path) -> subprocess.Popen[str]:
    # setpriv: an agent must not outlive a worker that is killed.
    command = [shutil.which("setpriv") or "setpriv", "--pdeathsig", "TERM"]
    command += [sys.executable, "-m", "weir_lab.real.serve", "--listen", f"{ADDRESS}:0"]
    command += ["--role", host.rstrip("0123456789"), "--scratch", str(folder)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def _url(host: str, agent: subprocess.Popen[str]) -> str:
    assert agent.stdout is not None
    said = agent.stdout.readline()
    if not said:
        raise RunFailure(f"the {host}'s agent did not start; what it said stands above")
    return f"http://{said.split()[-1]}"
