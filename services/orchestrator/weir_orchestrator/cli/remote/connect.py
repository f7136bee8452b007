"""A server to speak to: which one, as whom, and its errors as those of the command."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli.remote.servers import Server, Servers

if TYPE_CHECKING:
    from weir_sdk import Client
    from weir_sdk.models import CampaignOut, ScheduleOut

__all__ = [
    "Connection",
    "ServerOption",
    "TeamOption",
    "connected",
    "find_campaign",
    "find_schedule",
    "translated",
]

TOKEN: Final = "WEIR_TOKEN"

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        envvar="WEIR_SERVER",
        help="Address, or a part of it that fits one server of `weir login`.",
    ),
]
TeamOption = Annotated[
    str | None, typer.Option("--team", envvar="WEIR_TEAM", help="Team; by default one's first.")
]
_ID_BEGINS: Final = 4


@dataclass(frozen=True)
class Connection:
    """A client that asks as a member of `team`."""

    client: Client
    url: str
    team: str


@contextmanager
def connected(server: str | None, team: str | None = None) -> Iterator[Connection]:
    """A server of `weir login` (none named: the last one). Raises BadInput, CannotRun."""
    from weir_sdk import Client  # noqa: PLC0415 - slow to import

    found = Servers().find(server)
    asks_as = team or found.team
    secret = os.environ.get(TOKEN) or _secret(found, asks_as)
    with translated():
        try:
            client = Client(found.url, secret)
        except ValueError as error:
            raise BadInput(f"--server: {error}") from None
        with client:
            yield Connection(client, client.url, _team(client, asks_as))


@contextmanager
def translated() -> Iterator[None]:
    """The client's errors as BadInput or CannotRun."""
    from weir_sdk import ClientError, errors  # noqa: PLC0415 - slow to import

    wrong = (errors.Conflict, errors.NotAllowed, errors.NotFound, errors.TooLarge)
    try:
        yield
    except errors.NotSignedIn as error:
        raise BadInput(f"{error}\n    Sign in by `weir login URL`, or set {TOKEN}.") from None
    except errors.Unprocessable as error:
        told = str(error).partition("\n")[2] if error.problems else str(error)
        raise BadInput(told) from None
    except wrong as error:
        raise BadInput(str(error)) from None
    except ClientError as error:
        raise CannotRun(str(error)) from None


def find_campaign(to: Connection, asked: str) -> CampaignOut:
    """A campaign by its id, the beginning of it, or its name: then the newest. Raises BadInput."""
    try:
        return to.client.show_campaign(uuid.UUID(asked))
    except ValueError:
        pass
    if named := _named(to, asked):
        return named
    begins = asked.lower()
    found = []
    if len(begins) >= _ID_BEGINS and set(begins) <= set("0123456789abcdef-"):
        every = to.client.list_campaigns(to.team, limit=500)
        found = [each for each in every if str(each.id).startswith(begins)]
    if len(found) == 1:
        return found[0]
    how_many = f"fits {len(found)} campaigns" if found else "no campaign of that name or id"
    raise BadInput(
        f"CAMPAIGN: {asked} — {how_many} in team {to.team} at {to.url}\n"
        "    `weir ls` lists them; --team and --server name other places."
    )


def find_schedule(to: Connection, asked: str) -> ScheduleOut:
    """A schedule of the team by its name or id. Raises BadInput."""
    every = list(to.client.list_schedules(to.team))
    for each in every:
        if asked in {each.name, str(each.id)}:
            return each
    have = ", ".join(each.name for each in every) or "it has none"
    raise BadInput(f"SCHEDULE: {asked} — allowed in team {to.team} at {to.url}: {have}")


def _named(to: Connection, asked: str) -> CampaignOut | None:
    from weir_sdk.errors import Unprocessable  # noqa: PLC0415 - slow to import

    try:
        return next(to.client.list_campaigns(to.team, name=asked, limit=1), None)
    except Unprocessable:  # no campaign can have that name
        return None


def _secret(server: Server, team: str | None) -> str | None:
    if not server.tokens:
        return None
    if team not in server.tokens:
        allowed = ", ".join(server.tokens)
        raise BadInput(f"--team: {team} — allowed at {server.url}: {allowed}")
    return server.tokens[team].secret


def _team(client: Client, team: str | None) -> str:
    if team is not None:
        return team
    teams = client.show_me().teams
    if not teams:
        raise BadInput("--team: you are in no team; ask one of its administrators")
    return teams[0].slug
