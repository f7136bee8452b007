"""Outside players: what one is told, and how what it leaves becomes a player's rows.

An outside player is any program that fetches over HTTP. docs/outside-players.md is its contract.
"""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from weir_client.buffer import PlaybackBuffer
from weir_client.errors import ClientError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weir.resolved import Client
    from weir.resolved_film import Content

    from weir_client.plan import Context

__all__ = [
    "FILES",
    "NOT_READY",
    "NOT_SUPPORTED",
    "environment",
    "read",
    "rows_of",
    "stop_s",
    "variables",
]

NOT_READY = 75
"""Exit code of a player that was not ready at its client's start (sysexits.h: EX_TEMPFAIL)."""
NOT_SUPPORTED = 127
"""Exit code of a player that cannot do what it is asked."""
FILES = ("rows.csv", "rows.jsonl")
WHOLE = 206
NAN = float("nan")
NEEDED = ("segment", "level", "size_bytes", "request_s", "last_byte_s")
OF_BUFFER = ("buffer_before_s", "buffer_after_s", "stall_s")
_Row = dict[str, float]
_MOST = {"segment": 2**31 - 1, "size_bytes": 2**53, "connection": 2**16 - 1, "status": 999}
"""Of whole numbers, as far as their columns (rows.py) and floats hold them."""
_SHOWN_CHARACTERS = 100


def environment(
    client: Client, context: Context, epoch_unix_s: float, folder: Path
) -> dict[str, str]:
    """The variables for a client (see role.py); writes its content's description into `folder`."""
    told = variables(client, context, str(folder))
    Path(told["WEIR_CONTENT"]).write_text(json.dumps(context["content"]))
    return {**told, "WEIR_EPOCH_UNIX_S": f"{epoch_unix_s:.6f}"}


def stop_s(client: Client, context: Context) -> float:
    """When the client stops, at the latest with the experiment."""
    asked_s = client["stop_s"]
    return context["end_s"] if asked_s is None else min(context["end_s"], asked_s)


def variables(client: Client, context: Context, folder: str) -> dict[str, str]:
    """All of them but the experiment's second 0, of a program that works in `folder`."""
    given = {
        "SERVER": f"http://{context['server']}:{context['port']}",
        "CONTENT": f"{folder}/content.json",
        "CLIENT": context["number"],
        "SEED": context["seed"],
        "OPTIONS": json.dumps(client["options"]),
        "BUFFER_S": client["buffer_s"],
        "START_S": client["start_s"],
        "STOP_S": stop_s(client, context),
        "DURATION_S": context["end_s"],
        "OUT": folder,
    }
    return {f"WEIR_{name}": str(value) for name, value in given.items()}


def read(folder: Path, client: Client, context: Context) -> list[tuple[float, ...]]:
    """What a player left in `folder`, as rows of weir_client.rows.COLUMNS.

    Raises ClientError that names the file, the row and the column. Requests made after the
    client's stop are left out.
    """
    label = f"client {context['number']} ({client['player']})"
    there = [folder / name for name in FILES if (folder / name).exists()]
    if len(there) != 1:
        found = " and ".join(path.name for path in there) or "nothing"
        raise ClientError(f"{label} left {found}; it must write one of {', '.join(FILES)}")
    with there[0].open(newline="", encoding="utf-8") as file:
        return rows_of(file, there[0].name, client, context["content"], context["end_s"], label)


def rows_of(
    file: TextIO, name: str, client: Client, content: Content, end_s: float, label: str
) -> list[tuple[float, ...]]:
    """As `read`, of a file that is open. name: one of FILES. label: whose it is, in errors."""
    bitrates = content["bitrates_bps"]
    stop_s = end_s if client["stop_s"] is None else client["stop_s"]
    rows: list[_Row] = []
    for number, given in enumerate(_given(file, name, label), 1):
        where = f"{label}: {name} row {number}"
        row = _numbers(given, where)
        _require_sound(row, len(bitrates), rows[-1] if rows else None, where)
        if row["request_s"] < stop_s:
            rows.append(row)
    _fill_buffer(rows, client["start_s"], content["segment_s"])
    return [_columns(row, bitrates) for row in rows]


