"""`weir replay`: run again, compare bytes."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from weir_engine.differing_files import differing_files
from weir_engine.errors import BadInput
from weir_engine.store import Store

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    notes,
    output,
    print_json,
)
from weir_orchestrator.cli.local.kernels import build_kernels

__all__ = ["carry_out_again", "replay"]


def replay(
    run: Annotated[str, typer.Argument(help="Run key, its beginning, or a run directory.")],
    store: StoreOption = DEFAULT_STORE,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Keep the new run's files in this new folder.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Carry a run out again and compare every file but host.json, byte by byte."""
    from weir.rundir import read_run  # noqa: PLC0415 - heavy

    folder = Store(store).find(run)
    if keep is not None and keep.exists():
        raise BadInput(f"--keep: {keep} — exists already; name a new folder")
    document = read_run(folder)
    if document["outcome"] == "failed":
        raise BadInput(f"RUN: {run} — it failed, so there is nothing to compare; use `weir run`")
    differences = carry_out_again(folder, keep)
    if as_json:
        print_json({"run": document["key"], "same": not differences, "differences": differences})
    elif differences:
        output.print(f"different: {', '.join(differences)}", markup=False)
    else:
        output.print("same")
    return exits.NOT_GOOD if differences else exits.OK


def carry_out_again(folder: Path, keep: Path | None = None) -> list[str]:
    """Names of the files in which the same run now differs; host.json always does.

    folder: of a run that did not fail. keep: a new folder for the new run's files.
    """
    from weir.rundir import read_run  # noqa: PLC0415 - heavy

    with tempfile.TemporaryDirectory(prefix="weir-replay-") as temporary:
        out = Path(temporary) / "run"
        out.mkdir()
        _again(read_run(folder), out)
        if keep is not None:
            shutil.copytree(out, keep)
        return differing_files(folder, out, {"host.json"})


def _again(document: dict[str, Any], out: Path) -> None:
    from weir_engine import provenance  # noqa: PLC0415
    from weir_engine.perform import write_run  # noqa: PLC0415 - heavy
    from weir_engine.task import Environment, Task  # noqa: PLC0415

    experiment = document["experiment"]
    changed = [experiment["kernel"]] if "kernel" in experiment else []
    kernel = build_kernels(changed).of(experiment)
    environment = Environment(out, kernel, provenance.roles())
    if kernel.hash != document["kernel"]["hash"]:
        notes.print("note: the run was made with another lab kernel than the one built now")
    if environment.roles["hash"] != document["roles"]["hash"]:
        notes.print("note: the run was made with other roles than those installed now")
    names = ("key", "campaign", "levels", "replicate", "seed", "experiment")
    write_run(Task(**{name: document[name] for name in names}), environment, out)
