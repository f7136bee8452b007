"""Role: a player that is a program of its own, on the virtual clock.

It keeps the contract of docs/outside-players.md, and one thing more: when it is done, it writes a
byte to the descriptor WEIR_DONE_FD and stays. A program that exits does so at no moment of virtual
time.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` itself imports enum
import os
import select
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir_client.web_player import Brought

CONSOLE = "console.txt"
LEFT = ("rows.jsonl", "events.jsonl")
"""What is taken of what a program leaves in WEIR_OUT."""
ROWS_CSV = "rows.csv"
"""What is taken beside it of a player that a campaign brings."""
MOST_BYTES = 64 << 20
"""Of each file that it leaves, its console included."""
COPIED_BYTES = 1 << 16
CANNOT_START = 126
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
GRACE_S = 2.0
"""From a program's stop to SIGTERM, and from that to SIGKILL."""


def _keep() -> None:
    """The privileges, where there are none to drop."""


def run(
    command: list[str],
    variables: dict[str, str],
    content: str,
    stop_s: float,
    label: str,
    context: dict[str, Any],
    drop_privileges: Callable[[], None] = _keep,
    brought: Brought | None = None,
) -> None:
    """Start the program, in the new folder WEIR_OUT, and return when it is done or has ended.

    content: of the file WEIR_CONTENT. context: out, the folder that its console and what it leaves
    are kept in; epoch_s, second 0 on the monotonic clock. brought: a campaign's own player, laid
    out before. How it went wrong stands in out + ".error", which else is empty.
    """
    out, own = context["out"], variables["WEIR_OUT"]
    os.mkdir(out)
    os.mkdir(own)
    os.chmod(own, 0o777)
    with open(variables["WEIR_CONTENT"], "w") as file:
        file.write(content)
    names: tuple[str, ...] = LEFT
    bound = _keep
    if brought is not None:
        from weir_client.brought import bound_files, lay_out  # noqa: PLC0415 (only where it is)

        lay_out(brought["folder"], brought["files"])
        names, bound = (*LEFT, ROWS_CSV), lambda: bound_files(MOST_BYTES)
    with open(f"{out}.error", "wb", buffering=0) as error:
        error.write(b"%b left no record; see its log\n" % label.encode())
        console, *kept = (_new(f"{out}/{name}") for name in (CONSOLE, *names))
        reading, writing = os.pipe()
        zero_s = time.time() - time.monotonic() + context["epoch_s"]
        told = {"WEIR_EPOCH_UNIX_S": f"{zero_s:.6f}", "WEIR_DONE_FD": str(writing)}
        pid = os.fork()
        if pid == 0:
            _become(command, {**variables, **told}, console, writing, bound, drop_privileges)
        os.close(writing)
        drop_privileges()
        said = _await(pid, reading, stop_s + context["epoch_s"] - time.monotonic())
        for name, to in zip(names, kept, strict=True):
            wrong = _copy(f"{own}/{name}", to)
            said = said or (f"left a {name} that {wrong}" if wrong else "")
        error.seek(0)
        error.truncate()
        if said:
            error.write(b"%b %b\n" % (label.encode(), said.encode()))


def _new(path: str) -> int:
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o644)


def _copy(path: str, to: int) -> str:
    """Copy what a file holds, nothing where there is none; what is wrong with it."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return ""
    except OSError:
        return "cannot be read: it is a link, or closed to others"
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        return "is no regular file"
    left_bytes = MOST_BYTES
    while part := os.read(fd, COPIED_BYTES):
        left_bytes -= len(part)
        if left_bytes < 0:
            return f"has more than {MOST_BYTES} bytes"
        os.write(to, part)
    return ""


def _become(
    command: list[str],
    variables: dict[str, str],
    console: int,
    done: int,
    bound: Callable[[], None],
    drop_privileges: Callable[[], None],
) -> None:
    """Replace this process by the program. Does not return."""
    try:
        os.chdir(variables["WEIR_OUT"])
        os.dup2(console, 1)
        os.dup2(console, 2)
        os.set_inheritable(done, True)
        bound()
        drop_privileges()
        os.execvpe(command[0], command, {"PATH": SEARCH_PATH, **variables})
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(CANNOT_START)


def _await(pid: int, done: int, left_s: float) -> str:
    """Until it is done; what went wrong, or nothing."""
    waiting = select.poll()
    waiting.register(done, select.POLLIN)
    for end_it in (signal.SIGTERM, signal.SIGKILL):
        if waiting.poll((max(0.0, left_s) + GRACE_S) * 1000):
            break
        os.kill(pid, end_it)
        left_s = 0.0
    if os.read(done, 1):
        return ""
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code in (0, -signal.SIGTERM):
        return ""
    return f"ended by signal {-code}" if code < 0 else f"ended with code {code}"
