"""The cell of a campaign's first combination, as validation answers with it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC

LADDER = ["248kbit/s", "456kbit/s", "928kbit/s", "1632kbit/s", "4256kbit/s"]


def cell(platform: Platform, changes: dict[str, Any], **keys: Any) -> Any:
    """The cell of SPEC with these parts of its experiment changed."""
    document = {**SPEC, "experiment": {**SPEC["experiment"], **changes}, **keys}
    asked = {"document": yaml.safe_dump(document, sort_keys=False)}
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
    [path] = found["paths"]
    link = path.pop("downlink")
    # 8 Mbit/s for 100 ms are 100,000 bytes: 66.67 packets of 1500; two of these, rounded up: 134.
    assert link["bdp_packets"] == pytest.approx(200 / 3)
    assert link["queue"]["limit_packets"] == 134
    assert link["queue"]["limit_bdp"] == pytest.approx(2.01)
    assert link["queue"]["full_s"] == pytest.approx(134 * 12_000 / 8e6)
    assert link["queue"]["options"] == {"target_s": 0.005, "interval_s": 0.1, "ecn": False}
    assert (link["queue"]["per_flow"], link["queue"]["drops_early"]) == (False, True)
    assert path == {
        "name": None,
        "upstream": None,
        "uplink": None,
        "rtt_s": 0.1,
        "jitter_s": 0.007,
        "distribution": "normal",
        "delayed": "split",
        "downlink_loss": 0.0,
        "uplink_loss": 0.015,
    }
    assert found["server"] == {"http": "nginx", "congestion_control": "cubic"}
    assert (found["clock"], found["duration_s"]) == ("virtual", 20.0)
    assert found["film"]["target_latency_s"] is None


def test_a_live_film_s_target(platform: Platform) -> None:
    content = {"ladder": LADDER, "live": {"target_latency": "4s"}}
    found = cell(platform, {"content": content, "clients": [{"player": "dashjs"}]})
    assert found["film"]["target_latency_s"] == 4.0


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
    link = found["paths"][0]["downlink"]
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
    [path] = cell(platform, {"gateway": gateway})["paths"]
    found = path["downlink"]["queue"]
    assert (found["per_flow"], found["drops_early"]) == (per_flow, drops_early)


def test_without_an_rtt_there_is_no_bdp(platform: Platform) -> None:
    gateway = {"downlink": {"rate": "8Mbit/s", "queue": {"limit": "20packets"}}}
    link = cell(platform, {"gateway": gateway})["paths"][0]["downlink"]
    assert (link["bdp_packets"], link["queue"]["limit_bdp"]) == (0.0, None)


WIFI = {
    "downlink": {"rate": "4Mbit/s", "queue": {"limit": "1bdp"}},
    "rtt": {"mean": "30ms"},
    "upstream": {"rate": "3Mbit/s", "rtt": "30ms"},
}
LTE = {"downlink": {"rate": "2Mbit/s", "queue": {"limit": "1bdp"}}, "rtt": {"mean": "120ms"}}
NAMED = {"paths": {"wifi": WIFI, "lte": LTE}}


def test_each_path_has_a_name_and_links_of_its_own_round_trip(platform: Platform) -> None:
    found = cell(platform, {"gateway": NAMED, "clients": [{"player": "bola"}]}, factors={})
    wifi, lte = found["paths"]
    assert (wifi["name"], wifi["rtt_s"], wifi["upstream"]["rtt_s"]) == ("wifi", 0.03, 0.03)
    assert (lte["name"], lte["rtt_s"], lte["upstream"]) == ("lte", 0.12, None)
    # 4 and 3 Mbit/s for 30 + 30 ms, 2 Mbit/s for 120 ms, in packets of 1500 bytes.
    assert wifi["downlink"]["bdp_packets"] == pytest.approx(20)
    assert wifi["upstream"]["link"]["bdp_packets"] == pytest.approx(15)
    assert lte["downlink"]["bdp_packets"] == pytest.approx(20)


def test_clients_say_which_paths_they_use(platform: Platform) -> None:
    clients = [
        {"player": "bola", "transport": "mptcp", "backup": ["lte"], "count": 2},
        {"player": "bola", "paths": ["lte"]},
    ]
    found = cell(platform, {"gateway": NAMED, "clients": clients}, factors={})
    told = [(each["count"], each["transport"], each["paths"], each["backup"])
            for each in found["clients"]]  # fmt: skip
    assert told == [(2, "mptcp", ["wifi", "lte"], ["lte"]), (1, "tcp", ["lte"], [])]
    # What is best for all together is not defined on several links.
    assert [each["optimal_levels"] for each in found["clients"]] == [[], []]


def test_other_traffic_is_listed_with_its_path_and_rate(platform: Platform) -> None:
    traffic = [
        {"kind": "udp", "rate": "1Mbit/s", "path": "lte", "count": 3, "start": "2s"},
        {"kind": "tcp", "path": "wifi", "stop": "9s"},
    ]
    found = cell(platform, {"gateway": NAMED, "traffic": traffic}, factors={})["traffic"]
    assert found == [
        {"kind": "udp", "direction": "downlink", "path": "lte", "count": 3, "rate_bps": 1e6,
         "start_s": 2.0, "stop_s": 20.0},
        {"kind": "tcp", "direction": "downlink", "path": "wifi", "count": 1, "rate_bps": None,
         "start_s": 0.0, "stop_s": 9.0},
    ]  # fmt: skip


def test_events_are_told_once_with_their_path_and_what_changes(platform: Platform) -> None:
    events = [
        {"at": "9s", "for": "2s", "path": "wifi", "down": "carrier"},
        {"at": "5s", "for": "1s", "path": "lte", "loss": "10%"},
        {"at": "3s", "for": "1s", "path": "wifi", "rate": "1Mbit/s"},
        {"at": "4s", "for": "1s", "path": "wifi", "rtt": "200ms"},
        {"at": "1s", "for": "1s", "path": "lte", "down": "silent"},
    ]
    found = cell(platform, {"gateway": NAMED, "events": events}, factors={})["events"]
    told = [{key: value for key, value in event.items() if value is not None} for event in found]
    assert told == [
        {"at_s": 1.0, "for_s": 1.0, "path": "lte", "down": "silent"},
        {"at_s": 3.0, "for_s": 1.0, "path": "wifi", "rate_bps": 1e6, "on": "downlink"},
        {"at_s": 4.0, "for_s": 1.0, "path": "wifi", "rtt_s": 0.2},
        {"at_s": 5.0, "for_s": 1.0, "path": "lte", "loss": 0.1, "on": "downlink"},
        {"at_s": 9.0, "for_s": 2.0, "path": "wifi", "down": "carrier"},
    ]
