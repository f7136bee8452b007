"""The HTTP face of an agent, and `weir-agent`, its program.

    POST   /run          {"run", "part", "seed", "kernel"}   -> {"address", "ports"}, a UDP port
                                                                per link of the part
    POST   /run/boot     {"links": [{"address", "port", "session"}, ...]}   the peers' ends
    POST   /run/order    {"do": "probe" | "start" | "count" | "finish", ...}
    GET    /run          state, reason, ordered, done, film_s, now_unix_s, ...
    GET    /run/rows     what a player (?player=client-1) has written so far, as its file has it
    GET    /run/files    a tar of the host's part of the run directory
    DELETE /run          end it, whatever it does
    GET    /agent        {"role", "run"}: what it is, and what it is busy with
    GET    /health

Each request but the last carries the token ($WEIR_AGENT_TOKEN) as a bearer's, and those about a
run there is the run's name as ?run=NAME. The standard library's server: an agent must be there
at once.
"""

from __future__ import annotations

import argparse
import hmac
import json
import os
import signal
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from weir.errors import RunFailure
from weir.resolved import OUTSIDE

from weir_lab.real.agent import OUTSIDE_PLAYERS, ROLES, Agent, AnyJob, Refused
from weir_lab.real.job import ENDED, FAILED
from weir_lab.real.outside import TOKEN
from weir_lab.real.so_far import rows_in

__all__ = ["TOKEN", "main"]

LARGEST_BODY_BYTES = 64 << 20


class Handler(BaseHTTPRequestHandler):
    """One request; `agent` and `token` are set by `serve`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    agent: Agent
    token: str

    def do_GET(self) -> None:
        """/health, /agent, /run, /run/rows, /run/files."""
        self._answer({"/run": self.agent.state, "/run/rows": self._rows, "/run/files": self._files})

    def do_POST(self) -> None:
        """/run, /run/boot, /run/order."""
        self._answer(
            {
                "/run/boot": lambda job: self.agent.boot(job, self._body()),
                "/run/order": lambda job: job.order(self._body()),
            }
        )

    def do_DELETE(self) -> None:
        """/run."""
        self._answer({})

    def _answer(self, actions: Mapping[str, Callable[[AnyJob], Any]]) -> None:
        asked = urlsplit(self.path)
        try:
            if self.command == "GET" and asked.path == "/health":
                return self._send(HTTPStatus.OK, {})
            given = self.headers.get("Authorization", "")
            if not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
                raise Refused(HTTPStatus.UNAUTHORIZED, f"wrong token: set ${TOKEN} alike")
            if (self.command, asked.path) == ("POST", "/run"):
                reached_at = self.connection.getsockname()[0]
                return self._send(HTTPStatus.CREATED, self.agent.take(self._body(), reached_at))
            if (self.command, asked.path) == ("GET", "/agent"):
                return self._send(HTTPStatus.OK, self.agent.about())
            name = parse_qs(asked.query).get("run", [""])[0]
            if (self.command, asked.path) == ("DELETE", "/run"):
                self.agent.drop(name)
                return self._send(HTTPStatus.OK, {})
            job = self.agent.job(name)
            if asked.path not in actions:
                raise Refused(HTTPStatus.NOT_FOUND, f"no {self.command} {asked.path} here")
            said = actions[asked.path](job)
            if said is not NotImplemented:
                self._send(HTTPStatus.OK, said or {})
        except Refused as error:
            self.close_connection = True
            self._send(error.status, {"reason": str(error)})
        except Exception as error:
            self.close_connection = True
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, {"reason": repr(error)})
            raise

    def _rows(self, job: AnyJob) -> Any:
        try:
            asked = parse_qs(urlsplit(self.path).query)
            rows = rows_in(job.folder, asked.get("player", [""])[0])
        except (RunFailure, OSError) as error:
            raise Refused(HTTPStatus.CONFLICT, str(error)) from error
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(rows)))
        self.end_headers()
        self.wfile.write(rows)
        return NotImplemented

    def _files(self, job: AnyJob) -> Any:
        if job.state not in (ENDED, FAILED):
            raise Refused(HTTPStatus.CONFLICT, f"run {job.name} has not ended")
        self.close_connection = True  # its end is the end of the tar
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/x-tar")
        self.send_header("Connection", "close")
        self.end_headers()
        with tarfile.open(fileobj=self.wfile, mode="w|") as tar:
            for path in job.result_files():
                tar.add(path, path.name)
        return NotImplemented

    def _body(self) -> Any:
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST_BODY_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"{length} bytes are too many")
        return json.loads(self.rfile.read(length))

    def _send(self, status: HTTPStatus, body: Mapping[str, object]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of requests."""


def _watch(agent: Agent) -> None:
    while True:
        time.sleep(1.0)
        agent.drop_if_forgotten(time.monotonic())


def main() -> int:
    """`weir-agent --role gateway --listen 0.0.0.0:7411`; says where it listens, and serves."""
    parser = argparse.ArgumentParser(prog="weir-agent", description=__doc__.partition("\n")[0])
    parser.add_argument("--role", choices=ROLES, required=True)
    parser.add_argument("--listen", default="0.0.0.0:7411", help="ADDRESS:PORT; port 0: any")
    parser.add_argument(
        "--address", help="IPv4 address of the links' ends; absent: where requests come to"
    )
    parser.add_argument("--scratch", type=Path, help="folder for a run's files")
    parser.add_argument(
        "--plays",
        choices=OUTSIDE_PLAYERS,
        default=OUTSIDE,
        help=f"what experiments call the outside player ({OUTSIDE})",
    )
    parser.add_argument(
        "--outside",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="COMMAND",
        help="an outside player (role client); the last option",
    )
    asked = parser.parse_args()
    if asked.outside and asked.role != "client":
        parser.error(f"--outside: {asked.role} — only a client has a player; give --role client")
    token = os.environ.get(TOKEN, "")
    if not token:
        parser.error(f"${TOKEN} is not set: give all agents and those who use them the same secret")
    address, _, port = asked.listen.rpartition(":")
    if not (address and port.isdigit()):
        parser.error(f"--listen: {asked.listen} — must be ADDRESS:PORT, as 0.0.0.0:7411")
    agent = Agent(asked.role, asked.address, asked.scratch, asked.outside, asked.plays)
    Handler.agent, Handler.token = agent, token
    server = ThreadingHTTPServer((address, int(port)), Handler)
    server.daemon_threads = True
    threading.Thread(target=_watch, args=(agent,), daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"listening on {address}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 130
    finally:
        agent.drop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
