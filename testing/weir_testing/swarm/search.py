"""Draw experiments until enough have been, and make what breaks a rule as small as it can be."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Flaky
from weir_lab.kernel import Kernel

from weir_testing.swarm.drawing import FROM_ITS_SEED
from weir_testing.swarm.drawn import campaigns
from weir_testing.swarm.twice import broken_by
from weir_testing.swarm.values import Document

__all__ = ["Found", "search"]

TELL_EVERY = 25


@dataclass(frozen=True)
class Found:
    """What broke a rule, where it did, and the smallest campaign known that does."""

    rule: str
    said: str
    campaign: Document


class _BreaksARule(Exception):
    pass


def search(of_seed: int, draws: int, kernel: Kernel, shrink: bool = True) -> list[Found]:
    """One for each rule that any of so many campaigns broke; standard error tells how far it is.

    shrink: make each smaller, which takes minutes.
    """
    found: dict[str, Found] = {}
    last: Found | None = None
    drawn = 0

    def hold(campaign: Document) -> None:
        nonlocal drawn, last
        drawn += 1
        if drawn % TELL_EVERY == 0:
            _tell(of_seed, f"{drawn} of {draws} drawn")
        for broken in broken_by(campaign, kernel):
            if broken.rule not in found:
                _tell(of_seed, f"draw {drawn} broke: {broken.rule}: {broken.said}")
                last = Found(broken.rule, broken.said, campaign)
                raise _BreaksARule(broken.rule)

    while drawn < draws:
        of_so_many = settings(
            backend=FROM_ITS_SEED,
            max_examples=draws - drawn,
            database=None,
            deadline=None,
            phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )
        try:
            seed(of_seed + 1000 * len(found))(of_so_many(given(campaigns())(hold)))()
        except (_BreaksARule, Flaky):
            # Where it holds when it is tried again, that is the finding.
            assert last is not None
            found[last.rule] = last
    return list(found.values())


def _tell(of_seed: int, said: str) -> None:
    print(f"seed {of_seed}: {said}", file=sys.stderr, flush=True)
