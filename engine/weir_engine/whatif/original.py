"""The run that what-ifs are of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir import rundir
from weir.errors import Problem, SpecError
from weir.metrics import Metrics
from weir.resolved import Experiment
from weir.runkey import run_key
from weir_lab.kernel import Kernel

from weir_engine import jsonfile
from weir_engine.errors import BadInput
from weir_engine.task import Task

__all__ = ["Original", "metrics_of", "original", "played", "without_packets"]


@dataclass(frozen=True)
class Original:
    """folder: its run directory. document: run.json."""

    folder: Path
    document: Mapping[str, Any]

    @property
    def experiment(self) -> Experiment:
        """As it was resolved."""
        found: Experiment = self.document["experiment"]
        return found

    def task(
        self, experiment: Experiment, what: Mapping[str, Any], kernel: Kernel, roles_hash: str
    ) -> Task:
        """A run of this one's seed, of its experiment or a changed one.

        what: told among its levels, as what was changed.
        """
        return Task(
            key=run_key(experiment, self.document["seed"], kernel.hash, roles_hash),
            campaign=self.document["campaign"],
            levels={**self.document["levels"], **what},
            replicate=self.document["replicate"],
            seed=self.document["seed"],
            experiment=experiment,
        )

    def require_asked(self, client: int, segment: int) -> None:
        """Raises SpecError for a segment that the client never asked for."""
        segments = rundir.load_player(self.folder, client)["segment"]
        if segment in segments:
            return
        last = f"0 to {segments.max()}" if len(segments) else "none"
        allowed = f"segments that client {client} asked for in this run: {last}"
        raise SpecError([Problem("segment", segment, allowed, "name one of them")])


def original(folder: Path) -> Original:
    """The run of a directory. Raises BadInput for one that failed, RunDirectoryError."""
    document = rundir.read_run(folder)
    if document["outcome"] == "failed":
        raise BadInput(
            f"RUN: {document['key']} — it failed, so there is no course of it to change\n"
            "    Name a run that succeeded; `weir status` lists them."
        )
    return Original(folder, document)


def metrics_of(folder: Path) -> Metrics:
    """What metrics.json of a run holds."""
    found: Metrics = jsonfile.read(folder / "metrics.json")
    return found


def played(folder: Path, client: int) -> tuple[int, ...]:
    """The level of each segment that came whole, in the film's order."""
    rows = rundir.load_player(folder, client)
    pairs = zip(rows["segment"].tolist(), rows["level"].tolist(), rows["status"].tolist(),
                strict=True)  # fmt: skip
    levels = {segment: level for segment, level, status in pairs if status in (200, 206)}
    return tuple(levels[segment] for segment in sorted(levels))


def without_packets(experiment: Experiment) -> Experiment:
    """The same run, of which players alone are recorded: recording disturbs nothing."""
    return {**experiment, "record": {"tcp": "off", "queue": "off"}}
