"""What no campaign refers to is removed with its objects, and quotas have room again."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select, update
from weir_lab.kernel import Kernel, inputs
from weir_orchestrator.db import (
    Campaign,
    Result,
    ResultValues,
    Run,
    Schedule,
    Team,
    UploadedFile,
    Worker,
    utc_now,
)
from weir_orchestrator.housekeeping import unused
from weir_orchestrator.housekeeping.packs import remove_unused_packs
from weir_orchestrator.objects import (
    BUNDLE,
    PACKS,
    RUNNING,
    ObjectStore,
    StoreUnavailable,
    failed_prefix,
    run_prefix,
    running_prefix,
)
from weir_orchestrator.objects.url import parse_url
from weir_orchestrator.submission.own_kernels import name_of
from weir_orchestrator.work import kept_kernels
from weir_orchestrator.work.claim import Claim, Versions, claim
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.run_files import Ended
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body, expand_all, submit, upload
from weir_testing.platform.work import write_run_directory

LEASE: Final = timedelta(seconds=30)
NOW: Final = timedelta(0)
FILE: Final = b"1\n5\n9\n"
TRACED: Final = {"factors": {"gateway.downlink.rate": [{"trace": "lte.up", "format": "mahimahi"}]}}


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


def delete(platform: Platform, made: dict[str, Any]) -> None:
    assert platform.client("admin").delete(f"/api/v1/campaigns/{made['id']}").status_code == 204


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


def test_kernels_go_when_the_last_campaign_that_has_them_is_long_over(
    platform: Platform, tmp_path: Path
) -> None:
    """Some bytes stand for the programs."""
    own, shared, alone = "0" * 16, "1" * 16, "2" * 16
    for name in (shared, alone):
        (tmp_path / name).write_bytes(b"a program")
        sha256 = inputs.file_hash(tmp_path / name)
        kept_kernels.keep(platform.objects, Kernel(tmp_path / name, name, "7", (), sha256))
    names = [name_of(own, [shared]), name_of(own, [shared, alone])]
    kept_kernels.keep_set(platform.objects, {own, shared})
    kept_kernels.keep_set(platform.objects, {own, shared, alone})
    made = [submit(platform.client("submit")) for _ in names]
    with platform.sessions.begin() as session:
        for one, name in zip(made, names, strict=True):
            session.get_one(Campaign, uuid.UUID(one["id"])).kernel_hash = name

    def left(keep: timedelta = NOW) -> set[str]:
        unused.remove_unused_kernels(platform.sessions, platform.objects, keep)
        return {info.key.split("/")[1] for info in platform.objects.list("kernels")}

    def end(one: dict[str, Any]) -> None:
        with platform.sessions.begin() as session:
            ended = session.get_one(Campaign, uuid.UUID(one["id"]))
            ended.ended_at = utc_now() - timedelta(minutes=1)

    assert left() == {*names, shared, alone}
    end(made[1])
    assert left(timedelta(hours=1)) == {*names, shared, alone}, "it ended just now"
    assert left() == {names[0], shared}
    end(made[0])
    assert left() == set()


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


def age_files(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(UploadedFile).values(used_at=utc_now() - timedelta(days=2)))


def files(platform: Platform) -> set[str]:
    """As the database has them, which is as the store has them."""
    with platform.sessions() as session:
        found = set(session.scalars(select(UploadedFile.sha256)))
    assert {info.key.rpartition("/")[2] for info in platform.objects.list("files")} == found
    return found


def test_files_that_nothing_names_are_removed(platform: Platform) -> None:
    client = platform.client("submit")
    mine, theirs = upload(client, FILE), upload(client, FILE + b"20\n")
    lone = upload(client, b"nobody names this\n")
    day = timedelta(days=1)
    made = submit(client, TRACED, files={"lte.up": mine})
    campaign = body({**TRACED, "name": "nightly"}, files={"lte.up": theirs})
    schedule = {"name": "nightly", "cron": "0 3 * * *", "campaign": campaign}
    answer = client.post(f"{HERE}/schedules", json=schedule)
    assert answer.status_code == 201, answer.text
    unused.remove_unused_files(platform.sessions, platform.objects, day)
    assert files(platform) == {mine, theirs, lone}, "uploaded just now"
    age_files(platform)
    unused.remove_unused_files(platform.sessions, platform.objects, day)
    assert files(platform) == {mine, theirs}
    client.post(f"/api/v1/campaigns/{made['id']}/cancel")
    delete(platform, made)
    with platform.sessions.begin() as session:
        session.delete(session.scalars(select(Schedule)).one())
    # Named in a request, or uploaded again: about to be used.
    checked = body({**TRACED}, files={"lte.up": mine})
    assert client.post(f"{HERE}/campaigns/validate", json=checked).json()["valid"]
    unused.remove_unused_files(platform.sessions, platform.objects, day)
    assert files(platform) == {mine}
    age_files(platform)
    assert upload(client, FILE) == mine
    unused.remove_unused_files(platform.sessions, platform.objects, day)
    assert files(platform) == {mine}
    age_files(platform)
    unused.remove_unused_files(platform.sessions, platform.objects, day)
    assert files(platform) == set()
    assert upload(client, FILE) == mine
    assert files(platform) == {mine}


def test_logs_of_failures_go_with_their_campaigns(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    expand_all(platform)
    with platform.sessions() as session:
        known = session.scalars(select(Run.key).limit(1)).one()
    gone = "f" * 32
    for key in (known, gone):
        for name in (BUNDLE, "log.txt"):
            platform.objects.put_bytes(f"{failed_prefix(key)}/{name}", b"{}")

    def left(keep: timedelta = NOW) -> set[str]:
        unused.remove_unused_logs(platform.sessions, platform.objects, keep)
        return {info.key.split("/")[1] for info in platform.objects.list("failed")}

    assert left(timedelta(hours=1)) == {known, gone}
    assert left(-timedelta(minutes=1)) == {known}
    platform.client("submit").post(f"/api/v1/campaigns/{made['id']}/cancel")
    delete(platform, made)
    assert left(-timedelta(minutes=1)) == set()


def test_curves_of_runs_that_no_worker_has_any_more_are_removed(platform: Platform) -> None:
    submit(platform.client("submit"))
    expand_all(platform)
    with platform.sessions.begin() as session:
        campaign = session.scalars(select(Campaign)).one()
        worker = Worker(host="here", pid=1, jobs=1)
        session.add(worker)
        session.flush()
        versions = Versions(campaign.roles_hash, [campaign.kernel_hash])
        (held,) = claim(session, worker.id, versions, LEASE)
    for key in (held.key, "f" * 32):
        platform.objects.put_bytes(f"{running_prefix(key)}/{BUNDLE}", b"")
    unused.remove_left_curves(platform.sessions, platform.objects)
    assert [info.key.split("/")[1] for info in platform.objects.list(RUNNING)] == [held.key]
