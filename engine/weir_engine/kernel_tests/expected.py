"""Known failures: a text file with a case per line, and behind # why it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from weir_engine.errors import BadInput
from weir_engine.kernel_tests.carry_out import Outcome

__all__ = ["Verdict", "judged", "known_failures"]


@dataclass(frozen=True)
class Verdict:
    """kind: `known` failed and is known to, `mended` passed although it is. why: of a
    known failure; of a skipped case, the last line that it said, which may be none."""

    outcome: Outcome
    kind: Literal["passed", "failed", "skipped", "known", "mended"]
    why: str = ""

    @property
    def name(self) -> str:
        """Of the case."""
        return self.outcome.case.name


def known_failures(file: Path) -> dict[str, str]:
    """Case -> why it fails. Raises BadInput."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--expect: {file} — {error}") from error
    parts = [line.partition("#") for line in lines]
    return {name.strip(): why.strip() for name, _, why in parts if name.strip()}


def judged(first: Outcome, again: list[Outcome], known: Mapping[str, str]) -> Verdict:
    """again: the same case's further turns, which must be the same to the nanosecond."""
    for number, other in enumerate(again, 2):
        if other != first:
            told = f"turn {number} differs from the first: {_difference(first, other)}"
            return Verdict(replace(first, ended="failed", said=told), "failed")
    name = first.case.name
    if first.ended == "skipped":
        return Verdict(first, "skipped", first.said.strip().rpartition("\n")[2])
    if name not in known:
        return Verdict(first, first.ended)
    return Verdict(first, "mended" if first.ended == "passed" else "known", known[name])


def _difference(first: Outcome, other: Outcome) -> str:
    """Where two outcomes of a case part: the first line that differs, else the time."""
    pairs = zip_longest(first.said.splitlines(), other.said.splitlines(), fillvalue="nothing")
    line = next((f"it said {b!r}, not {a!r}; " for a, b in pairs if a != b), "")
    return f"{line}{other.took_ns} ns, not {first.took_ns}"
