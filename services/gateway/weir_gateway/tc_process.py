"""One `tc -batch` kept open, so that a change costs a write and not a new process. Guest side."""

from __future__ import annotations

import os

from weir_gateway.queues import by_program


class TcProcess:
    """Feeds lines to a tc that runs in this process's network namespace."""

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        reading, self._pipe = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, reading, 0)]
        self._pid = os.posix_spawn("/sbin/tc", ["tc", "-batch", "-"], {}, file_actions=actions)
        os.close(reading)

    def apply(self, lines: list[str]) -> list[str]:
        """Have the lines applied, in order. Returns them as one would type them.

        Raises RuntimeError when tc is gone.
        """
        for program, some in by_program(lines):
            if program == "rtnetlink":
                self._apply_by_rtnetlink(some)
                continue
            try:
                os.write(self._pipe, "".join(f"{line}\n" for line in some).encode())
            except BrokenPipeError as error:
                raise RuntimeError("tc refused a command (its message stands above)") from error
        return [f"tc {line}" for line in lines]

    def _apply_by_rtnetlink(self, lines: list[str]) -> None:
        from weir_gateway import rtnetlink  # noqa: PLC0415 - few runs need it

        self.close()  # the class above the queue must be there
        for line in lines:
            rtnetlink.apply(line)
        self._open()

    def finish(self) -> None:
        """Wait until what was applied is in force. Raises RuntimeError when tc refused a line."""
        self.close()
        self._open()

    def close(self) -> None:
        """Wait until all is applied. Raises RuntimeError when tc refused a line."""
        os.close(self._pipe)
        if os.waitpid(self._pid, 0)[1]:
            raise RuntimeError("tc refused a command (its message stands above)")
