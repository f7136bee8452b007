"""The client role: what the lab starts, by name, in each client host."""

from __future__ import annotations

from _random import Random  # `random` itself imports hashlib and more

from weir.waking import sleep_until

from weir_client import abr, rows
from weir_client.content import Content
from weir_client.errors import ClientError
from weir_client.http import Connection
from weir_client.opening import opening
from weir_client.player import Player, clock_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir.resolved import Client

    from weir_client.plan import Context


def _keep() -> None:
    """The privileges, where there are none to drop."""


def run(client: Client, context: Context, drop_privileges: Callable[[], None] = _keep) -> None:
    """Play until the client's stop time and write its rows to context["out"].

    `client` is a client of the resolved experiment, its options completed. `context`: number
    (1-based), server (address), port, http_version, content, epoch_s (monotonic time of the
    experiment's second 0), end_s, out, rtt_s, seed. If the client cannot go on, out is empty, and
    out + ".error" holds the reason instead of nothing. drop_privileges: called once these are open,
    before the ABR is loaded.
    """
    out: str = context["out"]
    with open(out, "wb") as file, open(out + ".error", "wb", buffering=0) as error:  # noqa: PTH123
        error.write(b"client %d left no record; see its log\n" % context["number"])
        drop_privileges()
        try:
            played = play(client, context)
        except Exception as wrong:
            text = str(wrong) if isinstance(wrong, ClientError) else _where(wrong)
            error.seek(0)
            error.truncate()
            error.write(text.encode() + b"\n")
            return
        rows.write(file, played)
        error.truncate(0)


def play(client: Client, context: Context) -> list[tuple[float, ...]]:
    """Play and return the rows. Raises ClientError."""
    number = context["number"]
    content = Content(context["content"])
    options = dict(client["options"])
    startup_s, resume_s = float(options.pop("startup_s")), float(options.pop("resume_s"))
    chosen = abr.make(client["player"], client["source"], options, content.bitrates_bps, number)
    clock = clock_from(context["epoch_s"])
    settings: dict[str, Any] = {
        "buffer_max_s": client["buffer_s"],
        "startup_s": startup_s,
        "resume_s": resume_s,
        "live": client.get("live", False),
        "random": Random(context["seed"] * 1000003 + number).random,
        "label": f"client {number} ({client['player']})",
    }
    player = _player(chosen, content, clock, client, context, settings)
    start_s, stop_s = client["start_s"], client["stop_s"]
    end_s = context["end_s"] if stop_s is None else min(context["end_s"], stop_s)
    if start_s < end_s:
        sleep_until(round((context["epoch_s"] + start_s) * 1e9))
        player.play(start_s, end_s)
    return player.rows


def _player(
    chosen: abr.Abr, content: Content, clock: Callable[[], float], client: Client,
    context: Context, settings: dict[str, Any],
) -> Player:  # fmt: skip
    server, port, in_flight = context["server"], context["port"], client["in_flight"]
    if context["http_version"] == "1.1":
        connection = Connection(server, port, clock, opening(client))
        return Player(chosen, content, connection, clock, **settings)
    from weir_client import http2  # noqa: PLC0415 (it imports much)

    streams = http2.Connection(server, port, clock)
    if in_flight == 1:
        return Player(chosen, content, streams, clock, **settings)
    from weir_client.parallel import ParallelPlayer  # noqa: PLC0415 (only where it is used)

    return ParallelPlayer(chosen, content, streams, clock, in_flight=in_flight, **settings)


def _where(error: Exception) -> str:
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} (at {place})"
