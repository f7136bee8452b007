"""Every committed event is read once and in order, whichever transaction commits first."""

from __future__ import annotations

import random
import threading
import time

import pytest
from sqlalchemy import delete
from weir_orchestrator.db import Event
from weir_orchestrator.events import InOrder, emit
from weir_testing.platform import Platform
from weir_testing.platform.served import tell

WRITERS = 6
ROUNDS = 25


def numbers(found: list[Event]) -> list[int]:
    return [event.data["run_id"] for event in found]


def reader(platform: Platform, position: int | None = 0) -> InOrder:
    return InOrder(platform.app.state.reading, position)


def needs_several_writers(platform: Platform) -> None:
    if platform.backend == "embedded":
        pytest.skip("SQLite has one writer at a time")


def test_events_are_read_once_in_order(platform: Platform) -> None:
    read = reader(platform)
    tell(platform.sessions, platform, None, 1, 2)
    assert numbers(read.read()) == [1, 2]
    tell(platform.sessions, platform, None, 3)
    assert numbers(read.read()) == [3]
    assert read.read() == []
    assert not read.waits


def test_a_reader_without_position_begins_with_what_is_committed_later(platform: Platform) -> None:
    tell(platform.sessions, platform, None, 1)
    read = reader(platform, None)
    assert read.read() == []
    tell(platform.sessions, platform, None, 2)
    assert numbers(read.read()) == [2]


@pytest.mark.parametrize("commits", [True, False])
def test_a_later_id_waits_for_an_earlier_one(platform: Platform, commits: bool) -> None:
    needs_several_writers(platform)
    read = reader(platform)
    with platform.sessions() as slow:
        emit(slow, platform.team_id, None, "run.ended", {"run_id": 1})
        slow.flush()
        tell(platform.sessions, platform, None, 2)
        for _ in range(3):
            assert read.read() == []
            assert read.waits
        if commits:
            slow.commit()
        else:
            slow.rollback()
    assert numbers(read.read() + read.read()) == ([1, 2] if commits else [2])


def test_reading_begins_when_nothing_earlier_can_still_come(platform: Platform) -> None:
    needs_several_writers(platform)
    read = reader(platform, None)
    with platform.sessions() as slow:
        emit(slow, platform.team_id, None, "run.ended", {"run_id": 1})
        slow.flush()
        tell(platform.sessions, platform, None, 2)
        assert read.read() == []
        assert read.position is None
        slow.commit()
    tell(platform.sessions, platform, None, 3)
    assert numbers(read.read()) == [3]
    assert read.position is not None


def test_ids_are_not_used_again(platform: Platform) -> None:
    read = reader(platform)
    tell(platform.sessions, platform, None, 1)
    assert numbers(read.read()) == [1]
    with platform.sessions.begin() as session:
        session.execute(delete(Event))
    tell(platform.sessions, platform, None, 2)
    assert numbers(read.read()) == [2]


def test_many_writers_at_once_lose_nothing(platform: Platform) -> None:
    read = reader(platform)
    committed: list[list[int]] = [[] for _ in range(WRITERS)]

    def write(writer: int) -> None:
        chance = random.Random(writer)
        for each in range(ROUNDS):
            number = writer * 1000 + each
            with platform.sessions() as session:
                emit(session, platform.team_id, None, "run.ended", {"run_id": number})
                session.flush()
                time.sleep(chance.random() * 0.01)
                if chance.random() < 0.2:
                    session.rollback()
                else:
                    session.commit()
                    committed[writer].append(number)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    found: list[Event] = []
    while any(thread.is_alive() for thread in threads):
        found += read.read()
    while (last := read.read()) or read.waits:
        found += last
    ids = [event.id for event in found]
    assert ids == sorted(set(ids))
    assert sorted(numbers(found)) == sorted(number for each in committed for number in each)
