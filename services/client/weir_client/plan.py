"""What a client of a cell needs: its role's arguments. Pure."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from weir.paths import idle_rtt_s, paths_of
from weir.programs import is_outside
from weir.resolved import Client, Experiment, HttpVersion
from weir.resolved_film import Content

__all__ = ["Args", "Context", "Role", "context_of", "role"]

HTTP_PORT = 80


class Context(TypedDict):
    """Where a client plays. number: 1-based. epoch_s: second 0 on its host's monotonic clock.

    stop_when_late: the first late byte ends the experiment. asks_in: the folder by which levels are
    asked for outside of the guest (weir_client.abr.asked).
    """

    number: int
    server: str
    port: int
    http_version: HttpVersion
    content: Content
    rtt_s: float
    seed: int
    out: str
    epoch_s: float
    end_s: float
    stop_when_late: NotRequired[bool]
    asks_in: NotRequired[str]


class Args(TypedDict):
    """Of `weir_client.role.run`. client: as resolved, with all of its player's options."""

    client: Client
    context: Context


class Role(TypedDict):
    """A client in its host."""

    host: str
    module: Literal["weir_client.role"]
    args: Args
    awaited: bool


def _rtt_s(experiment: Experiment, number: int) -> float:
    """Of the path that opens the client's connection."""
    name = experiment["clients"][number - 1].get("paths", [""])[0]
    (path,) = [path for path in paths_of(experiment) if path["name"] == name]
    return idle_rtt_s(path)


def context_of(
    experiment: Experiment, number: int, seed: int, server: str, epoch_s: float, folder: str
) -> Context:
    """Of client `number` (1-based). Arguments: see `role`."""
    context: Context = {
        "number": number,
        "server": server,
        "port": HTTP_PORT,
        "http_version": experiment["server"]["http_version"],
        "content": experiment["content"],
        "rtt_s": _rtt_s(experiment, number),
        "seed": seed,
        "out": f"{folder}/client-{number}",
        "epoch_s": epoch_s,
        "end_s": experiment["duration_s"],
    }
    if experiment.get("ends") == "first-late-byte":
        context["stop_when_late"] = True
    return context


def role(
    experiment: Experiment, number: int, seed: int, server: str, epoch_s: float, folder: str
) -> Role:
    """Client `number` (1-based) of the experiment.

    server: its address. folder: where the client leaves its rows, on its own host.
    """
    context = context_of(experiment, number, seed, server, epoch_s, folder)
    client = experiment["clients"][number - 1]
    if not is_outside(client["player"], experiment["clock"]):
        # Who plans has pydantic; agents, which share this module, the standard library alone.
        from weir.spec.players import completed  # noqa: PLC0415

        client = {**client, "options": completed(client["player"], client["options"])}
    args: Args = {"client": client, "context": context}
    return {"host": f"client{number}", "module": "weir_client.role", "args": args, "awaited": True}
