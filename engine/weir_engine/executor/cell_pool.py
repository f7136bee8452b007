"""The cells of a worker: which are there, which are free, and which one a run gets."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from weir.errors import RunFailure
from weir_lab.real.remote import Address, look_at

from weir_engine.executor.live_cell import Agents, LiveCell, agents_of

__all__ = ["CellPool"]

_LOOK_EVERY_S: Final = 1.0
_log = logging.getLogger(__name__)


@dataclass
class _Place:
    """agents: as last seen. well: all of them, since the cell's last run."""

    cell: LiveCell
    agents: Agents | None = None
    well: bool = False
    problem: str = ""
    holder: str = ""
    wake: threading.Event = field(default_factory=threading.Event)


class CellPool:
    """Cells that are looked at for as long as they are free. Safe to use from several threads."""

    def __init__(self, cells: Sequence[LiveCell], token: str) -> None:
        self._places = [_Place(cell) for cell in cells]
        self._token = token
        self._lock = threading.Lock()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Have a thread for each look at the cells meanwhile."""
        ended = threading.Event()
        threads = [
            threading.Thread(target=self._watch, args=(place, ended), name="cell", daemon=True)
            for place in self._places
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            ended.set()
            for place in self._places:
                place.wake.set()
            for thread in threads:
                thread.join()

    def problem(self) -> str:
        """Why cells cannot be used now; empty where all can."""
        with self._lock:
            return "; ".join(each.problem for each in self._places if each.problem)

    def free(self) -> int:
        """How many cells are free and well."""
        with self._lock:
            return len(self._usable())

    def place(self, key: str, players: Sequence[str]) -> Agents | None:
        """Take the smallest free cell with agents for all clients, whose players these are.

        Where none has, also none that is busy, it is the largest one, on which the run will fail
        with that reason. None: there is none now.
        """
        with self._lock:
            free = sorted(self._usable(), key=_size)
            fitting = [place for place in free if _fits(place, players)]
            busy = [place for place in self._places if place.holder]
            if not free or (not fitting and any(_fits(place, players) for place in busy)):
                return None
            taken = fitting[0] if fitting else free[-1]
            taken.well, taken.holder = False, key
            return taken.agents

    def release(self, key: str) -> None:
        """A run has ended; its cell is looked at before it is used again."""
        with self._lock:
            for place in self._places:
                if place.holder == key:
                    place.holder = ""
                    place.wake.set()

    def _usable(self) -> list[_Place]:
        return [place for place in self._places if place.well and not place.holder]

    def _watch(self, place: _Place, ended: threading.Event) -> None:
        while not ended.is_set():
            if not place.holder:
                self._look(place)
            place.wake.wait(_LOOK_EVERY_S)
            place.wake.clear()

    def _look(self, place: _Place) -> None:
        agents, problem = None, ""
        try:
            agents = agents_of(place.cell)
            for role, url in agents.roles():
                look_at(role, Address(url, self._token))
        except (RunFailure, OSError) as error:
            problem = f"{place.cell}: {error}"
        with self._lock:
            if place.holder:
                return
            place.agents, place.well = agents, not problem
            told, place.problem = place.problem, problem
        if problem and problem != told:
            _log.warning("no run for now on %s", problem)
        elif told and not problem:
            _log.info("%s is there again", place.cell)


def _size(place: _Place) -> int:
    return place.agents.size() if place.agents else 0


def _fits(place: _Place, players: Sequence[str]) -> bool:
    return place.agents is not None and place.agents.fit(players)
