"""Code that a campaign brings, where no worker would run it: refused before it waits for one.

Workers say whether they do (weir_orchestrator.work.sandbox); while none is up nothing is known, and
the campaign is taken. One that meets no willing worker later fails with that worker's reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.errors import Problem, SpecError
from weir.programs import brings_code
from weir.resolved import Experiment

from weir_orchestrator.db import Worker

__all__ = ["players", "refusal", "require_c"]

_REMEDY: Final = "use those that Weir has, or have the operator mend that no worker runs yours: "


def refusal(session: Session) -> str:
    """Why no worker that is up runs such code; empty where one does, or none is up."""
    said = session.scalars(select(Worker.refusal).where(Worker.state == "up")).all()
    return said[0] if said and all(said) else ""


def players(experiment: Experiment, refused: str) -> list[Problem]:
    """What stands against an experiment's own players; refused: see `refusal`."""
    if not refused:
        return []
    own = {client["player"] for client in experiment["clients"] if brings_code(client)}
    path = "experiment.clients.player"
    return [_problem(path, name, "players", refused) for name in sorted(own)]


def require_c(code: Sequence[Path], refused: str) -> None:
    """Raises SpecError where there are C files, and nobody would compile and run them."""
    if refused and code:
        raise SpecError(
            [_problem(f"files.{path.name}", path.name, "C files", refused) for path in code]
        )


def _problem(path: str, value: str, what: str, refused: str) -> Problem:
    return Problem(path, value, f"no {what} of your own here", _REMEDY + refused)
