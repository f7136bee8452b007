"""The runs of a search, one round after the other: a subject's next when its last have ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from weir.expand import Expansion, Run, replicate_seed
from weir.spec.campaign import Campaign

from weir_engine import jsonfile
from weir_engine.campaign import queued
from weir_engine.search.subject import End, RunName, Subject, narrowed, run_name, subjects
from weir_engine.search.verdict import Judged, judged
from weir_engine.states import FINISHED
from weir_engine.store import Store
from weir_engine.task import RunUpdate, Task

__all__ = ["Rounds"]


class Rounds:
    """A search that is carried out here, from whatever the store has of it already.

    make: tasks of runs. retry_invalid: an invalid run of an earlier time is done again.
    """

    def __init__(
        self,
        campaign: Campaign,
        make: Callable[[Iterable[Run]], list[Task]],
        store: Store,
        *,
        retry_invalid: bool,
    ) -> None:
        assert campaign.search is not None
        self._campaign, self._search, self._make = campaign, campaign.search, make
        self._store, self._retry_invalid = store, retry_invalid
        self._expansion = Expansion(campaign)
        ends = [(run.levels, run.replicate) for run in self._expansion.runs()]
        self._subjects = subjects(self._search, ends)
        self._tasks: dict[RunName, Task] = {}
        self._said: dict[str, Judged | str] = {}
        """By key, of runs that have ended: as `subject.Verdict`."""
        self._given: set[str] = set()
        self._ended: set[str] = set()

    def to_do(self) -> Iterator[Task | None]:
        """The runs that are missing, as `Executor.execute` takes them; None: while others run."""
        ends: dict[int, End] = {}
        while len(ends) < len(self._subjects):
            gave = False
            for place, subject in enumerate(self._subjects):
                if place in ends:
                    continue
                near = None if subject.neighbour is None else ends.get(subject.neighbour)
                _, after = subject.narrow(self._verdict, near)
                if isinstance(after, End):
                    ends[place] = after
                    continue
                for task in self._missing(subject, after):
                    gave = True
                    yield task
            if len(ends) < len(self._subjects) and not gave:
                yield None

    def note(self, update: RunUpdate) -> None:
        """What became of a run that was given."""
        if update.state != "running":
            self._ended.add(update.task.key)

    def tried(self) -> list[Task]:
        """Every run that it has come to, in the order of subjects, levels and replicates."""
        found: dict[RunName, Task] = {}
        for subject, tried, _ in narrowed(self._subjects, self._verdict):
            for level in tried:
                for replicate in subject.replicates:
                    levels = subject.at(level)
                    found[run_name(levels, replicate)] = self._task(levels, replicate)
        return list(found.values())

    def ends(self) -> list[tuple[Subject, End | None]]:
        """What every subject came to; None: not yet."""
        told = narrowed(self._subjects, self._verdict)
        return [(subject, end if isinstance(end, End) else None) for subject, _, end in told]

    def _missing(self, subject: Subject, levels: list[str | int]) -> Iterator[Task]:
        for level in levels:
            for replicate in subject.replicates:
                task = self._task(subject.at(level), replicate)
                if task.key not in self._given and self._of(task) is None:
                    self._given.add(task.key)
                    there = self._store.states([task.key])[task.key][0] in FINISHED
                    yield queued(task, replaces=there)

    def _task(self, levels: Mapping[str, Any], replicate: int) -> Task:
        name = run_name(levels, replicate)
        if name not in self._tasks:
            seed = replicate_seed(self._campaign.seed, replicate)
            experiment = self._expansion.experiment(levels)
            run = Run(self._campaign.name, 0, dict(levels), replicate, seed, experiment)
            (self._tasks[name],) = self._make([run])
        return self._tasks[name]

    def _verdict(self, levels: Mapping[str, Any], replicate: int) -> Judged | str | None:
        return self._of(self._task(levels, replicate))

    def _of(self, task: Task) -> Judged | str | None:
        key = task.key
        if key in self._given and key not in self._ended:
            return None
        if key not in self._said:
            said = self._read(task)
            if said is None:
                return None
            self._said[key] = said
        return self._said[key]

    def _read(self, task: Task) -> Judged | str | None:
        state, reason = self._store.states([task.key])[task.key]
        if state == "succeeded":
            metrics = jsonfile.read(self._store.run_path(task.key) / "metrics.json")
            metric = self._search.passes.metric
            said = judged(metrics, self._search.passes, self._search.start)
            return f"{metric} is not defined for the run {task.key[:12]}" if said is None else said
        again = state not in FINISHED or self._retry_invalid
        if again and task.key not in self._given:
            return None
        return f"the run {task.key[:12]} is {state}: {reason}"
