"""Results that no campaign refers to are removed with their objects, and quotas have room again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select, update
from weir_orchestrator.db import Campaign, Result, ResultValues, Run, Team, Worker
from weir_orchestrator.housekeeping import unused
from weir_orchestrator.housekeeping.packs import remove_unused_packs
from weir_orchestrator.objects import BUNDLE, PACKS, ObjectStore, StoreUnavailable, run_prefix
from weir_orchestrator.objects.url import parse_url
from weir_orchestrator.work.claim import Claim, Versions, claim
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.run_files import Ended
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body, delete, expand_all, submit
from weir_testing.platform.work import write_run_directory

LEASE: Final = timedelta(seconds=30)
NOW: Final = timedelta(0)


def carry_out_all(platform: Platform, folder: Path, at_once: int = 1) -> list[str]:
    """Carry out what is queued, with files that say little; the keys. Of runs that end together
    files are in one object."""
    expand_all(platform)
    with platform.sessions.begin() as session:
        campaigns = session.scalars(select(Campaign)).all()
        versions = Versions(campaigns[0].roles_hash, [campaigns[0].kernel_hash])
        worker = Worker(host="here", pid=1, jobs=2)
        session.add(worker)
    finisher = Finisher(platform.sessions, platform.objects, worker.id, LEASE)

    def take() -> list[Claim]:
        with platform.sessions.begin() as session:
            return claim(session, worker.id, versions, LEASE, at_once)

    keys = []
    while found := take():
        for each in found:
            write_run_directory(folder / each.key, each)
        ended = [Ended(each, folder / each.key, "succeeded", "", 0.5) for each in found]
        assert finisher.succeed(ended)
        keys += [each.key for each in found]
    return keys


def results(platform: Platform) -> dict[str, str]:
    with platform.sessions() as session:
        return dict(session.execute(select(Result.key, Result.outcome)).all())


def remove(
    platform: Platform,
    objects: ObjectStore | None = None,
    keep: timedelta = NOW,
    **changes: int,
) -> None:
    store = objects or platform.objects
    while unused.remove_unused_results(platform.sessions, store, keep, **changes):
        pass


def test_results_of_deleted_campaigns_go_and_the_quota_has_room_again(
    platform: Platform, tmp_path: Path
) -> None:
    client = platform.client("submit")
    first = submit(client)
    shared = submit(client, replicates=1)
    keys = carry_out_all(platform, tmp_path)
    assert len(keys) == 12
    quota = f"{HERE}/quota"
    before = client.get(quota).json()["stored_bytes"]
    assert before == platform.objects.total_bytes("runs")
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_stored_bytes=before))
    assert client.post(f"{HERE}/campaigns", json=body()).status_code == 429

    remove(platform, at_most=5)
    assert len(results(platform)) == 12, "campaigns refer to all of them"
    delete(platform, first)
    remove(platform, keep=timedelta(hours=1), at_most=5)
    assert len(results(platform)) == 12, "they are not old enough"
    remove(platform, at_most=5)
    with platform.sessions() as session:
        kept = set(session.scalars(select(Run.key)))
        owners = set(session.scalars(select(ResultValues.result_id)))
        assert owners == set(session.scalars(select(Result.id)))
    assert results(platform).keys() == kept
    assert len(kept) == 4
    stored = {info.key.split("/")[2] for info in platform.objects.list("runs")}
    assert stored == kept
    assert client.get(quota).json()["stored_bytes"] == before / 3
    assert client.post(f"{HERE}/campaigns", json=body()).status_code == 201
    shown = client.get(f"/api/v1/campaigns/{shared['id']}").json()
    assert shown["counts"] == {"succeeded": 4}


def test_results_that_share_objects_go_many_at_once_and_their_objects_after_them(
    platform: Platform, tmp_path: Path
) -> None:
    client = platform.client("submit")
    delete_me = submit(client)
    kept = submit(client, replicates=1)
    keys = carry_out_all(platform, tmp_path, at_once=12)
    (shared,) = (info.key for info in platform.objects.list(PACKS))
    alone = keys[0]
    with platform.sessions.begin() as session:
        session.execute(update(Result).where(Result.key == alone).values(pack_id=None))
    delete(platform, delete_me)

    def remove_packed(keep: timedelta = NOW) -> None:
        while unused.remove_unused_packed_results(platform.sessions, keep, at_most=3):
            pass
        while remove_unused_packs(platform.sessions, platform.objects, keep):
            pass

    remove_packed(timedelta(hours=1))
    assert len(results(platform)) == 12, "they are not old enough"
    remove_packed()
    with platform.sessions() as session:
        wanted = set(session.scalars(select(Run.key)))
    assert len(wanted) == kept["run_count"] == 4
    assert results(platform).keys() == {*wanted, alone}, "one that has objects is not for this"
    assert platform.objects.exists(shared), "others are in it"
    delete(platform, kept)
    remove_packed()
    assert not platform.objects.exists(shared)


class Away:
    """An object store that cannot be reached when something is to be removed."""

    def delete_prefix(self, prefix: str) -> int:
        raise StoreUnavailable(parse_url("/nowhere"), f"no connection for {prefix}")


def test_runs_wait_for_a_removal_that_was_interrupted_and_are_then_carried_out(
    platform: Platform, tmp_path: Path
) -> None:
    client = platform.client("submit")
    delete_me = submit(client)
    carry_out_all(platform, tmp_path / "first")
    delete(platform, delete_me)
    with pytest.raises(StoreUnavailable):
        remove(platform, Away())  # type: ignore[arg-type]
    assert set(results(platform).values()) == {"removing"}
    again = submit(client)
    assert carry_out_all(platform, tmp_path / "waits") == []
    where = f"/api/v1/campaigns/{again['id']}"
    assert client.get(where).json()["counts"] == {"queued": 12}
    remove(platform)
    assert results(platform) == {}
    assert list(platform.objects.list("runs")) == []
    assert len(carry_out_all(platform, tmp_path / "again")) == 12
    assert client.get(where).json()["counts"] == {"succeeded": 12}
    for key in results(platform):
        assert platform.objects.exists(f"{run_prefix(key)}/{BUNDLE}")


def test_a_run_that_comes_to_refer_to_a_result_in_between_keeps_it(
    platform: Platform, tmp_path: Path
) -> None:
    client = platform.client("submit")
    first = submit(client)
    carry_out_all(platform, tmp_path)
    delete(platform, first)
    sessions = platform.sessions
    begun = 0

    class Between:
        """The second transaction begins after another campaign was expanded."""

        def __call__(self) -> Any:
            return sessions()

        def begin(self) -> Any:
            nonlocal begun
            begun += 1
            if begun == 1:
                submit(client)
                expand_all(platform)
            return sessions.begin()

    unused.remove_unused_results(Between(), platform.objects, NOW)  # type: ignore[arg-type]
    assert set(results(platform).values()) == {"succeeded"}
    assert len(results(platform)) == 12
    with platform.sessions() as session:
        assert set(session.scalars(select(Run.state))) == {"succeeded"}
