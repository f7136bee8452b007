"""Many rows in one statement, on either database: what is written is what was given."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select
from weir_orchestrator.db import Campaign, Event, Metric, Run, utc_now
from weir_orchestrator.db.columns import ColumnsUpdate, among, insert_columns, insert_new_columns
from weir_testing.platform import Platform
from weir_testing.platform.work import key_of, submit

AWKWARD = ["", "it's", 'said "so"', "a\\b", "{1,2}", "NULL", "é\N{SNOWMAN}\n", "%s :name"]


@pytest.fixture
def campaign_id(platform: Platform) -> uuid.UUID:
    """Of nine runs."""
    return submit(platform.sessions, platform.team_id, [key_of(n) for n in range(9)])


def column(platform: Platform, attribute: Any, by: Any) -> list[Any]:
    with platform.sessions() as session:
        return list(session.scalars(select(attribute).order_by(by)))


def test_texts_and_documents_are_inserted_as_they_are(
    platform: Platform, campaign_id: uuid.UUID
) -> None:
    documents = [{"text": each, "some": [1, None, {"deep": each}]} for each in AWKWARD]
    of = {"team_id": platform.team_id, "campaign_id": campaign_id, "kind": "told"}
    with platform.sessions.begin() as session:
        insert_columns(session, Event, {**of, "at": utc_now()}, {"data": documents})
    with platform.sessions() as session:
        told = select(Event.data).where(Event.kind == "told").order_by(Event.id)
        assert session.scalars(told).all() == documents


def test_rows_whose_key_is_there_are_left_alone(platform: Platform) -> None:
    def put(names: list[str], first: int) -> list[int]:
        ids = list(range(first, first + len(names)))
        with platform.sessions.begin() as session:
            new = insert_new_columns(session, Metric, {}, {"id": ids, "name": names}, "id")
            return [row.id for row in new]

    before = column(platform, Metric.name, Metric.id)
    assert put(AWKWARD[:3], 500) == [500, 501, 502]
    assert put(AWKWARD, 500) == [503, 504, 505, 506, 507]
    assert column(platform, Metric.name, Metric.id) == [*before, *AWKWARD]


def test_each_row_is_set_by_its_own_values(platform: Platform, campaign_id: uuid.UUID) -> None:
    ids = column(platform, Run.id, Run.id)
    change = ColumnsUpdate(Run, "id", ("reason", "wall_s"), {"state": "failed"})
    for texts in (AWKWARD, AWKWARD[::-1]):  # the statement is one, of any number of rows
        with platform.sessions.begin() as session:
            walls_s = [None, *(0.1 * n for n in range(1, len(texts)))]
            change(session, {"id": ids[1:], "reason": texts, "wall_s": walls_s})
        assert column(platform, Run.reason, Run.id)[1:] == texts
        assert column(platform, Run.wall_s, Run.id)[1:] == walls_s
    with platform.sessions.begin() as session:
        change(session, {"id": ids[1:2], "reason": ["alone"], "wall_s": [2.5]})
    assert column(platform, Run.state, Run.id) == ["queued", *["failed"] * 8]
    assert column(platform, Run.reason, Run.id)[:3] == ["", "alone", AWKWARD[-2]]


def test_a_column_is_compared_with_any_number_of_values(
    platform: Platform, campaign_id: uuid.UUID
) -> None:
    ids = column(platform, Run.id, Run.id)
    by_name = select(Run.id).where(among(Run.key, "of_keys")).order_by(Run.id)
    with platform.sessions() as session:
        for some in ([], ids[:1], ids[2:], [*ids, *range(10**6, 10**6 + 40_000)]):
            found = session.scalars(select(Run.id).where(among(Run.id, some)).order_by(Run.id))
            assert found.all() == [each for each in ids if each in some]
        for keys, number in (([], 0), ([*AWKWARD, key_of(0)], 1), (map(key_of, range(40)), 9)):
            assert len(session.scalars(by_name, {"of_keys": list(keys)}).all()) == number
        both = select(Run.id).where(among(Run.id, ids[:4]), ~among(Run.id, ids[:2]))
        assert set(session.scalars(both)) == set(ids[2:4])
        of_campaigns = select(Campaign.id).where(among(Campaign.state, {"active", "no such"}))
        assert session.scalars(of_campaigns).all() in ([], [campaign_id])
