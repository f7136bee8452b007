"""Campaigns that change the kernel: who may, what is refused at once, and their runs' keys."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update
from weir.runkey import run_key
from weir_lab import confine
from weir_lab.kernel import cache, inputs
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Combination, Run, Worker, utc_now
from weir_testing.kernel_patches import KEEP_WINDOW, MISPLACED
from weir_testing.kernel_source import NEEDS_KERNEL_SOURCE, built
from weir_testing.platform import OTHER_TEAM, TEAM, Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all, submit, upload

_OWN: Final[dict[str, Any]] = {
    "factors": {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}
}
_NO_SANDBOX: Final = "its kernel offers no sandbox: it lacks Landlock"


pytestmark = [pytest.mark.kernel, NEEDS_KERNEL_SOURCE]


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(kernel_code=TEAM)


def _body(client: TestClient, patch: str = KEEP_WINDOW, **changes: Any) -> dict[str, Any]:
    return body({**_OWN, **changes}, files={"fix.patch": upload(client, patch.encode())})


def _refused(client: TestClient, asked: dict[str, Any], team: str = HERE) -> dict[str, str]:
    """The only problem, which validating tells, too."""
    answer = client.post(f"{team}/campaigns", json=asked)
    assert answer.status_code == 422, answer.text
    told = client.post(f"{team}/campaigns/validate", json=asked).json()["problems"]
    assert told == answer.json()["problems"]
    (problem,) = told
    assert isinstance(problem, dict)
    return problem


def test_kernels_are_changed_by_the_teams_that_the_operator_names(platform: Platform) -> None:
    client = platform.client("submit")
    assert client.post(f"{HERE}/campaigns", json=_body(client)).status_code == 201
    outsider, there = platform.client("outsider"), f"/api/v1/teams/{OTHER_TEAM}"
    asked = _body(client)
    digest = asked["files"]["fix.patch"]
    assert outsider.put(f"{there}/files/{digest}", content=KEEP_WINDOW).is_success
    problem = _refused(outsider, asked, there)
    assert problem["path"] == "experiment.kernel"
    assert "WEIR_KERNEL_CODE" in problem["remedy"]


def test_they_are_refused_where_no_worker_could_confine_the_compiler(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        session.add(Worker(host="here", pid=1, jobs=1, refusal=_NO_SANDBOX))
    client = platform.client("submit")
    assert _NO_SANDBOX in _refused(client, _body(client))["remedy"]


def test_each_combination_has_the_key_of_its_own_kernel(platform: Platform) -> None:
    client = platform.client("submit")
    plain, made = submit(client), client.post(f"{HERE}/campaigns", json=_body(client)).json()
    same = client.post(f"{HERE}/campaigns", json=_body(client, replicates=1)).json()
    other = client.post(f"{HERE}/campaigns", json=_body(client, f"{KEEP_WINDOW}-- \n")).json()
    assert made["kernel_hash"] == same["kernel_hash"]
    assert len({each["kernel_hash"] for each in (plain, made, other)}) == 3
    expand_all(platform)
    own = built()
    assert own is not None
    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, uuid.UUID(made["id"]))
        assert (campaign.state, campaign.problems) == ("active", [])
        kernels = _kernels(session, campaign)
        assert kernels["stock"] == own.hash != kernels["mine"]
        for run, combination in _runs(session, campaign):
            kernel = str(kernels[combination.levels["kernel"]])
            assert run.key == run_key(combination.experiment, run.seed, kernel, campaign.roles_hash)


def _kernels(session: Any, campaign: Campaign) -> dict[str, str | None]:
    query = select(Combination).where(Combination.campaign_id == campaign.id)
    return {each.levels["kernel"]: each.kernel_hash for each in session.scalars(query)}


def _runs(session: Any, campaign: Campaign) -> list[Any]:
    on = (Combination.campaign_id == Run.campaign_id) & (Combination.number == Run.combination)
    query = select(Run, Combination).join(Combination, on).where(Run.campaign_id == campaign.id)
    return list(session.execute(query).all())


def test_more_replicates_run_in_their_combinations_kernel(platform: Platform) -> None:
    client = platform.client("submit")
    made = client.post(f"{HERE}/campaigns", json=_body(client, replicates=1)).json()
    expand_all(platform)
    with platform.sessions.begin() as session:
        session.execute(update(Run).values(state="succeeded", ended_at=utc_now()))
        lifecycle.settle_if_over(session, uuid.UUID(made["id"]))
        campaign = session.get_one(Campaign, uuid.UUID(made["id"]))
        lifecycle.extend(session, campaign, {0: [1], 1: [1]})
        kernels = _kernels(session, campaign)
        for run, combination in _runs(session, campaign):
            kernel = str(kernels[combination.levels["kernel"]])
            assert kernel != made["kernel_hash"]
            assert run.key == run_key(combination.experiment, run.seed, kernel, campaign.roles_hash)


@pytest.mark.skipif(bool(confine.lacking()), reason="`patch` cannot be confined here")
def test_a_patch_that_does_not_apply_is_refused_with_its_hunk(platform: Platform) -> None:
    own = built()
    assert own is not None
    source = cache.source_of(own)
    assert source is not None
    if not cache.shared_tree(inputs.tree_hash(source.sha256)).is_dir():
        pytest.skip("the kernel's source is not unpacked here")
    client = platform.client("submit")
    problem = _refused(client, _body(client, MISPLACED))
    assert problem["path"] == "experiment.kernel.patches.0"
    assert problem["value"] == "fix.patch"
    assert "net/ipv4/tcp_output.c: hunk 1 does not apply at line 170" in problem["remedy"]


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ("GIT binary patch\n", "binary"),
        (KEEP_WINDOW.replace("b/net/ipv4/", "../../../"), "within the source tree"),
    ],
)
def test_patches_that_no_tree_takes_are_refused(platform: Platform, patch: str, says: str) -> None:
    client = platform.client("submit")
    answer = client.post(f"{HERE}/campaigns", json=_body(client, patch))
    assert answer.status_code == 422
    assert says in str(answer.json()["problems"])


def test_a_version_that_is_not_here_is_told_with_those_that_are(platform: Platform) -> None:
    client = platform.client("submit")
    experiment = {**SPEC["experiment"], "kernel": {"version": "6.99"}}
    problem = _refused(client, body({"experiment": experiment}))
    assert (problem["path"], problem["value"]) == ("experiment.kernel.version", "6.99")
    assert all(version in problem["allowed"] for version in cache.versions())
    assert "weir kernel build --version" in problem["remedy"]


def test_a_campaign_has_a_bounded_number_of_kernels(platform: Platform) -> None:
    client = platform.client("submit")
    many = body({"factors": {"kernel.config.HZ": list(range(100, 200))}})
    assert "at most 32" in _refused(client, many)["allowed"]


def test_the_real_clock_has_the_labs_kernel_where_agents_are_elsewhere(
    platform_with: Callable[..., Platform],
) -> None:
    """Their runs would wait for a kernel that no agent comes to have."""
    client = platform_with(kernel_code=TEAM, real_clock_here=False).client("submit")
    experiment = {**SPEC["experiment"], "clock": "real"}
    assert client.post(f"{HERE}/campaigns", json=body({"experiment": experiment})).is_success
    problem = _refused(client, _body(client, experiment=experiment))
    assert (problem["path"], problem["value"]) == ("experiment.clock", "real")
    here = platform_with(kernel_code=TEAM, real_clock_here=True).client("submit")
    assert here.post(f"{HERE}/campaigns", json=_body(here, experiment=experiment)).is_success


def test_an_image_changes_no_kernel_and_says_so(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = built()
    assert own is not None
    monkeypatch.setenv("WEIR_LAB_KERNEL", str(own.path.parent))
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path))
    client = platform.client("submit")
    assert "weir-builder" in _refused(client, _body(client))["remedy"]
