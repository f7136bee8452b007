"""Lines for `ip`, applied in the host of the process that asks. Guest side."""

from __future__ import annotations

import os


def apply(lines: list[str]) -> list[str]:
    """Have the lines applied, in order. Returns them as one would type them.

    Raises RuntimeError when ip refused a line.
    """
    if not lines:
        return []
    reading, writing = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, reading, 0)]
    pid = os.posix_spawn("/sbin/ip", ["ip", "-batch", "-"], {}, file_actions=actions)
    os.close(reading)
    os.write(writing, "".join(f"{line}\n" for line in lines).encode())
    os.close(writing)
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError("ip refused a command (its message stands above)")
    return [f"ip {line}" for line in lines]
