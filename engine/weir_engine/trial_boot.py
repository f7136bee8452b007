"""Does a lab kernel boot here, and in which mode? Part of `weir doctor`."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from pathlib import Path

__all__ = ["trial_boot"]

_LIMIT_S = 10.0
_SECCOMP = "Checking that seccomp filters can be installed...OK"


def trial_boot(kernel: Path) -> tuple[bool, bool, str]:
    """(boots, by seccomp, the last thing it said), from a boot whose init ends at once."""
    with tempfile.TemporaryDirectory(prefix="weir-doctor-") as folder:
        process = subprocess.Popen(
            [
                str(kernel),
                "mem=64M",
                "uml_dir=uml/",
                "rootfstype=hostfs",
                "rootflags=/",
                "ro",
                "init=/bin/false",
                "time-travel=inf-cpu",
                "con=null",
                "con0=null,fd:1",
                "panic=-1",
                "seccomp=auto",
            ],
            cwd=folder,
            env={"HOME": folder, "TMPDIR": tempfile.gettempdir()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            output = b"no end within 10 s"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    said = output.decode(errors="replace")
    lines = [line for line in said.splitlines() if line.strip()]
    return "Run /bin/false as init" in said, _SECCOMP in said, lines[-1] if lines else "nothing"
