"""Chromium and its DevTools protocol by a pipe: messages in JSON, each ended by a zero byte.

https://chromedevtools.github.io/devtools-protocol; --remote-debugging-pipe reads descriptor 3 and
writes descriptor 4.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` itself imports enum
import fcntl
import json
import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["Browser", "BrowserError"]

_READS, _WRITES = 3, 4
_CANNOT_START = 126
_PART_BYTES = 1 << 16
_LONG_S = 0.2
_ENDED = "it ended before its time"


class BrowserError(Exception):
    """It could not be started, has ended, or refused what it was asked."""


class Browser:
    """A running browser. group: the process group that it is."""

    def __init__(
        self,
        command: list[str],
        variables: Mapping[str, str],
        hear: Callable[[dict[str, Any]], None],
    ) -> None:
        """Start it; what it prints goes where this process prints.

        hear: called with each of its events, {"method", "params", ...}; it may `tell`, and not ask.
        """
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        self.group = os.fork()
        if self.group == 0:
            _become(command, variables, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        self._hear = hear
        self._number = 0
        self._come: list[bytes] = []
        self._rest = b""
        self._readable = select.poll()
        self._readable.register(self._from, select.POLLIN)

    def ask(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """What a command answers; events that come before are heard. Raises BrowserError."""
        number = self.tell(method, session, **params)
        while True:
            message = self._next(None)
            if message is None:
                continue
            if message.get("id") != number:
                self._heard(message)
            elif "error" in message:
                raise BrowserError(f"{method}: {message['error'].get('message')}")
            else:
                answer: dict[str, Any] = message["result"]
                return answer

    def tell(self, method: str, session: str = "", **params: Any) -> int:
        """Send a command, and do not wait for its answer; its number. Raises BrowserError."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        left = json.dumps(message).encode() + b"\0"
        try:
            while left:
                left = left[os.write(self._to, left) :]
        except BrokenPipeError:
            raise BrowserError(_ENDED) from None
        return self._number

    def listen(self, until_s: float) -> None:
        """Hear events until then, by the monotonic clock. Raises BrowserError when it ends."""
        while (left_s := until_s - time.monotonic()) > 0:
            # poll(2) may end a wait later by a thousandth of it.
            if message := self._next(left_s / 2 if left_s > _LONG_S else left_s):
                self._heard(message)

    def stop(self) -> None:
        """Have all of its processes do nothing more, but stay."""
        os.killpg(self.group, signal.SIGSTOP)

    def end(self) -> None:
        """End all of its processes."""
        os.killpg(self.group, signal.SIGKILL)
        os.waitpid(self.group, 0)

    def _heard(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self._hear(message)

    def _next(self, wait_s: float | None) -> dict[str, Any] | None:
        """The next message; None where none has come whole, after so long at most."""
        if not self._come:
            if not self._readable.poll(None if wait_s is None else wait_s * 1000):
                return None
            part = os.read(self._from, _PART_BYTES)
            if not part:
                raise BrowserError(_ENDED)
            *self._come, self._rest = (self._rest + part).split(b"\0")
        if not self._come:
            return None
        message: dict[str, Any] = json.loads(self._come.pop(0))
        return message


def _become(command: list[str], variables: Mapping[str, str], reads: int, writes: int) -> None:
    """Replace this process by the browser, in a process group of its own. Does not return."""
    try:
        os.setpgid(0, 0)
        # Out of each other's way: either may stand where the other has to.
        reads = fcntl.fcntl(reads, fcntl.F_DUPFD_CLOEXEC, _WRITES + 1)
        writes = fcntl.fcntl(writes, fcntl.F_DUPFD_CLOEXEC, _WRITES + 1)
        os.dup2(reads, _READS)
        os.dup2(writes, _WRITES)
        os.execve(command[0], command, dict(variables))
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(_CANNOT_START)
