"""The bounds of a run's checks depend on its clock."""

from __future__ import annotations

from typing import Any

import pytest
from weir.expand import Expansion
from weir.spec.load import load_campaign

CAMPAIGN = """
name: bounds
experiment:
  duration: 10s
  clock: {clock}
  content: {{ladder: [1Mbit/s], segment: 2s}}
  gateway: {{downlink: {{rate: 8Mbit/s}}, path: {{rtt: {{mean: 100ms}}}}}}
  clients: [{{player: aggressive-rate}}]
  checks: {checks}
"""
VIRTUAL = {"rtt_tolerance_s": 1e-4, "rate_tolerance": 0.005}
REAL = {
    "rtt_tolerance_s": 1e-3,
    "rate_tolerance": 0.01,
    "timer_lateness_s": 2e-3,
    "cpu_starvation": 0.05,
}


@pytest.mark.parametrize(
    ("clock", "checks", "resolved"),
    [
        ("virtual", "{}", VIRTUAL),
        ("virtual", "{timer_lateness: 5ms}", VIRTUAL),
        ("real", "{}", REAL),
        ("real", "{rate_tolerance: 0.5%}", REAL | {"rate_tolerance": 0.005}),
        ("real", "{timer_lateness: 5ms}", REAL | {"timer_lateness_s": 5e-3}),
    ],
)
def test_bounds(clock: str, checks: str, resolved: dict[str, Any], tmp_path: Any) -> None:
    file = tmp_path / "campaign.yaml"
    file.write_text(CAMPAIGN.format(clock=clock, checks=checks))
    assert next(Expansion(load_campaign(file)).runs()).experiment["checks"] == resolved
