"""ECN in a campaign: what is refused, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.notes import notes
from weir.resolved import Experiment
from weir.spec.load import parse_campaign

EVERY = "off, classic, classic-if-asked, accurate, accurate-asks-classic, accurate-if-asked"


def resolved(folder: Path, server: Any = None, client: Any = None, **keys: Any) -> Experiment:
    experiment: dict[str, Any] = {
        "duration": "10s",
        "content": {"ladder": ["1Mbit/s"], "segment": "2s"},
        "server": server or {},
        "gateway": {
            "downlink": {"rate": "8Mbit/s", "queue": keys.pop("queue", {})},
            "path": {"rtt": {"mean": "50ms"}},
        },
        "clients": [{"player": "bba1", **(client or {})}],
        **keys,
    }
    document = {"name": "c", "experiment": experiment}
    return next(Expansion(parse_campaign(document, folder)).runs()).experiment


def refused(folder: Path, *args: Any, **keys: Any) -> Problem:
    with pytest.raises(SpecError) as error:
        resolved(folder, *args, **keys)
    (problem,) = error.value.problems
    return problem


def test_what_is_asked_for_stands_in_the_experiment_and_nothing_else(tmp_path: Path) -> None:
    plain = resolved(tmp_path)
    assert "ecn" not in plain["server"] and "ecn" not in plain["clients"][0]
    flows = [{"kind": "tcp", "congestion_control": "prague"}, {"kind": "tcp", "ecn": "classic"}]
    found = resolved(tmp_path, {"ecn": "accurate"}, {"ecn": "off"}, traffic=flows)
    assert (found["server"]["ecn"], found["clients"][0]["ecn"]) == ("accurate", "off")
    assert [flow.get("ecn") for flow in found["traffic"]] == [None, "classic"]


def test_a_mode_that_is_none(tmp_path: Path) -> None:
    problem = refused(tmp_path, {"ecn": "accecn"})
    assert (problem.path, problem.value) == ("experiment.server.ecn", "accecn")
    assert all(mode in problem.allowed for mode in EVERY.split(", "))


def test_both_ways_of_setting_it(tmp_path: Path) -> None:
    asked = {"ecn": "classic", "sysctls": {"net.ipv4.tcp_ecn": 0}}
    problem = refused(tmp_path, asked)
    assert problem.path == "experiment.server.sysctls.net.ipv4.tcp_ecn"
    assert problem.remedy == "both set the same; remove one"


@pytest.mark.parametrize(
    ("server", "client", "traffic", "path", "allowed"),
    [
        ({"congestion_control": "prague"}, {"ecn": "classic"}, [], "clients.0.ecn",
         "accurate where prague sends"),
        ({"congestion_control": "prague", "ecn": "classic"}, {}, [], "server.ecn",
         "accurate, accurate-asks-classic, accurate-if-asked where prague sends"),
        ({"ecn": "off"}, {}, [{"kind": "tcp", "congestion_control": "prague"}], "server.ecn",
         "accurate, accurate-asks-classic, accurate-if-asked where prague sends"),
        ({"congestion_control": "dctcp"}, {"ecn": "off"}, [], "clients.0.ecn",
         "classic, accurate, accurate-asks-classic where dctcp sends"),
        ({}, {}, [{"kind": "tcp", "congestion_control": "dctcp", "ecn": "off"}], "traffic.0.ecn",
         "classic, accurate, accurate-asks-classic where dctcp sends"),
    ],
)  # fmt: skip
def test_less_than_the_control_needs(
    tmp_path: Path, server: Any, client: Any, traffic: Any, path: str, allowed: str
) -> None:
    problem = refused(tmp_path, server, client, traffic=traffic)
    assert (problem.path, problem.allowed) == (f"experiment.{path}", allowed)
    assert "it is another control" in problem.remedy


def test_whose_packets_a_threshold_marks_needs_one(tmp_path: Path) -> None:
    queue = {"discipline": "fq-codel", "ce_threshold_for": "l4s_ect"}
    problem = refused(tmp_path, queue=queue)
    assert problem.path == "experiment.gateway.downlink.queue.ce_threshold_for"
    assert problem.remedy == "set ce_threshold, or remove it"
    found = resolved(tmp_path, queue={**queue, "ce_threshold": "1ms"})["gateway"]["downlink"]
    assert found["queue"] is not None
    assert found["queue"]["options"]["ce_threshold_s"] == 0.001


@pytest.mark.parametrize(
    ("queue", "marks"),
    [({}, False), ({"discipline": "codel"}, False), ({"discipline": "dualpi2"}, True),
     ({"discipline": "cake"}, True), ({"discipline": "codel", "ce_threshold": "1ms"}, True)],
)  # fmt: skip
def test_a_control_that_waits_for_marks_before_a_queue_that_makes_none(
    tmp_path: Path, queue: Any, marks: bool
) -> None:
    said = notes(resolved(tmp_path, {"congestion_control": "prague"}, queue=queue))
    assert len(said) == (not marks)
    assert notes(resolved(tmp_path, {"congestion_control": "cubic"}, queue=queue)) == []
    flows = [{"kind": "tcp", "congestion_control": "prague"}]
    (beside,) = notes(resolved(tmp_path, traffic=flows))
    assert beside.startswith("traffic.0.congestion_control: prague waits for marks")
