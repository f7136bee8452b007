"""Kernels, files, logs and curves that nothing needs any more are removed."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select, update
from weir_lab.kernel import Kernel, inputs
from weir_orchestrator.db import Campaign, Run, Schedule, UploadedFile, Worker, utc_now
from weir_orchestrator.housekeeping import unused
from weir_orchestrator.objects import BUNDLE, RUNNING, failed_prefix, running_prefix
from weir_orchestrator.submission.own_kernels import name_of
from weir_orchestrator.work import kept_kernels
from weir_orchestrator.work.claim import Versions, claim
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body, delete, expand_all, submit, upload

LEASE: Final = timedelta(seconds=30)
NOW: Final = timedelta(0)
FILE: Final = b"1\n5\n9\n"
TRACED: Final = {"factors": {"gateway.downlink.rate": [{"trace": "lte.up", "format": "mahimahi"}]}}


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
