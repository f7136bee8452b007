"""Rules for levels that are decided beforehand, over a resolved client and its film."""

from __future__ import annotations

from collections.abc import Iterator

from weir.errors import Problem
from weir.programs import is_program
from weir.resolved import OUTSIDE, Client
from weir.resolved_film import Content

__all__ = ["broken_rules"]

_REMEDY = "remove it, or name another player"


def broken_rules(path: str, client: Client, film: Content) -> Iterator[Problem]:
    """Every one that the decisions of the client at `path` break."""
    asked = client.get("decisions", {})
    at = f"{path}.decisions"
    if not asked:
        return
    if "film" in client:
        yield Problem(at, client["player"], "a player that adapts: a session has one level", "")
        return
    if is_program(client) or client["player"] == OUTSIDE:
        yield Problem(at, client["player"], "a player of Weir's own: this one asks the server "
                      "itself", _REMEDY)  # fmt: skip
        return
    if "deadlines" in client:
        yield Problem(at, "beside deadlines", "one of them: deadlines are of a film that plays one "
                      "level", "remove one")  # fmt: skip
    top = len(film["bitrates_bps"]) - 1
    segments = _segments(film)
    for segment, level in asked.items():
        if segments is not None and int(segment) >= segments:
            yield Problem(at, f"segment {segment}", f"segments of the film, 0 to {segments - 1}",
                          "name one that there is")  # fmt: skip
        if not 0 <= level <= top:
            yield Problem(f"{at}.{segment}", level, f"a level of the ladder, 0 to {top}",
                          "name one that there is")  # fmt: skip


def _segments(film: Content) -> int | None:
    """Of the film; None: it is endless."""
    lengths = [len(sizes) for sizes in film["sizes_bytes"] or []]
    if film["segments"] is not None:
        lengths.append(film["segments"])
    return min(lengths, default=None)
