"""Whether one level beats another one, as far as the runs tell that there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final, Literal

import numpy as np
from weir.evidence import majority, median_interval, replicates_to_reach
from weir.metrics import CATALOG
from weir.spec.factors import same_level

from weir_engine.levels import short, text
from weir_engine.regression.effects import DEFAULTS, Effect
from weir_engine.report.numbers import scale_for
from weir_engine.row import Row

__all__ = ["Answer", "Hypothesis", "Pair", "Verdict", "answer", "asked_in", "in_words"]

Verdict = Literal["yes", "no", "no difference", "alike", "cannot tell"]
"""no: the other one beats it. no difference: none that matters. alike: no chance in any run."""

WRONG_AT_MOST: Final = 0.05
"""Probability of a wrong yes or no, and of an interval without the median, over all looks."""
_EITHER_WAY: Final = 2 / WRONG_AT_MOST
_NONE_MATTERS: Final = 1 / WRONG_AT_MOST
_ALIKE_AFTER: Final = 5


@dataclass(frozen=True)
class Hypothesis:
    """Does level `does` of a factor beat `beat` for a metric? effect: what matters."""

    factor: str
    does: Any
    beat: Any
    metric: str
    effect: Effect


@dataclass(frozen=True)
class Pair:
    """Two runs of one seed, by their keys, and what they measured."""

    replicate: int
    does_key: str
    beat_key: str
    does: float
    beat: float

    @property
    def difference(self) -> float:
        return self.does - self.beat


@dataclass(frozen=True)
class Answer:
    """What is known by now. n: pairs of runs; distinct: how many of them are not one over again.

    does, beat: medians. difference: the pairs' median; low, high: its interval, which holds
    however often one looks (None: too few pairs). relative: of the difference to `beat`.
    replicates: how many would be enough at the shares seen; None: no number, or it is told.
    typical: the pair nearest the median difference; worst: the one that speaks most against
    `does`. without: replicates of which a side did not succeed.
    """

    verdict: Verdict
    n: int
    distinct: int
    without: int
    does: float | None = None
    beat: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    relative: float | None = None
    replicates: int | None = None
    typical: Pair | None = None
    worst: Pair | None = None

    @property
    def is_told(self) -> bool:
        """Whether further replicates would say no more."""
        return self.verdict != "cannot tell"


def asked_in(spec: Mapping[str, Any]) -> Hypothesis | None:
    """The question of a campaign as its spec has it, which was checked; None: it has none."""
    question = spec.get("question")
    if question is None:
        return None
    ((factor, levels),) = (spec.get("factors") or spec["zip"][0]).items()
    does = question["does"]
    (beat,) = (level for level in levels if not same_level(level, does))
    metric, matters = question["metric"], question.get("matters")
    effect = DEFAULTS[metric]
    if isinstance(matters, str):
        effect = Effect(float(matters.removesuffix("%")) / 100, 0.0)
    elif matters is not None:
        effect = Effect(0.0, float(matters))
    return Hypothesis(factor, does, beat, metric, effect)


def answer(rows: Sequence[Row], asked: Hypothesis) -> Answer:
    """From all runs of the campaign, in any state.

    By the sign of the paired differences, which have to be larger than what matters: e-values
    (weir.evidence), so that one may look after every run. Pairs of equal bytes count once.
    """
    pairs, different, without = _pairs(rows, asked)
    n = len(pairs)
    if not pairs:
        return Answer("cannot tell", 0, 0, without)
    up, down = _beyond(different, asked.effect)
    if CATALOG[asked.metric].better == "lower":
        up, down = down, up
    distinct = len(different)
    differences = [pair.difference for pair in different]
    middle, base = median(differences), median(pair.beat for pair in different)
    low, high = median_interval(np.array(differences), WRONG_AT_MOST) or (None, None)
    verdict = _verdict(up, down, distinct, n)
    return Answer(
        verdict,
        n,
        distinct,
        without,
        median(pair.does for pair in different),
        base,
        middle,
        low,
        high,
        middle / abs(base) if base else None,
        _enough(up, down, distinct) if verdict == "cannot tell" else None,
        min(different, key=lambda pair: abs(pair.difference - middle)),
        min(different, key=lambda pair: pair.difference * _sign(asked)),
    )


def in_words(found: Answer, asked: Hypothesis) -> str:
    """The answer as a sentence or two."""
    info = CATALOG[asked.metric]
    does, beat = _named(asked, asked.does), _named(asked, asked.beat)
    metric = info.title[:1].lower() + info.title[1:]
    if found.difference is None or found.does is None or found.beat is None:
        return f"Nothing is known yet of {does} and {beat}: no pair of runs has succeeded."
    scale = scale_for(info.unit, max(abs(found.does), abs(found.beat)))
    unit = f" {scale.unit}" if scale.unit else ""
    size = f"{_signed(scale.number(found.difference))}{unit}"
    if found.relative is not None:
        size = f"{100 * found.relative:+.3g} % ({size})".replace("-", "\u2212")
    range_ = ""
    if found.low is not None and found.high is not None:
        ends = " to ".join(_signed(scale.number(end)) for end in (found.low, found.high))
        range_ = f", 95 % interval {ends}{unit}"
    seeds = f"over {found.distinct} {'seed' if found.distinct == 1 else 'seeds'}"
    matters = asked.effect.text(info.unit)
    return {
        "yes": f"Yes: {does} beats {beat} for {metric}, {size}{range_}, {seeds}.",
        "no": f"No: {beat} beats {does} for {metric}; {does} makes {size}{range_}, {seeds}.",
        "no difference": f"Neither: {does} and {beat} differ by less than matters ({matters}) for "
        f"{metric}: {size}{range_}, {seeds}.",
        "alike": f"Nothing random happens in these runs: in every one, {does} makes {size} for "
        f"{metric}. RTT jitter or other traffic would show how runs vary.",
        "cannot tell": f"Not told yet: {does} makes {size} for {metric} against {beat}{range_}, "
        f"{seeds}.",
    }[found.verdict]


def _pairs(rows: Sequence[Row], asked: Hypothesis) -> tuple[list[Pair], list[Pair], int]:
    """All pairs in order, those of them that differ, and how many replicates have none."""
    sides: list[dict[int, Row]] = [
        {row.replicate: row for row in rows if same_level(row.levels[asked.factor], level)}
        for level in (asked.does, asked.beat)
    ]
    pairs: list[Pair] = []
    seen: dict[tuple[int, int], Pair] = {}
    without = 0
    for replicate in sorted(sides[0].keys() & sides[1].keys()):
        one, other = sides[0][replicate], sides[1][replicate]
        if {one.state, other.state} & {"failed", "invalid"}:
            without += 1
        if one.state != "succeeded" or other.state != "succeeded":
            continue
        values = one.measured.get(asked.metric), other.measured.get(asked.metric)
        if values[0] is None or values[1] is None:
            without += 1
            continue
        pair = Pair(replicate, one.key, other.key, values[0], values[1])
        pairs.append(pair)
        seen.setdefault((one.digest, other.digest), pair)
    return pairs, list(seen.values()), without


def _beyond(pairs: Sequence[Pair], effect: Effect) -> tuple[int, int]:
    """How many differ by more than matters, upwards and downwards."""
    up = sum(pair.difference > effect.of(pair.beat) for pair in pairs)
    down = sum(pair.difference < -effect.of(pair.beat) for pair in pairs)
    return up, down


def _verdict(better: int, worse: int, distinct: int, n: int) -> Verdict:
    if distinct == 1 and n >= _ALIKE_AFTER:
        return "alike"
    if majority(better, distinct) >= _EITHER_WAY:
        return "yes"
    if majority(worse, distinct) >= _EITHER_WAY:
        return "no"
    within = min(majority(distinct - better, distinct), majority(distinct - worse, distinct))
    return "no difference" if within >= _NONE_MATTERS else "cannot tell"


def _enough(better: int, worse: int, distinct: int) -> int | None:
    most = max(better, worse)
    found = (
        replicates_to_reach(most, distinct, _EITHER_WAY),
        replicates_to_reach(distinct - most, distinct, _NONE_MATTERS),
    )
    return min((each for each in found if each is not None), default=None)


def _sign(asked: Hypothesis) -> int:
    return -1 if CATALOG[asked.metric].better == "lower" else 1


def _named(asked: Hypothesis, level: Any) -> str:
    """`illinois`; of a level that says little by itself, with its factor: `limit 64kB`."""
    said = text(level)
    return said if said[:1].isalpha() else f"{short(asked.factor)} {said}"


def _signed(number: str) -> str:
    return number.replace("-", "\u2212") if number.startswith("-") else f"+{number}"
