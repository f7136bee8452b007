"""Nights that cannot tell get more replicates on both sides, and no more than their budget."""

from __future__ import annotations

import uuid
from typing import Any, Final

import numpy as np
from sqlalchemy import func, select
from weir.metrics import CATALOG
from weir_engine.levels import identity
from weir_engine.regression import Pairs, effects, judge
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.schedules.replicates import next_round
from weir_testing.platform import Platform
from weir_testing.platform.nights import FEW, LAB, METRIC, few, judged, night, play_at, schedule
from weir_testing.platform.results import Made, store

MOST: Final = 24


def baseline(platform: Platform, made: Made) -> uuid.UUID:
    found = store(platform, few(made))
    play_at(platform, found, 1.0)
    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, found)
        for name, value in LAB.items():
            setattr(campaign, name, value)
    return found


def runs(platform: Platform, campaign: uuid.UUID) -> dict[str, int]:
    """By state."""
    with platform.sessions() as session:
        return lifecycle.count_states(session, [campaign])[campaign]


def test_a_change_is_found_by_more_replicates(
    platform: Platform, before: Made, after: Made
) -> None:
    for made, bitrate in ((before, 1.0), (after, 0.5)):
        # What is run here later is known from there.
        play_at(platform, store(platform, made), bitrate)
    good = baseline(platform, before)
    nightly = schedule(platform, str(good), most_replicates=MOST)
    tonight = night(platform, nightly, few(after), bitrate=0.5, **LAB)
    (said,) = judged(platform, nightly)
    assert (said["verdict"], said["baseline"]) == ("worse", str(good))
    added = sum(runs(platform, each)["succeeded"] - FEW for each in (good, tonight))
    assert FEW < added <= 2 * (MOST - FEW)
    assert f"{added} runs were added on both sides in" in said["told"][-1]
    with platform.sessions() as session:
        for each in (good, tonight):
            campaign = session.get_one(Campaign, each)
            assert (campaign.state, campaign.run_count) == ("finished", FEW + added // 2)
        seeds = select(func.count(Run.seed.distinct())).where(Run.campaign_id == tonight)
        assert session.scalar(seeds) == FEW + added // 2
        ours, theirs = (
            session.execute(
                select(Run.replicate, Run.seed).where(Run.campaign_id == each).order_by(Run.seed)
            ).all()
            for each in (good, tonight)
        )
    assert ours == theirs
    # The next night has few again, and is told without a word on what only the baseline has.
    night(platform, nightly, few(before), **LAB)
    assert judged(platform, nightly)[0]["verdict"] == "same"
    assert not any("beside them" in line for line in judged(platform, nightly)[0]["told"])


def test_a_night_waits_for_its_replicates_and_ends_with_its_budget(
    platform: Platform, before: Made, after: Made
) -> None:
    good = baseline(platform, before)
    nightly = schedule(platform, str(good), most_replicates=MOST)
    first = night(platform, nightly, few(after), bitrate=0.5, **LAB)
    assert judged(platform, nightly) == [None]
    assert runs(platform, good) == runs(platform, first)
    queued = runs(platform, first)["queued"]
    assert 0 < queued <= FEW
    # Another one, while the baseline is being extended, waits for that.
    second = night(platform, nightly, few(after), bitrate=0.5, **LAB)
    assert judged(platform, nightly) == [None, None]
    assert runs(platform, second) == {"succeeded": FEW}
    # What fails tells nothing: more are asked for, as far as the budget goes.
    for _ in range(MOST):
        strand(platform, good, first, second)
        said = judged(platform, nightly)
        if None not in said:
            break
    assert [each["verdict"] for each in said] == ["cannot tell", "cannot tell"]
    for each in (good, first, second):
        found = runs(platform, each)
        assert found["succeeded"] == FEW < sum(found.values()) <= MOST


def strand(platform: Platform, *campaigns: uuid.UUID) -> None:
    """None of what they have queued is carried out."""
    for each in campaigns:
        with platform.sessions.begin() as session:
            lifecycle.end_runs(session, Run.campaign_id == each, lifecycle.table.STRAND, "nobody")
        with platform.sessions.begin() as session:
            lifecycle.settle_if_over(session, each)


def test_without_a_budget_or_with_another_lab_nothing_is_added(
    platform: Platform, before: Made, after: Made
) -> None:
    good = baseline(platform, before)
    for name, most, lab in (("none", 0, LAB), ("lab", MOST, {**LAB, "roles_hash": "other"})):
        nightly = schedule(platform, str(good), name=name, most_replicates=most)
        tonight = night(platform, nightly, few(after), bitrate=0.5, **lab)
        assert [each["verdict"] for each in judged(platform, nightly)] == ["cannot tell"]
        assert runs(platform, tonight) == {"succeeded": FEW}


def test_looking_again_and_again_raises_no_more_false_alarms() -> None:
    random = np.random.default_rng(3)
    alarms = more = 0
    for _ in range(200):
        sides = random.exponential(1.0, (2, 4, 96))
        count = dict.fromkeys(range(4), 8)
        while True:
            judgement = judge(
                [_pairs(place, sides[:, place, :n]) for place, n in count.items()],
                effects.DEFAULTS,
            )
            replicates = {identity({"queue": place}): n for place, n in count.items()}
            wanted, n = next_round(judgement, replicates, 96)
            if not wanted:
                break
            more += 1
            count |= {p: n for p in count if identity({"queue": p}) in wanted}
        alarms += any(one.verdict in {"worse", "better"} for one in judgement.judged)
    assert more > 100
    assert alarms <= 2


def test_a_round_is_for_those_that_had_the_last_one_and_within_the_budget() -> None:
    rising = np.stack([np.ones(12), 2 * np.ones(12)]) + np.linspace(0, 0.01, 12)
    judgement = judge([_pairs(0, rising), _pairs(1, rising[:, :6])], effects.DEFAULTS)
    (first, second) = (identity({"queue": place}) for place in (0, 1))
    assert {one.verdict for one in judgement.judged} == {"cannot tell"}
    wanted, n = next_round(judgement, {first: 12, second: 6}, 96)
    assert wanted == {first}
    assert 12 < n <= 24
    assert next_round(judgement, {first: 12, second: 6}, n - 1)[0] == set()


def _pairs(place: int, sides: Any) -> Pairs:
    n = sides.shape[1]
    found = Pairs({"queue": place}, n, distinct=n, changed=n)
    for side, values in zip((found.before, found.after), sides, strict=True):
        side.update({name: [None] * n for name in CATALOG} | {METRIC: (1e6 * values).tolist()})
    return found
