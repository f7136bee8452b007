"""Experiments that name their paths: what is resolved, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from weir.paths import alone, clients_on, paths_of
from weir.spec.experiment import Experiment
from weir.spec.schematree import split_path, wrong_step
from weir_testing.spec import document, problems_of, resolved

WIFI = {"downlink": {"rate": "4Mbit/s", "queue": {"limit": "1bdp"}}, "rtt": {"mean": "20ms"}}
LTE = {"downlink": {"rate": "2Mbit/s"}, "rtt": {"mean": "60ms"}, "loss": {"downlink": "1%"}}
TWO = {"paths": {"wifi": WIFI, "lte": LTE}}
PLAIN = {"player": "aggressive-rate"}
MPTCP = {"player": "aggressive-rate", "transport": "mptcp"}
FIXED = {"player": "fixed", "options": {"level": 0}, "transport": "mptcp"}


def several(*clients: dict[str, Any], **experiment: Any) -> dict[str, Any]:
    return {"gateway": TWO, "clients": list(clients) or [MPTCP], **experiment}


def test_paths_are_resolved_each_by_itself() -> None:
    wifi, lte = paths_of(resolved(**several()))
    assert (wifi["name"], lte["name"]) == ("wifi", "lte")
    assert wifi["downlink"]["rate_steps"] == [[0.0, 4e6]]
    assert wifi["downlink"]["queue"] is not None
    assert wifi["downlink"]["queue"]["limit_packets"] == 7
    assert lte["path"]["rtt"]["mean_s"] == 0.06
    assert (wifi["path"]["loss"]["downlink"], lte["path"]["loss"]["downlink"]) == (0.0, 0.01)


def test_a_gateway_without_names_resolves_as_ever() -> None:
    plain = resolved()
    assert plain["gateway"].keys() == {"downlink", "uplink", "path", "shaping"}
    assert plain["clients"][0].keys() == {
        "player", "options", "buffer_s", "in_flight", "start_s", "stop_s", "source",
    }  # fmt: skip
    assert [path["name"] for path in paths_of(plain)] == [""]
    assert alone(plain, 0) is plain


def test_mptcp_takes_all_paths_and_tcp_the_first_unless_told() -> None:
    asked = resolved(**several(MPTCP, {**PLAIN}, {**PLAIN, "paths": ["lte"]}))
    assert [client["paths"] for client in asked["clients"]] == [["wifi", "lte"], ["wifi"], ["lte"]]
    assert (clients_on(asked, 0), clients_on(asked, 1)) == ({1: 1, 2: 1}, {1: 1, 3: 1})
    twice = resolved(**several({**MPTCP, "paths": ["wifi", "wifi"]}))
    assert clients_on(twice, 0) == {1: 2}


def test_either_clock_resolves_the_same_paths() -> None:
    virtual, real = (paths_of(resolved(**several(clock=clock))) for clock in ("virtual", "real"))
    assert virtual == real


def test_as_many_links_as_a_lab_kernel_has_room_for() -> None:
    """Two to the server, and each client's: 2 + 10 + 2 * 34."""
    clients = [{**PLAIN, "count": 10}, {**MPTCP, "count": 34}]
    assert len(resolved(**several(*clients, clock="real"))["clients"]) == 44


def test_a_share_of_the_link_is_counted_by_path() -> None:
    each = {"downlink": {"rate": "1Mbit/s", "per_client": True}, "rtt": {"mean": "20ms"}}
    clients = [{**MPTCP, "count": 2}, {**PLAIN, "paths": ["lte"]}]
    wifi, lte = paths_of(resolved(gateway={"paths": {"wifi": each, "lte": each}}, clients=clients))
    assert wifi["downlink"]["rate_steps"] == [[0.0, 2e6]]
    assert lte["downlink"]["rate_steps"] == [[0.0, 3e6]]


def test_alone_a_path_knows_its_links_and_events() -> None:
    events = [{"at": "1s", "for": "1s", "loss": "10%", "path": path} for path in ("lte", "wifi")]
    lte = alone(resolved(**several(events=events)), 1)
    assert lte["gateway"]["downlink"]["rate_steps"] == [[0.0, 2e6]]
    assert [event["path"] for event in lte["events"]] == ["lte"]


