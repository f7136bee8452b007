"""The server role, inside a lab kernel: make the film's files and become the HTTP server."""

from __future__ import annotations

import os

from weir_server import apache, nginx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_server.mpd import Film

ROOT = "/run/www"


def run(
    http: str,
    http_version: str,
    file_bytes: list[int],
    session_bytes: dict[int, int] | None = None,
    dash: Film | None = None,
) -> None:
    """Serve /level-0, /level-1, ... of the given sizes, /session-N and `dash`, on port 80.

    Does not return.
    """
    os.mkdir(ROOT)
    sizes = {f"level-{level}": size for level, size in enumerate(file_bytes)}
    sizes.update((f"session-{number}", size) for number, size in (session_bytes or {}).items())
    for name, size in sizes.items():
        fd = os.open(f"{ROOT}/{name}", os.O_CREAT | os.O_WRONLY, 0o644)
        os.ftruncate(fd, size)  # a hole: the bytes are zeros and take no memory
        os.close(fd)
    if dash is not None:
        from weir_server import dash as files  # noqa: PLC0415 (only where it is used)

        files.write(ROOT, dash)
    {"nginx": nginx, "apache": apache}[http].become(ROOT, http_version)
