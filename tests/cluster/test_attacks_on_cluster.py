"""Players that attack, in Argo's pods, on both clocks."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.cluster.installed import TEAM, Installed
from weir_testing.docker import WIDE
from weir_testing.guest_attacks import ATTACKS, ON_THE_PLATFORM, READS_AND_WRITES
from weir_testing.platform.besieged import attempt, require_denied

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]

_TARGETS: dict[str, Any] = {
    "secret": "/var/run/secrets/kubernetes.io/serviceaccount/token",
    "data": "/data",
    "kernel": "/opt/weir/lab-kernel/linux",
    "package": "/opt/weir/engine/weir_engine/__init__.py",
    "database": 5432,
    "store": 9000,
    "api": 8080,
}


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_players_find_nothing(clock: str, installed: Installed) -> None:
    attacks = READS_AND_WRITES if clock == "real" else ATTACKS | ON_THE_PLATFORM
    changes = {"clock": clock, **({"checks": WIDE} if clock == "real" else {})}
    with installed.client() as weir:
        require_denied(attempt(weir, attacks, _TARGETS, TEAM, changes))


def test_the_sandbox_is_whole_in_a_pod(installed: Installed) -> None:
    """In the profile that the manifests ask for (RuntimeDefault)."""
    command = ["exec", "deploy/api", "--", "python", "-c"]
    asked = "from weir_lab.confine import lacking; print(repr(lacking()))"
    assert installed.kubectl(*command, asked).strip() == "''"
