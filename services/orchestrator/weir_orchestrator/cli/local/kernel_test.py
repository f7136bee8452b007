"""`weir kernel test`: the kernel's own tests in lab kernels."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from weir.errors import SpecError, WeirError
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes
from weir_orchestrator.cli.local.kernel_options import ConfigOption, PatchesOption, VersionOption
from weir_orchestrator.cli.local.kernel_progress import KernelProgress
from weir_orchestrator.cli.local.kernel_tests_asked import Selection, asked_of
from weir_orchestrator.cli.local.kernel_tests_told import say, say_what_lacks
from weir_orchestrator.cli.local.kernels import changes_given

if TYPE_CHECKING:
    from weir_engine.kernel_tests import Outcome
    from weir_lab.kernel import Changes, Kernel

__all__ = ["test"]

_TOLD_EVERY_S = 10.0


def test(
    packetdrill: Annotated[
        Path | None,
        typer.Option(
            "--packetdrill",
            help="Run the packetdrill suite, by this packetdrill, which no Debian package has: the "
            "program, or its source as a folder or tar archive (github.com/google/packetdrill).",
        ),
    ] = None,
    kselftests: Annotated[
        list[str] | None,
        typer.Option(
            "--kselftest",
            help="Run this test below tools/testing/selftests of the kernel's source: "
            "net/mptcp/simult_flows.sh. Repeatable.",
        ),
    ] = None,
    patches: PatchesOption = None,
    config: ConfigOption = None,
    version: VersionOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help="Of packetdrill, cases alone that match: tcp_sack_*, */ipv6. Repeatable.",
        ),
    ] = None,
    turns: Annotated[
        int, typer.Option("--turns", min=1, help="How often; a case that differs then failed.")
    ] = 1,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Cases at a time; 0: one per core.")
    ] = 0,
    wall_limit: Annotated[
        float, typer.Option("--wall-limit", min=1, help="Seconds of wall time a case may take.")
    ] = 300.0,
    expect: Annotated[
        Path | None,
        typer.Option("--expect", help="Known failures: a case per line, and # why."),
    ] = None,
    tap: Annotated[Path | None, typer.Option("--tap", help="TAP file to write.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="JUnit XML file to write.")] = None,
    as_json: JsonOption = False,
) -> int:
    """Run the kernel's packetdrill suite, or kselftests, in lab kernels, on the virtual clock.

    Exit code 1 where a case fails that is not known to.
    """
    from weir_engine import kernel_tests  # noqa: PLC0415 - imports the lab
    from weir_engine.kernel_tests import reports  # noqa: PLC0415
    from weir_engine.provenance import SEARCH_PATH  # noqa: PLC0415

    for option, path in (("--tap", tap), ("--junit", junit)):
        if path is not None and not path.absolute().parent.is_dir():
            raise BadInput(f"{option}: {path} — there is no folder {path.absolute().parent}")
    known = kernel_tests.known_failures(expect) if expect else {}
    try:
        changes = changes_given(patches or [], config or [], version)
        with (
            asked_of(packetdrill, kselftests or [], only or [], changes.version) as asked,
            TemporaryDirectory(prefix="weir-kernel-test-") as name,
        ):
            say_what_lacks(asked.calls(), SEARCH_PATH)
            for told in asked.make_tools(Path(name)):
                notes.print(told, markup=False)
            kernel = _built(asked, changes)
            began_s = time.monotonic()
            some = jobs or os.cpu_count() or 1
            ran = []
            for turn in range(turns):
                outcomes = kernel_tests.carry_out(kernel, Path(name), asked.cases, some, wall_limit)
                ran.append([*_told(outcomes, len(asked.cases), turn)])
    except (SpecError, BadInput):
        raise
    except WeirError as error:
        raise CannotRun(str(error)) from error
    verdicts = [
        kernel_tests.judged(first, again, known) for first, *again in zip(*ran, strict=True)
    ]
    if tap is not None:
        tap.write_text(reports.tap(verdicts), encoding="utf-8")
    if junit is not None:
        junit.write_text(reports.junit(verdicts), encoding="utf-8")
    say(verdicts, kernel, time.monotonic() - began_s, as_json=as_json)
    return exits.NOT_GOOD if any(each.kind == "failed" for each in verdicts) else exits.OK


def _built(asked: Selection, changes: Changes) -> Kernel:
    """A kernel with the changes and what the tests need of options."""
    from weir_lab import kernel  # noqa: PLC0415
    from weir_lab.kernel.changed import left_out  # noqa: PLC0415

    options = tuple(sorted({**asked.config, **dict(changes.config)}.items()))
    whole = replace(changes, config=options, if_offered=tuple(sorted(asked.if_offered.items())))
    with KernelProgress() as shown:
        built = kernel.build(progress=shown.progress, changes=whole)
    if missing := left_out(built.path.with_name("config").read_text(), whole):
        notes.print(
            f"left out, as User-Mode Linux has not these options: {', '.join(missing)}",
            markup=False,
        )
    return built


def _told(outcomes: Iterator[Outcome], cases: int, turn: int) -> Iterator[Outcome]:
    """Each of them, and now and then how many there are."""
    told_s = time.monotonic()
    for number, outcome in enumerate(outcomes, 1):
        yield outcome
        if time.monotonic() - told_s > _TOLD_EVERY_S:
            told_s = time.monotonic()
            notes.print(f"turn {turn + 1}: {number} of {cases} cases", markup=False)
