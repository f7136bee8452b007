"""Roles on the real clock: they wait for the common start."""

from __future__ import annotations

import fcntl
import marshal
import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from weir_lab.guest.live import Waiting


def writable_pipes() -> set[str]:
    found = set()
    for fd in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # that of the listing itself
            kind = str(fd.readlink())
            if kind.startswith("pipe:") and fcntl.fcntl(int(fd.name), fcntl.F_GETFL) & os.O_WRONLY:
                found.add(kind)
    return found


def heard_by_a_role() -> tuple[dict[str, Any], list[str]]:
    """What the second of two waiting roles was told, and the pipes of theirs that it can write."""
    hearing, telling = os.pipe()
    before = writable_pipes()
    every: list[Waiting] = []

    def role(**args: Any) -> None:
        os.write(telling, marshal.dumps((args, sorted(writable_pipes() & theirs))))

    for _ in range(2):
        Waiting(role, every)
    # Not all new ones: Arrow, where it has been used, makes one in every fork.
    theirs = writable_pipes() - before
    assert len(theirs) == len(every)
    own = every[-1]
    if (pid := os.fork()) == 0:
        own.run(epoch_s=0.0, context={"epoch_s": 0.0})
        os._exit(0)
    own.tell(2.5)
    heard: tuple[dict[str, Any], list[str]] = marshal.loads(os.read(hearing, 1 << 12))
    assert os.waitpid(pid, 0)[1] == 0
    return heard


def test_a_role_is_told_the_start_and_can_tell_no_other_role() -> None:
    # In a process of one thread: those of other tests' fixtures open pipes, too.
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        heard = pool.submit(heard_by_a_role).result()
    assert heard == ({"epoch_s": 2.5, "context": {"epoch_s": 2.5}}, [])
