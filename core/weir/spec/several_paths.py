"""Rules for experiments that name several paths, and for the clients that use them."""

from __future__ import annotations

from collections.abc import Iterator

from weir.errors import Problem
from weir.programs import is_outside
from weir.spec.client import Client
from weir.spec.experiment import Experiment
from weir.spec.links import Path as PathBehind
from weir.spec.links import Uplink
from weir.spec.names import nearest

__all__ = ["MOST_ADDRESSES", "MOST_PATHS", "broken_rules"]

MOST_PATHS = 8
MOST_ADDRESSES = 8
"""What the kernel's path manager keeps of a host (MPTCP_PM_ADDR_MAX)."""


def broken_rules(experiment: Experiment) -> Iterator[Problem]:
    """Every one that the experiment breaks; paths are relative to the experiment."""
    yield from _gateway(experiment)
    for index, client in enumerate(experiment.clients):
        at, names = f"clients.{index}", list(experiment.gateway.paths)
        yield from _client(at, client, names)
        if is_outside(client.player, experiment.clock):
            yield from _outside(at, client, names)
    for index, flow in enumerate(experiment.traffic):
        yield from _named(f"traffic.{index}.path", flow.path, list(experiment.gateway.paths))
    for index, event in enumerate(experiment.events):
        yield from _named(f"events.{index}.path", event.path, list(experiment.gateway.paths))


def _gateway(experiment: Experiment) -> Iterator[Problem]:
    gateway = experiment.gateway
    if not gateway.paths:
        if gateway.downlink is None:
            yield Problem("gateway.downlink", None, "", "it is required; add it")
        if any(client.transport == "mptcp" for client in experiment.clients):
            yield from _unshaped(experiment)
        return
    beside = {
        "downlink": gateway.downlink is not None,
        "uplink": gateway.uplink != Uplink(),
        "upstream": gateway.upstream is not None,
        "path": gateway.path != PathBehind(),
    }
    for key in [key for key, given in beside.items() if given]:
        below = "rtt and loss" if key == "path" else key
        yield Problem(f"gateway.{key}", "beside gateway.paths", "one or the other",
                      f"remove it; each path has its own {below}")  # fmt: skip
    if len(gateway.paths) > MOST_PATHS:
        yield Problem("gateway.paths", f"{len(gateway.paths)} paths", f"at most {MOST_PATHS}",
                      "use fewer")  # fmt: skip
    yield from _unshaped(experiment)


def _unshaped(experiment: Experiment) -> Iterator[Problem]:
    method = experiment.gateway.shaping.method
    if method != "none":
        yield Problem(
            "gateway.shaping.method",
            method,
            "none, with several paths or mptcp",
            "an MPTCP connection has one receive window for all of its paths (rwtm), and no "
            "gateway sees the whole of its session (htbm); remove shaping",
        )


def _outside(at: str, client: Client, names: list[str]) -> Iterator[Problem]:
    if len(names) > 1:
        yield Problem(f"{at}.player", client.player, "a player of Weir's own, with several paths",
                      "an outside player's host has one link; name one path")  # fmt: skip
    if client.transport == "mptcp":
        yield Problem(f"{at}.transport", "mptcp", f"tcp, with player: {client.player}",
                      "its program makes its sockets itself; remove it")  # fmt: skip


def _client(at: str, client: Client, names: list[str]) -> Iterator[Problem]:
    for key, given in (("paths", client.paths), ("backup", client.backup)):
        for number, name in enumerate(given):
            yield from _named(f"{at}.{key}.{number}", name, names)
    if client.transport == "tcp" and len(client.paths) > 1:
        yield Problem(f"{at}.transport", "tcp", "mptcp, on several paths",
                      "a TCP connection has one; set transport: mptcp or name one")  # fmt: skip
    if client.transport == "tcp" and client.backup:
        yield Problem(f"{at}.backup", ", ".join(client.backup), "with transport: mptcp only",
                      "remove it")  # fmt: skip
    told = {
        "aimd": client.aimd is not None,
        "deadlines": client.deadlines is not None and client.deadlines.moves != "none",
    }
    for key in [key for key, given in told.items() if given and client.transport == "mptcp"]:
        yield Problem(f"{at}.{key}", "with mptcp", "with transport: tcp",
                      "what it sets is one TCP connection's; remove it or mptcp")  # fmt: skip
    used = client.uses(names)
    if len(used) > MOST_ADDRESSES:
        yield Problem(f"{at}.paths", f"{len(used)} addresses", f"at most {MOST_ADDRESSES}",
                      "the kernel's path manager keeps no more; name fewer")  # fmt: skip
    for number, name in enumerate(client.backup):
        if used and name == used[0]:
            yield Problem(f"{at}.backup.{number}", name, "another path than the first",
                          "the first one opens the connection and carries data")  # fmt: skip
        elif name in names and name not in used:
            yield Problem(f"{at}.backup.{number}", name, "one of its paths",
                          "name it among paths, too")  # fmt: skip


def _named(at: str, name: str | None, names: list[str]) -> Iterator[Problem]:
    if not names:
        if name is not None:
            yield Problem(at, name, "where gateway.paths are named only",
                          "remove it, or name the paths")  # fmt: skip
    elif name is None:
        yield Problem(at, None, ", ".join(names), "say which path; add it")
    elif name not in names:
        near = nearest(name, names)
        yield Problem(at, name, ", ".join(names),
                      f"did you mean {near}?" if near else "write one of them")  # fmt: skip
