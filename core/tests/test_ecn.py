"""What hosts ask for, accept and agree on."""

from __future__ import annotations

from typing import Any

import pytest
from weir import ecn
from weir_testing.cells import client, experiment

CODEL = {"discipline": "codel", "limit_packets": 67, "options": {"ecn": True}}
THRESHOLD = {"discipline": "codel", "limit_packets": 67, "options": {"ce_threshold_s": 0.001}}


def download(control: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "tcp", "direction": "downlink", "start_s": 0.0, "stop_s": 20.0,
            "congestion_control": control, **fields}  # fmt: skip


def cell(control: str = "cubic", *flows: dict[str, Any], **asked: Any) -> Any:
    made: Any = experiment({"server.congestion_control": control}, client())
    made["traffic"] = list(flows)
    made["server"] |= {"ecn": asked["server"]} if "server" in asked else {}
    made["clients"][0] |= {"ecn": asked["client"]} if "client" in asked else {}
    return made


def test_modes_are_the_values_of_the_sysctl() -> None:
    assert ecn.TCP_ECN["off"] == 0
    assert ecn.TCP_ECN["classic"] == 1
    assert ecn.TCP_ECN["accurate"] == 3
    assert sorted(ecn.TCP_ECN.values()) == list(range(6))


@pytest.mark.parametrize(
    ("asks", "accepts", "control", "agreed"),
    [
        (None, None, "", "none"),
        ("classic", None, "", "classic"),
        ("classic", "off", "", "none"),
        ("classic", "off", "dctcp", "classic"),
        ("accurate", None, "", "classic"),
        ("accurate", None, "prague", "accurate"),
        ("classic", "accurate", "prague", "none"),
        ("accurate", "accurate-if-asked", "", "accurate"),
        ("accurate-if-asked", "accurate", "", "none"),
        ("accurate-asks-classic", "accurate", "", "classic"),
    ],
)
def test_two_hosts_agree_on_the_lesser(asks: Any, accepts: Any, control: str, agreed: str) -> None:
    assert ecn.agreed(asks, accepts, control) == agreed


def test_who_says_nothing_asks_as_the_control_needs() -> None:
    assert ecn.of_client(cell(), 1) is None
    assert ecn.of_client(cell("dctcp"), 1) == "classic"
    assert ecn.of_client(cell("prague"), 1) == "accurate"
    assert ecn.of_client(cell("prague", client="classic"), 1) == "classic"
    assert ecn.of_server(cell("dctcp")) is None
    assert ecn.of_server(cell("prague")) == "accurate"


def test_a_download_of_prague_needs_its_own_end_and_the_server() -> None:
    beside = cell("cubic", download("prague"), download("dctcp"), download("reno", ecn="classic"))
    assert ecn.of_server(beside) == "accurate"
    assert ecn.of_client(beside, 1) is None
    modes = [ecn.of_traffic(beside, number) for number in (1, 2, 3)]
    assert modes == ["accurate", "classic", "classic"]
    assert ecn.of_traffic(cell("dctcp", download("cubic")), 1) is None


@pytest.mark.parametrize(("queue", "marks"), [(CODEL, True), (THRESHOLD, True), (None, False)])
def test_clients_ask_where_a_queue_is_told_to_mark(queue: Any, marks: bool) -> None:
    made: Any = cell()
    if queue:
        made["gateway"]["downlink"]["queue"] = queue
    assert ecn.can_mark(made["gateway"]["downlink"]["queue"]) is marks
    assert ecn.of_client(made, 1) == ("classic" if marks else None)
    assert ecn.recorded(made) is marks
    made["traffic"] = [download("cubic")]
    assert ecn.of_traffic(made, 1) == ("classic" if marks else None)


def test_dualpi2_marks_whoever_allows_it_but_nobody_is_told_to() -> None:
    made: Any = cell()
    made["gateway"]["downlink"]["queue"] = {"discipline": "dualpi2", "limit_packets": 67,
                                            "options": {"ecn": False}}  # fmt: skip
    assert ecn.can_mark(made["gateway"]["downlink"]["queue"])
    assert ecn.of_client(made, 1) is None
