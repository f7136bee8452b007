"""Where a trend is cut: nights with which something is shown to have changed.

A night is compared in pairs of runs with the first night of its segment, by the same statistics as
with its baseline. Replicates that were added for the verdict are the night's and its baseline's;
where the first night has none of them, the baseline takes its place if it is alike in every run
that both have, and else is looked at as well, if nothing is shown between the two.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir_engine.errors import BadInput
from weir_engine.levels import identities, identity
from weir_engine.regression import SHOWN, Judged, Pairs, judge
from weir_engine.regression.effects import Effect
from weir_engine.row import Row

from weir_orchestrator.db import Campaign, Night, Trend, TrendPoint
from weir_orchestrator.recorded.regression import paired, rows_to_judge
from weir_orchestrator.schedules.judged import judged
from weir_orchestrator.schedules.own_kernel import own_kernel

__all__ = ["BesideBaseline", "Key", "Segment", "keyed", "segments"]

Key = tuple[str, str]
"""Identity of a combination, and a metric."""
Segment = tuple[uuid.UUID, str]
"""`since_id` and `mark` of a TrendPoint."""
_LOOKED_BACK: Final = 10
"""Nights in which a trend may have no point, and goes on after."""


@dataclass(frozen=True)
class BesideBaseline:
    """What a night was judged by. rows: the baseline's."""

    baseline_id: uuid.UUID
    rows: Sequence[Row]
    pairs: Sequence[Pairs]


def segments(
    session: Session,
    campaign: Campaign,
    runs: Mapping[str, Sequence[Row]],
    measured: Iterable[Key],
    beside: BesideBaseline | None,
    matters: Mapping[str, Effect],
) -> dict[Key, Segment]:
    """Of each trend that the night is on. runs: those that succeeded, by combination."""
    here = dict.fromkeys(measured, (campaign.id, ""))
    since_of = _so_far(session, campaign, here)
    wanted: dict[uuid.UUID, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for (combination, metric), since_id in since_of.items():
        wanted[since_id][combination].add(metric)
    asked: list[Pairs] = []
    for since_id, metrics in wanted.items():
        first = session.get(Campaign, since_id)
        if first is None:
            continue  # it was deleted: the trend goes on from here
        new = _new_lab(first, campaign)
        theirs = rows_to_judge(session, first, metrics)
        pairs = _pairs(theirs, [row for combination in metrics for row in runs[combination]])
        if not new:
            asked += _to_ask(session, since_id, theirs, pairs, metrics, beside)
            continue
        # Where it changes nothing, what follows is compared with this night, of the same lab.
        here |= {
            (combination, metric): (campaign.id, new)
            for combination, each in pairs.items()
            for metric in metrics[combination]
            if each.before.get(metric) != each.after.get(metric)
        }
    told = judge(asked, matters).judged
    here |= {key: (since_of[key], "") for key, _ in keyed(told)}
    return here | _begun(campaign, told)


def keyed(judged: Sequence[Judged]) -> Iterator[tuple[Key, Judged]]:
    """Each with its key."""
    for combination, one in zip(identities(one.levels for one in judged), judged, strict=True):
        yield (combination, one.metric), one


def _begun(campaign: Campaign, judged: Sequence[Judged]) -> dict[Key, Segment]:
    """Segments that begin; where both comparisons of one metric show it, as the larger one says."""
    shown = [(key, one) for key, one in keyed(judged) if one.verdict in SHOWN]
    shown.sort(key=lambda each: each[1].n)
    return {key: (campaign.id, one.verdict) for key, one in shown}


def _to_ask(
    session: Session,
    since_id: uuid.UUID,
    first: Sequence[Row],
    pairs: Mapping[str, Pairs],
    metrics: Mapping[str, set[str]],
    beside: BesideBaseline | None,
) -> Iterator[Pairs]:
    """The night beside what stands for the segment. pairs: of it and the segment's first night."""
    larger: dict[str, Pairs] = {}
    for each in beside.pairs if beside else ():
        combination = identity(each.levels)
        if combination in pairs and each.n > pairs[combination].n:
            larger[combination] = each
    alike: set[str] = set()
    own: Mapping[Key, uuid.UUID] = {}
    if beside and larger:
        both = _pairs(first, beside.rows)
        alike = {name for name in larger if name in both and not both[name].changed}
        own = _since(session, beside.baseline_id)
    for combination, each in pairs.items():
        of = metrics[combination]
        if combination not in alike:
            yield each.only(of)
        if combination in larger:
            same = {name for name in of if own.get((combination, name)) == since_id}
            yield larger[combination].only(of if combination in alike else same)


def _so_far(
    session: Session, campaign: Campaign, wanted: Mapping[Key, object]
) -> dict[Key, uuid.UUID]:
    """With which campaign the segment begins that each trend is in, before this night."""
    before = judged(campaign.schedule_id).where(Campaign.created_at < campaign.created_at)
    nights = before.with_only_columns(Night.campaign_id).limit(_LOOKED_BACK)
    found: dict[Key, uuid.UUID] = {}
    for night in session.scalars(nights):
        if found.keys() >= wanted.keys():
            break
        for key, since_id in _since(session, night).items():
            if key in wanted:
                found.setdefault(key, since_id)
    return found


def _since(session: Session, night: uuid.UUID) -> dict[Key, uuid.UUID]:
    """With which campaign the segments begin that a night is in."""
    points = (
        select(Trend.combination, Trend.metric, TrendPoint.since_id)
        .join(TrendPoint, TrendPoint.trend_id == Trend.id)
        .where(TrendPoint.campaign_id == night)
    )
    return {
        (combination, metric): since_id for combination, metric, since_id in session.execute(points)
    }


def _new_lab(first: Campaign, campaign: Campaign) -> str:
    # What the campaign itself brings makes another kernel, too, and is what is tested.
    if first.kernel_hash != campaign.kernel_hash and own_kernel(first) == own_kernel(campaign):
        return "kernel"
    return "weir" if first.roles_hash != campaign.roles_hash else ""


def _pairs(before: Sequence[Row], after: Sequence[Row]) -> dict[str, Pairs]:
    """By combination."""
    try:
        return {identity(each.levels): each for each in paired(before, after)[0]}
    except BadInput:  # other factors, or nothing that succeeded on both sides
        return {}
