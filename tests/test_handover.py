"""Events of single paths: an outage that nobody is told of, other rates and round trips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from weir.resolved import Experiment
from weir_lab.collect import CellResult
from weir_testing.cells import Runner, broken, checks_of, rows, sent_bps
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel

DOWN_S, UP_S = 30.0, 50.0
WIFI, LTE = 0, 1


def path(rtt: str) -> dict[str, Any]:
    downlink = {"rate": "4Mbit/s", "queue": {"discipline": "drop-tail", "limit": "50packets"}}
    return {"downlink": downlink, "rtt": {"mean": rtt}}


def experiment(client: dict[str, Any], *events: dict[str, Any], **more: Any) -> Experiment:
    """A film of 1.5 Mbit/s with 15 s of buffer over wifi and lte; wifi is silent for 20 s."""
    base: dict[str, Any] = {
        "duration": "80s",
        "content": {"ladder": ["1.5Mbit/s"], "segment": "2s"},
        "server": {"congestion_control": "cubic"},
        "gateway": {"paths": {"wifi": path("20ms"), "lte": path("60ms")}},
        "clients": [{"player": "fixed", "options": {"level": 0}, "buffer": "15s", **client}],
        "events": list(events) or [{"at": "30s", "for": "20s", "path": "wifi", "down": "silent"}],
    }
    made: Experiment = resolved(**base | more)
    return made


MPTCP = {"transport": "mptcp", "paths": ["wifi", "lte"]}


def data_s(result: CellResult, number: int) -> NDArray[np.float64]:
    """When data left the bottleneck of a path."""
    queue = rows(result.data.queue)
    mine = (queue["path"] == number) & (queue["payload"] > 0) & (queue["fate"] == 0)
    return np.sort(queue["departure_ns"][mine]) / 1e9


def stalled_s(result: CellResult) -> float:
    return float(result.data.players[0]["stall_s"].sum())


def test_mptcp_plays_on_over_the_other_path_and_comes_back(run_once: Runner) -> None:
    result = run_once(experiment(MPTCP))
    assert not broken(result)
    assert stalled_s(result) == 0
    assert len(set(result.data.players[0]["connection"])) == 1
    everywhere = np.sort(np.concatenate([data_s(result, WIFI), data_s(result, LTE)]))
    during = everywhere[(everywhere > DOWN_S - 5) & (everywhere < UP_S + 10)]
    assert np.diff(during).max() < 5
    wifi_s = data_s(result, WIFI)
    assert not ((wifi_s > DOWN_S + 1) & (wifi_s < UP_S)).any()
    assert ((wifi_s > UP_S) & (wifi_s < UP_S + 10)).any()


CARRIER = {"at": "30s", "for": "20s", "path": "wifi", "down": "carrier"}


@pytest.mark.parametrize("backup", [[], ["lte"]])
def test_a_lost_carrier_is_noticed_at_once(run: Runner, backup: list[str]) -> None:
    """The client's kernel says so over lte, one way of 60 ms: the server closes wifi's subflow and
    sends again over lte what was on its way; with the carrier a new one joins. No data of the
    connection's waits for a timer: only the closed subflow still tries its first segment by one.
    """
    result = run(experiment({**MPTCP, "backup": backup}, CARRIER))
    assert not broken(result)
    assert stalled_s(result) == 0
    assert len(set(result.data.players[0]["connection"])) == 1
    checks = checks_of(result)
    for seen, at_s in (("lost", DOWN_S), ("back", UP_S)):
        check = checks[f"carrier_{seen}_at_{at_s:.3f}s_wifi_client1"]
        assert check["measured"] == pytest.approx(at_s, abs=0.01)
    queue = rows(result.data.queue)
    # What stood in the queue, 50 packets of 3 ms, still leaves it.
    left_s = queue["departure_ns"] / 1e9
    silent = (queue["path"] == WIFI) & (left_s > DOWN_S + 0.25) & (left_s < UP_S)
    assert len(set(queue["seq"][silent & (queue["payload"] > 0)])) <= 1
    # The third way of the new subflow's handshake comes after one and a half round trips of 20 ms.
    (joined,) = (flow["flow"] for flow in result.data.flows[2:])
    again_s = left_s[(queue["flow"] == joined) & (queue["payload"] > 0)].min()
    assert UP_S + 0.02 < again_s < UP_S + 0.1
    lte_s = data_s(result, LTE)
    assert ((lte_s > DOWN_S) & (lte_s < DOWN_S + 0.07)).any()
    subflows = [flow["path"] for flow in result.data.flows]
    assert sorted(subflows) == ["lte", "wifi", "wifi"]


def test_plain_tcp_does_not_know_of_a_carrier(run: Runner) -> None:
    """Its connection waits for the retransmission timer, as it does in silence."""
    result = run(experiment({"paths": ["wifi"]}, CARRIER))
    assert not broken(result)
    assert stalled_s(result) > 3


def test_lia_comes_back_as_soon_as_the_subflow_is_tried_again(run_once: Runner) -> None:
    """At most the longest pause between two tries later; without a bound that doubles."""
    silent = {"at": "10s", "for": "20s", "path": "wifi", "down": "silent"}
    server = {"congestion_control": "lia", "sysctls": {"net.ipv4.tcp_rto_max_ms": 2000}}
    result = run_once(experiment(MPTCP, silent, server=server, duration="40s"))
    assert not broken(result)
    wifi_s = data_s(result, WIFI)
    assert ((wifi_s > 30) & (wifi_s < 32.5)).any()


def test_plain_tcp_stalls(run_once: Runner) -> None:
    result = run_once(experiment({"paths": ["wifi"]}))
    assert not broken(result)
    assert stalled_s(result) > 3
    checks = checks_of(result)
    for on in ("downlink", "uplink"):
        assert checks[f"loss_{on}_at_30.000s_wifi"]["measured"] in (1.0, None)


def test_a_backup_carries_nothing_before_the_outage(run_once: Runner) -> None:
    result = run_once(experiment({**MPTCP, "backup": ["lte"]}))
    assert not broken(result)
    assert stalled_s(result) == 0
    lte_s = data_s(result, LTE)
    assert len(lte_s) > 100
    assert lte_s.min() > DOWN_S


def test_another_rate_for_a_while(run: Runner) -> None:
    slow = {"at": "10s", "for": "5s", "path": "wifi", "rate": "1Mbit/s"}
    film = {"ladder": ["9Mbit/s"], "segment": "100s"}
    whole = {"paths": ["wifi"], "buffer": "600s"}
    result = run(experiment(whole, slow, content=film, duration="20s"))
    assert not broken(result)
    queue = rows(result.data.queue)
    assert sent_bps(queue, 10.1, 15) == pytest.approx(1e6, rel=0.02)
    assert sent_bps(queue, 16, 20) == pytest.approx(4e6, rel=0.02)


def test_another_round_trip_for_a_while(run: Runner) -> None:
    far = {"at": "10s", "for": "10s", "path": "wifi", "rtt": "150ms"}
    result = run(experiment({"paths": ["wifi"]}, far, duration="30s"))
    assert not broken(result)
    tcp = rows(result.data.tcp)
    least_s = {}
    for name, from_s, to_s in (("before", 5, 10), ("during", 15, 20), ("after", 25, 30)):
        mine = (tcp["t_ns"] > from_s * 1e9) & (tcp["t_ns"] < to_s * 1e9)
        least_s[name] = tcp["srtt_us"][mine].min() / 1e6
    assert 0.02 <= least_s["before"] < 0.1
    assert 0.15 <= least_s["during"] < 0.3
    assert 0.02 <= least_s["after"] < 0.1


def test_a_trace_of_conditions(run: Runner, tmp_path: Path) -> None:
    """Another RTT from 10 to 20 s, and loss from 20 to 30 s alone."""
    rows_of = ["0,20,0", "10,150,0", "20,20,10", "30,20,0", "40,20,0"]
    (tmp_path / "cell.csv").write_text("time_s,rtt_ms,loss_percent\n" + "\n".join(rows_of))
    wifi = {**path("20ms"), "conditions": {"trace": "cell.csv", "format": "rows"}}
    base = {
        "duration": "40s",
        "content": {"ladder": ["1.5Mbit/s"], "segment": "2s"},
        "gateway": {"paths": {"wifi": wifi}},
        "clients": [{"player": "fixed", "options": {"level": 0}, "buffer": "15s"}],
    }
    result = run(resolved(tmp_path, **base))
    assert not broken(result)
    tcp, again = rows(result.data.tcp), rows(result.data.retransmits)
    least_s, lost = [], []
    for from_s in (0, 10, 20, 30):
        mine = (tcp["t_ns"] > (from_s + 5) * 1e9) & (tcp["t_ns"] < (from_s + 10) * 1e9)
        least_s.append(tcp["srtt_us"][mine].min() / 1e6)
        here = (again["t_ns"] >= (from_s + 1) * 1e9) & (again["t_ns"] < (from_s + 10) * 1e9)
        lost.append(int(here.sum()))
    assert least_s[1] >= 0.15
    assert max(least_s[0], least_s[2], least_s[3]) < 0.1
    assert lost[2] > 20 and max(lost[1], lost[3]) < lost[2] / 4
