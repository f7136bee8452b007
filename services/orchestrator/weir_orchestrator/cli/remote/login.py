"""`weir login`, `weir logout`."""

from __future__ import annotations

import socket
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from weir_engine.errors import BadInput

from weir_orchestrator.cli.common import StdinOption, notes, output, read_password
from weir_orchestrator.cli.remote.connect import TOKEN, TeamOption, translated
from weir_orchestrator.cli.remote.servers import Grant, Server, Servers

if TYPE_CHECKING:
    from weir_sdk import Client
    from weir_sdk.models import MyTeam

__all__ = ["login", "logout"]


def login(
    url: Annotated[str, typer.Argument(help="Address, such as https://weir.example.org")],
    token: Annotated[
        str | None,
        typer.Option("--token", envvar=TOKEN, help="An API token; -: read from standard input."),
    ] = None,
    email: Annotated[
        str | None, typer.Option("--email", help="Sign in by password instead of a token.")
    ] = None,
    password_stdin: StdinOption = False,
    team: TeamOption = None,
) -> None:
    """Remember a server, and how to sign in there.

    By password an API token is made for each of one's teams (--team: for one), good for 90 days;
    the password is not kept. What is kept stands in the user's configuration folder.
    """
    from weir_sdk import Client  # noqa: PLC0415 - slow to import

    with translated():
        try:
            client = Client(url)
        except ValueError as error:
            raise BadInput(f"URL: {error}") from None
        with client:
            ways = client.ways_in()
            if ways.auth == "none":
                slugs = [each.slug for each in client.show_me().teams]
                server = Server(client.url, _chosen(slugs, team))
            elif secret := _given(token, email, client.url, ways.single_sign_on):
                server = _by_token(client.url, secret, team)
            else:
                server = _by_password(client, email, password_stdin, team)
    servers = Servers()
    servers.known[server.url] = server
    servers.current = server.url
    servers.save()
    teams = ", ".join(server.tokens) or server.team
    output.print(f"{server.url}: signed in, team {teams}", markup=False)
    notes.print(f"kept in {servers.path}", markup=False)


def logout(
    url: Annotated[
        str | None, typer.Argument(help="Address, or a part of it; default: the last one.")
    ] = None,
) -> None:
    """Forget a server, and revoke the tokens that `weir login` made there."""
    from weir_sdk import Client, ClientError  # noqa: PLC0415 - slow to import

    servers = Servers()
    server = servers.find(url)
    if server.url not in servers.known:
        raise BadInput(f"URL: {server.url} — allowed: {', '.join(servers.known) or 'none known'}")
    for team, grant in server.tokens.items():
        if grant.id is None:
            continue
        try:
            with Client(server.url, grant.secret, tries=1) as client:
                client.revoke_token(team, grant.id)
        except ClientError as error:
            notes.print(f"the token of team {team} is not revoked: {error}", markup=False)
    del servers.known[server.url]
    if servers.current == server.url:
        servers.current = next(iter(servers.known), None)
    servers.save()
    output.print(f"{server.url}: signed out", markup=False)


def _given(token: str | None, email: str | None, url: str, sign_on: str | None) -> str | None:
    """The token, from wherever it comes; None: by password."""
    if token == "-":
        return sys.stdin.readline().strip()
    if token or email:
        return token
    if sign_on:
        notes.print(f"By {sign_on}: sign in at {url}, and make an API token there.", markup=False)
        asked: str = typer.prompt("API token (nothing: by password)", "", True, err=True)
        return asked.strip() or None
    return None


def _by_token(url: str, secret: str, team: str | None) -> Server:
    from weir_sdk import Client  # noqa: PLC0415 - slow to import

    with Client(url, secret) as client:
        slugs = [each.slug for each in client.show_me().teams]
    chosen = _chosen(slugs, team)
    return Server(url, chosen, {chosen: Grant(secret)})


def _by_password(client: Client, email: str | None, from_stdin: bool, team: str | None) -> Server:
    address = email or typer.prompt("Email", err=True)
    client.sign_in(address, read_password(from_stdin, new=False))
    try:
        teams = {each.slug: each for each in client.show_me().teams}
        chosen = _chosen(list(teams), team)
        wanted = [teams[team]] if team else list(teams.values())
        name = f"weir login on {socket.gethostname()}"[:100]
        made = {each.slug: client.make_token(each.slug, name, _scope(each)) for each in wanted}
    finally:
        client.sign_out()
    return Server(
        client.url,
        chosen,
        {slug: Grant(token.secret, str(token.id)) for slug, token in made.items()},
    )


def _chosen(slugs: list[str], team: str | None) -> str:
    if not slugs:
        raise BadInput("you are in no team yet: ask an administrator of one to add you")
    if team is not None and team not in slugs:
        raise BadInput(f"--team: {team} — allowed: {', '.join(slugs)}")
    return team or slugs[0]


def _scope(team: MyTeam) -> Literal["read", "submit"]:
    """As much as the command needs, and no more than one has."""
    return "read" if team.role == "read" else "submit"
