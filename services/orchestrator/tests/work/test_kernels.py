"""Kernels with campaigns' C are built in turn, a team after the other."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import cache, inputs
from weir_orchestrator.objects import file_key
from weir_orchestrator.work.kernels import Kernels
from weir_testing.platform import Platform
from weir_testing.platform.work import ROLES, key_of, states, submit

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
    many = [_broken(platform, platform.team_id, tmp_path, number) for number in range(2)]
    one = _broken(platform, platform.other_team_id, tmp_path, 2)
    kernels = Kernels(ROLES, ("virtual",))

    kernels.build_wanted(platform.sessions, platform.objects, tmp_path / "cc")
    ended = [states(platform.sessions, campaign) for campaign in (*many, one)]
    assert ended == [["failed"], ["queued"], ["failed"]]


def _broken(platform: Platform, team_id: uuid.UUID, folder: Path, number: int) -> uuid.UUID:
    """A campaign of one run, whose C does not compile."""
    source = folder / f"weir_test_broken_{number}.c"
    source.write_text(f"#error {uuid.uuid4()}\n")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    platform.objects.put_bytes(file_key(team_id, digest), source.read_bytes())
    name = inputs.kernel_hash(cache.sources()[0].sha256, [source])
    assert name not in {kernel.hash for kernel in lab_kernel.installed()}
    return submit(
        platform.sessions,
        team_id,
        [key_of(number)],
        kernel_hash=name,
        roles_hash=ROLES,
        files={source.name: digest},
    )
