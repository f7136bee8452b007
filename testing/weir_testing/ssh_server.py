"""An ssh server of one's own, which gives one git repository to whoever has the key."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Final

import pytest

__all__ = ["SshServer", "serving_by_ssh"]

SSHD: Final = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")


@dataclass(frozen=True)
class SshServer:
    """url: of the repository. key: private, of whoever may read it."""

    url: str
    key: str
    folder: Path

    def new_host_key(self) -> None:
        """As of another server at the same address."""
        _make_key(self.folder / "host")


@contextmanager
def serving_by_ssh(folder: Path, repository: Path) -> Iterator[SshServer]:
    """At a port of its own on this machine; each connection is a program of its own."""
    if SSHD is None:
        pytest.skip("needs sshd: make test-servers")
    for name in ("host", "key"):
        _make_key(folder / name)
    allowed = (folder / "key.pub").read_text()
    only = f'restrict,command="git-upload-pack {repository}"'
    (folder / "allowed").write_text(f"{only} {allowed}")
    (folder / "settings").write_text(
        f"HostKey {folder / 'host'}\n"
        f"AuthorizedKeysFile {folder / 'allowed'}\n"
        f"StrictModes no\nUsePAM {'yes' if _is_locked() else 'no'}\nPidFile none\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    program = [SSHD, "-i", "-e", "-f", str(folder / "settings")]

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            wire = self.request.fileno()
            with (folder / "log").open("ab") as log:
                subprocess.run(program, stdin=wire, stdout=wire, stderr=log, check=False)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        where = f"{pwd.getpwuid(os.geteuid()).pw_name}@localhost:{server.server_address[1]}"
        try:
            yield SshServer(f"ssh://{where}/player.git", (folder / "key").read_text(), folder)
        finally:
            server.shutdown()
            thread.join()


def _is_locked() -> bool:
    """Whether one has no password, as root on many machines: without PAM no key opens it then."""
    if os.geteuid() != 0:
        return False
    shadow = Path("/etc/shadow").read_text().splitlines()
    return any(line.startswith("root:!") for line in shadow)


def _make_key(path: Path) -> None:
    path.unlink(missing_ok=True)
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(words, check=True, capture_output=True)
