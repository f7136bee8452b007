"""The client role: what the lab starts, by name, in each client host."""

from __future__ import annotations

from _random import Random  # `random` itself imports hashlib and more

from weir_client import abr, rows
from weir_client.content import Content
from weir_client.errors import ClientError
from weir_client.http import Connection
from weir_client.options import split
from weir_client.player import Player, clock_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir.resolved import Client

    from weir_client.plan import Context


def run(client: Client, context: Context) -> None:
    """Play until the client's stop time and write its rows to context["out"].

    If the client cannot go on, the reason is written to out + ".error" and nothing to out.
    """
    try:
        rows.write(context["out"], play(client, context))
    except Exception as error:
        text = str(error) if isinstance(error, ClientError) else _where(error)
        with open(context["out"] + ".error", "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(text + "\n")


def play(client: Client, context: Context) -> list[tuple[float, ...]]:
    """Play and return the rows. Raises ClientError."""
    number = context["number"]
    content = Content(context["content"])
    own, rest = split(client["options"])
    chosen = abr.make(client["player"], client["source"], rest, content.bitrates_bps, number)
    clock = clock_from(context["epoch_s"])
    player = Player(
        chosen,
        content,
        Connection(context["server"], context["port"], clock),
        clock,
        buffer_max_s=client["buffer_s"],
        startup_s=own["startup_s"],
        resume_s=own["resume_s"],
        random=Random(context["seed"] * 1000003 + number).random,
        label=f"client {number} ({client['player']})",
    )
    end_s, stop_s = context["end_s"], client["stop_s"]
    player.play(client["start_s"], end_s if stop_s is None else min(end_s, stop_s))
    return player.rows


def _where(error: Exception) -> str:
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} (at {place})"
