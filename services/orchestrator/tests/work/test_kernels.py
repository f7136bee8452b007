"""Kernels with campaigns' C or changes are built in turn, a team after the other."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from weir.expand import Expansion
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Progress, cache
from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.objects import file_key
from weir_orchestrator.submission.lab import lab_with
from weir_orchestrator.submission.reading import of_spec, with_kernels
from weir_orchestrator.work.kernels import Building, Kernels
from weir_testing.kernel_patches import KEEP_WINDOW, MISPLACED
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import SPEC
from weir_testing.platform.work import key_of, states, submit
from weir_testing.stand_in.versions import ROLES

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.parametrize("platform_settings", ["embedded"], indirect=True),
    pytest.mark.skipif(not cache.sources(), reason="no kernel source: weir kernel build"),
]


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(kernel_code=True)


def test_a_team_with_many_campaigns_holds_another_up_by_one_build(
    platform: Platform, tmp_path: Path
) -> None:
    many = [_hopeless(platform, platform.team_id, tmp_path, number) for number in range(2)]
    one = _hopeless(platform, platform.other_team_id, tmp_path, 2)
    kernels = Kernels(ROLES, ("virtual",))

    kernels.build_wanted(platform.sessions, platform.objects, tmp_path / "cc")
    ended = [states(platform.sessions, campaign) for campaign in (*many, one)]
    assert ended == [["failed"], ["queued"], ["failed"]]


def test_a_patch_that_does_not_apply_ends_the_runs_with_its_hunk(
    platform: Platform, tmp_path: Path
) -> None:
    campaign = _hopeless(platform, platform.team_id, tmp_path)
    kernels = Kernels(ROLES, ("virtual",))
    kernels.build_wanted(platform.sessions, platform.objects, tmp_path / "cc")
    assert states(platform.sessions, campaign) == ["failed"]
    assert kernels.building is None
    with platform.sessions() as session:
        reason = session.scalars(select(Run.reason)).one()
    assert "fix.patch" in reason
    assert "net/ipv4/tcp_output.c: hunk 1 does not apply at line 170" in reason


def test_runs_are_claimed_once_all_kernels_of_their_campaign_are_there(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lab's own stands for what the compiler would make."""
    campaign = _patched(platform, platform.team_id, tmp_path, KEEP_WINDOW)
    with platform.sessions() as session:
        name = session.get_one(Campaign, campaign).kernel_hash
    own = lab_kernel.find()
    assert own is not None
    kernels = Kernels(ROLES, ("virtual",))
    told: list[object] = []
    seen: list[lab_kernel.Changes] = []

    def build(code: object, *, progress: Progress, changes: lab_kernel.Changes) -> object:
        assert name not in kernels.versions().kernels
        progress(3, 40, "CC \0 net/ipv4/tcp_output.o")
        told.append(kernels.building)
        seen.append(changes)
        return own

    monkeypatch.setattr(lab_kernel, "build", build)
    kernels.build_wanted(platform.sessions, platform.objects, tmp_path / "cc")
    (asked,) = seen
    assert [patch.name for patch in asked.patches] == ["fix.patch"]
    assert told == [Building(name, 1, 1, 3, 40, "CC \u2400 net/ipv4/tcp_output.o")]
    assert name in kernels.versions().kernels
    assert kernels.building is None
    assert states(platform.sessions, campaign) == ["queued"]


def _hopeless(platform: Platform, team_id: uuid.UUID, folder: Path, number: int = 7) -> uuid.UUID:
    """A campaign of one run, whose kernel cannot be built; told before anything is compiled."""
    return _patched(platform, team_id, folder, MISPLACED, number)


def _patched(
    platform: Platform, team_id: uuid.UUID, folder: Path, patch: str, number: int = 7
) -> uuid.UUID:
    """A campaign of one run, in the lab's kernel with a patch that no other test has."""
    patch = f"{uuid.uuid4()}\n{patch}"
    platform.objects.put_bytes(
        file_key(team_id, digest := hashlib.sha256(patch.encode()).hexdigest()),
        patch.encode(),
    )
    (folder / "fix.patch").write_text(patch)
    spec = {**SPEC, "factors": {"kernel.patches": [["fix.patch"]]}}
    lab = with_kernels(replace(lab_with([]), takes_code=True), Expansion(of_spec(spec, folder)))
    return submit(
        platform.sessions,
        team_id,
        [key_of(number)],
        kernel_hash=lab.needed,
        roles_hash=ROLES,
        files={"fix.patch": digest},
        spec=spec,
    )
