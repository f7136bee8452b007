"""Where a trend is cut: nights with which something is shown to have changed.

A night is compared in pairs of runs with the first night of its segment, by the same statistics as
with its baseline.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

__all__ = ["Key", "Segment", "keyed", "segments"]

Key = tuple[str, str]
"""Identity of a combination, and a metric."""
Segment = tuple[uuid.UUID, str]
"""`since_id` and `mark` of a TrendPoint."""
_LOOKED_BACK: Final = 10
"""Nights in which a trend may have no point, and goes on after."""


def segments(
    session: Session,
    campaign: Campaign,
    runs: Mapping[str, Sequence[Row]],
    measured: Iterable[Key],
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
            asked += [each.only(metrics[name]) for name, each in pairs.items()]
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
    """Segments that begin."""
    return {key: (campaign.id, one.verdict) for key, one in keyed(judged) if one.verdict in SHOWN}


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
    # Another control in C makes another kernel, and is what is tested.
    if first.kernel_hash != campaign.kernel_hash and _code(first) == _code(campaign):
        return "kernel"
    return "weir" if first.roles_hash != campaign.roles_hash else ""


def _code(campaign: Campaign) -> dict[str, str]:
    return {name: sha256 for name, sha256 in campaign.files.items() if name.endswith(".c")}


def _pairs(before: Sequence[Row], after: Sequence[Row]) -> dict[str, Pairs]:
    """By combination."""
    try:
        return {identity(each.levels): each for each in paired(before, after)[0]}
    except BadInput:  # other factors, or nothing that succeeded on both sides
        return {}
