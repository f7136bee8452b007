"""Levels of combinations that the process keeps."""

from __future__ import annotations

from pathlib import Path

from weir_orchestrator.db import Combination
from weir_orchestrator.recorded.combinations import all_combinations, known_combinations
from weir_testing.platform import Platform
from weir_testing.platform.results import CC, make_runs, store
from weir_testing.platform.statements import noted


def test_known_ones_are_not_read_again_and_further_ones_are(
    platform: Platform, tmp_path: Path
) -> None:
    campaign = store(platform, make_runs(tmp_path))
    with platform.sessions() as session:
        first = all_combinations(session, campaign)
        with noted(platform.app.state.engine) as statements:
            assert known_combinations(session, campaign) == first
            assert known_combinations(session, campaign) == first
    assert sum("levels" in each for each in statements) == 1
    number, levels = len(first), {**first[0], CC: "bbr"}
    with platform.sessions.begin() as session:
        experiment = session.get_one(Combination, (campaign, 0)).experiment
        session.add(
            Combination(campaign_id=campaign, number=number, levels=levels, experiment=experiment)
        )
    with platform.sessions() as session:
        assert known_combinations(session, campaign) == {**first, number: levels}
