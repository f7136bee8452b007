"""A client that is a web player itself: how its program is started. Pure.

browser/PLAYER.cjs is the page; beside it stands what it needs of a browser.
"""

from __future__ import annotations

import json
from typing import Literal, TypedDict

from weir.programs import PINNED
from weir.resolved import Experiment

from weir_client import outside, plan

__all__ = ["NATIVE", "PLAYERS", "Program", "ProgramArgs", "native", "role", "script"]

PLAYERS = "players"
"""The folder in the guest, beside the packages, of what `weir player fetch` keeps."""
NATIVE = {"receive.c": "receive.node", "clock.c": "clock.so"}
"""Of browser/: C files, and what is built of them."""
_GUEST = "/run/weir"
_MOST = 2**31


class ProgramContext(TypedDict):
    """out: where its files are kept, on its host. epoch_s: second 0 on its monotonic clock."""

    out: str
    epoch_s: float


class ProgramArgs(TypedDict):
    """Of `weir_client.program.run`."""

    command: list[str]
    variables: dict[str, str]
    content: str
    stop_s: float
    label: str
    context: ProgramContext


class Program(TypedDict):
    """A player that is a program of its own, in its host."""

    host: str
    module: Literal["weir_client.program"]
    args: ProgramArgs
    awaited: bool


def script(player: str, version: str) -> str:
    """The path of a version's script below PLAYERS."""
    name = PINNED[player].package(version).file.rpartition("/")[2]
    return f"{player}-{version}/{name}"


def native(sha256: str) -> str:
    """The folder, below PLAYERS, of what is built of NATIVE: sources with this hash."""
    return f"native-{sha256[:16]}"


def role(
    experiment: Experiment,
    number: int,
    seed: int,
    server: str,
    epoch_s: float,
    folder: str,
    native: str,
) -> Program:
    """Of client `number`; see `weir_client.plan.role`. native: see there."""
    client = experiment["clients"][number - 1]
    context = plan.context_of(experiment, number, seed, server, epoch_s, folder)
    player, version = client["player"], client["options"]["version"]
    # Two players with one seed would be twins.
    own_seed = (seed * 1000003 + number) % _MOST
    return {
        "host": f"client{number}",
        "module": "weir_client.program",
        "args": {
            "command": [
                "node",
                # One thread, and a collector that goes by what was allocated: the same steps
                # in every run.
                "--single-threaded",
                "--predictable-gc-schedule",
                "--v8-pool-size=0",
                f"--random-seed={own_seed}",
                "--max-old-space-size=128",
                f"{_GUEST}/weir_client/browser/{player}.cjs",
                f"{_GUEST}/{PLAYERS}/{script(player, version)}",
                f"{_GUEST}/{PLAYERS}/{native}/receive.node",
            ],
            "variables": outside.variables(client, context, f"/run/client-{number}")
            | {"LD_PRELOAD": f"{_GUEST}/{PLAYERS}/{native}/clock.so"},
            "content": json.dumps(context["content"]),
            "stop_s": outside.stop_s(client, context),
            "label": f"client {number} ({player} {version})",
            "context": {"out": context["out"], "epoch_s": epoch_s},
        },
        "awaited": True,
    }
