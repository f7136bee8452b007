"""One run of a campaign with what it measured, whatever store it is in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.records import RunDocument

from weir_engine import jsonfile

if TYPE_CHECKING:
    from weir.metrics import Metrics
    from weir.rundir import Columns, RunData

__all__ = ["Row", "digest", "distinct", "flat", "measured"]


@dataclass(frozen=True)
class Row:
    """One run of a campaign: what was asked and where it stands.

    metrics: the content of metrics.json; None unless the run succeeded or is invalid.
    bring: puts the run directory below `path`, only the file of that name where one is given, when
    it is kept elsewhere. kept_digest: of the metrics, where it is known. clock: virtual or real.
    """

    key: str
    levels: Mapping[str, Any]
    replicate: int
    seed: int
    state: str
    reason: str
    path: Path
    metrics: Metrics | None
    bring: Callable[[str | None], None] | None = None
    kept_digest: int | None = None
    clock: str = "virtual"

    @cached_property
    def digest(self) -> int:
        """Of the metrics: see the function of that name."""
        return digest(self.metrics) if self.kept_digest is None else self.kept_digest

    @cached_property
    def measured(self) -> Mapping[str, float]:
        """Of the metrics: see the function of that name."""
        return measured(self.metrics)

    def document(self) -> RunDocument:
        """run.json."""
        if self.bring:
            self.bring("run.json")
        found: RunDocument = jsonfile.read(self.path / "run.json")
        return found

    def player(self, client: int) -> Columns:
        """The table of a client, numbered from 1, without the run's other records."""
        from weir import rundir  # noqa: PLC0415 - heavy

        if self.bring:
            self.bring(f"players/client-{client}.parquet")
        return rundir.load_player(self.path, client)

    def records(self, *, packets: bool = False) -> RunData:
        """What the run recorded; its packets are brought from elsewhere only where asked for."""
        from weir import rundir  # noqa: PLC0415 - heavy

        if self.bring:
            self.bring(None)
            if packets and self.document()["experiment"]["record"]["queue"] == "full":
                self.bring("queue.parquet")
        return rundir.load(self.path)


def digest(metrics: Metrics | dict[str, Any] | None) -> int:
    """63 bits of SHA-256 over all that a run measured, rounded as it is kept.

    Runs of one digest are the same run: where nothing random happens, replicates are all alike, and
    say no more than one of them.
    """
    full = hashlib.sha256(jsonfile.line(metrics).encode()).digest()
    return int.from_bytes(full[:8], "big") >> 1


def distinct(rows: Iterable[Row]) -> int:
    """How many different results finished runs have."""
    return len({row.digest for row in rows})


def measured(metrics: Metrics | None) -> dict[str, float]:
    """Metrics of a run by name; one of clients is the mean over those that have it."""
    if metrics is None:
        return {}
    of_runs, of_clients = _by_scope()
    found = {
        name: value
        for name, value in metrics["run"].items()
        if value is not None and name in of_runs
    }
    clients = metrics["clients"]
    for name in of_clients.intersection(set[str]().union(*clients)):
        values = [value for client in clients if (value := client.get(name)) is not None]
        if values:
            found[name] = sum(values) / len(values)
    return found


@cache
def _by_scope() -> tuple[frozenset[str], frozenset[str]]:
    """Names of metrics of runs, and of clients."""
    from weir.metrics import CATALOG  # noqa: PLC0415 - heavy

    of_runs = frozenset(name for name, info in CATALOG.items() if info.scope == "run")
    return of_runs, frozenset(CATALOG) - of_runs


def flat(campaign: str, row: Row) -> Iterator[dict[str, Any]]:
    """One dict per client of a finished run: levels, client metrics, run metrics.

    A run metric that shares its name with a client metric gets the prefix `run_`.
    """
    if row.metrics is None:
        return
    for client in row.metrics["clients"]:
        yield {
            "campaign": campaign,
            "key": row.key,
            "replicate": row.replicate + 1,
            "seed": row.seed,
            "outcome": row.state,
            **{path: _cell(level) for path, level in row.levels.items()},
            **client,
            **{
                (f"run_{name}" if name in client else name): value
                for name, value in row.metrics["run"].items()
            },
        }


def _cell(level: Any) -> Any:
    return level if isinstance(level, str) else jsonfile.line(level)
