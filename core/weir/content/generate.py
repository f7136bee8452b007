"""A made-up film of variable rate: scenes are easy or hard to encode, at every level alike.

Each segment begins a new scene with probability segment / scene. A scene has a complexity, a
standard normal number; within it complexity drifts (AR(1), 0.5). 90 % and 44 % of the two make
the common log-complexity z of unit variance (0.9^2 + 0.44^2 = 1). A level adds noise e of its own,
so that sizes of one segment correlate across levels without being proportional. A level's sizes
are exp(s (z + 0.12 e)), none above `peak` times the mean, scaled to the nominal rate; s is solved
for so that each level's coefficient of variation is `variation`.

What is exact for every seed: each level's mean rate is its nominal rate (to one byte over the
film), its coefficient of variation is `variation`, no segment exceeds `peak` times the mean.
What follows from the seed: lag-1 autocorrelation, correlation across levels (docs/content.md).

The same arguments give the same bytes everywhere: the only randomness is `random.Random.random`,
whose sequence Python guarantees, and a normal number is the sum of twelve of them less six. Sums
are fsum's, since sum() of floats gained digits with Python 3.12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import exp, fsum, sqrt
from random import Random

from weir.content.table import BadContent

__all__ = ["MAX_SEGMENTS", "generate"]

MAX_SEGMENTS = 20_000
_SCENE, _WITHIN, _OWN = 0.9, sqrt(1 - 0.9**2), 0.12
_DRIFT = 0.5
_MOST_SPREAD = 4.0
_HALVINGS = 40


def generate(
    ladder: Sequence[float], segment_s: float, segments: int, *,
    seed: int = 1, variation: float = 0.4, peak: float = 2.5, scene_s: float = 8.0,
) -> list[list[int]]:  # fmt: skip
    """Sizes in bytes, [level][segment]. ladder in bit/s, variation and peak as ratios.

    Raises BadContent: too long a film, a variation that `peak` does not allow.
    """
    if segments > MAX_SEGMENTS:
        raise BadContent(f"{segments} segments", f"at most {MAX_SEGMENTS} can be generated")
    random = Random(seed).random
    common = _complexities(random, segments, min(1.0, segment_s / scene_s))
    sizes = []
    for rate_bps in ladder:
        own = [z + _OWN * _normal(random) for z in common]
        sizes.append(_whole(_varied(own, variation, peak), rate_bps * segment_s / 8))
    if any(size < 1 for row in sizes for size in row):
        raise BadContent("a segment of 0 bytes", "raise the ladder's rates or lower variation")
    return sizes


def _normal(random: Callable[[], float]) -> float:
    return fsum(random() for _ in range(12)) - 6.0


def _complexities(random: Callable[[], float], segments: int, begins: float) -> list[float]:
    scene = drift = 0.0
    found = []
    for segment in range(segments):
        if segment == 0 or random() < begins:
            scene, drift = _normal(random), _normal(random)
        else:
            drift = _DRIFT * drift + sqrt(1 - _DRIFT**2) * _normal(random)
        found.append(_SCENE * scene + _WITHIN * drift)
    return found


def _varied(logs: list[float], variation: float, peak: float) -> list[float]:
    """Factors of mean 1 with that coefficient of variation, none above peak."""
    low, high = 0.0, _MOST_SPREAD
    if len(logs) < 2 or variation == 0:
        return [1.0] * len(logs)
    if _variation(_factors(logs, high, peak)) < variation:
        raise BadContent(
            f"variation {variation:.0%}", f"{len(logs)} segments of at most {peak:g} times the "
            "mean cannot vary so much; lower variation or raise peak",
        )  # fmt: skip
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _variation(_factors(logs, middle, peak)) < variation:
            low = middle
        else:
            high = middle
    return _factors(logs, high, peak)


def _factors(logs: list[float], spread: float, peak: float) -> list[float]:
    """exp(spread * log), cut off at peak times the mean, with mean 1."""
    raw = [exp(spread * value) for value in logs]
    # The cut lowers the mean and so itself: what is cut off stays so, the rest scales up.
    order = sorted(raw, reverse=True)
    rest, count = fsum(order), len(order)
    cut = 0
    while cut < count and (count - peak * cut) > 0 and order[cut] * (count - peak * cut) > (
        peak * rest
    ):  # fmt: skip
        rest -= order[cut]
        cut += 1
    scale = (count - peak * cut) / rest
    return [min(value * scale, peak) for value in raw]


def _variation(factors: list[float]) -> float:
    mean = fsum(factors) / len(factors)
    return sqrt(fsum((x - mean) ** 2 for x in factors) / len(factors)) / mean


def _whole(factors: list[float], mean_bytes: float) -> list[int]:
    """Whole bytes whose sums from the start on are never more than half a byte off."""
    ends = [round(total * mean_bytes) for total in accumulate(factors)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
