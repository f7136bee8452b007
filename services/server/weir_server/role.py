"""The server role, inside a lab kernel: make the film's files and become the HTTP server."""

from __future__ import annotations

import os

from weir_server import apache, nginx

ROOT = "/run/www"


def run(http: str, http_version: str, file_bytes: list[int]) -> None:
    """Serve /level-0, /level-1, ... of the given sizes on port 80. Does not return."""
    os.mkdir(ROOT)
    for level, size in enumerate(file_bytes):
        fd = os.open(f"{ROOT}/level-{level}", os.O_CREAT | os.O_WRONLY, 0o644)
        os.ftruncate(fd, size)  # a hole: the bytes are zeros and take no memory
        os.close(fd)
    {"nginx": nginx, "apache": apache}[http].become(ROOT, http_version)
