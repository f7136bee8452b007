"""What a guest's programs read of its processors, in /sys: without this they read the host's.

A browser starts as many threads as there are processors, so that a seed would have another result
on another machine.
"""

from __future__ import annotations

import os

from weir_lab.guest import system

__all__ = ["tell"]

SYS = "/sys"
FOLDER = f"{SYS}/devices/system/cpu"
TOLD = {
    "online": "0\n",
    "possible": "0\n",
    "present": "0\n",
    # Without it Abseil, in Chromium, measures how fast the processor's counter goes by sleeping,
    # until two sleeps agree to 1 % (NominalCPUFrequency). The counter is the host's and the sleep
    # is the guest's, so one sleep more or less would be chance. It reads a thread's priority again
    # after a second by this frequency: by this one, never.
    "cpu0/tsc_freq_khz": "1000000000000\n",
}


def tell() -> None:
    """Have /sys say that there is one processor, and nothing else."""
    system.mount("none", SYS, "tmpfs")
    for name, text in TOLD.items():
        path = f"{FOLDER}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
