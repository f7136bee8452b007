"""A night's point on each trend: the mean of its replicates, and whether a segment begins there.

A trend is made of segments in which nothing is shown to change. Each night is compared in pairs of
runs with the segment's first night, by the same statistics as with the baseline: so a slow drift
is found, too, on the night on which it has become larger than what matters. A new lab kernel or
Weir begins a segment where it changes any number, which is then no change of what is tested.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from weir.metrics import CATALOG
from weir.stats import summary
from weir_engine.errors import BadInput
from weir_engine.levels import identity
from weir_engine.regression import SHOWN, Judged, Judgement, Pairs, judge, value
from weir_engine.regression.effects import Effect
from weir_engine.row import Row, distinct

from weir_orchestrator.db import Campaign, Night, Trend, TrendPoint
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.recorded.regression import paired, rows_to_judge
from weir_orchestrator.schedules.judged import judged

__all__ = ["Key", "points", "write_points"]

Key = tuple[str, str]
"""Identity of a combination, and a metric."""
Segment = tuple[uuid.UUID, str]
"""`since_id` and `mark` of a TrendPoint."""
_LOOKED_BACK: Final = 10
"""Nights in which a trend may have no point, and goes on after."""


def points(
    session: Session,
    objects: ObjectStore,
    campaign: Campaign,
    tonight: Sequence[Row],
    judgement: Judgement | None,
    matters: Mapping[str, Effect],
) -> list[dict[str, Any]]:
    """Fields of Trend and TrendPoint, together, of all that the night has numbers for."""
    judged = {key_of(one): one for one in judgement.judged} if judgement else {}
    runs: dict[str, list[Row]] = defaultdict(list)
    for row in tonight:
        if row.state == "succeeded":
            runs[identity(row.levels)].append(row)
    measured = dict(_measured(runs))
    segments = _segments(session, objects, campaign, runs, measured, matters)
    return [
        {
            "combination": key[0],
            "metric": key[1],
            "levels": runs[key[0]][0].levels,
            **found,
            **_said(judged.get(key)),
            "since_id": segments[key][0],
            "mark": segments[key][1],
        }
        for key, found in measured.items()
    ]


def write_points(session: Session, campaign: Campaign, found: Iterable[Mapping[str, Any]]) -> None:
    """Add the points of a night, and the trends that begin with it."""
    own = select(Trend.combination, Trend.metric, Trend.id).where(
        Trend.schedule_id == campaign.schedule_id
    )
    known = {(combination, metric): number for combination, metric, number in session.execute(own)}
    rows = [dict(each) for each in found]
    new = [row for row in rows if (row["combination"], row["metric"]) not in known]
    for row in new:
        named = {name: row[name] for name in ("combination", "metric", "levels")}
        insert_new(session, Trend, schedule_id=campaign.schedule_id, **named)
    if new:
        known = {(combination, metric): at for combination, metric, at in session.execute(own)}
    for row in rows:
        row["trend_id"] = known[row.pop("combination"), row.pop("metric")]
        del row["levels"]
        row["campaign_id"] = campaign.id
    if rows:
        session.execute(insert(TrendPoint), rows)


def key_of(one: Judged) -> Key:
    return identity(one.levels), one.metric


def _measured(runs: Mapping[str, Sequence[Row]]) -> Iterator[tuple[Key, dict[str, Any]]]:
    for combination, rows in runs.items():
        different = distinct(rows)
        for metric in CATALOG:
            of = summary((value(row.metrics, metric) for row in rows), distinct=different).as_json()
            if of["n"]:
                names = {"n": "n", "mean": "mean", "low": "ci_low", "high": "ci_high"}
                yield (combination, metric), {name: of[its] for name, its in names.items()}


def _said(one: Judged | None) -> dict[str, Any]:
    shown = ("verdict", "before", "difference", "replicates")
    if one is None:
        return {name: "" if name == "verdict" else None for name in shown}
    return {name: getattr(one, name) for name in shown}


def _segments(
    session: Session,
    objects: ObjectStore,
    campaign: Campaign,
    runs: Mapping[str, Sequence[Row]],
    measured: Iterable[Key],
    matters: Mapping[str, Effect],
) -> dict[Key, Segment]:
    here = dict.fromkeys(measured, (campaign.id, ""))
    wanted: dict[uuid.UUID, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for (combination, metric), since_id in _so_far(session, campaign, here).items():
        wanted[since_id][combination].add(metric)
    asked: list[Pairs] = []
    since_of: dict[Key, uuid.UUID] = {}
    for since_id, metrics in wanted.items():
        first = session.get(Campaign, since_id)
        if first is None:
            continue  # it was deleted: the trend goes on from here
        new = _new_lab(first, campaign)
        ours = [row for combination in metrics for row in runs[combination]]
        for each in _pairs(session, objects, first, ours):
            of = metrics[identity(each.levels)]
            asked += [] if new else [each.only(of)]
            for metric in of:
                key = (identity(each.levels), metric)
                since_of[key] = since_id
                if new and each.before[metric] != each.after[metric]:
                    here[key] = (campaign.id, new)
    for one in judge(asked, matters).judged:
        key = key_of(one)
        begins = one.verdict in SHOWN
        here[key] = (campaign.id, one.verdict) if begins else (since_of[key], "")
    return here


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
        its = select(Trend.combination, Trend.metric, TrendPoint.since_id).join(
            TrendPoint, TrendPoint.trend_id == Trend.id
        )
        for combination, metric, since_id in session.execute(
            its.where(TrendPoint.campaign_id == night)
        ):
            if (combination, metric) in wanted:
                found.setdefault((combination, metric), since_id)
    return found


def _new_lab(first: Campaign, campaign: Campaign) -> str:
    # Another control in C makes another kernel, and is what is tested.
    if first.kernel_hash != campaign.kernel_hash and _code(first) == _code(campaign):
        return "kernel"
    return "weir" if first.roles_hash != campaign.roles_hash else ""


def _code(campaign: Campaign) -> dict[str, str]:
    return {name: sha256 for name, sha256 in campaign.files.items() if name.endswith(".c")}


def _pairs(
    session: Session, objects: ObjectStore, first: Campaign, ours: Sequence[Row]
) -> list[Pairs]:
    wanted = {identity(row.levels) for row in ours}
    try:
        return paired(rows_to_judge(session, objects, first, wanted), ours)[0]
    except BadInput:  # other factors, or nothing that succeeded on both sides
        return []
