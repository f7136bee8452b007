"""A client that plays in Node.js or in Chromium: how its program is started. Pure.

browser/PLAYER.cjs is the page of a web player; beside it stands what it needs of a browser.
A player that a campaign brings is started by what its package names as main. chromium/ is the page
of a browser itself, and what starts one.
"""

from __future__ import annotations

import json
from typing import Literal, NotRequired, TypedDict

from weir.programs import PINNED, in_browser, label, scripted_by
from weir.resolved import CHROMIUM, Client, Experiment

from weir_client import outside, plan

__all__ = [
    "BROWSER",
    "NATIVE",
    "PLAYERS",
    "Brought",
    "Program",
    "ProgramArgs",
    "native",
    "role",
    "script",
]

PLAYERS = "players"
"""The folder in the guest, beside the packages, of what `weir player fetch` keeps."""
NATIVE = {
    "alarm.c": "alarm.node",
    "receive.c": "receive.node",
    "clock.c": "clock.so",
    "pages.c": "pages.so",
}
"""Of browser/: C files, and what is built of them."""
BROWSER = "/usr/lib/chromium/chromium-headless-shell"
"""Chromium without windows, where Debian has it."""
_GUEST = "/run/weir"
_BROWSER = f"{_GUEST}/weir_client/browser"
_BROWSER_PROCESSES = 160
"""Twice the 71 threads that one had in its 8 processes."""
_CONNECTIONS = "6"
"""Of a page (browser/pool.cjs): each is read by a thread of its own."""
_MOST = 2**31


class ProgramContext(TypedDict):
    """out: where its files are kept, on its host. epoch_s: second 0 on its monotonic clock."""

    out: str
    epoch_s: float


class Brought(TypedDict):
    """A campaign's own player. folder: where it is laid out; files: text by path in it."""

    folder: str
    files: dict[str, str]


class ProgramArgs(TypedDict):
    """Of `weir_client.program.run`."""

    command: list[str]
    variables: dict[str, str]
    content: str
    stop_s: float
    label: str
    context: ProgramContext
    brought: NotRequired[Brought]


class Program(TypedDict):
    """A player that is a program of its own, in its host. processes: how many it may have, its
    threads included; without it, what one in Node.js may."""

    host: str
    module: Literal["weir_client.program"]
    args: ProgramArgs
    awaited: bool
    processes: NotRequired[int]


def script(player: str, version: str) -> str:
    """The path of a version's script below PLAYERS."""
    player = scripted_by(player)
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
    # Two players with one seed would be twins.
    own_seed = (seed * 1000003 + number) % _MOST
    args: ProgramArgs = {
        "command": _browser(client, native)
        if client["player"] == CHROMIUM
        else _node(client, number, own_seed),
        "variables": outside.variables(client, context, f"/run/client-{number}")
        | _beside(client, native),
        "content": json.dumps(context["content"]),
        "stop_s": outside.stop_s(client, context),
        "label": label(client, number),
        "context": {"out": context["out"], "epoch_s": epoch_s},
    }
    if "package" in client:
        args["brought"] = {"folder": _folder(number), "files": client["package"]["files"]}
    program: Program = {
        "host": f"client{number}",
        "module": "weir_client.program",
        "args": args,
        "awaited": True,
    }
    if client["player"] == CHROMIUM:
        program["processes"] = _BROWSER_PROCESSES
    return program


def _browser(client: Client, native: str) -> list[str]:
    """What starts Chromium, by the Python that the role runs in."""
    kept = f"{_GUEST}/{PLAYERS}"
    player = f"{kept}/{script(CHROMIUM, client['options']['version'])}"
    words = f"import sys; sys.path.insert(0, {_GUEST!r}); from weir_client.chromium import play; "
    words += f"play.main({BROWSER!r}, {player!r}, {f'{kept}/{native}/clock.so'!r})"
    options = ("-S", "-E", "-B", "-P")  # as the guest's first process has them
    return ["/proc/self/exe", *options, "-c", words]


def _node(client: Client, number: int, seed: int) -> list[str]:
    return [
        "node",
        # One thread, and a collector that goes by what was allocated: the same steps in every run.
        "--single-threaded",
        "--predictable-gc-schedule",
        "--v8-pool-size=0",
        # Computing takes no time: a collection need not be made in steps.
        "--no-incremental-marking",
        f"--random-seed={seed}",
        "--max-old-space-size=128",
        *_started(client, number),
    ]


def _started(client: Client, number: int) -> list[str]:
    """Node.js's arguments after its own options."""
    if "package" in client:
        main = f"{_folder(number)}/{client['package']['main']}"
        return ["--require", f"{_BROWSER}/stay.cjs", main]
    player, version = client["player"], client["options"]["version"]
    return [f"{_BROWSER}/{player}.cjs", f"{_GUEST}/{PLAYERS}/{script(player, version)}"]


def _beside(client: Client, native: str) -> dict[str, str]:
    """Variables that the contract does not have."""
    built = f"{_GUEST}/{PLAYERS}/{native}"
    variables = {}
    if in_browser(client) and client["player"] != CHROMIUM:
        variables = {
            "LD_PRELOAD": f"{built}/clock.so {built}/pages.so",
            "WEIR_BROWSER": f"{_BROWSER}/page.cjs",
            "WEIR_NATIVE": built,
            "UV_THREADPOOL_SIZE": _CONNECTIONS,
        }
    elif "package" in client:
        # All players of a guest share 64 threads.
        variables["UV_THREADPOOL_SIZE"] = "1"
    return variables


def _folder(number: int) -> str:
    return f"/run/package-{number}"
