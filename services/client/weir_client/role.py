"""The client role: what the lab starts, by name, in each client host."""

from __future__ import annotations

import os
from _random import Random  # `random` itself imports hashlib and more

from weir.waking import sleep_until

from weir_client import abr, deadline, rows
from weir_client.content import Content
from weir_client.errors import MOST_CHARACTERS, ClientError, TimeIsUp
from weir_client.http import Connection
from weir_client.opening import opening
from weir_client.player import Player, clock_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir.resolved import Client, ClientSource

    from weir_client.plan import Context


def _keep() -> None:
    """The privileges, where there are none to drop."""


def run(client: Client, context: Context, drop_privileges: Callable[[], None] = _keep) -> bool:
    """Play until the client's stop time and write its rows to context["out"]. Returns whether the
    experiment is over with that: the context wants it to be with the first late byte.

    `client` is a client of the resolved experiment, its options completed. `context`: number
    (1-based), server (address), port, http_version, content, epoch_s (monotonic time of the
    experiment's second 0), end_s, out, rtt_s, seed. Rows stand in out as they come. If the client
    cannot go on, out has its rows up to then, and out + ".error" the reason instead of nothing,
    with where in a user's own file.
    drop_privileges: called once these are open, before the ABR is loaded.
    """
    out: str = context["out"]
    with open(out, "wb") as file, open(out + ".error", "wb", buffering=0) as error:  # noqa: PTH123
        played = rows.Growing(file.fileno())
        error.write(b"client %d left no record; see its log\n" % context["number"])
        drop_privileges()
        process, over, wrong = os.getpid(), False, None
        try:
            over = play(client, context, played)
        except Exception as raised:
            wrong = raised
        if os.getpid() != process:
            os._exit(1)  # forked by a user's ABR: the client speaks for itself
        # Again, and in their order: several that were in flight end in another.
        file.seek(0)
        rows.write(file, played)
        file.truncate()
        error.seek(0)
        error.truncate()
        if wrong is not None:
            error.write(_told(wrong, client["source"]).encode(errors="replace"))
    if "asks_in" in context:
        from weir_client.abr.asked import tell_over  # noqa: PLC0415 (only where it is used)

        tell_over()
    return over


def play(client: Client, context: Context, played: list[tuple[float, ...]]) -> bool:
    """Play, add the rows to `played`, and return whether the experiment is over.

    Raises ClientError.
    """
    if "film" in client:
        return _session(client, context, played)
    number = context["number"]
    content = Content(context["content"])
    options = dict(client["options"])
    startup_s, resume_s = float(options.pop("startup_s")), float(options.pop("resume_s"))
    chosen = abr.make(client["player"], client["source"], options, content.bitrates_bps, number)
    if "asks_in" in context:
        from weir_client.abr.asked import ExternalAbr  # noqa: PLC0415 (only where it is used)

        chosen = ExternalAbr(chosen, context["asks_in"])
    clock = clock_from(context["epoch_s"])
    settings: dict[str, Any] = {
        "buffer_max_s": client["buffer_s"],
        "startup_s": startup_s,
        "resume_s": resume_s,
        "live": client.get("live", False),
        "random": Random(context["seed"] * 1000003 + number).random,
        "label": f"client {number} ({client['player']})",
        "rows": played,
        "decisions": {int(k): level for k, level in client.get("decisions", {}).items()},
    }
    player = _player(chosen, content, clock, client, context, settings)
    start_s, stop_s = client["start_s"], client["stop_s"]
    end_s = context["end_s"] if stop_s is None else min(context["end_s"], stop_s)
    if start_s < end_s:
        sleep_until(round((context["epoch_s"] + start_s) * 1e9))
        player.play(start_s, end_s)
    return False


def _session(client: Client, context: Context, played: list[tuple[float, ...]]) -> bool:
    from weir_client.session import FirstLateByte, Session  # noqa: PLC0415 (only where it is used)

    number, clock = context["number"], clock_from(context["epoch_s"])

    def wait_until(time_s: float) -> None:
        sleep_until(round((context["epoch_s"] + time_s) * 1e9))

    connection = Connection(context["server"], context["port"], clock, opening(client))
    session = Session(
        client, b"/session-%d" % number, connection, clock=clock, wait_until=wait_until,
        label=f"session {number} ({client['player']})",
        stop_when_late=context.get("stop_when_late", False), rows=played,
    )  # fmt: skip
    try:
        # From now on: the first late byte of another session ends this one, too.
        deadline.arm(context["end_s"] - clock())
        wait_until(client["start_s"])
        session.play()
    except TimeIsUp:
        return False
    except FirstLateByte:
        return True
    finally:
        deadline.ignore()
    return False


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


def _told(error: Exception, source: ClientSource | None) -> str:
    if not isinstance(error, ClientError):
        return f"{_where(error)[:MOST_CHARACTERS]}\n"
    trace = ""
    if source is not None:
        from weir_client.abr import user  # noqa: PLC0415 (it is loaded; others need it not)

        trace = user.traceback_of(error, source)
    return f"{str(error)[:MOST_CHARACTERS]}\n{trace}"


def _where(error: Exception) -> str:
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} (at {place})"
