"""`weir kernel test`: the kernel's own tests of TCP's timing, in lab kernels."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from weir.errors import SpecError, WeirError
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes, output, print_json
from weir_orchestrator.cli.local.kernel_progress import KernelProgress
from weir_orchestrator.cli.local.kernels import changes_given

if TYPE_CHECKING:
    from weir_engine.kernel_tests import Case, Outcome, Verdict
    from weir_engine.kernel_tests.packetdrill import Suite
    from weir_lab.kernel import Changes, Kernel

__all__ = ["test"]

_TOLD_EVERY_S = 10.0
_CALLED = "ethtool"


def test(
    packetdrill: Annotated[
        Path,
        typer.Option(
            "--packetdrill",
            help="packetdrill, which no Debian package has: the program, or its source as a "
            "folder or tar archive (github.com/google/packetdrill).",
        ),
    ],
    patches: Annotated[
        list[Path] | None,
        typer.Option("--patch", help="Patch on top of the lab's, in this order. Repeatable."),
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option("--config", help="Kernel option on top: TCP_CONG_YEAH=y. Repeatable."),
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", help="Another Linux, such as 7.2.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Cases alone that match: tcp_sack_*, */ipv6. Repeatable."),
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
    """Run the kernel's packetdrill suite in lab kernels, on the virtual clock.

    Exit code 1 where a case fails that is not known to.
    """
    from weir_engine import kernel_tests  # noqa: PLC0415 - imports the lab
    from weir_engine.kernel_tests import reports  # noqa: PLC0415
    from weir_engine.kernel_tests.packetdrill import make_tools  # noqa: PLC0415

    for option, path in (("--tap", tap), ("--junit", junit)):
        if path is not None and not path.absolute().parent.is_dir():
            raise BadInput(f"{option}: {path} — there is no folder {path.absolute().parent}")
    known = kernel_tests.known_failures(expect) if expect else {}
    try:
        suite, kernel = _prepared(changes_given(patches or [], config or [], version))
        if not (cases := suite.named(only or [])):
            first = suite.cases[0].name
            raise BadInput(
                f"--only: {', '.join(only or [])} — no case is called so; one is {first}"
            )
        _say_what_scripts_lack(suite, cases)
        began_s = time.monotonic()
        with TemporaryDirectory(prefix="weir-kernel-test-") as name:
            make_tools(packetdrill, suite, Path(name))
            some = jobs or os.cpu_count() or 1
            ran = []
            for turn in range(turns):
                outcomes = kernel_tests.carry_out(kernel, Path(name), cases, some, wall_limit)
                ran.append([*_told(outcomes, len(cases), turn)])
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
    _say(verdicts, kernel, time.monotonic() - began_s, as_json=as_json)
    return exits.NOT_GOOD if any(each.kind == "failed" for each in verdicts) else exits.OK


def _prepared(changes: Changes) -> tuple[Suite, Kernel]:
    """The suite of the kernel's source, and a kernel with the changes and what the suite needs."""
    from weir_engine.kernel_tests.packetdrill import open_suite  # noqa: PLC0415 - imports the lab
    from weir_engine.kernel_tests.source import unpacked  # noqa: PLC0415
    from weir_lab import kernel  # noqa: PLC0415
    from weir_lab.kernel import cache, source  # noqa: PLC0415

    origin = source.obtain(version=changes.version)
    suite = open_suite(unpacked(origin.archive, cache.root() / "selftests" / origin.sha256[:16]))
    options = tuple(sorted({**suite.config, **dict(changes.config)}.items()))
    with KernelProgress() as shown:
        built = kernel.build(progress=shown.progress, changes=replace(changes, config=options))
    return suite, built


def _say_what_scripts_lack(suite: Suite, cases: Sequence[Case]) -> None:
    """The guest has this machine's programs."""
    from weir_engine.provenance import SEARCH_PATH  # noqa: PLC0415 - imports the lab

    calling = sum(_CALLED in suite.script(each) for each in cases)
    if calling and not shutil.which(_CALLED, path=SEARCH_PATH):
        notes.print(f"{_CALLED}: not here, and {calling} cases call it: apt-get install {_CALLED}")


def _told(outcomes: Iterator[Outcome], cases: int, turn: int) -> Iterator[Outcome]:
    """Each of them, and now and then how many there are."""
    told_s = time.monotonic()
    for number, outcome in enumerate(outcomes, 1):
        yield outcome
        if time.monotonic() - told_s > _TOLD_EVERY_S:
            told_s = time.monotonic()
            notes.print(f"turn {turn + 1}: {number} of {cases} cases", markup=False)


def _say(verdicts: Sequence[Verdict], kernel: Kernel, wall_s: float, *, as_json: bool) -> None:
    counts = Counter[str](each.kind for each in verdicts)
    if as_json:
        cases = [
            {
                "case": each.name,
                "verdict": each.kind,
                "why": each.why,
                "said": each.outcome.said,
                "took_s": each.outcome.took_ns / 1e9,
            }
            for each in verdicts
        ]
        print_json({"kernel": kernel.hash, "counts": counts, "wall_s": wall_s, "cases": cases})
        return
    for each in verdicts:
        if each.kind == "failed":
            output.print(f"failed: {each.name}", markup=False)
            output.print(f"    {each.outcome.said}", markup=False)
        elif each.kind == "skipped":
            output.print(f"skipped: {each.name}{each.why and f': {each.why}'}", markup=False)
        elif each.kind == "mended":
            output.print(f"passed, though known to fail: {each.name}", markup=False)
    words = {
        "passed": "passed",
        "failed": "failed",
        "skipped": "skipped",
        "known": "known failures",
        "mended": "mended",
    }
    told = ", ".join(f"{counts[kind]} {word}" for kind, word in words.items() if counts[kind])
    output.print(f"lab kernel {kernel.release} ({kernel.hash}): {told}; {wall_s:.0f} s")
