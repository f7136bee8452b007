"""A git server of one's own: git's HTTP backend behind TLS, with or without a token."""

from __future__ import annotations

import base64
import os
import ssl
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

__all__ = ["GitServer", "server", "serving"]

BRANCH: Final = "main"
_IDENTITY: Final = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@dataclass
class GitServer:
    """url: of the one repository. token: who asks without it is refused. asked: of each request.

    answers: while it is not set, who asks waits. moved_to: set, who asks is sent there.
    """

    folder: Path
    url: str
    authorities: Path
    token: str = ""
    moved_to: str = ""
    asked: list[str] = field(default_factory=list)
    answers: threading.Event = field(default_factory=threading.Event)

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def commit(
        self, files: Mapping[str, str | None], said: str = "a change", *, push: bool = True
    ) -> str:
        """Commit files (None: removed) and push, whatever is there; the commit."""
        for name, content in files.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink() if content is None else path.write_text(content)
        self.git("add", "--all")
        self.git(*_IDENTITY, "commit", "--quiet", "--allow-empty", "--message", said)
        if push:
            self.git("push", "--quiet", "--force", "origin", BRANCH)
        return self.git("rev-parse", "HEAD")

    def git(self, *words: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *words],
            cwd=cwd or self.work,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def _environment() -> dict[str, str]:
    """Without what whoever runs the tests has configured."""
    own = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    return {"PATH": os.environ["PATH"], **own}


@contextmanager
def serving(folder: Path) -> Iterator[GitServer]:
    """A server of an empty repository, at a port of its own on this machine."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", *words.split(), *names, *files], check=True, capture_output=True)
    here = GitServer(folder, "", certificate)
    here.answers.set()
    served = folder / "served"
    here.work.mkdir()
    here.git("init", "--quiet", "--initial-branch", BRANCH)
    here.git("init", "--quiet", "--bare", "--initial-branch", BRANCH, str(served / "player.git"))
    here.git("config", "uploadpack.allowFilter", "true", cwd=served / "player.git")
    here.git("remote", "add", "origin", str(served / "player.git"))
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(here, served))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    http.socket = context.wrap_socket(http.socket, server_side=True)
    here.url = f"https://localhost:{http.server_address[1]}/player.git"
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.answers.set()
        http.shutdown()
        http.server_close()
        thread.join()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitServer]:
    """One whose certificate the platform believes."""
    folder = tmp_path / "git"
    folder.mkdir()
    with serving(folder) as made:
        monkeypatch.setenv("GIT_SSL_CAINFO", str(made.authorities))
        yield made


def _handler(here: GitServer, served: Path) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def log_message(self, format: str, *args: object) -> None:
            here.asked.append(f"{self.command} {self.path}")

        def _answer(self, body: bytes) -> None:
            here.answers.wait()
            pair = base64.b64encode(f"x-access-token:{here.token}".encode()).decode()
            if here.token and self.headers.get("Authorization") != f"Basic {pair}":
                self._send(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
                return
            if here.moved_to and self.path.startswith("/player.git"):
                there = here.moved_to + self.path.removeprefix("/player.git")
                self._send(302, [("Location", there)], b"")
                return
            path, _, query = self.path.partition("?")
            environment = {
                **_environment(),
                "GIT_PROJECT_ROOT": str(served),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            }
            done = subprocess.run(
                ["git", "http-backend"],
                input=body,
                env=environment,
                capture_output=True,
                check=False,
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = [line.partition(": ")[::2] for line in head.decode().splitlines()]
            told = dict(fields).get("Status", "200")
            self._send(int(told.split()[0]), [f for f in fields if f[0] != "Status"], content)

        def _send(self, status: int, fields: list[tuple[str, str]], content: bytes) -> None:
            self.send_response(status)
            for name, value in fields:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler
