"""Which of very many numbers come first, without a copy of all."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["foremost"]

_EVERY: Final = 64
"""One of so many numbers tells about how large the first ones are."""
_MORE: Final = 4
"""Times as many of those are taken as needed, and once more."""


def foremost(
    position: NDArray[np.int64],
    number: NDArray[np.float64],
    n: int,
    *,
    descending: bool,
    after: tuple[float, int] | None,
) -> NDArray[np.int64]:
    """Positions of the first `n`, or of all, in order: by number, and where that is equal by
    position. NaN has no place.

    position, number: (m,) each, positions rising. after: only what comes after this number at this
    position; if it is here, its own number counts, from which that may differ in its last digit.
    """
    sign = -1 if descending else 1
    begin, at = (-np.inf, -1) if after is None else (sign * after[0], after[1])
    own = number[position == at] if after is not None else number[:0]
    begin = next(iter(sign * own), begin)
    for end in (_enough(sign * number[::_EVERY], n, begin), np.inf):
        least, most = sorted((sign * begin, sign * end))
        here = np.flatnonzero((number >= least) & (number <= most))
        here = here[(sign * number[here] > begin) | (position[here] > at)]
        if len(here) >= n:
            break
    return position[here[_least(sign * number[here], n)]]


def _enough(some: NDArray[np.float64], n: int, begin: float) -> Any:
    """Up to which number about `n` come or more, from `begin` on; some: every _EVERY-th."""
    later = np.sort(some[some >= begin])
    place = _MORE * (n // _EVERY + 1)
    return later[place] if place < len(later) else np.inf


def _least(by: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Indices of the first `n`, or of all, in order."""
    if len(by) <= n:
        return np.argsort(by, kind="stable")
    last = np.partition(by, n - 1)[n - 1]
    some = np.sort(np.concatenate([np.flatnonzero(by < last), np.flatnonzero(by == last)[:n]]))
    return some[np.argsort(by[some], kind="stable")[:n]]
