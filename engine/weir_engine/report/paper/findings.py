"""Whether the measured runs show what a paper states. See docs/findings.md."""

from __future__ import annotations

from dataclasses import dataclass

from weir.spec.paper_findings import Finding

from weir_engine.report.paper.parts import (
    CONTRADICTED,
    INCONCLUSIVE,
    NOT_MEASURED,
    SUPPORTED,
    Part,
    parts_of,
)
from weir_engine.report.paper.pool import Pool

__all__ = ["Judged", "judge"]


@dataclass(frozen=True)
class Judged:
    """A finding with its parts, by comparison."""

    finding: Finding
    verdict: str
    parts: tuple[tuple[Part, ...], ...]

    def count(self, verdict: str) -> int:
        return sum(part.verdict == verdict for parts in self.parts for part in parts)


def judge(pool: Pool) -> list[Judged]:
    """Every finding of the pool's paper."""
    return [_judge(pool, finding) for finding in pool.paper.findings]


def _judge(pool: Pool, finding: Finding) -> Judged:
    parts = tuple(tuple(parts_of(pool, each)) for each in finding.comparisons)
    return Judged(finding, _overall(parts), parts)


def _overall(parts: tuple[tuple[Part, ...], ...]) -> str:
    """Supported when all measured parts are, and every comparison was measured somewhere."""
    measured = [[p.verdict for p in some if p.verdict != NOT_MEASURED] for some in parts]
    verdicts = {verdict for some in measured for verdict in some}
    if verdicts == {CONTRADICTED}:
        return CONTRADICTED
    if verdicts - {SUPPORTED}:
        return INCONCLUSIVE
    return SUPPORTED if all(measured) else NOT_MEASURED
