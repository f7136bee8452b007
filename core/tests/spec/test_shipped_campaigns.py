"""Every campaign in campaigns/ loads and expands, and the paper's are what the paper ran."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from weir.errors import SpecError
from weir.expand import Expansion
from weir.paths import paths_of
from weir.spec.load import load_campaign
from weir.spec.paper_load import load_paper
from weir_testing.checkout import ROOT, shipped_campaigns

CAMPAIGNS = ROOT / "campaigns"
PAPER = CAMPAIGNS / "ben-ameur-2016"
SHIPPED = shipped_campaigns()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_it_expands(path: Path) -> None:
    campaign = load_campaign(path)
    assert campaign.description
    assert len(list(Expansion(campaign).runs())) == Expansion(campaign).count() > 0


def first(scenario: int, **levels: str) -> Any:
    return list(Expansion(load_campaign(PAPER / f"scenario-{scenario}.yaml")).runs())[-1].experiment


def test_the_paper_by_its_testbed() -> None:
    counts = [Expansion(load_campaign(PAPER / f"scenario-{n}.yaml")).count() for n in range(1, 6)]
    assert counts == [720, 720, 720, 1440, 4320]
    one = first(1)
    assert one["content"]["bitrates_bps"] == [248e3, 456e3, 928e3, 1632e3, 4256e3]
    assert one["gateway"]["downlink"]["queue"]["limit_packets"] == 67
    assert one["gateway"]["path"]["rtt"]["stddev_s"] == pytest.approx(0.07 * 0.1)
    assert one["server"]["http"] == "apache"
    assert [client["start_s"] for client in first(2)["clients"]] == [0.0, 30.0]
    assert [client["stop_s"] for client in first(3)["clients"]] == [None, 30.0]
    assert first(4)["events"] == [{"at_s": 30.0, "for_s": 1.0, "loss": 0.5, "on": "uplink"}]
    assert first(5)["gateway"]["path"]["rtt"]["stddev_s"] == 0.05
    assert [len(first(n)["clients"]) for n in range(1, 6)] == [2, 2, 2, 1, 1]


def test_livi_et_al_by_their_testbed() -> None:
    runs = list(Expansion(load_campaign(CAMPAIGNS / "livi-2017" / "matrix.yaml")).runs())
    assert len(runs) == 2112
    # What is run of each of the 48 combinations of player, queue discipline and queue length.
    combination = ("player", "queue", "gateway.downlink.queue.limit")
    tests = Counter(tuple(run.levels[factor] for factor in combination) for run in runs)
    assert len(tests) == 48
    assert set(tests.values()) == {44}
    repeated = Counter(
        (run.levels["clients.0.count"], run.levels["film"], run.levels["rate"]) for run in runs
    )
    assert {key: number // 48 for key, number in repeated.items()} == {
        **{(1, "bbb", rate): 2 for rate in ("0.6Mbit/s", "1.5Mbit/s", "3Mbit/s", "variable")},
        **{(1, "bipbop", rate): 2 for rate in ("1.5Mbit/s", "variable")},
        **{(n, "bbb", rate): 4 for n in (2, 3)
           for rate in ("0.6Mbit/s", "1.5Mbit/s", "3Mbit/s", "variable")},
    }  # fmt: skip
    for run in runs:
        link, rtt = run.experiment["gateway"]["downlink"], run.experiment["gateway"]["path"]["rtt"]
        clients = run.experiment["clients"]
        assert run.experiment["duration_s"] == 700
        assert len(clients) == run.levels["clients.0.count"]
        assert {client["buffer_s"] for client in clients} == {240.0}
        assert {client["player"] for client in clients} == {run.levels["player"]}
        # Their scripts round down: 400, 66, 33 and 16 packets.
        limits = {"6bdp": 400, "1bdp": 67, "0.5bdp": 34, "0.25bdp": 17}
        queue = link["queue"]
        assert queue is not None
        assert queue["limit_packets"] == limits[run.levels["gateway.downlink.queue.limit"]]
        if run.levels["rate"] == "variable":
            per_client = [4e6, 2.8e6, 1.5e6, 1e6, 0.6e6, 4e6]
            steps = [[at * 100.0, rate * len(clients)] for at, rate in enumerate(per_client)]
            assert link["rate_steps"] == steps
        assert (rtt["mean_s"], rtt["stddev_s"], rtt["on"]) == (0.08, 0.001, "downlink")
        if run.levels["queue"] == "codel":
            assert queue["options"]["interval_s"] == 0.08


def test_yanev_et_al_by_their_testbed() -> None:
    """Two variants, three links, four numbers of clients, ten times: 240 runs."""
    folder = CAMPAIGNS / "new-cwv-2022"
    paper = list(Expansion(load_campaign(folder / "matrix.yaml")).runs())
    tested = Counter(tuple(run.levels[f] for f in ("arm", "access", "viewers")) for run in paper)
    assert (len(paper), len(tested), set(tested.values())) == (240, 24, {10})
    packets = {("dsl", "1bdp"): 34, ("fttc", "1bdp"): 167, ("fttp", "1bdp"): 484,
               ("dsl", "0.5bdp"): 17, ("fttc", "0.5bdp"): 84, ("fttp", "0.5bdp"): 242}  # fmt: skip
    starts_s = [0.0, 0.7, 1.6, 2.2, 2.9]
    controls = set()
    for run in Expansion(load_campaign(folder / "arms.yaml")).runs():
        experiment, levels = run.experiment, run.levels
        queue, clients = experiment["gateway"]["downlink"]["queue"], experiment["clients"]
        assert queue is not None
        link = levels["access"], levels["gateway.downlink.queue.limit"]
        assert queue["limit_packets"] == packets[link]
        assert [client["start_s"] for client in clients] == starts_s[: int(levels["viewers"])]
        assert {client["options"]["version"] for client in clients} == {"4.0.1"}
        server = experiment["server"]
        idle = server["sysctls"].get("net.ipv4.tcp_slow_start_after_idle")
        controls.add((levels["arm"], server["congestion_control"], idle))
    assert controls == {
        ("cwv-paper", "cwv_paper", None),
        ("newcwv-paper", "newcwv_paper", None),
        ("reno", "reno", None),
        ("newcwv", "newcwv", "0"),
        ("reno-kept", "reno", "0"),
    }


def test_the_paper_over_http2_differs_in_that_alone() -> None:
    runs = list(Expansion(load_campaign(CAMPAIGNS / "new-cwv-2022" / "http2.yaml")).runs())
    spoken = Counter(run.experiment["server"]["http_version"] for run in runs)
    assert spoken == {"1.1": 64, "2": 64}
    others = Counter(
        tuple(sorted((name, str(level)) for name, level in run.levels.items() if name != "http"))
        for run in runs
    )
    assert set(others.values()) == {2 * 4}


def test_the_papers_numbers() -> None:
    table = load_paper(PAPER / "paper.yaml").campaigns["ben-ameur-2016-scenario-1"]
    levels = {"gateway.shaping.method": "rwtm", "server.congestion_control": "illinois"}
    assert table.value("infidelity_percent", 1, levels) == 6.17
    assert table.value("convergence_s", 2, levels) == 6.54
    assert table.value("cng", 2, levels) is None
    assert table.value("cng", 1, {**levels, "server.congestion_control": "bbr"}) is None
    assert len(list(table.rows())) == 12 * 10  # instability stands beside both of its weightings
    assert table.clients is not None


@pytest.mark.parametrize("tree", ["{a: x}", "3", "{a: {b: 1}}"])
def test_a_number_at_the_wrong_depth_is_refused(tmp_path: Path, tree: str) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(
        f"{{citation: c, campaigns: {{x: {{factors: [f], metrics: {{m: {{1: {tree}}}}}}}}}}}"
    )
    with pytest.raises(SpecError, match=r"p\.yaml"):
        load_paper(file)


def test_susanto_et_al_by_their_table() -> None:
    """Three controls, four environments, two media, ten times, in both modes: 2 * 240 runs."""
    runs = list(Expansion(load_campaign(CAMPAIGNS / "mptcp-2021" / "matrix.yaml")).runs())
    tested = Counter((run.levels["mode"], run.replicate) for run in runs)
    assert set(tested.values()) == {24} and len(tested) == 20
    stated = set()
    for run in runs:
        experiment = run.experiment
        paths = paths_of(experiment)
        loss = {path["path"]["loss"]["downlink"] for path in paths}
        assert {str(path["downlink"]["rate_steps"]) for path in paths} == {"[[0.0, 4000000.0]]"}
        stated.add((run.levels["environment"], *loss, len(experiment.get("traffic", []))))
        (client,) = experiment["clients"]
        assert client["paths"] == ["first", "second"]
        assert client.get("live", False) == (run.levels["mode"] == "live")
    assert stated == {("env1", 0.0, 1), ("env2", 0.01, 1), ("env3", 0.0, 0), ("env4", 0.01, 0)}
