"""Cases side by side, each in a lab kernel of its own: what one leaves, none finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from weir.errors import RunFailure
from weir_lab import boot, left
from weir_lab.guest.plan import KernelTestPlan, dumped
from weir_lab.kernel import Kernel
from weir_lab.packages import folder_of
from weir_lab.standstill import MOST_CPU_S

from weir_engine.kernel_tests.case import Case

__all__ = ["Ended", "Outcome", "carry_out"]

Ended = Literal["passed", "failed", "skipped"]

_SEED: Final = 1
_CLIENTS: Final = 16
"""As for so many, the guest has memory."""
_ENDED: Final[dict[int, Ended]] = {0: "passed", 4: "skipped"}
"""By exit status, as the kernel's tools/testing/selftests/kselftest.h has them."""
_OVER_LIMIT: Final = 124
"""timeout(1)'s exit status."""


@dataclass(frozen=True)
class Outcome:
    """How a case ended. said: what the test said, or why there was no end. took_ns: on the lab
    kernel's clock; 0: it had no end."""

    case: Case
    ended: Ended
    said: str
    took_ns: int


def carry_out(
    kernel: Kernel,
    tools: Path,
    cases: Sequence[Case],
    jobs: int,
    wall_limit_s: float,
    standstill_cpu_s: float = MOST_CPU_S,
) -> Iterator[Outcome]:
    """Each case's outcome, in the order given. tools: what the cases' commands are in.

    standstill_cpu_s: see `weir_lab.cell.run_cell`.
    """
    one = partial(_one, kernel, tools, wall_limit_s, standstill_cpu_s)
    with ThreadPoolExecutor(jobs, thread_name_prefix="kernel-test") as several:
        yield from several.map(one, cases)


def _one(
    kernel: Kernel, tools: Path, wall_limit_s: float, standstill_cpu_s: float, case: Case
) -> Outcome:
    with TemporaryDirectory(prefix="weir-kernel-test-") as name:
        folder = Path(name)
        limit = ("timeout", str(case.limit_s)) if case.limit_s else ()
        asked: KernelTestPlan = {
            "packages": {},
            "tools": str(tools),
            "at": case.at,
            "command": [*limit, *case.command],
            "preload": case.preload,
            "own_network": case.own_network,
        }
        (folder / "plan.marshal").write_bytes(dumped(asked))
        how = boot.Boot(
            _SEED,
            _CLIENTS,
            record_tcp=False,
            record_queue=False,
            folders=(folder_of("weir_lab"), tools),
            guest="kernel_test",
            standstill_cpu_s=standstill_cpu_s,
        )
        try:
            boot.run(kernel, how, folder, wall_limit_s)
            code, took_ns = map(int, (folder / "ended.txt").read_text().split())
        except (RunFailure, OSError, ValueError) as error:
            return Outcome(case, "failed", "\n".join([str(error), *_said(folder)]), 0)
        said = _said(folder)
        if limit and code == _OVER_LIMIT:
            said.append(f"no end within {case.limit_s} s, which its folder's settings allow")
        return Outcome(case, _ENDED.get(code, "failed"), "\n".join(said), took_ns)


def _said(folder: Path) -> list[str]:
    """All that the test said, as one; none where it said nothing."""
    with suppress(OSError, RunFailure):
        if said := left.printable(left.console(folder, "said.txt")).strip():
            return [said]
    return []
