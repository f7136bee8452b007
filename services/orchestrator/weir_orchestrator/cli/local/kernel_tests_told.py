"""What `weir kernel test` says of its cases."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from weir_orchestrator.cli.common import notes, output, print_json

if TYPE_CHECKING:
    from weir_engine.kernel_tests import Verdict
    from weir_lab.kernel import Kernel

__all__ = ["say", "say_what_lacks"]

_MOST_LINES = 40
"""Of what a test said; the reports have all."""
_WORDS = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "known": "known failures",
    "mended": "mended",
}


def say_what_lacks(calls: Iterable[tuple[str, str, str]], search_path: str) -> None:
    """calls: a program, its Debian package, who calls it. search_path: the guest's, whose programs
    are this machine's."""
    for program, package, who in calls:
        if not shutil.which(program, path=search_path):
            notes.print(f"{program}: not here, and {who}: apt-get install {package}", markup=False)


def say(verdicts: Sequence[Verdict], kernel: Kernel, wall_s: float, *, as_json: bool) -> None:
    """wall_s: how long all took."""
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
            for line in each.outcome.said.splitlines()[-_MOST_LINES:]:
                output.print(f"    {line}", markup=False)
        elif each.kind == "skipped":
            output.print(f"skipped: {each.name}{each.why and f': {each.why}'}", markup=False)
        elif each.kind == "mended":
            output.print(f"passed, though known to fail: {each.name}", markup=False)
    told = ", ".join(f"{counts[kind]} {word}" for kind, word in _WORDS.items() if counts[kind])
    output.print(f"lab kernel {kernel.release} ({kernel.hash}): {told}; {wall_s:.0f} s")
