"""What an experiment may ask of a client whose player is a program of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weir import resolved
from weir.dashjs import mistyped, nested, unknown
from weir.errors import Problem
from weir.programs import PINNED, scripted_by
from weir.resolved_film import Content
from weir.spec.client import Client
from weir.spec.experiment import Experiment
from weir.spec.names import nearest

__all__ = ["broken_by_files", "broken_rules"]

_LEAST_BYTES_PER_S = 2000
"""Of a film whose pictures are decoded: 10 a second, of 100 bytes, and headers."""
_SHORTEST_S = 0.5
"""Segments that are shorter need as many bytes, for their headers."""

_SPELLED = {
    "array": "a list",
    "boolean": "true or false",
    "null": "null",
    "number": "a finite number",
    "object": "keys and values",
    "string": "text",
}
"""JSON's types, in words."""


def broken_rules(path: str, client: Client, experiment: Experiment) -> Iterator[Problem]:
    """Of the client at this path."""
    if experiment.clock == "real" and client.player != resolved.CHROMIUM:
        yield Problem("clock", "real", f"virtual where {path}.player is {client.player}",
                      f"on the real clock plays {resolved.CHROMIUM}, or a program of your own: "
                      f"player: {resolved.OUTSIDE}")  # fmt: skip
    if experiment.server.http_version == "2":
        yield Problem("server.http_version", "2", f"1.1 where a player is {client.player}",
                      "it speaks HTTP/2 with TLS only; set 1.1")  # fmt: skip
    if experiment.sessions is not None:
        yield Problem("sessions", f"beside a client whose player is {client.player}", "one of them",
                      "remove one")  # fmt: skip
    if client.live:
        yield Problem(f"{path}.live", True, "with a player of Weir's own", "remove it")
    if client.aimd is not None:
        yield Problem(f"{path}.aimd", client.player, "a player of Weir's own", "remove it")
    if scripted_by(client.player) in PINNED:
        yield from _settings(f"{path}.options", client)


def broken_by_files(
    content: Content, clients: Sequence[resolved.Client | None]
) -> Iterator[Problem]:
    """Whether what files tell of the film leaves room for pictures, where a client decodes them."""
    players = [client and client["player"] for client in clients]
    if resolved.CHROMIUM not in players:
        return
    index = players.index(resolved.CHROMIUM)
    sizes, segment_s = content["sizes_bytes"], content["segment_s"]
    smallest = min(map(min, sizes)) if sizes else min(content["bitrates_bps"]) * segment_s / 8
    least = _LEAST_BYTES_PER_S * max(segment_s, _SHORTEST_S)
    if smallest < least:
        yield Problem("content.sizes" if sizes else "content.ladder",
                      f"a segment of {smallest:.0f} bytes",
                      f"at least {least:.0f} where clients.{index}.player is {resolved.CHROMIUM}",
                      "it decodes pictures, which need room; raise it, or name dashjs")  # fmt: skip


def _settings(path: str, client: Client) -> Iterator[Problem]:
    pinned, settings = PINNED[scripted_by(client.player)], client.options.get("settings")
    version = client.options.get("version", pinned.versions[-1])
    if version not in pinned.versions or not isinstance(settings, dict):
        return  # said by the options' model, where it is wrong
    tree, package = nested(settings), pinned.package(str(version))
    for place, value, types in mistyped(tree, package.settings, package.types):
        allowed = " or ".join(_SPELLED[each] for each in types)
        yield Problem(f"{path}.settings.{place}", value, allowed or "nothing: it takes code",
                      f"write {allowed}" if allowed else "remove it")  # fmt: skip
    for place, beside in unknown(tree, package.settings, package.types):
        above, _, key = place.rpartition(".")
        near = nearest(key, beside)
        hint = f"did you mean {near}?" if near else "remove it"
        yield Problem(f"{path}.settings.{place}", key, f"settings of {pinned.npm} {version}"
                      f"{f' in {above}' if above else ''}: {', '.join(beside)}", hint)  # fmt: skip
