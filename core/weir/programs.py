"""Players that are programs of their own, and what their runs depend on beside those of every cell.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir import dashjs, hlsjs, shaka
from weir.pinned import Pinned
from weir.resolved import CHROMIUM, OUTSIDE, PROGRAMS, Client

__all__ = [
    "PINNED",
    "brings_code",
    "buffer_most_s",
    "has_chromium",
    "in_browser",
    "is_outside",
    "is_program",
    "label",
    "needs_chromium",
    "needs_node",
    "relevant_hash",
    "relevant_roles",
    "scripted_by",
    "with_others",
]

PINNED: Mapping[str, Pinned] = {
    "dashjs": dashjs.PINNED,
    "hlsjs": hlsjs.PINNED,
    "shaka": shaka.PINNED,
}
"""By what experiments call them."""
_BUFFER_MOST_S = {
    "dashjs": dashjs.buffer_most_s,
    "hlsjs": hlsjs.buffer_most_s,
    "shaka": shaka.buffer_most_s,
}
_SCRIPTS = {CHROMIUM: "dashjs"}
"""Whose script plays in a browser itself."""
_SEPARATOR = "-"
"""Stands in a roles hash before what is known of Node.js, and of Chromium."""


def scripted_by(player: str) -> str:
    """The pinned player whose script one of PROGRAMS plays by."""
    return _SCRIPTS.get(player, player)


def is_program(client: Mapping[str, Any]) -> bool:
    """Whether a resolved client is a program of its own: in Node.js, or a browser."""
    return client["player"] in PROGRAMS or "package" in client


def is_outside(player: str, clock: str) -> bool:
    """Whether a client's host is no lab kernel: that of a program of the user's own, and of a
    browser on the real clock."""
    return player == OUTSIDE or (player == CHROMIUM and clock == "real")


def in_browser(client: Mapping[str, Any]) -> bool:
    """Whether it does so in a browser, or in what Weir has of one."""
    return client["player"] in PROGRAMS or "browser" in client.get("package", {})


def brings_code(client: Mapping[str, Any]) -> bool:
    """Whether its player is the campaign's own, and not to be trusted."""
    return client["source"] is not None or "package" in client


def label(client: Client, number: int) -> str:
    """How a client that is such a program is called in what is told of it. number: from 1."""
    if "package" in client:
        return f"client {number} ({client['player']})"
    player, version = client["player"], client["options"]["version"]
    where = f" in {player}" if player in _SCRIPTS else ""
    return f"client {number} ({scripted_by(player)} {version}{where})"


def buffer_most_s(client: Client) -> float:
    """How much media one of these players fetches ahead at most; of a campaign's own, as asked."""
    if "package" in client:
        return client["buffer_s"]
    most_s = _BUFFER_MOST_S[scripted_by(client["player"])]
    return most_s(client["options"]["settings"], client["buffer_s"])


def needs_node(experiment: Mapping[str, Any]) -> bool:
    """Whether a client of this resolved experiment plays in Node.js."""
    return any(
        is_program(client) and client["player"] != CHROMIUM
        for client in experiment.get("clients", ())
    )


def has_chromium(experiment: Mapping[str, Any]) -> bool:
    """Whether a client of this resolved experiment is Chromium."""
    return any(client["player"] == CHROMIUM for client in experiment.get("clients", ()))


def needs_chromium(experiment: Mapping[str, Any]) -> bool:
    """Whether one is the Chromium of the machine that carries it out; on the real clock it is that
    of an agent."""
    return has_chromium(experiment) and experiment["clock"] == "virtual"


def with_others(roles_hash: str, node_hash: str, chromium_hash: str) -> str:
    """A roles hash of all."""
    return _SEPARATOR.join((roles_hash, node_hash, chromium_hash))


def relevant_hash(experiment: Mapping[str, Any], roles_hash: str) -> str:
    """The parts of a roles hash that this experiment's runs depend on."""
    roles, *others = roles_hash.split(_SEPARATOR)
    asked = (needs_node(experiment), needs_chromium(experiment))
    kept = [part if asks else "" for part, asks in zip(others, asked, strict=False)]
    return _SEPARATOR.join((roles, *kept)).rstrip(_SEPARATOR)


def relevant_roles(experiment: Mapping[str, Any], roles: Mapping[str, str]) -> dict[str, str]:
    """Of what is known of a machine's programs, what this experiment's runs depend on."""
    asked = {"node": needs_node(experiment), "chromium": needs_chromium(experiment)}
    told = {name: version for name, version in roles.items() if asked.get(name, True)}
    return {**told, "hash": relevant_hash(experiment, roles["hash"])}
