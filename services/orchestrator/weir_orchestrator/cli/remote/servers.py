"""The servers that `weir login` knows, in the user's configuration folder."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import typer
from weir_engine import jsonfile
from weir_engine.errors import BadInput

__all__ = ["Grant", "Server", "Servers"]

_FORMAT = 1


@dataclass(frozen=True)
class Grant:
    """An API token of a team. id: of one that `weir login` made, and `weir logout` revokes."""

    secret: str
    id: str | None = None


@dataclass
class Server:
    """team: asked for where none is named. tokens: by team; empty where there is no login."""

    url: str
    team: str | None = None
    tokens: dict[str, Grant] = field(default_factory=dict)


class Servers:
    """Read when made, written by `save`: readable for their owner alone."""

    def __init__(self) -> None:
        self.path = Path(typer.get_app_dir("weir")) / "servers.json"
        self.current: str | None = None
        self.known: dict[str, Server] = {}
        try:
            content = jsonfile.read(self.path)
            self.current = content["current"]
            for url, each in content["servers"].items():
                tokens = {team: Grant(**grant) for team, grant in each["tokens"].items()}
                self.known[url] = Server(url, each["team"], tokens)
        except FileNotFoundError:
            pass
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadInput(
                f"{self.path} is not what `weir login` wrote\n"
                "    Remove it, and sign in again by `weir login URL`."
            ) from None

    def save(self) -> None:
        """Write them; nobody else may read the file at any moment."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        servers = {
            url: {"team": each.team, "tokens": {t: asdict(g) for t, g in each.tokens.items()}}
            for url, each in self.known.items()
        }
        content = {"format": _FORMAT, "current": self.current, "servers": servers}
        before = os.umask(0o077)
        try:
            jsonfile.write_atomic(self.path, content)
        finally:
            os.umask(before)

    def find(self, asked: str | None) -> Server:
        """The server of that address, or the only one that it is a part of; None: the last.

        An address that is not known is a server without a token. Raises BadInput.
        """
        if asked is None:
            if self.current not in self.known:
                raise BadInput("no server: sign in by `weir login URL`, or name one with --server")
            return self.known[self.current]
        fitting = [each for url, each in self.known.items() if asked.rstrip("/") in url]
        if exact := self.known.get(asked.rstrip("/")):
            return exact
        if len(fitting) == 1:
            return fitting[0]
        if "://" in asked:
            return Server(asked)
        known = ", ".join(self.known) or "none"
        raise BadInput(f"--server: {asked} — allowed: an address, or a part of one of: {known}")
