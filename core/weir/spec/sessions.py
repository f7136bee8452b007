"""Sessions: streams with deadlines and downloads, each with its own film, drawn by a seed.

Each value of a session is drawn by the scenario's seed, its group, its number and the value's name
alone: more sessions leave those that were there as they are, and so does another distribution of
another value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from math import ceil
from typing import Annotated, Literal

from pydantic import Field

from weir import resolved, resolved_film
from weir.draws import draw
from weir.errors import Problem, SpecError
from weir.spec.client import Aimd, Reaction, crossed_bounds
from weir.spec.drawn import (
    Distribution,
    DrawnDurationS,
    DrawnRateBps,
    DrawnSizeBytes,
    broken_rules,
)
from weir.spec.drawn import resolve as as_resolved
from weir.spec.model import Model
from weir.spec.quantities import DurationS, PositiveDurationS, RateBps

__all__ = ["Sessions", "count", "film_of_none", "problems_of", "resolve"]


class _Group(Model):
    count: int = Field(default=1, ge=0, le=500, description="0 leaves the group out.")
    start: DrawnDurationS = Field(
        default="0s",
        validate_default=True,
        description="When it asks for its film, since the experiment's start.",
    )


class _Streaming(_Group, Reaction):
    rate: DrawnRateBps = Field(description="Of the film, constant.")
    length: DrawnDurationS = Field(description="Of the film; rounded to whole segments.")
    ahead: DurationS = Field(
        default="10s",
        validate_default=True,
        description="From its start to its first byte's deadline. Byte b is due 8 b / rate later.",
    )


class Stream(_Streaming):
    """A film in store, asked for at once and sent as fast as TCP lets it."""

    kind: Literal["stream"]


class Live(_Streaming):
    """A film that comes into being: each segment is asked for once it is there."""

    kind: Literal["live"]
    delay: PositiveDurationS = Field(
        default="10s",
        validate_default=True,
        description="How long before its deadline a byte exists; `ahead` counts up to this.",
    )


class Download(_Group):
    """A file, without deadlines."""

    kind: Literal["download"]
    size: DrawnSizeBytes
    cap: RateBps | None = Field(
        default=None,
        description="The rate at which its source yields it, a segment's time at once.",
    )
    aimd: Aimd | None = Field(
        default=None, description="What it asks of a server whose control is `aimd`."
    )


Group = Annotated[Stream | Live | Download, Field(discriminator="kind")]


class Sessions(Model):
    """Streams and downloads beside the clients, or in place of them."""

    seed: int = Field(
        default=1, ge=0, lt=2**63, description="Another seed, another scenario; no replicate's."
    )
    segment: PositiveDurationS = Field(
        default="1s",
        validate_default=True,
        description="Of film, what is told of apart: a row in a session's record.",
    )
    end: Literal["all-done", "first-late-byte"] = Field(
        default="all-done",
        description="When the experiment ends, at `duration` at the latest.",
    )
    groups: list[Group] = Field(min_length=1, max_length=100)


def count(sessions: Sessions | None) -> int:
    """How many sessions there are."""
    return sum(group.count for group in sessions.groups) if sessions else 0


def problems_of(sessions: Sessions, control: str) -> Iterator[Problem]:
    """Every rule that they break by themselves; paths are relative to the experiment."""
    if not count(sessions):
        yield Problem("sessions.groups", 0, "one session or more", "raise a group's count")
    for index, group in enumerate(sessions.groups):
        path = f"sessions.groups.{index}"
        yield from broken_rules(f"{path}.start", group.start)
        if isinstance(group, Download):
            yield from broken_rules(f"{path}.size", group.size)
            if group.aimd is not None and control != "aimd":
                yield Problem(f"{path}.aimd", control, "aimd as the server's congestion control",
                              "set server.congestion_control: aimd, or remove it")  # fmt: skip
            continue
        yield from broken_rules(f"{path}.rate", group.rate)
        yield from broken_rules(f"{path}.length", group.length)
        if group.moves != "none" and control != "aimd":
            yield Problem(f"{path}.moves", control, "aimd, the one control that takes deadlines",
                          "set server.congestion_control: aimd, or moves: none")  # fmt: skip
        yield from crossed_bounds(path, group)


def resolve(sessions: Sessions | None, duration_s: float) -> list[resolved.Client]:
    """A client for each, group after group. Raises SpecError: one would start after the end."""
    if sessions is None:
        return []
    problems, found = [], []
    for index, group in enumerate(sessions.groups):
        drawn = [_session(group, sessions, index, number) for number in range(group.count)]
        latest_s = max((each["start_s"] for each in drawn), default=0.0)
        if latest_s >= duration_s:
            problems.append(
                Problem(f"sessions.groups.{index}.start", f"up to {latest_s:g}s",
                        f"before the end, {duration_s:g}s", "raise duration")
            )  # fmt: skip
        found += drawn
    if problems:
        raise SpecError(problems)
    return found


def film_of_none(sessions: list[resolved.Client]) -> resolved_film.Content:
    """What stands for the clients' film where there are none: one segment of the largest."""
    rates_bps = [each["film"]["bitrates_bps"][0] for each in sessions]
    return _film(max(rates_bps, default=1.0), 1.0, 1)


def _session(
    group: Stream | Live | Download, sessions: Sessions, index: int, number: int
) -> resolved.Client:
    def drawn(name: str, value: float | Distribution) -> float:
        return draw(as_resolved(value), _uniform(f"{sessions.seed} {index} {number} {name}"))

    segment_s = sessions.segment
    start_s = round(drawn("start", group.start), 3)
    found: resolved.Client = {
        "player": group.kind,
        "options": {},
        "buffer_s": 0.0,
        "in_flight": 1,
        "start_s": start_s,
        "stop_s": None,
        "source": None,
    }
    if isinstance(group, Download):
        bits = 8.0 * max(1, round(drawn("size", group.size)))
        if group.aimd is not None:
            found["aimd"] = {"alpha": group.aimd.alpha, "beta": group.aimd.beta}
        if group.cap is None:
            found["film"] = _film(bits / segment_s, segment_s, 1)
        else:
            found["film"] = _film(group.cap, segment_s, ceil(bits / (group.cap * segment_s)))
            found["released_s"] = start_s
        return found
    rate_bps = float(round(drawn("rate", group.rate)))
    segments = max(1, round(drawn("length", group.length) / segment_s))
    ahead_s = group.ahead
    if isinstance(group, Live):
        ahead_s = min(ahead_s, group.delay)
        found["released_s"] = round(start_s + ahead_s - group.delay, 3)
    found["film"] = _film(rate_bps, segment_s, segments)
    found["deadlines"] = {
        "after_s": ahead_s,
        "length_s": segments * segment_s,
        "rate_bps": rate_bps,
        "moves": group.moves,
        "lower_s": group.lower,
        "upper_s": group.upper,
    }
    return found


def _film(rate_bps: float, segment_s: float, segments: int) -> resolved_film.Content:
    return {
        "bitrates_bps": [rate_bps],
        "segment_s": segment_s,
        "segments": segments,
        "sizes_bytes": None,
    }


def _uniform(name: str) -> float:
    """A number of [0, 1) with 53 binary digits: the same on every machine and for ever."""
    digest = hashlib.sha256(f"weir session {name}".encode()).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53
