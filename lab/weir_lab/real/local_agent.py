"""An agent as a process of this machine, for a whole cell without containers."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from weir.errors import RunFailure

from weir_lab.kernel import Kernel
from weir_lab.kernel.cache import OF_IMAGE
from weir_lab.packages import python_path
from weir_lab.parent import die_with
from weir_lab.real.messages import CELL
from weir_lab.real.remote import Address
from weir_lab.real.serve import TOKEN

ADDRESS = "127.0.0.1"


@contextmanager
def local_agent(kernel: Kernel, folder: Path) -> Iterator[Address]:
    """Start an agent for a whole cell; end it. kernel: the one that it has. folder: for its scratch
    files. Raises RunFailure when it does not start.
    """
    token = secrets.token_hex(16)
    path = os.pathsep.join(python_path())
    # Where a run is confined it sees no other, and not what else is in the cache.
    env = {**os.environ, TOKEN: token, "PYTHONPATH": path, OF_IMAGE: str(kernel.path.parent)}
    command = [sys.executable, "-m", "weir_lab.real.serve", "--listen", f"{ADDRESS}:0"]
    command += ["--role", CELL, "--scratch", str(folder)]
    agent = subprocess.Popen(
        command,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=partial(die_with, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - a system call
    )
    try:
        assert agent.stdout is not None
        said = agent.stdout.readline()
        if not said:
            raise RunFailure("the cell's agent did not start; what it said stands above")
        yield Address(f"http://{said.split()[-1]}", token)
    finally:
        agent.terminate()
        agent.wait()
