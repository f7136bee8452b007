"""The cell of a campaign's first combination, as validation answers with it."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body

LADDER = ["248kbit/s", "456kbit/s", "928kbit/s", "1632kbit/s", "4256kbit/s"]


def cell(platform: Platform, changes: dict[str, Any], **keys: Any) -> Any:
    """The cell of SPEC with these parts of its experiment changed."""
    asked = body({"experiment": {**SPEC["experiment"], **changes}, **keys})
    answer = platform.client("submit").post(f"{HERE}/campaigns/validate", json=asked).json()
    assert answer["problems"] == []
    return answer["cell"]


def test_the_first_combination_in_si_units(platform: Platform) -> None:
    path = {"rtt": {"mean": "100ms", "stddev": "7ms", "on": "split"}, "loss": {"uplink": "1.5%"}}
    queue = {"discipline": "codel", "limit": "2bdp"}
    gateway = {"downlink": {"rate": "8Mbit/s", "queue": queue}, "path": path}
    found = cell(platform, {"gateway": gateway})
    assert found["levels"] == {
        "gateway.shaping.method": "none",
        "server.congestion_control": "cubic",
    }
    link = found["downlink"]
    # 8 Mbit/s for 100 ms are 100,000 bytes: 66.67 packets of 1500; two of these, rounded up: 134.
    assert link["bdp_packets"] == pytest.approx(200 / 3)
    assert link["queue"]["limit_packets"] == 134
    assert link["queue"]["limit_bdp"] == pytest.approx(2.01)
    assert link["queue"]["full_s"] == pytest.approx(134 * 12_000 / 8e6)
    assert link["queue"]["options"] == {"target_s": 0.005, "interval_s": 0.1, "ecn": False}
    assert (link["queue"]["per_flow"], link["queue"]["drops_early"]) == (False, True)
    assert found["uplink"] is None
    assert found["path"] == {
        "rtt_s": 0.1,
        "jitter_s": 0.007,
        "distribution": "normal",
        "delayed": "split",
        "downlink_loss": 0.0,
        "uplink_loss": 0.015,
    }
    assert found["server"] == {"http": "nginx", "congestion_control": "cubic"}
    assert (found["clock"], found["duration_s"]) == ("virtual", 20.0)


def test_equal_clients_stand_together_with_their_optimal_levels(platform: Platform) -> None:
    clients = [{"player": "bola", "start": "5s"}, {"player": "fixed", "options": {"level": 1},
               "count": 2}]  # fmt: skip
    content = {"ladder": LADDER, "segment": "2s"}
    found = cell(platform, {"content": content, "clients": clients})
    # Three on 8 Mbit/s: 4256 + 1632 + 1632; whoever came first has the higher level.
    assert [
        (each["player"], each["count"], each["optimal_levels"]) for each in found["clients"]
    ] == [
        ("bola", 1, [3]),
        ("fixed", 2, [4, 3]),
    ]
    assert found["clients"][0]["start_s"] == 5.0
    assert found["clients"][1]["options"] == {"level": 1}
    assert found["film"]["bitrates_bps"] == [248e3, 456e3, 928e3, 1632e3, 4256e3]


def test_a_rate_that_varies_has_a_mean_and_no_optimum(platform: Platform) -> None:
    steps = [{"at": "0s", "rate": "8Mbit/s"}, {"at": "5s", "rate": "4Mbit/s"}]
    gateway = {"downlink": {"rate": {"steps": steps}}, "path": {"rtt": {"mean": "100ms"}}}
    found = cell(platform, {"gateway": gateway})
    link = found["downlink"]
    assert (link["rate_bps"], link["lowest_bps"], link["highest_bps"]) == (5e6, 4e6, 8e6)
    assert link["steps"] == 2
    assert found["clients"][0]["optimal_levels"] == []


@pytest.mark.parametrize(
    ("discipline", "per_flow", "drops_early"),
    [("drop-tail", False, False), ("sfq", True, False), ("fq-codel", True, True)],
)
def test_what_a_queue_does_is_told(
    platform: Platform, discipline: str, per_flow: bool, drops_early: bool
) -> None:
    queue = {"discipline": discipline, "limit": "20packets"}
    gateway = {"downlink": {"rate": "8Mbit/s", "queue": queue}}
    found = cell(platform, {"gateway": gateway})["downlink"]["queue"]
    assert (found["per_flow"], found["drops_early"]) == (per_flow, drops_early)


def test_without_an_rtt_there_is_no_bdp(platform: Platform) -> None:
    gateway = {"downlink": {"rate": "8Mbit/s", "queue": {"limit": "20packets"}}}
    link = cell(platform, {"gateway": gateway})["downlink"]
    assert (link["bdp_packets"], link["queue"]["limit_bdp"]) == (0.0, None)
