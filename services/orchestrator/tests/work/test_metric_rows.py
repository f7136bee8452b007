"""Numbers of results as arrays: each at its metric's place, none where there is none."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.metrics import CATALOG
from weir_orchestrator.api.runs.metrics import by_result, place_of, results_of, values
from weir_orchestrator.db import Campaign, Metric, Result, ResultValues, Run
from weir_orchestrator.db.dialect import number_at
from weir_orchestrator.work.metric_rows import name_metrics, remove_values, store_values
from weir_testing.platform import Platform
from weir_testing.platform.work import key_of, submit

OF_RUN = sorted(name for name, info in CATALOG.items() if info.scope == "run")
OF_CLIENTS = sorted(name for name, info in CATALOG.items() if info.scope == "client")


def drawn(clients: int) -> dict[str, object]:
    """metrics.json in which a third of all numbers is unknown."""
    draw = random.Random(clients)

    def entry(names: list[str]) -> dict[str, float | None]:
        return {name: draw.choice([None, draw.gauss(), draw.gauss() * 1e100]) for name in names}

    ranks = [{"client": rank, "rank": rank, **entry(OF_CLIENTS)} for rank in range(1, clients + 1)]
    return {"format": 1, "run": entry(OF_RUN), "clients": ranks}


def stored(platform: Platform, session: Session, count: int) -> dict[int, dict[str, object]]:
    """Results of a campaign's runs, by id."""
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(count)])
    metrics = [drawn(clients) for clients in range(count)]
    kept = {"size_bytes": 1, "film_s": 1.0, "wall_s": 1.0, "outcome": "succeeded"}
    results = [Result(key=key_of(n), metrics=each, **kept) for n, each in enumerate(metrics)]
    session.add_all(results)
    session.flush()
    for run in session.scalars(select(Run)):
        run.result_id = results[run.position].id
    found = {each.id: each.metrics for each in results}
    store_values(session, found)
    return found


def mean(numbers: list[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None


def test_every_metric_is_read_as_it_was_written(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        found = stored(platform, session, 4)
    with platform.sessions() as session:
        campaign = session.scalars(select(Campaign)).one()
        for name in [*OF_RUN, *OF_CLIENTS]:
            for client in (None, 1, 3):
                expected: dict[int, float | None] = {}
                for result_id, metrics in found.items():
                    clients = metrics["clients"]
                    assert isinstance(clients, list)
                    if name in OF_RUN:
                        expected[result_id] = metrics["run"][name]  # type: ignore[index]
                    else:
                        of = [each for each in clients if client in (None, each["rank"])]
                        expected[result_id] = mean([each[name] for each in of])
                known = {key: value for key, value in expected.items() if value is not None}
                measured = values(place_of(session, name, client), results_of(session, campaign))
                read: dict[int, float] = dict(session.execute(select(measured)).all())
                assert read.keys() == known.keys(), (name, client)
                for key, value in known.items():
                    assert abs(read[key] - value) <= 1e-12 * abs(value)
                one = by_result(session, list(found), [name], client)
                assert {key: row[name] for key, row in one.items() if row} == read


def test_where_no_result_has_a_metric_there_are_no_numbers(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        stored(platform, session, 0)
        campaign = session.scalars(select(Campaign)).one()
        place = place_of(session, OF_RUN[0], None)
        assert session.execute(select(values(place, results_of(session, campaign)))).all() == []
        assert by_result(session, [1], OF_RUN, None) == {}


def test_a_number_beyond_an_array_is_none(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        (result_id, *_) = stored(platform, session, 1)
        remove_values(session, result_id)
        session.add(ResultValues(result_id=result_id, rank=0, numbers=[1.5, None, 1e300]))
        session.flush()
        at = [number_at(ResultValues.numbers, position) for position in (1, 2, 3, 4, 99)]
        assert tuple(session.execute(select(*at)).one()) == (1.5, None, 1e300, None, None)


def test_metrics_named_at_the_same_time_have_ids_without_gaps(platform: Platform) -> None:
    names = [f"m{number:02}" for number in range(40)]

    def name(first: int) -> dict[str, int]:
        with platform.sessions.begin() as session:
            return dict(name_metrics(session, names[first : first + 25]))

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(name, [0, 15, 5, 10]))
    with platform.sessions() as session:
        ids = dict(session.execute(select(Metric.name, Metric.id)).all())
    assert sorted(ids) == names
    assert sorted(ids.values()) == list(range(1, 41))
    for each in told:
        assert each.items() <= ids.items()


def test_names_are_not_remembered_of_what_was_rolled_back(platform: Platform) -> None:
    known: dict[str, int] = {}
    with platform.sessions() as session:
        name_metrics(session, ["a", "b"], known)
        session.rollback()
    with platform.sessions.begin() as session:
        assert name_metrics(session, ["b"], known) == {"b": 1}
    with platform.sessions.begin() as session:
        assert name_metrics(session, ["b"], known) == known == {"b": 1}
