"""Campaigns that bring a kernel of their own: build pods first, then the batches that boot it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select, update
from weir_lab.kernel import Kernel, inputs
from weir_orchestrator.argo.dispatcher import Dispatcher
from weir_orchestrator.argo.own_kernels import OwnKernels
from weir_orchestrator.argo.presence import Presence
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.stalled import Stalled
from weir_orchestrator.argo.watched import Watched
from weir_orchestrator.db import Campaign, Event, Run, Worker, utc_now
from weir_orchestrator.housekeeping.stranded import Stranded
from weir_orchestrator.objects import kernel_prefix
from weir_orchestrator.submission.own_kernels import name_of
from weir_orchestrator.work import kept_kernels
from weir_testing.argo import Alone, StandInCluster, node
from weir_testing.platform import OTHER_TEAM, TEAM, Platform
from weir_testing.platform.work import VERSIONS, key_of, states, submit
from weir_testing.stand_in.versions import KERNEL, ROLES

CHANGED: Final = "fedcba9876543210"
BOTH: Final = name_of(KERNEL, [CHANGED])
SPEC: Final = {"factors": {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}}
OOM: Final = "main: OOMKilled (exit code 137)"


@pytest.fixture
def cluster() -> StandInCluster:
    return StandInCluster()


@pytest.fixture
def kernels(platform: Platform) -> OwnKernels:
    named = {TEAM, OTHER_TEAM}
    return OwnKernels(
        platform.sessions, platform.objects, lambda: VERSIONS, lambda team: team in named
    )


@pytest.fixture
def reconcile(
    platform: Platform, cluster: StandInCluster, kernels: OwnKernels
) -> Callable[..., None]:
    def once(stalled: Stalled | None = None, kernels: OwnKernels = kernels, **given: Any) -> None:
        watched = Watched(cluster)
        watched.relist()
        settings = ArgoSettings(**given)
        Dispatcher(
            settings, platform.sessions, cluster, watched, kernels, Alone(), stalled
        ).reconcile()

    return once


def campaign(platform: Platform, team: uuid.UUID | None = None, **fields: Any) -> uuid.UUID:
    given = {"kernel_hash": BOTH, "spec": SPEC, "roles_hash": ROLES} | fields
    return submit(platform.sessions, team or platform.team_id, [key_of(1)], **given)


def keep(platform: Platform, folder: Path, name: str = CHANGED) -> None:
    """As a build pod leaves it; a few bytes stand for the program."""
    program = folder / "linux"
    program.write_bytes(name.encode())
    sha256 = inputs.file_hash(program)
    kept_kernels.keep(platform.objects, Kernel(program, name, "7.3.4", ("cubic",), sha256))
    kept_kernels.keep_set(platform.objects, {KERNEL, CHANGED})


def test_a_kernel_is_built_once_and_then_its_runs_are_carried_out(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None], tmp_path: Path
) -> None:
    mine = campaign(platform)
    for _ in range(3):
        reconcile()
    (build,) = cluster.made
    assert cluster.made[build]["spec"]["workflowTemplateRef"] == {"name": "kernel-build"}
    asked = cluster.asked(build)
    assert asked == {"campaign": str(mine), "cpu": "1", "memory": "2048Mi"}
    cluster.let(build, "Running", node("Running"))
    keep(platform, tmp_path)
    cluster.let(build, "Succeeded", node("Succeeded"))
    reconcile()
    reconcile()
    assert [each["spec"]["workflowTemplateRef"]["name"] for each in cluster.made.values()] == [
        "kernel-build",
        "campaign",
    ]
    assert states(platform.sessions, mine) == ["queued"]


def test_a_campaign_of_the_lab_s_kernel_does_not_wait_for_a_build(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    campaign(platform)
    submit(platform.sessions, platform.team_id, [key_of(2)])
    reconcile()
    names = {each["spec"]["workflowTemplateRef"]["name"] for each in cluster.made.values()}
    assert names == {"kernel-build", "campaign"}


def test_one_build_of_each_team_at_a_time(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    first, second = campaign(platform), campaign(platform, kernel_hash="0" * 16)
    other = campaign(platform, platform.other_team_id, kernel_hash="1" * 16)
    reconcile()
    built = {cluster.asked(name)["campaign"] for name in cluster.made}
    assert built == {str(first), str(other)}
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.campaign_id == first).values(state="failed"))
        session.get_one(Campaign, first).state = "finished"
    reconcile()
    assert str(second) in {cluster.asked(name)["campaign"] for name in cluster.made}


def test_nothing_is_built_for_a_team_that_is_not_named(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    """As where the operator took its name out after it had submitted."""
    mine = campaign(platform)
    unnamed = OwnKernels(platform.sessions, platform.objects, lambda: VERSIONS, lambda _: False)
    reconcile(kernels=unnamed)
    assert cluster.made == {}
    Presence(platform.sessions, unnamed.sometime).keep()
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, mine) == ["failed"]


def test_who_waits_for_a_build_pod_is_not_stranded(platform: Platform, kernels: OwnKernels) -> None:
    mine = campaign(platform)
    kernels.refresh()
    Presence(platform.sessions, kernels.sometime).keep()
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, mine) == ["queued"]
    assert BOTH not in kernels.there().kernels


def test_a_build_pod_whose_node_is_lost_is_replaced(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    campaign(platform)
    reconcile()
    (first,) = cluster.made
    cluster.let(first, "Running", node("Running"))
    told = {"kernel_hash": BOTH, "number": 1, "of": 1, "done": 0, "total": 0, "what": ""}
    with platform.sessions.begin() as session:
        row = Worker(host="pod", pid=1, jobs=0, building=told, seen_at=utc_now())
        session.add(row)
    reconcile(stalled=Stalled(patience_s=0.0))
    assert cluster.deleted == [first], "it was not heard of within no time at all"
    (second,) = cluster.made
    cluster.let(second, "Running", node("Running"))
    with platform.sessions.begin() as session:
        session.execute(update(Worker).values(seen_at=utc_now() + timedelta(hours=1)))
    reconcile(stalled=Stalled(patience_s=0.0))
    assert cluster.deleted == [first], "who builds was heard of just now"


def test_builds_that_fail_and_fail_end_the_runs_with_the_last_reason(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform)
    for _ in range(3):
        reconcile(tries=3)
        newest = list(cluster.made)[-1]
        cluster.let(newest, "Failed", node("Failed", OOM), message="child")
    reconcile(tries=3)
    assert len(cluster.made) == 3
    with platform.sessions() as session:
        (reason,) = session.scalars(select(Run.reason).where(Run.campaign_id == mine))
    assert "3 workflows failed" in reason
    assert "WEIR_ARGO_BUILD_MEMORY_MIB" in reason


def test_a_build_that_leaves_nothing_is_told(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform)
    reconcile(tries=9)
    (build,) = cluster.made
    cluster.let(build, "Succeeded", node("Succeeded"))
    reconcile(tries=9)
    with platform.sessions() as session:
        (told,) = session.scalars(select(Event.data).where(Event.kind == "campaign.trouble"))
    assert told["trouble"] == "idle"
    assert "weir-builder" in told["reason"]
    assert len(cluster.made) == 2
    assert states(platform.sessions, mine) == ["queued"]


def test_an_image_that_is_not_there_ends_the_runs(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform)
    reconcile()
    (build,) = cluster.made
    cluster.let(build, "Running", node("Pending", "ErrImageNeverPull: weir-builder:x"))
    reconcile()
    assert states(platform.sessions, mine) == ["failed"]


def test_memory_that_a_build_ran_out_of_does_not_make_batches_smaller(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None], tmp_path: Path
) -> None:
    campaign(platform)
    reconcile()
    (build,) = cluster.made
    cluster.let(build, "Failed", node("Failed", OOM), message="child")
    reconcile()
    keep(platform, tmp_path)
    reconcile(jobs=4)
    batch = list(cluster.made)[-1]
    assert cluster.asked(batch)["jobs"] == "4"


def test_a_list_of_other_kernels_counts_for_nothing(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None], tmp_path: Path
) -> None:
    """Whoever could write to the store would have a campaign run in what it did not ask for."""
    campaign(platform)
    keep(platform, tmp_path)
    key = f"{kernel_prefix(BOTH)}/kernels.json"
    platform.objects.put_bytes(key, json.dumps([KERNEL]).encode())
    reconcile()
    (build,) = cluster.made
    assert cluster.made[build]["spec"]["workflowTemplateRef"] == {"name": "kernel-build"}
    assert not platform.objects.exists(key)


def test_what_stands_for_several_kernels_is_there_when_all_are(
    platform: Platform, kernels: OwnKernels, tmp_path: Path
) -> None:
    campaign(platform)
    keep(platform, tmp_path)
    platform.objects.delete(f"{kernel_prefix(CHANGED)}/kernel.json")
    kernels.refresh()
    assert [each.kernel_hash for each in kernels.missing] == [BOTH]
    keep(platform, tmp_path)
    kernels.refresh()
    assert kernels.missing == []
    assert BOTH in kernels.there().kernels
