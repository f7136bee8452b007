"""Groups looked at together, as each alone."""

from __future__ import annotations

import numpy as np
import pytest
from weir_orchestrator.api.results import parted

ASKED = (0.0, 0.05, 0.25, 0.5, 0.95, 1.0)


@pytest.mark.parametrize("groups", [1, 2, 300])
def test_quantiles_are_those_of_each_group(groups: int) -> None:
    random = np.random.default_rng(groups)
    group = np.sort(np.concatenate((np.arange(groups), random.integers(groups, size=2000))))
    value = random.normal(size=len(group)).round(1)  # some are equal
    found = parted.quantiles(group, value, groups, ASKED)
    alone = [np.quantile(value[group == each], ASKED) for each in range(groups)]
    assert found == pytest.approx(np.array(alone), abs=1e-12)


@pytest.mark.parametrize("largest", [5, 2**63 - 1])
@pytest.mark.parametrize("groups", [1, 3, 70_000])
def test_different_digests_are_counted_by_group(groups: int, largest: int) -> None:
    """Also where they are small numbers, or there are none."""
    random = np.random.default_rng(groups)
    group = random.integers(max(1, groups - 1), size=3000)
    digest = random.integers(-largest, largest, size=len(group))
    found = parted.different(group, digest, groups)
    counted = np.zeros(groups, int)
    for each, _ in {*zip(group.tolist(), digest.tolist(), strict=True)}:
        counted[each] += 1
    assert found.tolist() == counted.tolist()


def test_nothing_has_no_groups() -> None:
    rows, group = parted.together([])
    assert len(rows) == len(group) == 0
    assert parted.different(group, rows, 0).tolist() == []
    assert parted.quantiles(group, np.zeros(0), 0, ASKED).shape == (0, len(ASKED))
