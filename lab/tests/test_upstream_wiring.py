"""A second bottleneck between server and gateway: what a cell is told."""

from __future__ import annotations

from typing import Any

from weir.spec.rules import MOST_WITH_UPSTREAM
from weir_gateway import devices
from weir_lab import plan
from weir_testing.spec import resolved

PATH = {"downlink": {"rate": "8Mbit/s"}, "rtt": {"mean": "20ms"}}
SECOND = {"rate": {"steps": [{"at": "0s", "rate": "4Mbit/s"}, {"at": "9s", "rate": "6Mbit/s"}]},
          "rtt": "50ms"}  # fmt: skip


def lines(experiment: Any, host: str) -> list[str]:
    made = plan.make(experiment, 1)
    return [one["line"] for one in plan.mentioned_commands(made) if one["host"] == host]


def test_the_router_is_linked_to_both_and_has_a_queue_and_a_delay() -> None:
    asked = resolved(gateway__upstream=SECOND)
    router = lines(asked, "upstream")
    assert "ip addr add 10.0.1.1/24 dev wan" in router
    assert "ip addr add 10.0.0.1/24 dev neck5" in router
    assert "ip route add 10.0.0.0/16 via 10.0.0.2 dev neck5" in router
    assert any(line.startswith("tc qdisc add dev neck5 parent 1:1") for line in router)
    assert "tc qdisc add dev wan root handle 20: netem limit 100000 delay 50000us" in router
    gateway = lines(asked, "gateway")
    assert "ip addr add 10.0.0.2/24 dev wan" in gateway
    assert "ip route add 10.0.1.2/32 via 10.0.0.1 dev wan" in gateway
    assert not [line for line in gateway if "link add wan" in line]


def test_its_rate_changes_by_itself() -> None:
    made = plan.make(resolved(gateway__upstream=SECOND), 1)
    (timed,) = [role for role in made["roles"] if role["module"] == "weir_gateway.timed"]
    assert timed["host"] == "upstream"
    (change,) = timed["args"]["timed"]
    assert change["at_s"] == 9.0
    assert "dev neck5" in change["lines"][0] and "rate 6000000bit" in change["lines"][0]


def test_its_counters_come_after_those_of_the_paths() -> None:
    paths = {"wifi": PATH, "lte": {**PATH, "upstream": SECOND}}
    made = plan.make(resolved(gateway={"paths": paths}), 1)
    assert [(each["host"], each["device"]) for each in made["counted"]] == [
        ("gateway", "neck0"), ("gateway2", "neck1"), ("upstream2", "neck6"),
    ]  # fmt: skip
    assert "upstream2" in made["hosts"]


def test_devices_have_as_many_digits_as_the_rules_allow() -> None:
    assert devices.FIRST_UPSTREAM == MOST_WITH_UPSTREAM
    assert devices.upstream(MOST_WITH_UPSTREAM - 1) == "neck9"


def test_nothing_else_of_the_plan_is_other_without_one() -> None:
    made = plan.make(resolved(), 1)
    assert made["hosts"] == ["server", "gateway", "client1"]
    assert len(made["counted"]) == 1