def _given(file: TextIO, name: str, label: str) -> Iterator[dict[str, Any]]:
    if name.endswith(".csv"):
        try:
            yield from csv.DictReader(file)
        except csv.Error as error:
            raise ClientError(f"{label}: {name}: no CSV ({error})") from None
        return
    for number, line in enumerate(file, 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ClientError(f"{label}: {name} row {number}: no JSON ({error})") from None
        if not isinstance(row, dict):
            raise ClientError(f"{label}: {name} row {number}: must be an object")
        yield row


def _numbers(given: dict[str, Any], where: str) -> _Row:
    row = {}
    for name in (*NEEDED, "first_byte_s", *OF_BUFFER, "estimate_bps", "connection", "status"):
        text = given.get(name)
        if text is None or text == "":
            if name in NEEDED:
                raise ClientError(f"{where}: {name} is missing; needed are {', '.join(NEEDED)}")
            continue
        if name not in NEEDED and str(text).strip().lower() == "nan":
            continue
        try:
            row[name] = float(text)
        except (TypeError, ValueError, OverflowError):
            row[name] = NAN
        if not math.isfinite(row[name]):
            shown = repr(text)[:_SHOWN_CHARACTERS]
            raise ClientError(f"{where}: {name} is {shown}; it must be a number")
    return row


def _require_sound(row: _Row, levels: int, before: _Row | None, where: str) -> None:
    for name, most in {**_MOST, "level": levels - 1}.items():
        value = row.get(name, 0)
        if not (0 <= value <= most and value == int(value)):
            allowed = f"from 0 to {most}"
            raise ClientError(f"{where}: {name} is {value:g}; it must be a whole number {allowed}")
    request_s, last_byte_s = row["request_s"], row["last_byte_s"]
    first_byte_s = row.setdefault("first_byte_s", NAN)
    if math.isnan(first_byte_s):
        if row.get("status", WHOLE):
            raise ClientError(f"{where}: first_byte_s is missing; only with status 0 none came")
        first_byte_s = last_byte_s
    if not 0 <= request_s <= first_byte_s <= last_byte_s:
        raise ClientError(
            f"{where}: request_s {request_s:g}, first_byte_s {first_byte_s:g}, last_byte_s "
            f"{last_byte_s:g}; they must follow each other, in seconds since $WEIR_EPOCH_UNIX_S"
        )
    if before is not None and request_s < before["request_s"]:
        raise ClientError(f"{where}: request_s {request_s:g} is before the row above; sort them")


def _fill_buffer(rows: list[_Row], start_s: float, segment_s: float) -> None:
    """Where a player tells nothing of its buffer: as one that plays all it has (buffer.py)."""
    if any(name in row for row in rows for name in OF_BUFFER):
        return
    buffer, stalled_s = PlaybackBuffer(start_s), 0.0
    for row in rows:
        buffer.advance(row["request_s"])
        row["buffer_before_s"] = buffer.level_s
        buffer.advance(row["last_byte_s"])
        row["stall_s"], stalled_s = buffer.stalled_s - stalled_s, buffer.stalled_s
        if row.get("status", WHOLE) == WHOLE:
            buffer.add(segment_s)
        row["buffer_after_s"] = buffer.level_s


def _columns(row: _Row, bitrates_bps: list[float]) -> tuple[float, ...]:
    took_s = row["last_byte_s"] - row["request_s"]
    return (
        row["segment"],
        row["level"],
        bitrates_bps[int(row["level"])],
        row["size_bytes"],
        row["request_s"],
        row["first_byte_s"],
        row["last_byte_s"],
        row.get("buffer_before_s", NAN),
        row.get("buffer_after_s", NAN),
        row.get("stall_s", 0.0),
        row["size_bytes"] * 8 / took_s if took_s > 0 else NAN,
        row.get("estimate_bps", NAN),
        row.get("connection", 0),
        row.get("status", WHOLE),
    )
