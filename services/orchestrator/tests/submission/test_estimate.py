"""What a campaign is expected to cost, before it is submitted."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select
from weir_orchestrator.db import Campaign, Result, Run, Worker
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all, submit


def _estimate(platform: Platform, changes: dict[str, Any] | None = None) -> Any:
    client = platform.client("submit")
    answer = client.post(f"{HERE}/campaigns/estimate", json=body(changes))
    assert answer.status_code == 200, answer.text
    return answer.json()


def _add_results(platform: Platform, number: int, wall_s: float, size_bytes: int) -> None:
    with platform.sessions.begin() as session:
        session.add_all(
            Result(
                key=f"{index:032}",
                outcome="succeeded",
                size_bytes=size_bytes,
                film_s=20.0,
                wall_s=wall_s,
                metrics={"clients": [{}, {}]},
            )
            for index in range(number)
        )


def test_without_results_the_projects_benchmarks_stand_in(platform: Platform) -> None:
    found = _estimate(platform)
    assert (found["runs"], found["film_s"], found["jobs"]) == (12, 240.0, 1)
    assert (found["exact"], found["measured_runs"], found["allowed"]) == (True, 0, True)
    # docs/benchmarks.md: two clients, 60 s of film: 0.38 s; 2.4 kB per client and second.
    minute = _estimate(platform, {"experiment": {**SPEC["experiment"], "duration": "60s"}})
    assert minute["wall_s"] / 12 == pytest.approx(0.38, rel=0.25)
    assert found["stored_bytes"] == 12 * 20 * 2 * 2_400
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Campaign)) == 0


def test_finished_results_of_the_same_kind_are_met_exactly(platform: Platform) -> None:
    _add_results(platform, 5, wall_s=0.5, size_bytes=70_000)
    found = _estimate(platform)
    assert found["measured_runs"] == 5
    assert found["wall_s"] == pytest.approx(12 * 0.5)
    assert found["stored_bytes"] == 12 * 70_000
    twice = _estimate(platform, {"experiment": {**SPEC["experiment"], "duration": "40s"}})
    assert 1 < twice["wall_s"] / found["wall_s"] < 2
    assert twice["stored_bytes"] == 2 * found["stored_bytes"]


def test_runs_that_have_a_result_are_subtracted(platform: Platform) -> None:
    changes: dict[str, Any] = {"factors": {"duration": ["20s", "40s"]}}
    before = _estimate(platform, changes)
    assert (before["runs"], before["known_runs"]) == (6, 0)
    submit(platform.client("submit"), changes)
    expand_all(platform)
    with platform.sessions.begin() as session:
        short = select(Run.key).where(Run.combination == 0).order_by(Run.position)
        keys = session.scalars(short).all()
        for key, outcome in zip(keys, ("succeeded", "invalid", "removing"), strict=True):
            session.add(
                Result(
                    key=key,
                    outcome=outcome,
                    size_bytes=20 * 2 * 2_400,
                    film_s=20.0,
                    wall_s=0.21 + 0.002 * 40,
                    metrics={"clients": [{}, {}]},
                )
            )
    after = _estimate(platform, changes)
    assert (after["runs"], after["known_runs"], after["film_s"]) == (6, 2, before["film_s"])
    assert after["stored_bytes"] == before["stored_bytes"] - 2 * 20 * 2 * 2_400
    assert before["wall_s"] - after["wall_s"] == pytest.approx(2 * 0.29)
    other = _estimate(platform, {**changes, "seed": 2})
    assert other["known_runs"] == 0


def test_workers_that_are_up_share_the_time(platform: Platform) -> None:
    alone = _estimate(platform)
    with platform.sessions.begin() as session:
        session.add(Worker(host="a", pid=1, jobs=2))
        session.add(Worker(host="b", pid=1, jobs=4))
        session.add(Worker(host="c", pid=1, jobs=8, state="gone"))
    shared = _estimate(platform)
    assert shared["jobs"] == 6
    assert shared["wall_s"] == pytest.approx(alone["wall_s"] / 6)


def test_of_many_combinations_some_are_looked_at(platform: Platform) -> None:
    rates = [f"{rate}kbit/s" for rate in range(4_000, 4_600)]
    found = _estimate(platform, {"factors": {"gateway.downlink.rate": rates}})
    assert (found["runs"], found["exact"]) == (1_800, True)
    delays = [f"{delay}ms" for delay in range(20, 40)]
    both = {"gateway.downlink.rate": rates[:100], "gateway.path.rtt.mean": delays}
    found = _estimate(platform, {"factors": both})
    assert (found["runs"], found["exact"], found["film_s"]) == (6_000, False, 120_000.0)
