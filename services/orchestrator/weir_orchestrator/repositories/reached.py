"""A repository that git may ask: only at an address that was checked, in a folder of its own."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from weir.errors import Problem, SpecError
from weir_lab import confine

from weir_orchestrator import addresses
from weir_orchestrator.repositories.command import Failed, Git
from weir_orchestrator.repositories.refusals import explained, wrong
from weir_orchestrator.repositories.source import Source, check, remote_of
from weir_orchestrator.settings import Settings

__all__ = ["reached"]

_CONNECT_S: Final = 5.0


@contextmanager
def reached(
    source: Source, settings: Settings, path: str, limit_s: float | None = None
) -> Iterator[Git]:
    """git in an empty repository whose `origin` is the source's.

    limit_s: for all that it is asked; None: the settings'. path: of the source in an answer. Raises
    SpecError, also for what git fails with while it is used.
    """
    all_s = settings.repository_limit.total_seconds()
    until = time.monotonic() + (all_s if limit_s is None else limit_s)
    to_private = settings.webhooks_to_private
    if problems := check(source, path, to_private=to_private):
        raise SpecError(problems)
    remote = remote_of(source.repository)
    assert remote is not None
    missing = confine.lacking()
    if missing and settings.shared and not settings.unconfined:
        remedy = f"have the operator use a kernel that offers a sandbox: this one lacks {missing}"
        raise SpecError([Problem(f"{path}.repository", None, "uploaded files alone", remedy)])
    try:
        found = addresses.resolve(remote.host, remote.port, to_private=to_private)
    except addresses.Refused as refused:
        allowed = "an address that can be reached from outside"
        raise wrong(path, "repository", source.repository, allowed, str(refused)) from None
    except (OSError, UnicodeError) as error:
        remedy = f"see that the name is right: {error}"
        raise wrong(path, "repository", source.repository, "a host that is there", remedy) from None
    with tempfile.TemporaryDirectory(prefix="weir-git-") as folder:
        try:
            address = _answering(found, remote.port)
            git = Git(Path(folder), source, remote, address, until, all_s)
            yield git
        except Failed as failed:
            raise explained(source, path, failed.told) from None


def _answering(found: Sequence[str], port: int) -> str:
    """The first of a name's addresses that takes connections; the last is not tried."""
    *others, last = found
    for address in others:
        with suppress(OSError), socket.create_connection((address, port), _CONNECT_S):
            return address
    return last
