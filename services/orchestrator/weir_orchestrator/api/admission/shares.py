"""Places that are held at a time, shared among askers so that none has more than its part."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Hashable

__all__ = ["Shares"]


class Shares:
    """`places` in all, at most `each` of them for one asker. For one event loop.

    Who waits is served in turn: one of each asker, those that wait longest first.
    """

    def __init__(self, places: int, each: int) -> None:
        self._free = places
        self._each = each
        self._held: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    async def take(self, asker: Hashable) -> Callable[[], None]:
        """Wait for a place. What is returned gives it back; calling that again does nothing."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(asker)
            raise
        held = True

        def give_back() -> None:
            nonlocal held
            if held:
                held = False
                self._give_back(asker)

        return give_back

    def _give_back(self, asker: Hashable) -> None:
        self._free += 1
        self._held[asker] -= 1
        if not self._held[asker]:
            del self._held[asker]
        self._serve()

    def _serve(self) -> None:
        while self._free:
            may = (asker for asker in self._waiting if self._held[asker] < self._each)
            asker = next(may, None)
            if asker is None:
                return
            turns = self._waiting.pop(asker)
            turn = turns.popleft()
            if turns:
                self._waiting[asker] = turns
            if not turn.done():
                self._free -= 1
                self._held[asker] += 1
                turn.set_result(None)
