"""Chromium and its DevTools protocol by a pipe: messages in JSON, each ended by a zero byte.

https://chromedevtools.github.io/devtools-protocol; --remote-debugging-pipe reads descriptor 3 and
writes descriptor 4.
"""

from __future__ import annotations

import json
import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

__all__ = ["Browser", "BrowserError"]

_READS, _WRITES = 3, 4
_CANNOT_START = 126
_PART_BYTES = 1 << 16


class BrowserError(Exception):
    """It could not be started, has ended, or refused what it was asked."""


class Browser:
    """A running browser. hear: called with each of its events, {"method", "params", ...}."""

    def __init__(
        self,
        command: list[str],
        variables: Mapping[str, str],
        hear: Callable[[dict[str, Any]], None],
    ) -> None:
        """Start it; what it prints goes where this process prints."""
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        if os.fork() == 0:
            _become(command, variables, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        self._hear = hear
        self._number = 0
        self._rest = b""
        self._readable = select.poll()
        self._readable.register(self._from, select.POLLIN)

    def ask(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """What a command answers; events that come before are heard. Raises BrowserError."""
        self._number += 1
        number = self._number
        self.tell(method, session, number, **params)
        while True:
            for message in self._messages(None):
                if message.get("id") != number:
                    self._heard(message)
                elif "error" in message:
                    raise BrowserError(f"{method}: {message['error'].get('message')}")
                else:
                    answer: dict[str, Any] = message["result"]
                    return answer

    def tell(self, method: str, session: str = "", number: int = 0, **params: Any) -> None:
        """Send a command; number 0: nobody waits for its answer."""
        if not number:
            self._number += 1
            number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._to, left) :]

    def listen(self, until_s: float) -> None:
        """Hear events until then, by the monotonic clock. Raises BrowserError when it ends."""
        while (left_s := until_s - time.monotonic()) > 0:
            for message in self._messages(left_s):
                self._heard(message)

    def _heard(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self._hear(message)

    def _messages(self, wait_s: float | None) -> Iterator[dict[str, Any]]:
        """Those that have come whole; waits so long for the first of them."""
        if not self._readable.poll(None if wait_s is None else wait_s * 1000):
            return
        part = os.read(self._from, _PART_BYTES)
        if not part:
            raise BrowserError("it ended before its time")
        *whole, self._rest = (self._rest + part).split(b"\0")
        # All are taken before one is heard: what hears may ask.
        yield from [json.loads(each) for each in whole]


def _become(command: list[str], variables: Mapping[str, str], reads: int, writes: int) -> None:
    """Replace this process by the browser. Does not return."""
    try:
        # Not onto each other: either may have the other's place.
        reads, writes = os.dup2(reads, 10), os.dup2(writes, 11)
        os.dup2(reads, _READS)
        os.dup2(writes, _WRITES)
        for passed in (_READS, _WRITES):
            os.set_inheritable(passed, True)
        os.close(10)
        os.close(11)
        os.execve(command[0], command, dict(variables))
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(_CANNOT_START)
