"""What players that are programs of their own left: rows, events and their console.

Each has a folder client-NUMBER; see docs/outside-players.md and weir_client.program.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from weir.errors import RunFailure
from weir.programs import is_program, label
from weir.records import EventRecord, FlowRecord
from weir.resolved import CHROMIUM, Experiment
from weir.rundir import Columns
from weir_client import outside, rows
from weir_client.errors import ClientError
from weir_client.program import CONSOLE, MOST_BYTES, ROWS_CSV

from weir_lab import left, player_events

__all__ = ["connect", "consoles", "count", "events", "in_guest", "last_said", "player"]

_ROWS: Final = "rows.jsonl"
_SAID_CHARACTERS: Final = 400
_CONSOLES_BYTES: Final = 3 << 20
"""Of all of them, in a log of at most 4 MiB (weir_engine.taking)."""
_CHARACTER_BYTES: Final = 4
_NOT_ITS_OWN: Final = re.compile(r"\s+at .*(\bnode:internal/|/weir_client/)|Node\.js v")
"""Of Node.js's word on an error: what is no place in the player."""


def count(experiment: Experiment) -> int:
    """How many clients are such players in a guest."""
    return len(_numbers(experiment))


def in_guest(experiment: Experiment, number: int) -> bool:
    """Whether a client is such a player in a guest. On the real clock it is its agent's."""
    return experiment["clock"] == "virtual" and is_program(experiment["clients"][number - 1])


def player(experiment: Experiment, number: int, folder: Path) -> Columns:
    """The client's rows.

    Raises RunFailure: it left none, asked for no segment, or a row is wrong.
    """
    client = experiment["clients"][number - 1]
    whose = label(client, number)
    name = _rows_in(folder, number, whose) if "package" in client else _ROWS
    with left.reading(folder, f"client-{number}/{name}", MOST_BYTES) as raw:
        try:
            found = outside.rows_of(
                io.TextIOWrapper(raw, encoding="utf-8", errors="replace"),
                name, client, experiment["content"], experiment["duration_s"], whose,
            )  # fmt: skip
        except ClientError as error:
            raise RunFailure(str(error)) from None
    if not found:
        raise RunFailure(f"{whose} asked for no segment" + last_said(experiment, number, folder))
    return rows.columns(np.array(found, np.float64))


def connect(experiment: Experiment, players: list[Columns], flows: list[FlowRecord]) -> None:
    """Give a browser's rows, whose page is told no ports, that of its connection, if it had one."""
    for number, client in enumerate(experiment["clients"], 1):
        ports = {flow["remote_port"] for flow in flows if flow["client"] == number}
        if client["player"] == CHROMIUM and len(ports) == 1:
            players[number - 1]["connection"][:] = ports.pop()


def _rows_in(folder: Path, number: int, whose: str) -> str:
    """Which of the files has its rows. Raises RunFailure: both have."""
    written = []
    for name in (_ROWS, ROWS_CSV):
        with left.reading(folder, f"client-{number}/{name}", MOST_BYTES) as file:
            if file.read(1):
                written.append(name)
    if len(written) > 1:
        raise RunFailure(f"{whose} left {' and '.join(written)}; it must write one of them")
    return written[0] if written else _ROWS


def last_said(experiment: Experiment, number: int, folder: Path) -> str:
    """What a client's program said last, as the end of a sentence; of another client, nothing."""
    if number not in _numbers(experiment):
        return ""
    lines = _console(folder, number).splitlines()
    its_own = "\n".join(line for line in lines if not _NOT_ITS_OWN.match(line))
    said = its_own.strip()[-_SAID_CHARACTERS:]
    return f"; it said last: {said or 'nothing'}"


def events(experiment: Experiment, folder: Path) -> Iterator[EventRecord]:
    """What they noted. Raises RunFailure where that is no event."""
    for number in _numbers(experiment):
        yield from player_events.read(folder / f"client-{number}", number)


def consoles(experiment: Experiment, folder: Path) -> str:
    """All that they said, for the run's log; of much their beginnings and ends. Raises
    RunFailure."""
    said = [(number, _console(folder, number)) for number in _numbers(experiment)]
    if sum(len(text.encode()) for _, text in said) > _CONSOLES_BYTES:
        kept = _CONSOLES_BYTES // len(said) // _CHARACTER_BYTES // 2
        said = [(number, _cut(text, kept)) for number, text in said]
    return "".join(f"client {number} said:\n{text}\n" for number, text in said if text.strip())


def _cut(text: str, kept: int) -> str:
    """The first and last so many characters."""
    cut = len(text) - 2 * kept
    return f"{text[:kept]}\n[{cut} characters cut here]\n{text[-kept:]}" if cut > 0 else text


def _console(folder: Path, number: int) -> str:
    """What it said; nothing, where it was not started. Raises RunFailure."""
    try:
        return left.printable(left.console(folder, f"client-{number}/{CONSOLE}"))
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _numbers(experiment: Experiment) -> list[int]:
    return [number for number in range(1, len(experiment["clients"]) + 1)
            if in_guest(experiment, number)]  # fmt: skip
