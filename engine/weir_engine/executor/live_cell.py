"""Cells: sets of agents that stand elsewhere, and carry out one real-clock run at a time.

- server: http://server:7411
  gateway: http://gateway:7411
  clients: [http://client:7411]

A clients' name with several addresses is as many clients. `outside` and `chromium`, as `clients`:
agents with such players, for clients whose player that is.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from weir.resolved import CHROMIUM, OUTSIDE
from weir_lab import wiring

__all__ = ["Agents", "LiveCell", "agents_of", "read_cells"]

_EXAMPLE = (
    "[{server: 'http://server:7411', gateway: 'http://gateway:7411', "
    "clients: ['http://client:7411']}]"
)
_ALLOWED = "http://HOST:PORT where a weir-agent listens"


def _agent_url(url: str) -> str:
    where = urlsplit(url)
    try:
        fits = where.scheme == "http" and bool(where.hostname) and where.port is not None
    except ValueError:
        fits = False
    if not fits or where.path not in {"", "/"} or where.query:
        raise ValueError(f"{url} — allowed: {_ALLOWED}")
    return url.rstrip("/")


_Url = Annotated[str, AfterValidator(_agent_url)]


class LiveCell(BaseModel):
    """Where the agents of one cell listen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    server: _Url
    gateway: _Url
    clients: tuple[_Url, ...] = ()
    outside: tuple[_Url, ...] = ()
    chromium: tuple[_Url, ...] = ()

    @model_validator(mode="after")
    def _has_clients(self) -> Self:
        if not (self.clients or self.outside or self.chromium):
            raise ValueError("no clients — give at least one under clients, outside or chromium")
        return self

    def __str__(self) -> str:
        return f"the cell at {self.gateway}"


@dataclass(frozen=True)
class Agents:
    """URLs of a cell's agents as they stand now, one for each of those of a client."""

    server: str
    gateway: str
    clients: tuple[str, ...]
    outside: tuple[str, ...]
    chromium: tuple[str, ...]

    def roles(self) -> Iterator[tuple[str, str]]:
        """(role, URL) of each."""
        yield "server", self.server
        yield "gateway", self.gateway
        yield from (("client", url) for url in self.clients)
        yield from ((OUTSIDE, url) for url in self.outside)
        yield from ((CHROMIUM, url) for url in self.chromium)

    def fit(self, players: Sequence[str]) -> bool:
        """Whether there is an agent for each client; players: of each, in their order."""
        return len(self.hosts(players)) == 2 + len(players)

    def size(self) -> int:
        """How many clients it has."""
        return len(self.clients) + len(self.outside) + len(self.chromium)

    def hosts(self, players: Sequence[str]) -> dict[str, str]:
        """URL by host; clients for which there is none are left out."""
        others = iter(self.clients)
        own = {OUTSIDE: iter(self.outside), CHROMIUM: iter(self.chromium)}
        found = {wiring.SERVER: self.server, wiring.GATEWAY: self.gateway}
        for number, player in enumerate(players, 1):
            if url := next(own.get(player, others), None):
                found[wiring.client_host(number)] = url
        return found


_CELLS = TypeAdapter(tuple[LiveCell, ...])


def read_cells(given: str) -> tuple[LiveCell, ...]:
    """Cells from a file's path, or from YAML or JSON itself; none where it is empty.

    Raises ValueError that says where what is wrong.
    """
    text = given.strip()
    if not text:
        return ()
    if text[0] not in "[-{" and "\n" not in text:
        try:
            text = Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise ValueError(f"cells: {given} — {error.strerror}; give {_forms()}") from None
    try:
        cells = _CELLS.validate_python(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise ValueError(f"cells: no YAML ({error}); give {_forms()}") from None
    except ValidationError as error:
        raise ValueError("\n".join(_told(error))) from None
    if not cells:
        raise ValueError(f"cells: {given} — holds none; leave it out, or give {_forms()}")
    _require_own_agents(cells)
    return cells


def _forms() -> str:
    return f"a file's path, or a list as {_EXAMPLE}"


def _told(error: ValidationError) -> list[str]:
    told = []
    for each in error.errors(include_url=False):
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in each["loc"])
        what = each["msg"].removeprefix("Value error, ")
        hint = "" if each["type"] == "value_error" else f"; one is {_EXAMPLE}"
        told.append(f"cells{where}: {what}{hint}")
    return told


def _require_own_agents(cells: tuple[LiveCell, ...]) -> None:
    seen: set[str] = set()
    for number, cell in enumerate(cells):
        for url in _every_url(cell):
            if url in seen:
                raise ValueError(
                    f"cells[{number}]: {url} stands twice — an agent carries out one run at a "
                    "time: give each its own"
                )
            seen.add(url)


def agents_of(cell: LiveCell) -> Agents:
    """The cell's agents: clients' names are looked up. Raises OSError."""
    clients, outside, chromium = (
        tuple(url for each in named for url in _every_address(each))
        for named in (cell.clients, cell.outside, cell.chromium)
    )
    return Agents(cell.server, cell.gateway, clients, outside, chromium)


def _every_url(cell: LiveCell) -> tuple[str, ...]:
    return (cell.server, cell.gateway, *cell.clients, *cell.outside, *cell.chromium)


def _every_address(url: str) -> list[str]:
    where = urlsplit(url)
    host = str(where.hostname)
    try:
        addresses = socket.gethostbyname_ex(host)[2]
    except socket.gaierror as error:
        raise OSError(error.errno, f"{host} has no IPv4 address: {error.strerror}") from error
    return [f"http://{address}:{where.port}" for address in sorted(addresses)]
