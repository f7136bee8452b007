"""Small run directories that end together are parts of one object, and read as any other."""

from __future__ import annotations

import io
import tarfile
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session
from weir_orchestrator.db import Campaign, Pack, Result, Run, Worker
from weir_orchestrator.housekeeping.packs import remove_unused_packs
from weir_orchestrator.housekeeping.unused import remove_unused_results
from weir_orchestrator.lifecycle import steering
from weir_orchestrator.objects import PACKS, ObjectNotFound
from weir_orchestrator.recorded import files_of_campaign, files_of_key
from weir_orchestrator.work.claim import claim
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.run_files import Ended, hold_pack, store_files
from weir_testing.platform import Platform
from weir_testing.platform.work import VERSIONS, key_of, submit, write_run_directory

LEASE = timedelta(minutes=1)
NOW = timedelta(0)
BIG = 200 << 10
FOUR = [key_of(n) for n in range(1, 5)]


@pytest.fixture
def finisher(platform: Platform) -> Finisher:
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add(row)
    return Finisher(platform.sessions, platform.objects, row.id, LEASE)


def carried_out(
    platform: Platform, finisher: Finisher, folder: Path, runs: int, outcome: str = "succeeded"
) -> list[Ended]:
    """Runs of a campaign that have ended together; each has a note of its own."""
    with platform.sessions.begin() as session:
        claims = claim(session, finisher.worker_id, VERSIONS, LEASE, runs)
    for each in claims:
        at = folder / f"{each.key}-{each.attempts}-{outcome}"
        write_run_directory(at, each)
        (at / "players").mkdir()
        (at / "players" / "note.txt").write_text(f"{each.key} was {outcome}")
    return [
        Ended(each, folder / f"{each.key}-{each.attempts}-{outcome}", outcome, "", 0.5)
        for each in claims
    ]


def packs(platform: Platform) -> list[str]:
    return sorted(info.key for info in platform.objects.list(PACKS))


def note_of(session: Session, platform: Platform, key: str) -> bytes | None:
    return files_of_key(session, platform.objects, key).content("players/note.txt")


