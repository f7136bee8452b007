"""The congestion control in effect is the one asked, for every one, under both servers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from weir.errors import RunFailure
from weir_lab.kernel import Kernel
from weir_server.plan import WITHOUT_ECN
from weir_testing.cells import Runner, broken, checks_of, client, experiment, rows
from weir_testing.checkout import ROOT

pytestmark = pytest.mark.kernel

OWN = "server.congestion_control"
SHIPPED = ["reno", "cubic", "vegas", "illinois", "bbr", "westwood", "htcp", "dctcp"]


@pytest.mark.parametrize("http", ["nginx", "apache"])
@pytest.mark.parametrize("name", [*SHIPPED, "fixed_window"])
def test_the_kernel_says_what_was_asked(run_once: Runner, name: str, http: str) -> None:
    result = run_once(experiment({OWN: name, "server.http": http, "duration_s": 10.0}))
    assert not broken(result)
    check = checks_of(result)["congestion_control"]
    assert (check["asked"], check["measured"]) == (name, [name])
    (flow,) = result.data.flows
    assert flow["congestion_control"] == name
    (played,) = result.data.players
    assert (played["status"] == 206).sum() >= 2


def test_those_that_ask_for_ecn_are_set_before_the_server_is_started() -> None:
    """Of the lab's own by their sources; DCTCP of Linux's."""
    asking = {"dctcp"}
    for file in (ROOT / "lab" / "cc").glob("*.c"):
        ops = re.findall(r"struct tcp_congestion_ops \w+[^=;]*= \{(.*?)\};", file.read_text(), re.S)
        asking |= {found for each in ops if "NEEDS_ECN" in each
                   for found in re.findall(r'\.name\s*=\s*"(\S+)"', each)}  # fmt: skip
    assert "prague" in asking
    assert not asking & WITHOUT_ECN


def test_each_one_behaves_in_its_own_way(run_once: Runner) -> None:
    traces = {
        name: rows(run_once(experiment({OWN: name, "duration_s": 10.0})).data.tcp)["cwnd"]
        for name in SHIPPED
    }
    assert len({trace.tobytes() for trace in traces.values()}) >= len(SHIPPED) - 1


def test_bringing_your_own_shows(run_once: Runner) -> None:
    """lab/cc/fixed_window.c: cwnd is 20 segments, always, and so is the rate 20 MSS per RTT."""
    result = run_once(experiment({OWN: "fixed_window", "gateway.downlink.rate_steps": [[0, 50e6]]}))
    tcp = rows(result.data.tcp)
    assert len(tcp["cwnd"]) > 1000
    assert set(tcp["cwnd"]) == {20}
    assert tcp["in_flight"].max() == 20
    (played,) = result.data.players
    whole = played["status"] == 206
    duration_s = (played["last_byte_s"] - played["first_byte_s"])[whole]
    rate_bps = (played["size_bytes"] * 8)[whole] / duration_s
    assert rate_bps == pytest.approx(np.full(whole.sum(), 20 * 1448 * 8 / 0.1), rel=0.02)


def test_one_that_is_not_there_is_refused(run: Runner, kernel: Kernel) -> None:
    with pytest.raises(RunFailure, match=r"hybla is not in this lab kernel.*weir kernel build"):
        run(experiment({OWN: "hybla"}))
    assert set(SHIPPED) <= set(kernel.congestion_controls)


def test_a_sysctl_takes_effect(run_once: Runner) -> None:
    """After idle, cwnd starts over, unless the sysctl says otherwise."""

    def fall_after_idle(value: str) -> int:
        # 456 kbit/s at 8 Mbit/s: the link is idle for seconds between segments.
        sysctls = {"net.ipv4.tcp_slow_start_after_idle": value}
        steady = client("fixed", options={"level": 3}, buffer_s=4.0)
        result = run_once(experiment({"server.sysctls": sysctls}, steady))
        tcp = rows(result.data.tcp)
        late = tcp["cwnd"][tcp["t_ns"] > 8e9].astype(int)
        return int(-np.diff(late).min())

    assert fall_after_idle("1") > 5
    assert fall_after_idle("0") == 0


def test_both_servers_serve_the_same_bytes(run_once: Runner) -> None:
    films = []
    for http in ("nginx", "apache"):
        result = run_once(experiment({"server.http": http, OWN: "reno", "duration_s": 10.0}))
        (played,) = result.data.players
        films.append(list(zip(played["segment"][:5], played["size_bytes"][:5], strict=True)))
    assert films[0] == films[1]
