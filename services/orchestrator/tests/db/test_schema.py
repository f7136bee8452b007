"""The schema: what the migrations build is what the models say, up and down, also with data."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, delete, inspect, select, text
from weir_engine.errors import CannotRun
from weir_orchestrator.cli import main
from weir_orchestrator.db import (
    Base,
    Metric,
    Pack,
    Result,
    ResultValues,
    Team,
    connect,
    make_sessions,
    schema,
)
from weir_orchestrator.work.metric_rows import store_values
from weir_testing.platform import TEAM, Platform, fill
from weir_testing.platform.work import key_of, submit


@pytest.fixture
def engine(platform: Platform) -> Engine:
    engine: Engine = platform.app.state.engine
    return engine


def test_the_migrations_build_what_the_models_say(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_the_schema_goes_down_and_up_again_with_data(platform: Platform, engine: Engine) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)])
    schema.check(engine)
    schema.downgrade(engine, "base")
    left = set(inspect(engine).get_table_names())
    assert left <= {"alembic_version", "sqlite_sequence"}
    with pytest.raises(CannotRun, match="`weir db upgrade` brings it there"):
        schema.check(engine)
    fill(platform.settings.database_url)
    schema.check(engine)
    with make_sessions(engine)() as session:
        assert session.scalars(select(Team.slug).where(Team.slug == TEAM)).one() == TEAM
    submit(platform.sessions, platform.team_id, [key_of(1)])


def test_the_numbers_of_results_are_kept_down_and_up_again(
    platform: Platform, engine: Engine
) -> None:
    run = {"jain": 0.5, "drops_burst": 3, "loss_rate_percent": None}
    clients = [{"client": 1, "rank": 2, "ins": 0.25}, {"client": 2, "rank": 1, "jain": 7e-300}]
    kept = {"size_bytes": 1, "film_s": 1.0, "wall_s": 1.0, "outcome": "succeeded"}
    with platform.sessions.begin() as session:
        metrics = [{"run": run, "clients": clients}, {"run": {"mean": -1}, "clients": []}, {}]
        made = [Result(key=key_of(n), metrics=each, **kept) for n, each in enumerate(metrics)]
        session.add_all(made)
        session.flush()
        store_values(session, {each.id: each.metrics for each in made[:2]})
        first, second = made[0].id, made[1].id
    expected = [
        *[(first, 0, "drops_burst", 3.0), (first, 0, "jain", 0.5)],
        *[(first, 1, "jain", 7e-300), (first, 2, "ins", 0.25), (second, 0, "mean", -1.0)],
    ]
    old = text(
        "SELECT result_id, rank, name, value FROM metric_value JOIN metric ON metric.id = metric_id"
        " ORDER BY result_id, rank, name"
    )
    schema.downgrade(engine, "0020")
    with engine.connect() as connection:
        assert [tuple(row) for row in connection.execute(old)] == expected
        connection.execute(text("INSERT INTO metric (name) VALUES ('another')"))
    schema.upgrade(engine)
    with platform.sessions() as session:
        names = dict(session.execute(select(Metric.id, Metric.name)).all())
        found = [
            (row.result_id, row.rank, names[position], value)
            for row in session.scalars(select(ResultValues))
            for position, value in enumerate(row.numbers, 1)
            if value is not None
        ]
    assert sorted(found) == expected
    assert set(names) == set(range(1, len(names) + 1))


def test_shared_objects_are_not_left_behind_by_an_older_version(
    platform: Platform, engine: Engine
) -> None:
    kept = {"size_bytes": 1, "film_s": 1.0, "wall_s": 1.0, "outcome": "succeeded"}
    with platform.sessions.begin() as session:
        pack = Pack()
        session.add(pack)
        session.flush()
        session.add(Result(key=key_of(1), metrics={}, pack_id=pack.id, pack_start=0, **kept))
    with pytest.raises(CannotRun, match="run directories of 1 results share objects"):
        schema.downgrade(engine, "0021")
    schema.check(engine)
    with platform.sessions.begin() as session:
        session.execute(delete(Result))
    schema.downgrade(engine, "0021")
    schema.upgrade(engine)


def test_the_command_builds_and_checks_a_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--data", str(tmp_path)]
    assert main(["db", "check", *where]) == 3
    assert main(["db", "upgrade", *where]) == 0
    assert main(["db", "check", *where]) == 0
    engine = connect(f"sqlite:///{tmp_path}/weir.db")
    assert "campaign" in inspect(engine).get_table_names()
    assert main(["db", "downgrade", "base", *where]) == 0
    assert main(["db", "check", *where]) == 3
    engine.dispose()


def test_a_database_that_does_not_answer_is_told_without_its_password(
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = "postgresql+psycopg://weir:geheim@127.0.0.1:1/weir"
    assert main(["db", "check", "--database", url]) == 3
    told = capsys.readouterr().err
    assert "127.0.0.1:1" in told
    assert "geheim" not in told
    assert main(["db", "check", "--database", "mysql://x"]) == 2
