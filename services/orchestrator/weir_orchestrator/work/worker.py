"""A worker: claims runs, carries them out on this machine, and keeps their results.

Runs are carried out by the local executor in a scratch store; threads keep what ended, together
where it ends together. When database or object store are away, what ended waits for them. SIGTERM
drains: what runs is finished and kept, nothing is claimed any more. A second one gives back what
runs.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import shutil
import threading
import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from weir_engine import provenance
from weir_engine.errors import CannotRun
from weir_engine.executor import Executor
from weir_engine.executor.compose import CellExecutor
from weir_engine.executor.live_cell import read_cells
from weir_engine.executor.local import LocalExecutor
from weir_engine.task import Environment, RunUpdate

from weir_orchestrator.db import Worker as WorkerRow
from weir_orchestrator.db import connect, make_sessions, schema
from weir_orchestrator.objects import open_store
from weir_orchestrator.settings import Settings
from weir_orchestrator.work import lease, sandbox, scratch
from weir_orchestrator.work.away import AWAY, patiently, said
from weir_orchestrator.work.batch import EVERYTHING, Batch, oom_kills
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.heartbeat import Heartbeat
from weir_orchestrator.work.keeping import Keeper
from weir_orchestrator.work.kernels import Kernels
from weir_orchestrator.work.pace import Pace
from weir_orchestrator.work.so_far import SoFar
from weir_orchestrator.work.source import Source
from weir_orchestrator.work.together import Together

__all__ = ["Worker"]

_log = logging.getLogger(__name__)


class Worker:
    """One worker process. `run()` returns when it was drained."""

    def __init__(
        self,
        settings: Settings,
        worker_id: uuid.UUID | None = None,
        dead: Sequence[uuid.UUID] = (),
        batch: Batch = EVERYTHING,
    ) -> None:
        """dead: workers of which the caller knows that they are.

        Raises CannotRun where the schema is missing or old, no lab kernel is built, or this is
        root on a platform with login.
        """
        sandbox.require_user(settings)
        self.id = worker_id or uuid.uuid4()
        self._dead = dead
        self._settings = settings
        self._cells = read_cells(settings.cells)
        self._jobs = len(self._cells) or settings.jobs or len(os.sched_getaffinity(0))
        engine = connect(settings.database_url, retried=True)
        schema.check(engine)
        self._sessions = make_sessions(engine)
        self._objects = open_store(settings.store_url)
        self._scratch = scratch.make(settings.data)
        roles = provenance.roles()
        self._kernels = Kernels(roles["hash"], settings.clocks)
        if not self._kernels.versions().kernels:
            raise CannotRun(
                "no lab kernel is built yet: `weir kernel build` builds it (about 4 minutes)"
            )
        self._environment = Environment(
            self._scratch.root,
            None,
            roles,
            executor="local",
            refusal=sandbox.refusal(settings),
            so_far_every_s=settings.curves_every.total_seconds(),
        )
        self._pace = Pace()
        self._source = Source(
            self._sessions,
            self.id,
            self._kernels,
            settings.lease,
            at_most=3 * self._jobs,
            batch=batch,
            scratch=self._scratch.root,
            alone=settings.one_at_a_time,
            pace=self._pace,
        )
        finisher = Finisher(
            self._sessions, self._objects, self.id, settings.lease, self._source.is_last
        )
        self._keeper = Keeper(
            self._sessions,
            finisher,
            self._source,
            self._scratch,
            self._kernels,
            settings.max_attempts,
            given_up=lambda: self._killing,
        )
        self._so_far = SoFar(self._objects, self._scratch, self._source.held)
        kernels = list(self._kernels.versions().kernels)
        self._heartbeat = Heartbeat(
            self._sessions,
            self.id,
            settings.lease,
            state="up",
            kernels=kernels,
            problem="",
            building=None,
        )
        self._executor = self._make_executor()
        self._draining = threading.Event()
        self._killing = False
        self._batch = batch
        self._killed_before = oom_kills()
        self.out_of_memory = False
        """Whether a batch ended because its container's memory did."""
        self._ended = threading.Event()

    def drain(self) -> None:
        """Finish what runs and return from `run`; the second time: give back what runs.

        May be called from a signal handler.
        """
        if self._draining.is_set():
            self._killing = True
            self._executor.kill()
        self._draining.set()
        self._executor.stop()

    def run(self) -> None:
        """Work until drained, or until the batch is over."""
        self._register()
        beating = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        beating.start()
        showing = threading.Thread(
            target=self._so_far.run, args=(self._ended,), name="so-far", daemon=True
        )
        showing.start()
        self._have_kernels()
        self._carry_out()
        while not self._draining.is_set() and not self._source.exhausted():
            self._give_back_unstarted()
            self._renew_executor()
            self._carry_out()
        self._ended.set()
        beating.join()
        showing.join()
        with contextlib.suppress(*AWAY):
            for claim in self._source.held().values():
                self._keeper.give_back(claim)
            self._heartbeat.tell(state="gone")
        shutil.rmtree(self._scratch.root, ignore_errors=True)

    def _carry_out(self) -> None:
        """Until drained, until the batch is over or the disk is full; what ended is kept."""
        with Together(self._jobs, self._keeper.keep, self._pace.is_fast) as ended:
            for event in self._executor.execute(self._source.tasks()):
                if event.disk_full:
                    self._source.one_at_a_time()
                    _log.error("no space left in %s: one run at a time", self._scratch.root)
                if event.state != "running":
                    ended.put(self._by_memory(event))

    def _give_back_unstarted(self) -> None:
        """Claims that the executor still kept back when it stopped."""
        for claim in self._source.held().values():
            what = f"run {claim.key} waits to be given back"
            give_back = partial(self._keeper.give_back, claim)
            if patiently(what, give_back, lambda: self._killing):
                self._source.let_go(claim.key)

    def _make_executor(self) -> Executor:
        if not self._cells:
            return LocalExecutor(self._environment, self._jobs)
        token = self._settings.agent_token.get_secret_value()
        return CellExecutor(self._environment, self._cells, token)

    def _renew_executor(self) -> None:
        self._executor = self._make_executor()
        if self._draining.is_set():
            self._executor.stop()

    def _register(self) -> None:
        versions = self._kernels.versions()
        row = WorkerRow(
            id=self.id,
            host=platform.node(),
            pid=os.getpid(),
            jobs=self._jobs,
            roles_hash=versions.roles,
            kernels=list(versions.kernels),
            clocks=list(versions.clocks),
            refusal=self._environment.refusal,
        )
        with self._sessions.begin() as session:
            session.add(row)
            for worker_id in self._dead:
                lease.expire(session, worker_id)
        _log.info("worker %s, %d runs at a time", self.id, self._jobs)

    def _beat(self) -> None:
        while not self._ended.wait(self._heartbeat.every_s):
            try:
                ended = self._heartbeat.beat(self._source.held().keys())
                # Where the database goes away between the two, their leases end in time.
                for claim in self._source.take_back(ended):
                    self._keeper.give_back(claim)
                self._tell()
            except AWAY as error:
                _log.warning("no heartbeat: %s", said(error))
                continue
            for key in ended & self._source.held().keys():
                self._executor.cancel(key)

    def _tell(self) -> None:
        building = self._kernels.building
        problems = (self._environment.refusal, self._executor.problem(), self._source.problem())
        self._heartbeat.tell(
            state="draining" if self._draining.is_set() else "up",
            kernels=list(self._kernels.versions().kernels),
            problem="; ".join(filter(None, problems)),
            building=building and building._asdict(),
        )

    def _have_kernels(self) -> None:
        """Those that campaigns bring: fetched for a batch's one, and built beside the runs."""
        at = (self._sessions, self._objects)
        if self._batch.campaign is not None:
            fetch = partial(self._kernels.fetch, *at, self._batch.campaign)
            patiently("kernels wait to be fetched", fetch, self._draining.is_set)
        builds = self._settings.kernel_code and not self._environment.refusal
        if builds and not self._batch.until_idle:
            where = (*at, self._scratch.root / "cc", self._ended)
            build = self._kernels.keep_building
            threading.Thread(target=build, args=where, name="kernels", daemon=True).start()

    def _by_memory(self, event: RunUpdate) -> RunUpdate:
        """A failure while the container's memory ran out is none of the run's."""
        if (
            self._batch == EVERYTHING
            or event.state != "failed"
            or oom_kills() == self._killed_before
        ):
            return event
        if not self.out_of_memory:
            _log.error("memory ran out: the batch ends when what runs has ended")
            self.out_of_memory = True
            if not self._draining.is_set():
                self.drain()
        reason = f"memory ran out: give it more, or fewer jobs ({event.reason})"
        return replace(event, reason=reason, lost=True)
