"""What the dispatcher does about campaigns and workflows, and that it needs no memory for it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from weir_orchestrator import lifecycle
from weir_orchestrator.argo.dispatcher import Dispatcher
from weir_orchestrator.argo.own_kernels import OwnKernels
from weir_orchestrator.argo.presence import Presence
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.stalled import Stalled
from weir_orchestrator.argo.watched import Watched
from weir_orchestrator.db import Campaign, Event, Run, Team, Worker
from weir_orchestrator.housekeeping.stranded import Stranded
from weir_orchestrator.work.claim import claim
from weir_orchestrator.work.lease import give_back
from weir_testing import cells
from weir_testing.argo import Alone, StandInCluster, node
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.work import VERSIONS, key_of, states, submit

OOM = "main: OOMKilled (exit code 137)"
LONG_AGO = timedelta(minutes=10)


@pytest.fixture
def cluster() -> StandInCluster:
    return StandInCluster()


@pytest.fixture
def reconcile(platform: Platform, cluster: StandInCluster) -> Callable[..., None]:
    """One turn of a dispatcher that has just been started."""

    def once(stalled: Stalled | None = None, **given: Any) -> None:
        settings = ArgoSettings(**given)
        watched = Watched(cluster)
        watched.relist()
        kernels = OwnKernels(
            platform.sessions, platform.objects, lambda: VERSIONS, {TEAM}.__contains__
        )
        Dispatcher(
            settings, platform.sessions, cluster, watched, kernels, Alone(), stalled
        ).reconcile()

    return once


def campaign(platform: Platform, runs: int, first: int = 0, **fields: Any) -> uuid.UUID:
    keys = [key_of(first + number) for number in range(runs)]
    return submit(platform.sessions, platform.team_id, keys, **fields)


def troubles(platform: Platform, campaign_id: uuid.UUID) -> list[dict[str, Any]]:
    with platform.sessions() as session:
        here = (Event.campaign_id == campaign_id, Event.kind == "campaign.trouble")
        return list(session.scalars(select(Event.data).where(*here).order_by(Event.id)))


def test_a_campaign_becomes_one_workflow_over_all_nodes(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 20)
    for _ in range(3):
        reconcile()
    (name,) = cluster.made
    asked = cluster.asked(name)
    assert (asked["campaign"], asked["batches"], asked["at-most"]) == (str(mine), "4", "5")
    assert (asked["jobs"], asked["cpu"], asked["memory"]) == ("2", "1400m", "1536Mi")
    assert cluster.made[name]["spec"]["parallelism"] == 4


def test_pods_are_begun_for_what_was_left_undone(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    campaign(platform, 20)
    reconcile()
    (first,) = cluster.made
    failed = node("Failed", "pod deleted")
    cluster.let(first, "Running", failed, *[node("Running")] * 3)
    reconcile()
    _, second = cluster.made
    assert cluster.asked(second)["batches"] == "1"
    assert cluster.asked(second)["at-most"] == "5"


def test_pods_that_run_and_do_nothing_are_replaced(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    """A pod of a lost node counts as running for as long as Kubernetes keeps it."""
    mine = campaign(platform, 2)
    reconcile()
    (first,) = cluster.made
    cluster.let(first, "Running", node("Running"))
    reconcile()
    assert cluster.deleted == [], "not at once"
    worker = _worker(platform)
    with platform.sessions.begin() as session:
        (held,) = claim(session, worker, VERSIONS, timedelta(seconds=30))
    reconcile(stalled=Stalled(0))
    assert cluster.deleted == [], "one of its runs is held"
    with platform.sessions.begin() as session:
        give_back(session, worker, held.run_id, held.key)
    reconcile(stalled=Stalled(0))
    assert cluster.deleted == [first]
    (second,) = cluster.made
    assert second != first, "its pods would have the names of those of the lost node"
    (told,) = troubles(platform, mine)
    assert told["trouble"] == "lost"
    assert "kubectl delete node" in told["reason"]


def test_quotas_hold_pods_back(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 40)
    with platform.sessions.begin() as session:
        session.execute(update(Team).where(Team.id == platform.team_id).values(max_running=3))
    reconcile()
    (name,) = cluster.made
    assert cluster.made[name]["spec"]["parallelism"] == 2
    cluster.delete(name)
    with platform.sessions.begin() as session:
        session.execute(update(Team).where(Team.id == platform.team_id).values(max_running=0))
    reconcile()
    assert cluster.made == {}
    assert states(platform.sessions, mine) == ["queued"] * 40


def test_two_campaigns_share_the_nodes(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    campaign(platform, 40)
    campaign(platform, 40, first=100)
    reconcile()
    assert [made["spec"]["parallelism"] for made in cluster.made.values()] == [2, 2]


def test_a_live_cell_is_told_of_browsers_where_its_runs_ask_for_some(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    url = "http://chromium.weir-browsers:7411"
    chromium = cells.client("chromium", options={"version": "5.2.1", "settings": {}})
    for first, clients in ((0, [cells.bulk(), chromium]), (1, [cells.bulk()])):
        asked = cells.experiment({"clock": "real"}, *clients)
        campaign(platform, 1, first, experiment=asked)
    reconcile(cells=2, chromium=url)
    told = [cluster.asked(name) for name in cluster.made]
    assert [(each["clients"], each["chromium"]) for each in told] == [
        ("2", f'["{url}"]'),
        ("1", "[]"),
    ]


def test_runs_that_others_hold_are_nobodys_pods(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 1)
    campaign(platform, 1)  # the same key
    worker = _worker(platform)
    with platform.sessions.begin() as session:
        assert claim(session, worker, VERSIONS, timedelta(seconds=30))
    reconcile()
    assert cluster.made == {}
    assert states(platform.sessions, mine) == ["running"]


def _worker(platform: Platform) -> uuid.UUID:
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=1)
        session.add(row)
        session.flush()
        return row.id


@pytest.mark.parametrize("state", ["cancelled", "deleted", "finished"])
def test_nobody_needs_the_workflow_any_more(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None], state: str
) -> None:
    mine = campaign(platform, 4)
    reconcile()
    (name,) = cluster.made
    cluster.let(name, "Running", node("Running"))
    with platform.sessions.begin() as session:
        row = session.get_one(Campaign, mine)
        if state == "deleted":
            session.delete(row)
        else:
            row.state = state
    if state == "finished":
        reconcile()
        assert cluster.deleted == [], "its pods end by themselves"
        cluster.let(name, "Succeeded", node("Succeeded"))
    reconcile()
    assert cluster.deleted == [name]
    reconcile()
    assert cluster.made == {}


def test_a_paused_campaign_keeps_its_workflow_and_gets_no_other(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 4)
    reconcile()
    (name,) = cluster.made
    with platform.sessions.begin() as session:
        session.get_one(Campaign, mine).state = "paused"
    cluster.let(name, "Succeeded", node("Succeeded"))
    reconcile()
    assert list(cluster.made) == [name]


def test_memory_that_ran_out_halves_the_jobs_for_good(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 4)
    reconcile(jobs=4)
    (first,) = cluster.made
    cluster.let(first, "Failed", node("Failed", OOM), message="child failed")
    reconcile(jobs=4)
    _, second = cluster.made
    assert (cluster.asked(first)["jobs"], cluster.asked(second)["jobs"]) == ("4", "2")
    assert cluster.asked(second)["memory"] == cluster.asked(first)["memory"]
    cluster.let(second, "Failed", node("Failed", OOM), message="child failed")
    reconcile(jobs=4)
    reconcile(jobs=4)
    assert [cluster.asked(name)["jobs"] for name in cluster.made] == ["4", "2", "1"]
    assert [told["trouble"] for told in troubles(platform, mine)] == ["memory", "memory"]


def test_a_missing_image_ends_the_runs_with_the_reason(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 3)
    reconcile()
    (name,) = cluster.made
    cluster.let(name, "Running", node("Pending", "ErrImageNeverPull: no weir:x"))
    reconcile()
    assert cluster.deleted == [name]
    with platform.sessions() as session:
        runs = session.execute(select(Run.state, Run.reason).where(Run.campaign_id == mine)).all()
        assert session.get_one(Campaign, mine).state == "finished"
    assert {run.state for run in runs} == {"failed"}
    assert "no weir:x" in runs[0].reason


def test_one_image_that_is_slow_to_come_ends_nothing_while_others_work(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 8)
    reconcile()
    (name,) = cluster.made
    slow = node("Pending", "ImagePullBackOff: Back-off pulling image", ago=LONG_AGO)
    cluster.let(name, "Running", slow, node("Running"))
    reconcile()
    reconcile()
    assert states(platform.sessions, mine) == ["queued"] * 8
    assert [told["trouble"] for told in troubles(platform, mine)] == ["image"]


def test_what_fails_again_and_again_is_given_up(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 2)
    for _ in range(3):
        reconcile(tries=3)
        newest = list(cluster.made)[-1]
        cluster.let(newest, "Failed", node("Failed", "main: Error (exit code 3)"), message="child")
    reconcile(tries=3)
    with platform.sessions() as session:
        reasons = set(session.scalars(select(Run.reason).where(Run.campaign_id == mine)))
    assert len(reasons) == 1
    assert "3 workflows failed" in reasons.pop()
    assert len(cluster.made) == 3


def test_pods_that_find_nothing_to_claim_are_given_up_too(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    mine = campaign(platform, 2)
    for _ in range(3):
        reconcile(tries=2)
        cluster.let(list(cluster.made)[-1], "Succeeded", node("Succeeded"))
    with platform.sessions() as session:
        reasons = set(session.scalars(select(Run.reason).where(Run.campaign_id == mine)))
    assert "another version" in reasons.pop()


def test_the_next_round_of_a_search_has_pods_again(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    """Between two rounds nothing is queued, and the campaign is not over."""
    mine = campaign(platform, 2, searching=True)
    reconcile()
    (first,) = cluster.made
    worker = _worker(platform)
    with platform.sessions.begin() as session:
        assert all(claim(session, worker, VERSIONS, timedelta(seconds=30)) for _ in range(2))
        session.execute(update(Run).where(Run.campaign_id == mine).values(state="succeeded"))
    cluster.let(first, "Succeeded", node("Succeeded"))
    reconcile()
    with platform.sessions() as session:
        assert session.get_one(Campaign, mine).state == "active"
    made = set(cluster.made)
    assert made <= {first}
    with platform.sessions.begin() as session:
        rows = [
            {
                "campaign_id": mine,
                "position": 2,
                "combination": 0,
                "replicate": 2,
                "seed": 2,
                "key": key_of(2),
                "clock": "virtual",
            }
        ]
        lifecycle.follow(session, session.get_one(Campaign, mine), rows, 0, 20.0)
    reconcile()
    (second,) = set(cluster.made) - made
    assert second != first
    assert cluster.asked(second)["batches"] == "1"
    assert troubles(platform, mine) == []


def test_a_campaign_of_another_version_is_left_alone(
    platform: Platform, cluster: StandInCluster, reconcile: Callable[..., None]
) -> None:
    campaign(platform, 2, kernel_hash="fedcba9876543210")
    reconcile()
    assert cluster.made == {}


def test_what_no_pod_can_carry_out_fails_in_the_end(platform: Platform) -> None:
    """Pods come and go: the dispatcher itself is there for what they can do."""
    mine = campaign(platform, 1)
    compiled = campaign(platform, 1, first=1, kernel_hash="with-c-code")
    presence = Presence(platform.sessions, lambda: VERSIONS)
    presence.keep()
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, mine) == ["queued"]
    assert states(platform.sessions, compiled) == ["failed"]
    with platform.sessions() as session:
        reason = session.scalars(select(Run.reason).where(Run.state == "failed")).one()
        assert "no worker compiles that" in reason
    presence.end()
    with platform.sessions() as session:
        assert session.scalars(select(Worker.state)).all() == ["gone"]
