"""A real nginx on a free loopback port, serving sparse level files."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from weir_testing.patience import PATIENCE_S, until

CONF = """daemon off; master_process off; pid {dir}/pid; error_log {dir}/error.log;
events {{ worker_connections 64; }}
http {{ access_log {dir}/access.log; keepalive_requests {keepalive}; sendfile on;
client_body_temp_path {dir}/t1; proxy_temp_path {dir}/t2; fastcgi_temp_path {dir}/t3;
uwsgi_temp_path {dir}/t4; scgi_temp_path {dir}/t5;
server {{ listen 127.0.0.1:{port}{http2}; root {dir}/web; {extra} }} }}
"""
Nginx = Callable[..., int]


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Nginx]:
    """Start nginx: nginx(sizes=[bytes per level file], keepalive=..., ...) -> port."""
    running: list[subprocess.Popen[bytes]] = []

    def start(
        sizes: list[int], keepalive: int = 100000, extra: str = "", http2: bool = False
    ) -> int:
        home = tmp_path / f"nginx{len(running)}"
        (home / "web").mkdir(parents=True)
        for level, size in enumerate(sizes):
            path = home / "web" / f"level-{level}"
            path.touch()
            os.truncate(path, size)
        port = free_port()
        conf = home / "conf"
        said = {"port": port, "keepalive": keepalive, "extra": extra}
        # From 1.25.1 on deprecated, and taken.
        conf.write_text(CONF.format(dir=home, http2=" http2" * http2, **said))
        command = ["/usr/sbin/nginx", "-p", str(home), "-c", str(conf), "-e", f"{home}/error.log"]
        running.append(subprocess.Popen(command))
        until(partial(answers, port), f"a server on port {port}")
        return port

    yield start
    for process in running:
        process.terminate()
        process.wait(PATIENCE_S)
