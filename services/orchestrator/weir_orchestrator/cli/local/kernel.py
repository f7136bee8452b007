"""`weir kernel`: the lab kernels of this machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from weir.errors import SpecError, WeirError
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes, output, print_json
from weir_orchestrator.cli.local.kernel_options import ConfigOption, PatchesOption, VersionOption
from weir_orchestrator.cli.local.kernel_progress import KernelProgress
from weir_orchestrator.cli.local.kernel_test import test
from weir_orchestrator.cli.local.kernel_wheel import of_wheel
from weir_orchestrator.cli.local.kernels import changes_given, one_of

__all__ = ["app"]

_MOST_OPTIONS = 12
"""Told of a kernel; `weir kernel diff` and --json have all. Kselftests ask for some 140."""

app = typer.Typer(
    help="Build, test, list, prune lab kernels.", no_args_is_help=True, rich_markup_mode=None
)
app.command(epilog=exits.HELP)(test)


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
    patches: PatchesOption = None,
    config: ConfigOption = None,
    version: VersionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build the lab kernel, unless it is in the cache already, or the wheel weir-lab-kernel has it.

    With --patch, --config or --version: that of an experiment whose `kernel` has them.
    """
    from weir_lab import kernel  # noqa: PLC0415

    for path in [*(cc or []), *([source] if source else [])]:
        if not path.is_file():
            raise BadInput(f"{path}: no such file")
    changes = changes_given(patches or [], config or [], version)
    plain = not cc and source is None and changes == kernel.Changes()
    built = of_wheel(plain=plain)
    try:
        if built is None:
            with KernelProgress() as shown:
                built = kernel.build(cc or [], source, shown.progress, changes)
    except SpecError:
        raise
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
                "version": each.version,
                "patches": list(each.patches),
                "config": list(each.config),
                "current": current is not None and each.hash == current.hash,
            }
            for each in kernels
        ]
        print_json(rows)
        return
    for wrong in kernel.damaged():
        notes.print(wrong, markup=False)
    if not kernels:
        notes.print("no lab kernel is built yet: `weir kernel build`")
    for each in kernels:
        mark = "*" if current is not None and each.hash == current.hash else " "
        names = " ".join(each.congestion_controls)
        output.print(f"{mark} {each.hash} {each.release}  {names}", markup=False)
        if each.changed:
            named = [f"version {each.version}"] if each.version else []
            more = len(each.config) - _MOST_OPTIONS
            options = [*each.config[:_MOST_OPTIONS], *([f"and {more} more"] if more > 0 else [])]
            output.print(f"    {' '.join([*named, *each.patches, *options])}", markup=False)
        output.print(f"    {each.path}", markup=False)


@app.command(epilog=exits.HELP)
def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="Hash of a kernel, or its beginning.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Hash of another.")],
    as_json: JsonOption = False,
) -> int:
    """Tell in what two built kernels differ: options, patches, congestion controls."""
    from weir_lab import kernel  # noqa: PLC0415
    from weir_lab.kernel.differences import differences  # noqa: PLC0415

    known = kernel.installed()
    found = differences(one_of(known, "A", first), one_of(known, "B", second))
    if as_json:
        print_json(asdict(found))
    elif found.none:
        output.print("same")
    else:
        for sign, lines in (("-", found.only_first), ("+", found.only_second)):
            for line in lines:
                output.print(f"{sign} {line}", markup=False)
    return exits.OK if found.none else exits.NOT_GOOD


@app.command(epilog=exits.HELP)
def prune(
    most_bytes: Annotated[
        int | None,
        typer.Option(
            "--bytes",
            min=0,
            help="What they may take together; $WEIR_KERNEL_CACHE_BYTES, or 4 GB.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Remove kernels, source trees and tests used least recently, but none in use."""
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
