"""Where a file under test is: a repository's address, a branch, and a path in its tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlsplit

from weir.errors import Problem

from weir_orchestrator import addresses

__all__ = ["Remote", "Source", "check", "remote_of"]

_SCHEMES: Final = {"https": 443, "ssh": 22}
_SHORT: Final = re.compile(r"(?:([\w.-]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!/)(.+)")
"""git@host:path, as ssh has it."""
_USER: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_HOST: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,252}|[0-9A-Fa-f:][0-9A-Fa-f:.]+")
_BRANCH: Final = re.compile(r"(?!.*(?:\.\.|//|/$|\.lock$))[A-Za-z0-9_][A-Za-z0-9_./+@-]{0,199}")
_PATH: Final = re.compile(r"(?!.*(?:^|/)\.\.?(?:/|$))[A-Za-z0-9_.][A-Za-z0-9_./+@ -]{0,499}")
_PLACE: Final = re.compile(r"/[!-~]{1,1000}")


@dataclass(frozen=True)
class Source:
    """repository: https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH.

    token, key: for https and for ssh; at most one, never shown. host_keys: of the ssh server, as
    it was first met; empty: it was not.
    """

    repository: str
    branch: str
    path: str
    token: str = field(default="", repr=False)
    key: str = field(default="", repr=False)
    host_keys: str = ""


@dataclass(frozen=True)
class Remote:
    """A repository's address in its parts."""

    scheme: Literal["https", "ssh"]
    user: str
    host: str
    port: int
    place: str

    @property
    def url(self) -> str:
        """As git takes it."""
        user = f"{self.user}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{user}{host}:{self.port}{self.place}"


def remote_of(repository: str) -> Remote | None:
    """None where it is no address of a repository that is fetched from."""
    short = _SHORT.fullmatch(repository)
    if short and "://" not in repository:
        user, host, place = short.groups()
        return _sound(Remote("ssh", user or "git", host, _SCHEMES["ssh"], f"/{place}"))
    try:
        parts = urlsplit(repository)
        port = parts.port
    except ValueError:
        return None
    if parts.password or parts.query or parts.fragment or not parts.hostname:
        return None
    if parts.scheme == "https" and not parts.username:
        return _sound(Remote("https", "", parts.hostname, port or 443, parts.path))
    if parts.scheme == "ssh":
        return _sound(
            Remote("ssh", parts.username or "git", parts.hostname, port or 22, parts.path)
        )
    return None


def _sound(remote: Remote) -> Remote | None:
    user = not remote.user or _USER.fullmatch(remote.user)
    host = _HOST.fullmatch(remote.host) and remote.port > 0
    return remote if user and host and _PLACE.fullmatch(remote.place) else None


def check(source: Source, path: str, *, to_private: bool) -> list[Problem]:
    """What is wrong with a source as far as it shows without asking. path: of it in an answer."""
    problems = []
    remote = remote_of(source.repository)
    if remote is None:
        # Not repeated: it may hold a password.
        allowed = "https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH"
        remedy = "write the whole address; a token or key goes into a field of its own"
        problems.append(Problem(f"{path}.repository", None, allowed, remedy))
    elif not to_private and (told := addresses.private(remote.host)):
        allowed = "an address that can be reached from outside"
        problems.append(Problem(f"{path}.repository", source.repository, allowed, told))
    if remote is not None:
        problems += _secrets(source, remote, path)
    if not _BRANCH.fullmatch(source.branch):
        remedy = "give the branch's name without refs/heads/"
        problems.append(Problem(f"{path}.branch", source.branch, "a branch's name", remedy))
    if not _PATH.fullmatch(source.path) or source.path.endswith("/"):
        allowed, remedy = "a file's path in the repository, as build/abr.py", "no '..', no folder"
        problems.append(Problem(f"{path}.path", source.path, allowed, remedy))
    return problems


def _secrets(source: Source, remote: Remote, path: str) -> list[Problem]:
    if remote.scheme == "ssh" and (source.token or not source.key):
        remedy = "give a private key that may read the repository (a deploy key), and no token"
        return [Problem(f"{path}.secret_key", None, "a private key, with ssh", remedy)]
    if remote.scheme == "https" and source.key:
        remedy = "give a token that may read the repository, or an ssh address"
        return [Problem(f"{path}.secret_key", None, "no key with https", remedy)]
    if any(not character.isprintable() or character == " " for character in source.token):
        remedy = "paste it without spaces and line ends"
        return [Problem(f"{path}.secret_token", None, "a token", remedy)]
    return []
