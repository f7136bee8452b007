"""Known failures: a text file with a case per line, and behind # why it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from weir_engine.errors import BadInput
from weir_engine.packetdrill.carry_out import Outcome

__all__ = ["Verdict", "judged", "known_failures"]


@dataclass(frozen=True)
class Verdict:
    """kind: `mended` passed although it is known to fail. why: of a known failure."""

    outcome: Outcome
    kind: Literal["passed", "failed", "known", "mended"]
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
            told = f"turn {number} differs from the first: {other.took_ns} ns, {other.said}"
            return Verdict(Outcome(first.case, False, told, first.took_ns), "failed")
    name = first.case.name
    if name in known:
        return Verdict(first, "mended" if first.passed else "known", known[name])
    return Verdict(first, "passed" if first.passed else "failed")
