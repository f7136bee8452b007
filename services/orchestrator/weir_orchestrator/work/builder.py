"""A build pod's work: one campaign's own kernels, compiled here and kept in the object store.

Pods that carry runs out have no compiler: they fetch what this leaves. What was kept before the pod
ended, whatever ended it, the next one does not build again. What does not compile ends the runs
that wait for it, in the compiler's words, as where a worker builds.
"""

from __future__ import annotations

import logging
import os
import platform
import shutil
import signal
import threading
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

from sqlalchemy.orm import Session
from weir.errors import WeirError
from weir_engine import provenance
from weir_engine.errors import CannotRun
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Changes

from weir_orchestrator.db import Campaign, Team, Worker, connect, make_sessions, schema
from weir_orchestrator.objects import ObjectNotFound, open_store
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission.own_kernels import hash_of
from weir_orchestrator.work import kept_kernels, sandbox, scratch, wanted_kernels
from weir_orchestrator.work.away import AWAY, patiently, said
from weir_orchestrator.work.heartbeat import Heartbeat
from weir_orchestrator.work.kernels import Building, fail_runs
from weir_orchestrator.work.wanted_kernels import Wanted

__all__ = ["Builder"]

_BEGINS: Final = "looking at what is there"
_log = logging.getLogger(__name__)


class Builder:
    """`run()` returns when the kernels are kept, or the runs that wait for them were failed."""

    def __init__(self, settings: Settings, campaign_id: uuid.UUID) -> None:
        """Raises CannotRun where the schema is missing or old, or this is root on a platform with
        login."""
        sandbox.require_user(settings)
        self._settings = settings
        self._campaign_id = campaign_id
        engine = connect(settings.database_url, retried=True)
        schema.check(engine)
        self._sessions = make_sessions(engine)
        self._objects = open_store(settings.store_url)
        self._roles_hash = provenance.roles()["hash"]
        self._refusal = sandbox.refusal(settings)
        self._id = uuid.uuid4()
        self._building: Building | None = None
        lease = settings.lease
        self._heartbeat = Heartbeat(self._sessions, self._id, lease, state="up", building=None)
        self._ended = threading.Event()

    def stop(self) -> NoReturn:
        """End at once, and what compiles with it; from a signal handler."""
        raise SystemExit(128 + signal.SIGTERM)

    def run(self) -> None:
        """Raises CannotRun: this image makes other kernels than the campaign asks for."""
        with self._sessions() as session:
            mine = Campaign.id == self._campaign_id
            found = wanted_kernels.waiting(session, self._roles_hash, mine)
        for wanted in filter(wanted_kernels.may_bring, found):
            self._building = Building.at(wanted.kernel_hash, 1, 1, 0, 0, _BEGINS)
            self._register()
            beating = threading.Thread(target=self._beat, name="heartbeat")
            beating.start()
            own = scratch.make(self._settings.data).root
            try:
                self._build(wanted, own / "cc")
            finally:
                self._ended.set()
                beating.join()
                shutil.rmtree(own, ignore_errors=True)

    def _build(self, wanted: Wanted, folder: Path) -> None:
        try:
            with self._sessions() as session:
                self._require_allowed(session, wanted)
            needed = wanted_kernels.needed(wanted, self._objects, folder)
            if needed is None:
                raise CannotRun(
                    f"campaign {wanted.campaign_id}: asks for kernel {wanted.kernel_hash}, and "
                    "source, compiler or version here make another; have the API and build pods "
                    "run the same image weir-builder"
                )
            self._have_all(wanted.kernel_hash, *needed)
        except CannotRun:  # no fault of the campaign's: another pod may do it
            raise
        except ObjectNotFound as error:
            fail_runs(self._sessions, wanted.campaign_id, f"{error}: submit the campaign again")
        except WeirError as error:
            _log.warning("kernel %s: %s", wanted.kernel_hash, error)
            fail_runs(self._sessions, wanted.campaign_id, str(error))

    def _require_allowed(self, session: Session, wanted: Wanted) -> None:
        """Raises WeirError: the team was named when it submitted, and is not now; no sandbox."""
        team = session.get_one(Team, wanted.team_id).slug
        if not self._settings.takes_kernel_code(team):
            raise WeirError(f"WEIR_KERNEL_CODE does not name the team {team}: nothing is compiled")
        if self._refusal:
            raise WeirError(self._refusal)

    def _have_all(self, name: str, code: Sequence[Path], changed: Sequence[Changes]) -> None:
        """Keep each as soon as it is there. Raises WeirError: one cannot be built."""
        own = Changes()
        # The lab's own is in every image.
        asked = [own, *changed] if code else list(changed)
        hashes = {hash_of(own, code)}
        for number, each in enumerate(asked, 1):
            step = partial(Building.at, name, number, len(asked))
            self._building = step(0, 0, _BEGINS)
            hashes.add(self._kept(each, code, step))
        if len(hashes) > 1:
            self._patiently(partial(kept_kernels.keep_set, self._objects, hashes))

    def _kept(
        self, changes: Changes, code: Sequence[Path], step: Callable[[int, int, str], Building]
    ) -> str:
        """The hash of one that the store has, built if it had it not."""

        def progress(done: int, total: int, what: str) -> None:
            self._building = step(done, total, what)

        name = hash_of(changes, code)
        if not kept_kernels.has(self._objects, name):
            built = lab_kernel.build(code, progress=progress, changes=changes)
            self._patiently(partial(kept_kernels.keep, self._objects, built))
        return name

    def _patiently(self, do: Callable[[], None]) -> None:
        patiently("kernels wait to be kept", do, lambda: False)

    def _register(self) -> None:
        row = Worker(
            id=self._id,
            host=platform.node(),
            pid=os.getpid(),
            jobs=0,
            roles_hash=self._roles_hash,
            refusal=self._refusal,
        )
        with self._sessions.begin() as session:
            session.add(row)

    def _beat(self) -> None:
        over = False
        while not over:
            over = self._ended.wait(self._heartbeat.every_s)
            building = None if over else self._building
            try:
                self._heartbeat.beat(frozenset())
                self._heartbeat.tell(
                    state="gone" if over else "up", building=building and building._asdict()
                )
            except AWAY as error:
                _log.warning("no heartbeat: %s", said(error))
