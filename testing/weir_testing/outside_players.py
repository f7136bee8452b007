"""Agents with outside players in a network namespace of this machine, as a container has one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.real.agent import OUTSIDE_PLAYERS
from weir_lab.real.remote import Address

from weir_testing.agents import SECRET, Agent, free_port, started
from weir_testing.cells import WIDE, experiment, kernel

__all__ = ["Namespace", "namespace", "needs_namespaces", "run"]

needs_namespaces = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/net/tun").exists(),
    reason="a network namespace with a TAP device needs root and /dev/net/tun",
)
_NUMBERS = count()
_LINKS = IPv4Network("198.18.0.0/15")
"""RFC 2544: for tests of devices."""
_PER_PROCESS = 8
_LINK_ADDRESSES = 4
"""Of a /30."""


@dataclass(frozen=True)
class Namespace:
    """A network namespace. here, there: the addresses of the link between this one and it."""

    name: str
    here: str
    there: str


@contextmanager
def namespace() -> Iterator[Namespace]:
    """One with a way to this one, and a link that packets cannot overtake."""
    # The kernel removes a namespace, and the link to it, some time after its name. Other processes
    # test at the same time, with process ids that are near this one's.
    pid, number = os.getpid(), next(_NUMBERS)
    own = f"{pid}-{number}"
    first = (pid * _PER_PROCESS + number) * _LINK_ADDRESSES % _LINKS.num_addresses
    made = Namespace(f"weir-test-{own}", str(_LINKS[first + 1]), str(_LINKS[first + 2]))
    name, near, far = made.name, f"wt{own}a", f"wt{own}b"
    try:
        _ip(f"netns add {name}")
        _ip(f"link add {near} type veth peer name {far} netns {name}")
        _ip(f"addr add {made.here}/30 dev {near}")
        _ip(f"link set {near} up")
        _ip(f"-n {name} addr add {made.there}/30 dev {far}")
        _ip(f"-n {name} link set {far} up")
        _ip(f"-n {name} link set lo up")
        yield made
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False)


def run(
    inside: Namespace,
    folder: Path,
    *clients: dict[str, Any],
    player: tuple[str, ...],
    plays: str = "",
    changes: Mapping[str, Any] | None = None,
) -> CellResult:
    """A run on the real clock, of 6 s where `changes` of the experiment says nothing else, with
    agents for as many clients: those of outside players in the namespace `inside`.

    player: the command of those. plays: what their agents say that it is, where that is not so.
    """
    asked: Any = experiment(
        {"clock": "real", "duration_s": 6.0, "checks": WIDE, **(changes or {})}, *clients
    )
    made = {role: Agent(role, free_port(), folder, inside.here) for role in ("server", "gateway")}
    for number, one in enumerate(clients, 1):
        agent = Agent("client", free_port(), folder, inside.here)
        if one["player"] in OUTSIDE_PLAYERS:
            agent.host, agent.before = inside.there, ("ip", "netns", "exec", inside.name)
            agent.outside, agent.plays = player, plays or one["player"]
        made[f"client{number}"] = agent
    addresses = {host: Address(agent.url, SECRET) for host, agent in made.items()}
    with started(made.values()):
        scratch = folder / "run"
        scratch.mkdir()
        limit_s = asked["duration_s"] + 120.0
        return run_cell(asked, 1, kernel(), scratch, limit_s, agents=addresses)


def _ip(line: str) -> None:
    subprocess.run(["ip", *line.split()], check=True)
