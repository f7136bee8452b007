"""Agents as processes of this machine, for a cell without containers; wires join its hosts."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from weir.errors import RunFailure

from weir_lab import wiring
from weir_lab.kernel import Kernel
from weir_lab.kernel.cache import OF_IMAGE
from weir_lab.packages import python_path
from weir_lab.parent import die_with
from weir_lab.real import links
from weir_lab.real.remote import Address
from weir_lab.real.serve import TOKEN

ADDRESS = "127.0.0.1"


@contextmanager
def local_agents(
    ends: dict[str, list[wiring.Link]], kernel: Kernel, folder: Path
) -> Iterator[dict[str, Address]]:
    """Start a cell's agents; end them all. ends: of each its ends of links, as `part.links_of`.

    kernel: the one that they have. folder: for their scratch files. Raises RunFailure when one
    does not start.
    """
    token = secrets.token_hex(16)
    path = os.pathsep.join(python_path())
    # Where a run is confined they see no other, and not what else is in the cache.
    env = {**os.environ, TOKEN: token, "PYTHONPATH": path, OF_IMAGE: str(kernel.path.parent)}
    with _wires(ends) as wires:
        agents = {host: _start(host, env, folder, wires[host]) for host in ends}
    try:
        yield {host: Address(_url(host, agent), token) for host, agent in agents.items()}
    finally:
        for agent in agents.values():
            agent.terminate()
        for agent in agents.values():
            agent.wait()


@contextmanager
def _wires(ends: dict[str, list[wiring.Link]]) -> Iterator[dict[str, list[int]]]:
    """The descriptors of each agent's ends, in their order, until agents have them."""
    made: dict[tuple[str, str], int] = {}
    with ExitStack() as stack:
        for end in (end for own in ends.values() for end in own):
            two = end["host"], end["peer"]
            if two not in made:
                made[two], made[two[::-1]] = (
                    stack.enter_context(one).fileno() for one in links.wire()
                )
        yield {
            agent: [made[end["host"], end["peer"]] for end in own] for agent, own in ends.items()
        }


def _start(host: str, env: dict[str, str], folder: Path, wires: list[int]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "weir_lab.real.serve", "--listen", f"{ADDRESS}:0"]
    command += ["--role", host.rstrip("0123456789"), "--scratch", str(folder)]
    command += ["--wires", *map(str, wires)]
    return subprocess.Popen(
        command,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=wires,
        preexec_fn=partial(die_with, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - a system call
    )


def _url(host: str, agent: subprocess.Popen[str]) -> str:
    assert agent.stdout is not None
    said = agent.stdout.readline()
    if not said:
        raise RunFailure(f"the {host}'s agent did not start; what it said stands above")
    return f"http://{said.split()[-1]}"
