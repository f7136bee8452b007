"""The server role, inside a lab kernel: make the film's files and become the HTTP server.

On the virtual clock the server is there before the files: `serve` before a lab kernel is forked for
a run, `lay_out` after that.
"""

from __future__ import annotations

import os
import time

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
    epoch_s: float = 0.0,
) -> None:
    """Serve what `lay_out` makes. Does not return."""
    os.mkdir(ROOT)
    lay_out(file_bytes, session_bytes, dash, epoch_s)
    serve(http, http_version, dash is None, dash is not None and "live" in dash)


def serve(http: str, http_version: str, stored: bool = True, live: bool = False) -> None:
    """Serve what is in ROOT, or will be, on port 80, where live with segments of the origin.

    stored: whether clients may keep what they are sent. Not with a film for browsers: a segment in
    a browser's cache would seem to come faster than the link. Does not return.
    """
    if live:
        nginx.become(ROOT, http_version, stored, live=True)
    {"nginx": nginx, "apache": apache}[http].become(ROOT, http_version, stored)


def lay_out(
    file_bytes: list[int],
    session_bytes: dict[int, int] | None = None,
    dash: Film | None = None,
    epoch_s: float = 0.0,
) -> None:
    """/level-0, /level-1, ... of the given sizes, /session-N and `dash`, in ROOT.

    epoch_s: second 0 on the monotonic clock, for a live film, whose origin starts.
    """
    sizes = {f"level-{level}": size for level, size in enumerate(file_bytes)}
    sizes.update((f"session-{number}", size) for number, size in (session_bytes or {}).items())
    for name, size in sizes.items():
        fd = os.open(f"{ROOT}/{name}", os.O_CREAT | os.O_WRONLY, 0o644)
        os.ftruncate(fd, size)  # a hole: the bytes are zeros and take no memory
        os.close(fd)
    if dash is not None and "live" in dash:
        _start_origin(dash, epoch_s - dash["live"]["time_shift_buffer_s"])
    elif dash is not None:
        from weir_server import dash as files  # noqa: PLC0415 (only where it is used)

        files.write(ROOT, dash)


def _start_origin(film: Film, began_s: float) -> None:
    """began_s: when the film's making did, on the monotonic clock."""
    from weir_server import dash as files  # noqa: PLC0415 (only where they are used)
    from weir_server import origin  # noqa: PLC0415
    from weir_server.began import date_time  # noqa: PLC0415

    files.write(ROOT, film, date_time(time.time() - time.monotonic() + began_s))
    origin.start(film, began_s)
