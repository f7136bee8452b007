"""Run what was drawn, twice, and tell what does not hold."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from weir.errors import WeirError
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel

from weir_testing.files import run_directory
from weir_testing.swarm.held import Broken, all_broken
from weir_testing.swarm.values import Document

__all__ = ["broken_by"]

WALL_LIMIT_S = 900.0
HERE = Path(__file__).parent


def broken_by(document: Document, kernel: Kernel) -> list[Broken]:
    """Rules that the campaign's one run breaks. Raises SpecError: it is refused."""
    run = next(Expansion(parse_campaign(document, HERE)).runs())
    with TemporaryDirectory(prefix="weir-swarm-") as folder:
        try:
            results = [
                run_cell(run.experiment, run.seed, kernel, _new(folder, name), WALL_LIMIT_S)
                for name in ("once", "again")
            ]
            once, again = (
                run_directory(each, Path(folder) / f"run-{i}") for i, each in enumerate(results)
            )
        except WeirError as failure:
            return [Broken("a run that is not refused is carried out", str(failure))]
    found = all_broken(results[0].data)
    names = once.keys() | again.keys()
    differ = sorted(name for name in names if once.get(name) != again.get(name))
    if differ:
        found.append(Broken("the same bytes twice", ", ".join(differ)))
    return found


def _new(folder: str, name: str) -> Path:
    made = Path(folder) / name
    made.mkdir()
    return made
