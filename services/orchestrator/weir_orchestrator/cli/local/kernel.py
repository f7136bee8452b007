"""`weir kernel`: the lab kernels of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from weir.errors import WeirError
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes, output, print_json

__all__ = ["app"]

app = typer.Typer(
    help="Build, list, prune lab kernels.", no_args_is_help=True, rich_markup_mode=None
)
_WHAT_WIDTH = 48


@app.command(epilog=exits.HELP)
def build(
    cc: Annotated[
        list[Path] | None,
        typer.Option("--cc", help="C file of one more congestion control. Repeatable."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", help="Kernel source archive, instead of Debian's package."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Build the lab kernel, unless it is in the cache already."""
    from weir_lab import kernel  # noqa: PLC0415

    for path in [*(cc or []), *([source] if source else [])]:
        if not path.is_file():
            raise BadInput(f"{path}: no such file")
    try:
        with _Shown() as shown:
            built = kernel.build(cc or [], source, shown.progress)
    except WeirError as error:
        raise CannotRun(str(error)) from error
    if as_json:
        print_json({"path": str(built.path), "hash": built.hash, "release": built.release})
        return
    output.print(f"lab kernel {built.release} ({built.hash}): {built.path}", markup=False)


@app.command("list", epilog=exits.HELP)
def listing(as_json: JsonOption = False) -> None:
    """List the kernels that are built, and their congestion controls."""
    from weir_lab import kernel  # noqa: PLC0415

    current = kernel.find()
    kernels = kernel.installed()
    if as_json:
        rows = [
            {
                "hash": each.hash,
                "release": each.release,
                "path": str(each.path),
                "congestion_controls": list(each.congestion_controls),
                "current": current is not None and each.hash == current.hash,
            }
            for each in kernels
        ]
        print_json(rows)
        return
    if not kernels:
        notes.print("no lab kernel is built yet: `weir kernel build`")
    for each in kernels:
        mark = "*" if current is not None and each.hash == current.hash else " "
        names = " ".join(each.congestion_controls)
        output.print(f"{mark} {each.hash} {each.release}  {names}", markup=False)
        output.print(f"    {each.path}", markup=False)


@app.command(epilog=exits.HELP)
def prune(
    most_bytes: Annotated[
        int | None,
        typer.Option(
            "--bytes",
            min=0,
            help="What kernels and source trees may take; $WEIR_KERNEL_CACHE_BYTES, or 4 GB.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Remove kernels and source trees used least recently, but none in use."""
    from weir_lab import kernel  # noqa: PLC0415

    try:
        done = kernel.prune(most_bytes)
    except (WeirError, OSError) as error:
        raise CannotRun(str(error)) from error
    if as_json:
        removed = [str(path) for path in done.removed]
        print_json(
            {"removed": removed, "left_bytes": done.left_bytes, "bound_bytes": done.bound_bytes}
        )
        return
    for path in done.removed:
        output.print(f"removed {path}", markup=False)
    output.print(f"{done.left_bytes / 1e9:.2f} GB left of at most {done.bound_bytes / 1e9:.2f} GB")
    if done.left_bytes > done.bound_bytes:
        notes.print("what is left is in use, or is the lab kernel of this version of Weir")


class _Shown:
    """A progress bar on a terminal; elsewhere a line per tenth of the way."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=notes
        )
        self._task = self._bar.add_task("lab kernel", total=None)
        self._told = -1

    def __enter__(self) -> _Shown:
        if notes.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if notes.is_terminal:
            self._bar.stop()

    def progress(self, done: int, total: int, what: str) -> None:
        if notes.is_terminal:
            text = what[:_WHAT_WIDTH].ljust(_WHAT_WIDTH)
            self._bar.update(self._task, completed=done, total=total, description=text)
            return
        tenth = 10 * done // max(total, 1)
        if tenth != self._told:
            self._told = tenth
            notes.print(f"lab kernel: {10 * tenth} % {what[:_WHAT_WIDTH]}", markup=False)
