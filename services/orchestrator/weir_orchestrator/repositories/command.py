"""git, confined: no configuration but ours, no prompts, no hooks, and only the checked address."""

from __future__ import annotations

import base64
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from weir_lab import confine
from weir_lab.confine import profile

from weir_orchestrator.repositories.source import Remote, Source

__all__ = ["Failed", "Git", "printable"]

_TOLD: Final = 4000
_ANSWER: Final = 2**20
"""Of an answer that is no file: a server may have put anything into a commit."""
_OWN_AUTHORITIES: Final = "GIT_SSL_CAINFO"
"""Environment variable: a file of certificate authorities of one's own, as git itself has it."""


def printable(told: str, keep: str = "") -> str:
    """Without what would move a terminal's cursor."""
    shown = (each if each.isprintable() or each in keep else " " for each in told)
    return "".join(shown).strip()


class Failed(Exception):
    """git said no. told: what it said, without secrets."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


class Git:
    """A bare repository in a folder of its own, and where it is fetched from.

    address: of the remote's host, as it was checked: git does not ask for the name again. until: by
    time.monotonic, when all of it has to be over. limit_s: as that is told.
    """

    def __init__(
        self, folder: Path, source: Source, remote: Remote, address: str, until: float,
        limit_s: float,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._source = source
        self._until, self._limit_s = until, limit_s
        self._known_hosts = folder / "known_hosts"
        self._known_hosts.write_text(source.host_keys)
        self._environment = self._made(remote, address)
        self("init", "--quiet", "--bare", ".")

    @property
    def host_keys(self) -> str:
        """Of the ssh server; empty with https."""
        return self._known_hosts.read_text()

    def __call__(self, *words: str, most_bytes: int = _ANSWER) -> bytes:
        """What a command answers, at most so much of it. Raises Failed."""
        left_s = self._until - time.monotonic()
        late = Failed(f"it took more than {self._limit_s:g} s")
        if left_s <= 0:
            raise late
        authorities = os.environ.get(_OWN_AUTHORITIES)
        allowed = profile.fetch(self._folder, [Path(authorities)] if authorities else [])
        with (
            tempfile.TemporaryFile() as answer,
            tempfile.TemporaryFile() as said,
            confine.ready(allowed) as confinement,
        ):
            if (program := shutil.which("git")) is None:
                raise Failed("git is not installed on the platform's machine")
            with subprocess.Popen(
                [program, *words],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=answer,
                stderr=said,
                start_new_session=True,
                preexec_fn=confinement.enter,  # noqa: PLW1509 - it makes system calls only
            ) as process:
                try:
                    code = process.wait(left_s)
                except subprocess.TimeoutExpired:
                    raise late from None
                finally:
                    # Also those that it started: they may outlive it.
                    with suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
            said.seek(0)
            told = said.read(_TOLD).decode(errors="replace")
            if code != 0:
                raise Failed(self._without_secrets(told) or f"git ended with {code}")
            answer.seek(0)
            return answer.read(most_bytes)

    def _without_secrets(self, told: str) -> str:
        for secret in (self._source.token, self._source.key):
            told = told.replace(secret, "***") if secret else told
        return printable(told, keep="\n")

    def _made(self, remote: Remote, address: str) -> dict[str, str]:
        settings: dict[str, str] = {
            "protocol.allow": "never",
            f"protocol.{remote.scheme}.allow": "always",
            "core.hooksPath": os.devnull,
            "credential.helper": "",
            "fetch.recurseSubmodules": "false",
            "gc.auto": "0",
            "remote.origin.url": remote.url,
            "remote.origin.promisor": "true",
            "remote.origin.partialclonefilter": "blob:none",
        }
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self._folder),
            "TMPDIR": str(self._folder),
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
        }
        if remote.scheme == "https":
            shown = f"[{address}]" if ":" in address else address
            settings["http.followRedirects"] = "false"
            settings["http.curloptResolve"] = f"{remote.host}:{remote.port}:{shown}"
            settings["http.proxy"] = ""
            if self._source.token:
                pair = base64.b64encode(f"x-access-token:{self._source.token}".encode()).decode()
                settings["http.extraHeader"] = f"Authorization: Basic {pair}"
            if authorities := os.environ.get(_OWN_AUTHORITIES):
                environment[_OWN_AUTHORITIES] = authorities
        else:
            environment["GIT_SSH_VARIANT"] = "ssh"
            environment["GIT_SSH_COMMAND"] = self._ssh(remote, address)
        # In the environment, which others cannot read, unlike a command's words.
        environment["GIT_CONFIG_COUNT"] = str(len(settings))
        for place, (name, value) in enumerate(settings.items()):
            environment |= {f"GIT_CONFIG_KEY_{place}": name, f"GIT_CONFIG_VALUE_{place}": value}
        return environment

    def _ssh(self, remote: Remote, address: str) -> str:
        key = self._folder / "key"
        key.touch(mode=0o600)
        key.write_text(f"{self._source.key.strip()}\n")
        options: Mapping[str, object] = {
            "BatchMode": "yes",
            "IdentitiesOnly": "yes",
            "IdentityFile": key,
            "IdentityAgent": "none",
            "UserKnownHostsFile": self._known_hosts,
            "GlobalKnownHostsFile": os.devnull,
            # The first time it is believed; from then on it has to be the same.
            "StrictHostKeyChecking": "accept-new",
            "HostKeyAlias": remote.host,
            "HostName": address,
            "PreferredAuthentications": "publickey",
            "ClearAllForwardings": "yes",
            "ConnectTimeout": 15,
        }
        words = ["ssh", "-F", os.devnull]
        words += [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        return shlex.join(words)
