"""Where two runs part, from the rows that they recorded."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from sqlalchemy.orm import Session
from weir import rundir
from weir.rundir import RunData
from weir_engine.parting import partings
from weir_engine.states import FINISHED

from weir_orchestrator.api.results.schemas import RunPartings
from weir_orchestrator.api.runs.service import files_of
from weir_orchestrator.db import Run
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.objects import ObjectStore

__all__ = ["where_they_part"]

_NOT_COMPARED: Final = frozenset({"log.txt", "commands.json", "metrics.json"})


def where_they_part(session: Session, objects: ObjectStore, a: Run, b: Run) -> RunPartings:
    """Raises Unprocessable for a run that left no records."""
    without = [
        FieldProblem(path=side, value=run.id, allowed="a run that succeeded or is invalid")
        for side, run in (("a", a), ("b", b))
        if run.state not in FINISHED
    ]
    if without:
        raise Unprocessable("a run left no records", without)
    found = partings(*(_recorded(session, objects, run) for run in (a, b)))
    return RunPartings.model_validate(
        {"a": a.id, "b": b.id, "same_seed": a.seed == b.seed, "partings": found},
        from_attributes=True,
    )


def _recorded(session: Session, objects: ObjectStore, run: Run) -> RunData:
    files = files_of(session, objects, run)
    with tempfile.TemporaryDirectory(prefix="weir-parting-") as folder:
        files.fetch(Path(folder), [name for name in files.listed() if name not in _NOT_COMPARED])
        return rundir.load(Path(folder))
