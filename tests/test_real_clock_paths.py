"""Several paths on the real clock, in one lab kernel and in one for each host: each path a link of
its own, from the server to its clients.

The machine may be busy: the bounds are wide, and nothing here hangs on how fast it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from weir.resolved import Experiment
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_testing.cells import WIDE, broken, checks_of, kernel, rows
from weir_testing.losing import losing, lost_packets
from weir_testing.real_cells import A_KERNEL_EACH, apart, run_in
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel

WIFI, LTE = 0, 1
MPTCP = {"transport": "mptcp", "paths": ["wifi", "lte"]}
LOSS = {"at": "1s", "for": "2s", "path": "lte", "loss": "10%"}
SLOW = {"at": "3s", "for": "1s", "path": "lte", "rate": "1Mbit/s"}


def two_paths(*clients: dict[str, Any], **changes: Any) -> Experiment:
    """A film that never ends, 5 s of it, over wifi (20 ms) and lte (60 ms) of 4 Mbit/s each."""
    film = {"player": "fixed", "options": {"level": 0}, "buffer": "600s"}
    downlink = {"rate": "4Mbit/s", "queue": {"discipline": "drop-tail", "limit": "50packets"}}
    wifi, lte = ({"downlink": downlink, "rtt": {"mean": rtt}} for rtt in ("20ms", "60ms"))
    base: dict[str, Any] = {
        "clock": "real",
        "duration": "5s",
        "content": {"ladder": ["9Mbit/s"], "segment": "100s"},
        "server": {"congestion_control": "lia"},
        "gateway": {"paths": {"wifi": wifi, "lte": lte}},
        "clients": [{**film, **each} for each in clients],
    }
    made: Experiment = resolved(**base | changes) | {"checks": WIDE}
    return made


@pytest.fixture(scope="module")
def ran(kernels: str, tmp_path_factory: pytest.TempPathFactory) -> CellResult:
    """Client 1 speaks MPTCP on both, client 2 has lte alone."""
    asked = two_paths(MPTCP, {"paths": ["lte"]}, events=[LOSS, SLOW])
    return run_in(kernels, asked, tmp_path_factory.mktemp("cell"))


def test_mptcp_joins_over_both_and_falls_back_nowhere(ran: CellResult) -> None:
    assert not broken(ran)
    checks = checks_of(ran)
    assert checks["mptcp_subflows_client1"]["measured"] == 1
    assert checks["mptcp_fallbacks_client1"]["measured"] == 0
    assert sorted((flow["client"], flow["path"]) for flow in ran.data.flows) == [
        (1, "lte"),
        (1, "wifi"),
        (2, "lte"),
    ]


def test_each_path_carries_what_its_own_queue_records(ran: CellResult) -> None:
    queue = rows(ran.data.queue)
    for flow in ran.data.flows:
        carried = (queue["flow"] == flow["flow"]) & (queue["payload"] > 0)
        assert carried.sum() > 10
        assert set(queue["path"][carried]) == {["wifi", "lte"].index(flow["path"])}
    checks = checks_of(ran)
    for path, number in (("wifi", WIFI), ("lte", LTE)):
        sent = (queue["path"] == number) & (queue["fate"] == 0)
        # What left before second 0, as probes did, is counted there and not in the record.
        assert 0 < sent.sum() <= checks[f"queue_sent_packets_{path}"]["measured"]


def test_the_idle_path_is_measured_on_each_before_and_after(ran: CellResult) -> None:
    checks = checks_of(ran)
    for name in ("idle_rtt_s", "idle_rtt_after_s"):
        assert checks[f"{name}_wifi"]["measured"] >= 0.02
        assert checks[f"{name}_lte"]["measured"] >= 0.06


def test_an_event_of_a_path_happens_at_its_own_hosts(ran: CellResult) -> None:
    events = [event for event in ran.data.events if event.get("path") == "lte"]
    hosts = {event["event"]: event["host"] for event in events}
    assert hosts == {
        "loss-begins": "server",
        "loss-ends": "server",
        "rate": "gateway2",
    }
    assert not [event for event in ran.data.events if event.get("path") == "wifi"]
    loss = next(check for name, check in checks_of(ran).items() if name.startswith("loss_"))
    assert 0 < loss["measured"] < 1


@pytest.mark.parametrize("kernels", [A_KERNEL_EACH], indirect=True)
def test_links_are_counted_each_by_itself(ran: CellResult) -> None:
    links = [said.partition(":")[0] for said in checks_of(ran)["link_lost_packets"]["applied"]]
    assert links == [
        "server to gateway",
        "server to gateway2",
        "gateway to server",
        "gateway to client1",
        "gateway2 to server",
        "gateway2 to client1",
        "gateway2 to client2",
        "client1 to gateway",
        "client1 to gateway2",
        "client2 to gateway2",
    ]


def test_agents_apart_have_a_link_for_each_path(tmp_path: Path) -> None:
    """What lte's loses between server and gateway is told of that link, and of no other."""
    lost = {50, 100, 101}
    # A segment is 41 packets, for which a socket has room while it is not read.
    small = {"ladder": ["248kbit/s"], "segment": "2s"}
    asked = two_paths(MPTCP | {"backup": ["wifi"], "paths": ["lte", "wifi"]}, content=small)
    with apart(tmp_path) as cell, losing(cell, "server", "gateway2", lost) as lossy:
        result = run_cell(asked, 1, kernel(), tmp_path, 120.0, agents=lossy)
    told = dict(said.split(": ") for said in lost_packets(result)["applied"])
    assert re.fullmatch(r"3 of \d{3,4}", told.pop("server to gateway2"))
    assert len(told) == 7
    assert all(said.startswith("0 of ") for said in told.values())
    assert checks_of(result)["mptcp_subflows_client1"]["measured"] == 1
