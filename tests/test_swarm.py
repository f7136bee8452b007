"""What must hold of every run holds of drawn experiments, and of those where it once did not."""

from __future__ import annotations

import pytest
from weir_lab.kernel import Kernel
from weir_testing.swarm import corpus
from weir_testing.swarm.search import search
from weir_testing.swarm.twice import broken_by

pytestmark = pytest.mark.kernel

DRAWS = 8
KEPT = corpus.campaigns()


@pytest.mark.parametrize("name", KEPT)
def test_what_broke_a_rule_once_keeps_them_all(name: str, kernel: Kernel) -> None:
    assert broken_by(KEPT[name], kernel) == []


@pytest.mark.parametrize("of_seed", [101, 102])
def test_whatever_is_drawn_keeps_them_all(of_seed: int, kernel: Kernel) -> None:
    assert search(of_seed, DRAWS, kernel, shrink=False) == []
