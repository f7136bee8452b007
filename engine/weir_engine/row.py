"""One run of a campaign with what it measured, whatever store it is in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.records import RunDocument

from weir_engine import jsonfile

if TYPE_CHECKING:
    from weir.metrics import Metrics
    from weir.rundir import Columns, RunData

__all__ = ["Row", "digest", "distinct", "flat"]


@dataclass(frozen=True)
class Row:
    """One run of a campaign: what was asked and where it stands.

    metrics: the content of metrics.json; None unless the run succeeded or is invalid.
    bring: puts the run directory below `path`, only the file of that name where one is given, when
    it is kept elsewhere.
    """

    key: str
    levels: dict[str, Any]
    replicate: int
    seed: int
    state: str
    reason: str
    path: Path
    metrics: Metrics | None
    bring: Callable[[str | None], None] | None = None

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
    return len({digest(row.metrics) for row in rows})


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
