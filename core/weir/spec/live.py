"""What an experiment may ask of a film that is made while it is watched, and that film resolved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from weir import resolved, resolved_film
from weir.errors import Problem
from weir.spec import packages
from weir.spec.content import LiveFilm
from weir.spec.experiment import Experiment

__all__ = ["broken_by_files", "broken_rules", "resolve"]

_PATH = "content.live"
_PLAYER = "dashjs"
_WHOLE = 1e-6
"""How far from a whole number a segment may be in chunks."""
_LEAST_BYTES = 200
"""Of a chunk: its headers have to have room in it."""


def broken_rules(experiment: Experiment) -> Iterator[Problem]:
    """Of an experiment that has such a film, beside those of its players (programs.py)."""
    content = experiment.content
    if content is None or content.live is None:
        return
    yield from _times(content.live, content.segment)
    if experiment.server.http != "nginx":
        yield Problem("server.http", experiment.server.http, f"nginx with {_PATH}",
                      "it alone passes on what its origin is still making; set nginx")  # fmt: skip
    if not experiment.clients:
        yield Problem(_PATH, "beside sessions", f"with clients whose player is {_PLAYER}",
                      "sessions have films of their own; remove it")  # fmt: skip
    for index, client in enumerate(experiment.clients):
        if client.player != _PLAYER and not packages.is_package(client.player):
            remedy = f"choose {_PLAYER}, or remove {_PATH}"
            if client.player not in resolved.PROGRAMS:
                remedy += ": emulated players have a `live: true` of their own"
            allowed = f"{_PLAYER}, or your own in Weir's browser, with {_PATH}"
            yield Problem(f"clients.{index}.player", client.player, allowed, remedy)


def _times(live: LiveFilm, segment_s: float) -> Iterator[Problem]:
    chunk_s = segment_s if live.chunk is None else live.chunk
    count = segment_s / chunk_s
    if round(count) < 1 or abs(count - round(count)) > _WHOLE:
        yield Problem(f"{_PATH}.chunk", f"{chunk_s:g}s", f"a segment, {segment_s:g}s, or a half, "
                      "a third, ... of it", "a segment has equal chunks; change one")  # fmt: skip
    if live.target_latency < chunk_s:
        yield Problem(f"{_PATH}.target_latency", f"{live.target_latency:g}s",
                      f"at least a chunk, {chunk_s:g}s",
                      "nothing newer can be fetched; raise it or lower chunk")  # fmt: skip
    if live.max_latency is not None and live.max_latency <= live.target_latency:
        yield Problem(f"{_PATH}.max_latency", f"{live.max_latency:g}s",
                      f"above target_latency, {live.target_latency:g}s", "raise it")  # fmt: skip
    shortest_s = max(live.target_latency, live.max_latency or 0.0) + segment_s
    if live.time_shift_buffer < shortest_s:
        yield Problem(f"{_PATH}.time_shift_buffer", f"{live.time_shift_buffer:g}s",
                      f"at least the latency and a segment, {shortest_s:g}s",
                      "what is played must be there; raise it")  # fmt: skip


def resolve(live: LiveFilm, segment_s: float) -> resolved_film.Live:
    """Of a film in segments that long."""
    return {
        "target_latency_s": live.target_latency,
        "max_latency_s": live.max_latency,
        "min_playback_rate": live.min_playback_rate,
        "max_playback_rate": live.max_playback_rate,
        "chunk_s": segment_s if live.chunk is None else live.chunk,
        "time_shift_buffer_s": live.time_shift_buffer,
    }


def broken_by_files(
    content: resolved_film.Content, clients: Sequence[resolved.Client | None], duration_s: float
) -> Iterator[Problem]:
    """The rest, which files tell: the film's length, and where a campaign's own players play."""
    if "live" not in content:
        return
    live, sizes = content["live"], content["sizes_bytes"]
    count = round(content["segment_s"] / live["chunk_s"])
    lowest_bps = min(content["bitrates_bps"])
    smallest = min(map(min, sizes)) if sizes else lowest_bps * content["segment_s"] / 8
    if smallest / count < _LEAST_BYTES:
        yield Problem(f"{_PATH}.chunk", f"{live['chunk_s']:g}s",
                      f"chunks of {_LEAST_BYTES} bytes and more, at every level",
                      "they have headers; raise it")  # fmt: skip
    have = content["segments"]
    needed = math.ceil((live["time_shift_buffer_s"] + duration_s) / content["segment_s"])
    if have is not None and have < needed:
        yield Problem("content.segments", have,
                      f"at least {needed}, {_PATH}.time_shift_buffer and duration together",
                      "take a longer film or lower duration")  # fmt: skip
    for index, client in enumerate(clients):
        if client is not None and "package" in client and "browser" not in client["package"]:
            yield Problem(f"clients.{index}.player", client["player"],
                          f"one in Weir's browser with {_PATH}",
                          'set "weir": {"browser": true} in its package.json')  # fmt: skip