def test_they_share_an_object_and_each_is_read_as_what_it_is(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    keys = [key_of(n) for n in range(5)]
    campaign_id = submit(platform.sessions, platform.team_id, keys)
    ended = carried_out(platform, finisher, tmp_path, 5)
    (ended[3].folder / "tcp.parquet").write_bytes(b"x" * BIG)
    assert finisher.succeed(ended) == set(keys)
    (shared,) = packs(platform)
    with platform.sessions() as session:
        results = {one.key: one for one in session.scalars(select(Result))}
        assert [results[key].pack_id is None for key in keys] == [False] * 3 + [True, False]
        parts = [one for one in results.values() if one.pack_id is not None]
        assert sum(one.size_bytes for one in parts) == platform.objects.info(shared).size_bytes
        own = {info.key.split("/")[2] for info in platform.objects.list("runs")}
        assert own == {keys[3]}
        by_key = files_of_campaign(session, platform.objects, campaign_id)
        for key in keys:
            for files in (files_of_key(session, platform.objects, key), by_key(key)):
                listed = files.listed()
                assert listed.keys() - {"tcp.parquet"} == {
                    *("host.json", "metrics.json", "run.json", "players/note.txt")
                }
                assert files.document("run.json") == {"key": key}
                assert files.content("players/note.txt") == f"{key} was succeeded".encode()
                assert listed["players/note.txt"].size_bytes == len(f"{key} was succeeded")
                assert files.content("none.txt") is None
                assert listed["run.json"].modified == platform.objects.info(shared).modified or (
                    key == keys[3]
                )
        with pytest.raises(ObjectNotFound):
            by_key(keys[0]).stream("none.txt")


def test_the_api_hands_their_files_out(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    submit(platform.sessions, platform.team_id, FOUR)
    finisher.succeed(carried_out(platform, finisher, tmp_path, 4))
    assert len(packs(platform)) == 1
    with platform.sessions() as session:
        runs = {run.key: run.id for run in session.scalars(select(Run))}
    client = platform.client("read")
    for key, run in runs.items():
        listed = client.get(f"/api/v1/runs/{run}/artifacts").json()
        assert "players/note.txt" in [one["name"] for one in listed]
        got = client.get(f"/api/v1/runs/{run}/artifacts/players/note.txt")
        assert (got.status_code, got.text) == (200, f"{key} was succeeded")
        assert client.get(f"/api/v1/runs/{run}/artifacts/none.txt").status_code == 404
        whole = client.get(f"/api/v1/runs/{run}/artifacts.tar").content
        with tarfile.open(fileobj=io.BytesIO(whole)) as tar:
            note = tar.extractfile(f"run-{run}/players/note.txt")
            assert note is not None
            assert note.read() == f"{key} was succeeded".encode()


@pytest.mark.parametrize("runs", [1, 3])
def test_few_runs_have_objects_of_their_own(
    platform: Platform, finisher: Finisher, tmp_path: Path, runs: int
) -> None:
    submit(platform.sessions, platform.team_id, FOUR[:runs])
    finisher.succeed(carried_out(platform, finisher, tmp_path, runs))
    assert packs(platform) == []
    with platform.sessions() as session:
        assert session.scalars(select(Result.pack_id)).all() == [None] * runs
        for key in FOUR[:runs]:
            assert note_of(session, platform, key) is not None


def test_an_object_is_removed_with_the_last_result_in_it(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    first = submit(platform.sessions, platform.team_id, FOUR)
    finisher.succeed(carried_out(platform, finisher, tmp_path, 4))
    second = submit(platform.sessions, platform.other_team_id, [key_of(2)])

    def housekeeping() -> None:
        while remove_unused_results(platform.sessions, platform.objects, NOW):
            pass
        while remove_unused_packs(platform.sessions, platform.objects, NOW):
            pass

    housekeeping()
    assert len(packs(platform)) == 1
    with platform.sessions.begin() as session:
        session.execute(delete(Campaign).where(Campaign.id == first))
    housekeeping()
    with platform.sessions() as session:
        assert session.scalars(select(Result.key)).all() == [key_of(2)]
        assert note_of(session, platform, key_of(2)) == f"{key_of(2)} was succeeded".encode()
    with platform.sessions.begin() as session:
        session.execute(delete(Campaign).where(Campaign.id == second))
    housekeeping()
    assert packs(platform) == []
    with platform.sessions() as session:
        assert session.scalars(select(Pack.id)).all() == []
        assert session.scalars(select(Result.id)).all() == []


def test_a_run_that_is_done_again_leaves_the_shared_object(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    mine = submit(platform.sessions, platform.team_id, FOUR)
    finisher.succeed(carried_out(platform, finisher, tmp_path, 4, "invalid"))
    with platform.sessions.begin() as session:
        steering.rerun(session, session.get_one(Campaign, mine), ["invalid"])
    finisher.succeed(carried_out(platform, finisher, tmp_path, 4))
    with platform.sessions() as session:
        assert session.scalars(select(Result.pack_id)).all() == [None] * 4
        for key in FOUR:
            assert note_of(session, platform, key) == f"{key} was succeeded".encode()
    assert remove_unused_packs(platform.sessions, platform.objects, NOW)
    assert packs(platform) == []


def test_what_a_killed_worker_stored_is_removed_when_it_is_old(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    submit(platform.sessions, platform.team_id, FOUR)
    store_files(platform.sessions, platform.objects, carried_out(platform, finisher, tmp_path, 4))
    assert len(packs(platform)) == 1
    assert not remove_unused_packs(platform.sessions, platform.objects, timedelta(hours=1))
    assert len(packs(platform)) == 1
    assert remove_unused_packs(platform.sessions, platform.objects, NOW)
    assert packs(platform) == []
    assert not remove_unused_packs(platform.sessions, platform.objects, NOW)


def test_a_removal_that_was_interrupted_goes_on(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    submit(platform.sessions, platform.team_id, FOUR)
    store_files(platform.sessions, platform.objects, carried_out(platform, finisher, tmp_path, 4))
    with platform.sessions.begin() as session:
        session.execute(update(Pack).values(removing=True))
    assert remove_unused_packs(platform.sessions, platform.objects, timedelta(hours=1))
    assert packs(platform) == []


def test_while_results_are_written_into_a_pack_nobody_removes_it(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    if platform.backend == "embedded":
        pytest.skip("one transaction at a time writes there")
    submit(platform.sessions, platform.team_id, FOUR)
    stored = store_files(
        platform.sessions, platform.objects, carried_out(platform, finisher, tmp_path, 4)
    )
    with platform.sessions.begin() as session:
        hold_pack(session, stored.values())
        assert not remove_unused_packs(platform.sessions, platform.objects, NOW)
    assert len(packs(platform)) == 1
