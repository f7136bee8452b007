"""A night's point on each trend: the mean of its replicates, and whether a segment begins there.

A trend is made of segments in which nothing is shown to change. Each night is compared with the
segment's first one: so a slow drift is found, too, on the night on which it has become larger than
what matters. A new lab kernel or Weir begins a segment where it changes any number, which is then
no change of what is tested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.metrics import CATALOG
from weir.stats import summary
from weir_engine.levels import identities
from weir_engine.regression import Judged, Judgement
from weir_engine.regression.effects import Effect
from weir_engine.row import Row, distinct

from weir_orchestrator.db import Campaign, Trend, TrendPoint
from weir_orchestrator.db.columns import insert_columns
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.schedules.segments import BesideBaseline, Key, keyed, segments

__all__ = ["points", "write_points"]


def points(
    session: Session,
    campaign: Campaign,
    tonight: Sequence[Row],
    judgement: Judgement | None,
    beside: BesideBaseline | None,
    matters: Mapping[str, Effect],
) -> list[dict[str, Any]]:
    """Fields of Trend and TrendPoint, together, of all that the night has numbers for."""
    said = dict(keyed(judgement.judged)) if judgement else {}
    runs: dict[str, list[Row]] = defaultdict(list)
    good = [row for row in tonight if row.state == "succeeded"]
    for combination, row in zip(identities(row.levels for row in good), good, strict=True):
        runs[combination].append(row)
    measured = dict(_measured(runs))
    cut = segments(session, campaign, runs, measured, beside, matters)
    return [
        {
            "combination": key[0],
            "metric": key[1],
            "levels": runs[key[0]][0].levels,
            **found,
            **_said(said.get(key)),
            "since_id": cut[key][0],
            "mark": cut[key][1],
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
    if rows:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        insert_columns(session, TrendPoint, {"campaign_id": campaign.id}, columns)


def _measured(runs: Mapping[str, Sequence[Row]]) -> Iterator[tuple[Key, dict[str, Any]]]:
    for combination, rows in runs.items():
        different = distinct(rows)
        names = {name for row in rows for name in row.measured}
        for metric in (name for name in CATALOG if name in names):
            of = summary((row.measured.get(metric) for row in rows), distinct=different).as_json()
            fields = {"n": "n", "mean": "mean", "low": "ci_low", "high": "ci_high"}
            yield (combination, metric), {name: of[its] for name, its in fields.items()}


def _said(one: Judged | None) -> dict[str, Any]:
    shown = ("verdict", "before", "difference", "replicates")
    if one is None:
        return {name: "" if name == "verdict" else None for name in shown}
    return {name: getattr(one, name) for name in shown}
