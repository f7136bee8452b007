"""The first of many numbers are those that sorting all of them has first."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from weir_orchestrator.api.runs.foremost import foremost

NAN = float("nan")


def _sorted(
    position: NDArray[np.int64], number: NDArray[np.float64], *, descending: bool
) -> list[tuple[int, float]]:
    known = ~np.isnan(number)
    both = zip(position[known].tolist(), number[known].tolist(), strict=True)
    return sorted(both, key=lambda each: (-each[1] if descending else each[1], each[0]))


def _drawn(kind: str, m: int) -> NDArray[np.float64]:
    random = np.random.default_rng([m, len(kind)])
    of_kind = {
        "spread": random.lognormal(size=m),
        "few different": random.integers(0, 3, m).astype(float),
        "mostly zero": np.where(random.random(m) < 0.01, random.random(m), 0.0),
        "rising": np.arange(m) / 7,
        "falling": -np.arange(m) / 7,
        "some unknown": np.where(random.random(m) < 0.6, NAN, random.random(m)),
        "unknown": np.full(m, NAN),
        # What is looked at first says nothing of the others.
        "uneven": np.where(np.arange(m) % 64 == 0, 9.0, random.random(m)),
    }
    return of_kind[kind]


@pytest.mark.parametrize("descending", [False, True], ids=["rising", "falling"])
@pytest.mark.parametrize("m", [0, 1, 51, 1_000, 50_000])
@pytest.mark.parametrize(
    "kind",
    [
        *("spread", "few different", "mostly zero", "rising", "falling"),
        *("some unknown", "unknown", "uneven"),
    ],
)
def test_they_are_those_that_sorting_all_has_first(kind: str, m: int, descending: bool) -> None:
    position = np.cumsum(np.random.default_rng(m).integers(1, 4, m))
    number = _drawn(kind, m)
    in_order = _sorted(position, number, descending=descending)
    for n in (1, 51, 501):
        for begin in (None, 0, len(in_order) // 3, len(in_order) - 2):
            if begin is not None and not 0 <= begin < len(in_order):
                continue
            after = None if begin is None else (in_order[begin][1], in_order[begin][0])
            found = foremost(position, number, n, descending=descending, after=after)
            rest = in_order if begin is None else in_order[begin + 1 :]
            assert found.tolist() == [at for at, _ in rest[:n]]


def test_it_goes_on_from_a_number_that_is_nobodys() -> None:
    position, number = np.array([0, 1, 4, 5]), np.array([3.0, 1.0, 2.0, 1.0])
    for after, left in (
        ((1.5, 9), [4, 0]),
        ((1.0, 3), [5, 4, 0]),
        ((NAN, 3), []),
        ((4.0, 9), []),
    ):
        assert foremost(position, number, 9, descending=False, after=after).tolist() == left


def test_the_own_number_of_where_it_goes_on_counts() -> None:
    """It was told by others, who add in another order."""
    position, number = np.arange(3), np.array([0.1, 0.2, 0.3])
    for told in (np.nextafter(0.2, 1), np.nextafter(0.2, 0)):
        after = (float(told), 1)
        assert foremost(position, number, 9, descending=False, after=after).tolist() == [2]
        assert foremost(position, number, 9, descending=True, after=after).tolist() == [0]