def test_dotted_paths_reach_into_a_named_path() -> None:
    rate = "gateway.paths.wifi.downlink.rate"
    assert wrong_step(Experiment, rate) is None
    assert split_path(Experiment, rate) == rate.split(".")
    assert wrong_step(Experiment, "gateway.paths.wifi.downlink.rat") == f"did you mean {rate}?"


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    (several({**MPTCP, "paths": ["wify", "lte"]}), "clients.0.paths.0", "did you mean wifi?"),
    (several({**PLAIN, "paths": ["wifi", "lte"]}), "clients.0.transport", "mptcp"),
    (several({**MPTCP, "paths": ["wifi"] * 9}), "clients.0.paths", "path manager"),
    (several({**MPTCP, "backup": ["wifi"]}), "clients.0.backup.0", "opens the connection"),
    (several({**MPTCP, "paths": ["wifi"], "backup": ["lte"]}), "clients.0.backup.0", "among"),
    (several({**PLAIN, "backup": ["lte"]}), "clients.0.backup", "remove"),
    (several({**MPTCP, "aimd": {"alpha": 2}}, server={"congestion_control": "aimd"}),
     "clients.0.aimd", "one TCP connection"),
    (several({**FIXED, "deadlines": {"after": "1s"}}, server={"congestion_control": "aimd"}),
     "clients.0.deadlines", "one TCP connection"),
    (several({"player": "outside", "paths": ["lte"]}, clock="real"), "clients.0.player",
     "name one path"),
    (several({"player": "chromium", "paths": ["lte"]}, clock="real"), "clients.0.player",
     "name one path"),
    (several({"player": "outside", "transport": "mptcp"}, clock="real",
             gateway={"paths": {"wifi": WIFI}}), "clients.0.transport", "its sockets itself"),
    (several(clock="real", gateway={"paths": {"wifi": {**WIFI, "upstream": {"rate": "1Mbit/s"}}}}),
     "gateway.paths.wifi.upstream", "clock: virtual"),
    (several(clock="real", events=[{"at": "1s", "for": "1s", "path": "wifi", "down": "carrier"}]),
     "events.0.down", "clock: virtual"),
    (several({**PLAIN, "count": 10}, {**MPTCP, "count": 35}, clock="real"), "clients",
     "fewer clients or paths"),
    (several(gateway={**TWO, "shaping": {"method": "rwtm"}}), "gateway.shaping.method", "window"),
    (several(gateway={**TWO, "shaping": {"method": "htbm"}}), "gateway.shaping.method", "session"),
    (several(gateway={**TWO, "downlink": {"rate": "1Mbit/s"}}), "gateway.downlink", "remove"),
    (several(gateway={**TWO, "path": {"rtt": {"mean": "1ms"}}}), "gateway.path", "rtt and loss"),
    (several(gateway={"paths": {f"p{k}": WIFI for k in range(9)}}, clients=[{**PLAIN}]),
     "gateway.paths", "fewer"),
    (several(gateway={"paths": {"WiFi": WIFI}}), "gateway.paths.WiFi", "match"),
    (several(events=[{"at": "1s", "for": "1s", "loss": "1%"}]), "events.0.path", "which path"),
    ({"clients": [{**PLAIN, "paths": ["wifi"]}]}, "clients.0.paths.0", "name the paths"),
    ({"clients": [MPTCP], "gateway__shaping": {"method": "rwtm"}},
     "gateway.shaping.method", "rwtm"),
    ({"gateway": {}}, "gateway.downlink", "required"),
]  # fmt: skip


def test_lateness_alone_can_be_measured_over_mptcp() -> None:
    measured = {"after": "1s", "moves": "none"}
    (client,) = resolved(**several({**FIXED, "deadlines": measured}))["clients"]
    assert client["deadlines"]["moves"] == "none"


@pytest.mark.parametrize(("changes", "path", "remedy"), REFUSED)
def test_what_cannot_be_is_refused(changes: dict[str, Any], path: str, remedy: str) -> None:
    problems = {problem.path: problem for problem in problems_of(document(**changes))}
    assert f"experiment.{path}" in problems, problems
    assert remedy in problems[f"experiment.{path}"].remedy
