"""A cell of as many clients as a campaign may ask for: each of them plays, by itself."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from weir.spec.rules import MAX_CLIENTS
from weir_lab import wiring
from weir_lab.cell import run_cell
from weir_testing.cells import client, experiment, kernel
from weir_testing.patience import PATIENCE_S

pytestmark = [pytest.mark.kernel, pytest.mark.long, pytest.mark.timeout(2 * PATIENCE_S)]


@pytest.fixture
def usual_descriptors() -> Iterator[None]:
    """As many files as a process may usually open."""
    own, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (own, most))


@pytest.mark.usefixtures("usual_descriptors")
def test_every_client_plays(tmp_path: Path) -> None:
    asked = experiment(
        {"duration_s": 4.0, "gateway.downlink.rate_steps": [[0.0, 1e6 * MAX_CLIENTS]]},
        *(client("fixed", options={"level": 0}) for _ in range(MAX_CLIENTS)),
    )
    found = run_cell(asked, 1, kernel(), tmp_path, PATIENCE_S).data
    segments = [len(player["segment"]) for player in found.players]
    assert len(segments) == MAX_CLIENTS
    assert min(segments) >= 1, wiring.client_address(1 + segments.index(min(segments)))
    assert {flow["client"] for flow in found.flows} == set(range(1, MAX_CLIENTS + 1))
