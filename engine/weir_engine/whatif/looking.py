"""An oracle's runs, as an executor takes them; those that the store has are not done again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weir.errors import Problem, SpecError
from weir.metrics import CATALOG, Metrics
from weir.resolved import Experiment
from weir.whatif import decided
from weir_lab.kernel import Kernel

from weir_engine.campaign import queued
from weir_engine.states import FINISHED
from weir_engine.store import Store
from weir_engine.task import RunUpdate, Task
from weir_engine.whatif.oracle import Levels, Sequence, search
from weir_engine.whatif.original import Original, metrics_of, played, without_packets

__all__ = ["Looking", "require_qoe"]

_WHAT: Final = "oracle"


def require_qoe(metric: str) -> None:
    """Raises SpecError unless it is a metric of clients of which more, or less, is better."""
    fit = [name for name, info in CATALOG.items() if info.scope == "client" and info.better]
    if metric not in fit:
        remedy = "name one of them; docs/metrics.md says what they are"
        shown = ", ".join([*(name for name in fit if name.startswith("qoe_")), "..."])
        raise SpecError([Problem("qoe", metric, f"a client's metric: {shown}", remedy)])


class Looking:
    """One oracle. base: the original's run directory by the programs that there are now."""

    def __init__(
        self, base: Original, client: int, metric: str, *, width: int, runs: int,
        store: Store, kernel: Kernel, roles_hash: str,
    ) -> None:  # fmt: skip
        require_qoe(metric)
        decided(base.experiment, client, {})
        self._base, self._client, self._metric = base, client, metric
        self._store, self._kernel, self._roles_hash = store, kernel, roles_hash
        self._sign = 1.0 if CATALOG[metric].better == "higher" else -1.0
        score = self._score(metrics_of(base.folder))
        if score is None:
            raise SpecError([Problem("qoe", metric, f"a metric that client {client} has a value of "
                                     "in this run", "name another")])  # fmt: skip
        self.own = Sequence((), played(base.folder, client), score)
        self._search = search(
            self.own, levels=len(base.experiment["content"]["bitrates_bps"]),
            horizon=_horizon(base.experiment, client), width=width, runs=runs,
        )  # fmt: skip
        self.best = self.own
        self.runs: list[str] = []
        """Keys of those that were asked for, in order."""
        self.unsuccessful: list[str] = []
        self._open: set[str] = set()

    def to_do(self) -> Iterator[Task | None]:
        """The runs that are missing, as `Executor.execute` takes them; None: while others run."""
        try:
            wanted = next(self._search)
            while True:
                tasks = [self._task(levels) for levels in wanted]
                self.runs += [task.key for task in tasks]
                for task in tasks:
                    if self._state(task.key) not in FINISHED and task.key not in self._open:
                        self._open.add(task.key)
                        yield queued(task)
                while self._open:
                    yield None
                pairs = zip(tasks, wanted, strict=True)
                wanted = self._search.send([self._tried(task, forced) for task, forced in pairs])
        except StopIteration as end:
            self.best = end.value

    def note(self, update: RunUpdate) -> None:
        """What became of a run that was given."""
        if update.state != "running":
            self._open.discard(update.task.key)

    def best_task(self) -> Task:
        """The best run, of which all is recorded that the original recorded."""
        forced = dict(self.best.forced)
        return self._made(decided(self._base.experiment, self._client, forced))

    def value(self, sequence: Sequence) -> float:
        """Its QoE, as the metric is told."""
        return self._sign * sequence.score

    def _task(self, levels: Levels) -> Task:
        return self._made(decided(without_packets(self._base.experiment), self._client, levels))

    def _made(self, experiment: Experiment) -> Task:
        what = {_WHAT: f"client {self._client}, by {self._metric}"}
        return self._base.task(experiment, what, self._kernel, self._roles_hash)

    def _tried(self, task: Task, forced: Levels) -> Sequence | None:
        folder = self._store.run_path(task.key)
        score = None
        if self._state(task.key) == "succeeded":
            score = self._score(metrics_of(folder))
        if score is None:
            self.unsuccessful.append(task.key)
            return None
        return Sequence(tuple(sorted(forced.items())), played(folder, self._client), score)

    def _state(self, key: str) -> str:
        return self._store.states([key])[key][0]

    def _score(self, metrics: Metrics) -> float | None:
        value = metrics["clients"][self._client - 1].get(self._metric)
        return None if value is None else self._sign * float(value)


def _horizon(experiment: Experiment, client: int) -> int:
    """Segments that a client can at most have fetched by the end."""
    content = experiment["content"]
    time_s = experiment["duration_s"] + experiment["clients"][client - 1]["buffer_s"]
    most = int(time_s / content["segment_s"]) + 1
    lengths = [len(sizes) for sizes in content["sizes_bytes"] or []]
    if content["segments"] is not None:
        lengths.append(content["segments"])
    return min([most, *lengths])
