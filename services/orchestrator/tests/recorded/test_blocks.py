"""Columns of blocks that the process keeps."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete
from weir_orchestrator.api.runs.metrics import place_of
from weir_orchestrator.db import Block
from weir_orchestrator.housekeeping.blocks import make_next
from weir_orchestrator.recorded.blocks import InBlocks, in_blocks
from weir_testing.platform import Platform
from weir_testing.platform.results import METRIC, make_runs, store
from weir_testing.platform.statements import after_the_first, noted

NAMES = ("combination", "seed", "digest")


@pytest.fixture
def campaign(platform: Platform, tmp_path: Path) -> uuid.UUID:
    stored = store(platform, make_runs(tmp_path))
    _make(platform)
    return stored


def _make(platform: Platform) -> None:
    assert make_next(platform.sessions, 6)
    assert make_next(platform.sessions, 6)


def _drop(platform: Platform, campaign: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.execute(delete(Block).where(Block.campaign_id == campaign))


def _look(platform: Platform, campaign: uuid.UUID) -> InBlocks:
    with platform.app.state.reading() as session:
        return in_blocks(session, campaign, place_of(session, METRIC, 1), NAMES)


def _told(found: InBlocks) -> tuple[Any, ...]:
    return found.end, found.values.tolist(), *(found.columns[each].tolist() for each in NAMES)


def test_columns_are_read_once_and_nobody_can_write_to_them(
    platform: Platform, campaign: uuid.UUID
) -> None:
    first = _look(platform, campaign)
    assert (first.end, len(first.values)) == (12, 12)
    with noted(platform.app.state.engine) as statements:
        again = _look(platform, campaign)
    assert sum("block" in each for each in statements) == 1, "which there are"
    assert again.values is first.values
    for column in (first.values, *first.columns.values()):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0


def test_blocks_that_are_made_anew_are_read_anew(platform: Platform, campaign: uuid.UUID) -> None:
    first = _look(platform, campaign)
    _drop(platform, campaign)
    assert _look(platform, campaign).end == 0
    _make(platform)
    again = _look(platform, campaign)
    assert again.values is not first.values
    assert _told(again) == _told(first)


def test_blocks_removed_or_made_anew_while_they_are_read_are_read_whole_or_not(
    platform: Platform, campaign: uuid.UUID
) -> None:
    whole = _told(_look(platform, campaign))

    def anew() -> None:
        _drop(platform, campaign)
        _make(platform)

    for change in (anew, lambda: _drop(platform, campaign)):
        anew()  # so nothing of them is kept
        with after_the_first(platform.app.state.engine, change):
            found = _told(_look(platform, campaign))
        assert found in (whole, (0, [], [], [], []))
