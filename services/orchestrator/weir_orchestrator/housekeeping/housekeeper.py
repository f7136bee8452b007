"""Housekeeping: what has to be done now and then, whoever asks, and by one at a time.

Every chore is safe when several housekeepers do it at once, and when one dies over it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import connect, make_sessions, schema, singly
from weir_orchestrator.db.dialect import now
from weir_orchestrator.housekeeping import blocks, packs, retention, unused
from weir_orchestrator.housekeeping.questions import Questions
from weir_orchestrator.housekeeping.searches import Searches
from weir_orchestrator.housekeeping.stranded import Stranded
from weir_orchestrator.lifecycle import cancel_some, delete_some, over, settle_if_over
from weir_orchestrator.objects import ObjectStore, open_store
from weir_orchestrator.reproductions import conclude_next
from weir_orchestrator.schedules import Turns, bisect_next, judge_next, send_mail, tick
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import Expander
from weir_orchestrator.webhooks import Deliverer
from weir_orchestrator.work import lease

__all__ = ["CHORES", "Chore", "Housekeeper", "Platform"]

_TICK_S: Final = 0.2
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Platform:
    """What a chore works on. nights, bisections: places for what waits for teams' repositories."""

    settings: Settings
    sessions: sessionmaker[Session]
    objects: ObjectStore
    expander: Expander
    nights: Turns = field(default_factory=Turns)
    bisections: Turns = field(default_factory=Turns)


@dataclass(frozen=True)
class Chore:
    """`do` is called every `every_s`, and again at once while it says that more is to do.

    apart: in a thread of its own, since it may wait for others.
    """

    every_s: float
    do: Callable[[Platform], bool]
    apart: bool = False


class Housekeeper:
    """Does the chores in turn until stopped. One that raises is tried again at its next time."""

    def __init__(self, settings: Settings) -> None:
        engine = connect(settings.database_url, retried=True)
        schema.check(engine)
        objects = open_store(settings.store_url)
        sessions = make_sessions(engine)
        expander = Expander(sessions, objects, settings)
        self._platform = Platform(settings, sessions, objects, expander)
        reading = singly(make_sessions(engine, read_only=True))
        self._webhooks = Deliverer(self._platform.sessions, reading, settings)
        self._stopping = threading.Event()

    def stop(self) -> None:
        """End after the chore that is being done. May be called from a signal handler."""
        self._stopping.set()

    def run(self) -> None:
        """Do the chores until stopped; webhooks are sent beside them."""
        beside = [
            threading.Thread(target=self._keep_house, args=([chore],), daemon=True)
            for chore in CHORES
            if chore.apart
        ]
        self._webhooks.start()
        for thread in beside:
            thread.start()
        try:
            self._keep_house([chore for chore in CHORES if not chore.apart])
        finally:
            self._webhooks.stop()
            for thread in beside:
                thread.join()
            self._platform.nights.close()
            self._platform.bisections.close()

    def _keep_house(self, chores: Sequence[Chore]) -> None:
        due = dict.fromkeys(chores, time.monotonic())
        while not self._stopping.wait(_TICK_S):
            for chore in chores:
                if time.monotonic() >= due[chore] and not self._stopping.is_set():
                    again = self._do(chore)
                    due[chore] = time.monotonic() + (0 if again else chore.every_s)

    def _do(self, chore: Chore) -> bool:
        try:
            return chore.do(self._platform)
        except Exception as error:
            told = str(getattr(error, "orig", None) or error).partition("\n")[0]
            _log.warning("%s: %s: %s", chore.do.__name__.strip("_"), type(error).__name__, told)
            return False


def _expand(platform: Platform) -> bool:
    return platform.expander.expand_some()


def _reap(platform: Platform) -> bool:
    lease.reap(platform.sessions, platform.settings.max_attempts)
    return False


def _end_campaigns(platform: Platform) -> bool:
    """Those whose last two runs ended in the same moment: neither saw the other's end."""
    with singly(platform.sessions)() as session:
        found = over(session)
    for campaign_id in found:
        with platform.sessions.begin() as session:
            settle_if_over(session, campaign_id)
    return False


def _schedules(platform: Platform) -> bool:
    with singly(platform.sessions)() as session:
        moment = now(session)
    turns = platform.nights.take
    tick(platform.sessions, platform.objects, platform.settings, moment, turns)
    return False


def _judge(platform: Platform) -> bool:
    return judge_next(platform.sessions)


def _bisect(platform: Platform) -> bool:
    turns = platform.bisections.take
    bisect_next(platform.sessions, platform.objects, platform.settings, turns)
    return False


def _mail(platform: Platform) -> bool:
    return send_mail(platform.sessions, platform.settings)


def _make_blocks(platform: Platform) -> bool:
    return blocks.make_next(platform.sessions)


def _cancel(platform: Platform) -> bool:
    return cancel_some(platform.sessions)


def _delete(platform: Platform) -> bool:
    return delete_some(platform.sessions)


def _reproductions(platform: Platform) -> bool:
    conclude_next(platform.sessions)
    return False


def _remove_old(platform: Platform) -> bool:
    return retention.remove_old(platform.sessions, platform.settings)


def _remove_unused_results(platform: Platform) -> bool:
    at = (platform.sessions, platform.objects, platform.settings.keep_unused)
    more = unused.remove_unused_packed_results(platform.sessions, platform.settings.keep_unused)
    more = unused.remove_unused_results(*at) or more
    return packs.remove_unused_packs(*at) or more


def _remove_unused_objects(platform: Platform) -> bool:
    keep = platform.settings.keep_unused
    unused.remove_unused_files(platform.sessions, platform.objects, keep)
    unused.remove_unused_logs(platform.sessions, platform.objects, keep)
    unused.remove_unused_kernels(platform.sessions, platform.objects, keep)
    unused.remove_left_curves(platform.sessions, platform.objects)
    return False


_questions = Questions()


def _conclude(platform: Platform) -> bool:
    _questions.conclude(platform.sessions)
    return False


_searches = Searches()


def _search(platform: Platform) -> bool:
    return _searches.go_on(platform.sessions, platform.objects, platform.settings)


_stranded = Stranded()


def _fail_stranded(platform: Platform) -> bool:
    _stranded.fail(platform.sessions)
    return False


CHORES: Final = (
    Chore(0.5, _expand),
    Chore(0.5, _search),
    Chore(1.0, _cancel),
    Chore(1.0, _delete, apart=True),
    Chore(2.0, _reap),
    Chore(2.0, _end_campaigns),
    Chore(2.0, _conclude),
    Chore(2.0, _reproductions),
    Chore(0.5, _bisect, apart=True),
    Chore(2.0, _schedules, apart=True),
    Chore(5.0, _mail, apart=True),
    Chore(5.0, _judge),
    Chore(5.0, _make_blocks, apart=True),
    Chore(10.0, _fail_stranded),
    Chore(60.0, _remove_old),
    Chore(300.0, _remove_unused_results),
    Chore(1800.0, _remove_unused_objects),
)
