"""Runs that certify: carried out although their key has a result, which they are compared with."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from weir.rundir import to_json
from weir_engine import jsonfile
from weir_orchestrator.db import Campaign, Certificate, Lease, Result, Run, Worker
from weir_orchestrator.objects import failed_prefix, put_folder, run_prefix
from weir_orchestrator.recorded import RunFiles
from weir_orchestrator.work import lease
from weir_orchestrator.work.certify import differing_files
from weir_orchestrator.work.claim import Claim, claim
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.run_files import Ended
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import stored_result
from weir_testing.platform.work import VERSIONS, key_of, states, submit

LEASE = timedelta(seconds=30)
KEY = key_of(1)
FILES: dict[str, dict[str, Any]] = {
    "metrics.json": {"n": 1},
    "run.json": {"key": KEY, "campaign": "a", "levels": {}},
}


def directory(folder: Path, **changes: object) -> Path:
    """A run directory; changes: to run.json."""
    (folder / "players").mkdir(parents=True)
    run = {**FILES["run.json"], "replicate": 0, **changes}
    for name, document in {**FILES, "run.json": run, "host.json": {"at": str(folder)}}.items():
        (folder / name).write_bytes(to_json(document))
    (folder / "players" / "client-1.parquet").write_bytes(b"0" * 200_000)
    return folder


@pytest.fixture
def finisher(platform: Platform, tmp_path: Path) -> Finisher:
    """Of a worker; KEY has a result, stored."""
    put_folder(platform.objects, run_prefix(KEY), directory(tmp_path / "stored"))
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add_all([row, stored_result(KEY, "invalid")])
    return Finisher(platform.sessions, platform.objects, row.id, LEASE)


def certifying(platform: Platform) -> object:
    """A campaign of one run that certifies KEY's result; its id."""
    made = submit(platform.sessions, platform.team_id, [KEY])
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.campaign_id == made).values(certifies=True))
    return made


def take(platform: Platform, finisher: Finisher) -> Claim:
    with platform.sessions.begin() as session:
        (found,) = claim(session, finisher.worker_id, VERSIONS, LEASE)
    return found


def run_of(platform: Platform, campaign_id: object) -> tuple[str, str, list[str] | None]:
    """State, reason and certificate of a campaign's run."""
    query = (
        select(Run.state, Run.reason, Certificate.differing)
        .outerjoin(Certificate, Certificate.run_id == Run.id)
        .where(Run.campaign_id == campaign_id)
    )
    with platform.sessions() as session:
        state, reason, differing = session.execute(query).one()
        return state, reason, differing


def test_the_same_bytes_end_a_run_as_its_result(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    made = certifying(platform)
    found = take(platform, finisher)
    assert found.certifies
    folder = directory(tmp_path / "again", campaign="a.again", levels={"x": 1}, replicate=3)
    assert finisher.certify(found, folder, 0.5)
    assert run_of(platform, made) == ("invalid", "the rate was not as asked", [])
    with platform.sessions() as session:
        assert session.get_one(Campaign, made).state == "finished"
        assert (
            session.scalars(select(Run.result_id)).one() == session.scalars(select(Result.id)).one()
        )
        assert session.scalars(select(Lease.key)).all() == []


def test_other_bytes_fail_a_run_and_leave_the_result(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    made = certifying(platform)
    found = take(platform, finisher)
    before = RunFiles(platform.objects, run_prefix(KEY)).content("metrics.json")
    folder = directory(tmp_path / "again", seed=2)
    (folder / "players" / "client-1.parquet").write_bytes(b"1" + b"0" * 199_999)
    (folder / "metrics.json").unlink()
    (folder / "more.json").write_text("{}")
    assert finisher.certify(found, folder, 0.5)
    state, reason, differing = run_of(platform, made)
    expected = ["metrics.json", "more.json", "players/client-1.parquet", "run.json"]
    assert (state, differing) == ("failed", expected)
    assert all(name in reason for name in expected)
    assert RunFiles(platform.objects, run_prefix(KEY)).content("metrics.json") == before
    assert "more.json" in RunFiles(platform.objects, failed_prefix(KEY)).listed()


def test_a_damaged_document_differs(platform: Platform, finisher: Finisher, tmp_path: Path) -> None:
    for number, damage in enumerate((b"{", b"[]", b"{}")):
        folder = directory(tmp_path / f"damaged-{number}")
        (folder / "run.json").write_bytes(damage)
        put_folder(platform.objects, run_prefix(KEY), folder)
        stored = RunFiles(platform.objects, run_prefix(KEY))
        assert differing_files(stored, tmp_path / "stored") == ["run.json"]


def test_without_its_stored_files_a_run_cannot_be_compared(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    made = certifying(platform)
    found = take(platform, finisher)
    platform.objects.delete_prefix(run_prefix(KEY))
    assert finisher.certify(found, directory(tmp_path / "again"), 0.5)
    state, reason, differing = run_of(platform, made)
    assert (state, differing, "nothing to compare with" in reason) == ("failed", None, True)


def test_another_run_of_the_key_does_not_end_one_that_certifies(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Result).values(outcome="invalid"))
    usual = submit(platform.sessions, platform.team_id, [KEY])
    with platform.sessions.begin() as session:
        session.execute(update(Run).values(replaces=True))
    made = certifying(platform)
    found = take(platform, finisher)
    assert found.campaign_id == usual
    folder = directory(tmp_path / "again")
    jsonfile.write(folder / "metrics.json", {"run": {}, "clients": []})
    jsonfile.write(folder / "host.json", {"history": []})
    assert finisher.succeed([Ended(found, folder, "succeeded", "", 0.5)])
    assert states(platform.sessions, usual) == ["succeeded"]
    assert run_of(platform, made) == ("queued", "", None)


def test_who_lost_the_lease_certifies_nothing(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    made = certifying(platform)
    found = take(platform, finisher)
    with platform.sessions.begin() as session:
        lease.expire(session, finisher.worker_id)
    assert lease.reap(platform.sessions, max_attempts=3) == 1
    assert not finisher.certify(found, directory(tmp_path / "again"), 0.5)
    assert run_of(platform, made) == ("queued", "", None)
