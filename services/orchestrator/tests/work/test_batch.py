"""Batches: workers that are there for one campaign, for so many runs, or until none is left."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from weir_orchestrator.db import Worker
from weir_orchestrator.work.batch import oom_kills
from weir_testing.patience import PATIENCE_S
from weir_testing.platform import Platform
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.work import behaving, key_of, states, submit
from weir_testing.platform.workers import PROGRAM, number_of_leases, variables

# It claims as every worker does, which test_worker.py and test_claim.py hold against both.
served = pytest.mark.parametrize("platform_settings", SERVED, indirect=True)


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(jobs=2)


def batch(platform: Platform, *options: str) -> int:
    """A batch from its start to its end; the exit code."""
    done = subprocess.run(
        [*PROGRAM, *options],
        env=variables(platform),
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode


@served
def test_a_batch_carries_out_its_campaign_and_no_other(platform: Platform) -> None:
    mine = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(4)])
    other = submit(
        platform.sessions, platform.team_id, [key_of(n) for n in range(10, 13)], priority=9
    )
    assert batch(platform, "--campaign", str(mine), "--until-idle") == 0
    assert states(platform.sessions, mine) == ["succeeded"] * 4
    assert states(platform.sessions, other) == ["queued"] * 3
    assert number_of_leases(platform) == 0
    with platform.sessions() as session:
        assert [worker.state for worker in session.query(Worker)] == ["gone"]


@served
def test_a_batch_takes_no_more_than_it_was_told(platform: Platform) -> None:
    mine = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(5)])
    assert batch(platform, "--campaign", str(mine), "--until-idle", "--at-most", "3") == 0
    assert Counter(states(platform.sessions, mine)) == {"succeeded": 3, "queued": 2}


@served
def test_two_batches_share_a_campaign_and_wait_for_what_they_hold(platform: Platform) -> None:
    keys = [key_of(n) for n in range(12)]
    mine = submit(platform.sessions, platform.team_id, keys, behaving("slow"))
    words = [*PROGRAM, "--campaign", str(mine), "--until-idle"]
    both = [subprocess.Popen(words, env=variables(platform)) for _ in range(2)]
    assert [each.wait(PATIENCE_S) for each in both] == [0, 0]
    assert states(platform.sessions, mine) == ["succeeded"] * 12


@served
def test_a_failed_run_does_not_end_a_batch(platform: Platform) -> None:
    bad = submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)], behaving("fails"))
    assert batch(platform, "--campaign", str(bad), "--until-idle") == 0
    assert states(platform.sessions, bad) == ["failed"] * 2


@pytest.mark.parametrize(
    ("text", "kills"),
    [
        ("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n", 2),
        ("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", 1),
    ],
)
def test_kills_for_memory_are_counted(tmp_path: Path, text: str, kills: int) -> None:
    counter = tmp_path / "counter"
    counter.write_text(text)
    assert oom_kills((tmp_path / "absent", counter)) == kills
