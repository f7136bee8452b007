"""Outages that interfaces see: what is planned for them, and how they are checked."""

from __future__ import annotations

from typing import Any

from weir.records import EventRecord
from weir_lab import carrier, plan
from weir_testing.spec import resolved

PATH = {"downlink": {"rate": "4Mbit/s"}, "rtt": {"mean": "20ms"}}
MPTCP = {"player": "festive", "transport": "mptcp", "paths": ["wifi", "lte"], "backup": ["lte"]}
DOWN = {"at": "30s", "for": "20s", "path": "wifi", "down": "carrier"}


def asked(**fields: Any) -> Any:
    base = {
        "gateway": {"paths": {"wifi": PATH, "lte": PATH}},
        "clients": [MPTCP, {"player": "festive", "paths": ["wifi"]},
                    {"player": "festive", "paths": ["lte"]}],
        "traffic": [{"kind": "tcp", "path": "wifi"}],
        "events": [DOWN],
    }  # fmt: skip
    return resolved(**base | fields)


def lines(experiment: Any, host: str) -> list[str]:
    made = plan.make(experiment, 1)
    return [one["line"] for one in plan.mentioned_commands(made) if one["host"] == host]


def test_the_ports_of_all_who_are_on_the_path_go_down_and_up() -> None:
    roles = plan.make(asked(), 1)["roles"]
    (timed,) = [role["args"]["timed"] for role in roles if role["module"] == "weir_gateway.timed"]
    assert [entry["at_s"] for entry in timed] == [30.0, 50.0]
    assert timed[0]["lines"] == [f"link set dev home{number} down" for number in (1, 2, 4)]
    assert timed[1]["lines"][0] == "link set dev home1 up"
    assert timed[0]["event"]["event"] == "outage-begins"
    assert timed[0]["event"]["path"] == "wifi"


def test_clients_watch_their_own_interfaces_there() -> None:
    roles = plan.make(asked(), 1)["roles"]
    watching = [role for role in roles if role["module"] == "weir_lab.guest.carrier"]
    assert [role["host"] for role in watching] == ["client1", "client2"]
    (mptcp,), (tcp,) = (role["args"]["watched"] for role in watching)
    assert mptcp == {
        "device": "eth0",
        "path": "wifi",
        "lost": ["mptcp endpoint delete id 1"],
        "back": ["mptcp endpoint add 10.0.2.11 dev eth0 id 1 subflow"],
    }
    assert (tcp["lost"], tcp["back"]) == ([], [])
    assert [role["args"]["elsewhere"] for role in watching] == [True, False]


def test_endpoints_have_numbers_where_they_come_and_go() -> None:
    assert [line for line in lines(asked(), "client1") if "endpoint" in line] == [
        "ip mptcp endpoint add 10.0.2.11 dev eth0 id 1 subflow",
        "ip mptcp endpoint add 10.1.2.11 dev eth1 id 2 subflow backup",
    ]
    silent = asked(events=[{**DOWN, "down": "silent"}])
    assert [line for line in lines(silent, "client1") if "endpoint" in line] == [
        "ip mptcp endpoint add 10.1.2.11 dev eth1 subflow backup"
    ]


def test_the_bottleneck_keeps_its_carrier() -> None:
    assert "ip link set spare master neck0 up" in lines(asked(), "gateway")
    assert not [line for line in lines(asked(), "gateway2") if "spare" in line]


def test_each_interface_is_held_against_the_outage() -> None:
    events: list[EventRecord] = [
        {"t_s": 30.0, "event": "outage-begins", "host": "gateway", "path": "wifi",
         "applied": ["ip link set dev home1 down"]},
        {"t_s": 30.001, "event": "carrier-lost", "host": "client1", "path": "wifi"},
        {"t_s": 31.0, "event": "carrier-lost", "host": "client2", "path": "wifi"},
        {"t_s": 50.0, "event": "carrier-back", "host": "client1", "path": "wifi"},
    ]  # fmt: skip
    found = {check["name"]: check for check in carrier.checks(asked(), events)}
    first = found["carrier_lost_at_30.000s_wifi_client1"]
    assert (first["asked"], first["measured"], first["ok"]) == (30.0, 30.001, True)
    assert first["applied"] == ["ip link set dev home1 down"]
    assert found["carrier_back_at_50.000s_wifi_client1"]["ok"]
    assert not found["carrier_lost_at_30.000s_wifi_client2"]["ok"]
    assert found["carrier_back_at_50.000s_wifi_client2"]["measured"] is None
    assert len(found) == 4
