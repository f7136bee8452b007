"""Players that are programs of their own, and what their runs depend on beside those of every cell.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir import dashjs, hlsjs, shaka
from weir.pinned import Pinned
from weir.resolved import PROGRAMS, Client

__all__ = [
    "PINNED",
    "brings_code",
    "buffer_most_s",
    "in_browser",
    "is_program",
    "label",
    "needs_node",
    "relevant_roles",
    "with_node",
    "without_node",
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
_NODE = "-"
"""Stands in a roles hash before what is known of Node.js."""


def is_program(client: Mapping[str, Any]) -> bool:
    """Whether a resolved client plays in Node.js."""
    return client["player"] in PROGRAMS or "package" in client


def in_browser(client: Mapping[str, Any]) -> bool:
    """Whether it does so in what Weir has of a browser."""
    return client["player"] in PROGRAMS or "browser" in client.get("package", {})


def brings_code(client: Mapping[str, Any]) -> bool:
    """Whether its player is the campaign's own, and not to be trusted."""
    return client["source"] is not None or "package" in client


def label(client: Client, number: int) -> str:
    """How a client that plays in Node.js is called in what is told of it. number: from 1."""
    version = "" if "package" in client else f" {client['options']['version']}"
    return f"client {number} ({client['player']}{version})"


def buffer_most_s(client: Client) -> float:
    """How much media one of these players fetches ahead at most; of a campaign's own, as asked."""
    if "package" in client:
        return client["buffer_s"]
    return _BUFFER_MOST_S[client["player"]](client["options"]["settings"], client["buffer_s"])


def needs_node(experiment: Mapping[str, Any]) -> bool:
    """Whether a client of this resolved experiment plays in Node.js."""
    return any(is_program(client) for client in experiment.get("clients", ()))


def without_node(roles_hash: str) -> str:
    """The part of a roles hash that does not speak of Node.js."""
    return roles_hash.partition(_NODE)[0]


def with_node(roles_hash: str, node_hash: str) -> str:
    """A roles hash of both."""
    return f"{roles_hash}{_NODE}{node_hash}"


def relevant_roles(experiment: Mapping[str, Any], roles: Mapping[str, str]) -> dict[str, str]:
    """Of what is known of a machine's programs, what this experiment's runs depend on."""
    if needs_node(experiment):
        return dict(roles)
    told = {name: version for name, version in roles.items() if name != "node"}
    return {**told, "hash": without_node(roles["hash"])}
