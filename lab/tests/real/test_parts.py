"""How a cell's plan is split among agents, and what joins them."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from weir.errors import RunFailure
from weir.resolved import Experiment
from weir_lab import plan, wiring
from weir_lab.guest.part import Part
from weir_lab.real import fidelity, links, losses, part, starvation
from weir_testing.spec import resolved

EXPERIMENT: Any = {
    "clock": "real",
    "duration_s": 20.0,
    "clients": [{"player": "bola"}, {"player": "outside"}],
    "gateway": {
        "downlink": {},
        "uplink": {},
        "path": {"rtt": {"mean_s": 0.1, "stddev_s": 0.01}, "loss": {"uplink": 0.0}},
    },
    "record": {"tcp": "full", "queue": "summary"},
    "checks": {"rtt_tolerance_s": 1e-3, "timer_lateness_s": 1e-3, "cpu_starvation": 0.05},
}
CELL: Any = {
    "kernel_sysctls": [],
    "run_sysctls": [],
    "wired": 0,
    "hosts": wiring.hosts(2),
    "groups": wiring.groups(2, own_kernels=True),
    "roles": [{"host": "client2", "module": "weir_client.role", "args": {}, "awaited": True}],
    "drain_s": 3.1,
    "counted": [{"host": "gateway", "device": "neck0"}],
    "mptcp_hosts": [],
}


@pytest.fixture(name="parts")
def split() -> dict[str, Part]:
    return part.parts(EXPERIMENT, CELL)


def test_each_host_gets_its_own_and_survives_json(parts: dict[str, Part]) -> None:
    assert list(parts) == ["server", "gateway", "client1", "client2"]
    for host, one in parts.items():
        assert {group[0] for group in one["groups"]} == {host}
        assert {role["host"] for role in one["roles"]} == {host}
        assert json.loads(json.dumps(one))["roles"] == one["roles"]


def test_only_kernels_that_see_something_record_it(parts: dict[str, Part]) -> None:
    assert [host for host in parts if parts[host]["record_tcp"]] == ["server"]
    assert [host for host in parts if parts[host]["record_queue"]] == ["gateway"]


def test_the_server_s_kernel_has_memory_for_a_film_that_is_decoded() -> None:
    clients = [{"player": "chromium"}]
    asked = resolved(clock="real", clients=clients, content={"ladder": ["1Mbit/s"]})
    found = part.parts(asked, plan.make(asked, 1, own_kernels=True))
    assert found["server"]["film_mib"] > 0
    assert all(one["film_mib"] == 0 for agent, one in found.items() if agent != "server")


def test_a_device_for_each_link(parts: dict[str, Part]) -> None:
    joined = {
        agent: [(link["device"], link["peer"]) for link in one["links"]]
        for agent, one in parts.items()
    }
    assert joined == {
        "server": [("eth0", "gateway")],
        "gateway": [("wan", "server"), ("home1", "client1"), ("home2", "client2")],
        "client1": [("eth0", "gateway")],
        "client2": [("eth0", "gateway")],
    }
    for one in parts.values():
        devices = [line.split()[2:7:2] for line in one["devices"]]
        assert devices == [
            [f"vec{number}", link["host"], link["device"]]
            for number, link in enumerate(one["links"])
        ]


def test_no_veth_where_kernels_are_apart(parts: dict[str, Part]) -> None:
    lines = [line for _, _, group in wiring.groups(2, own_kernels=True) for line in group]
    assert not [line for line in lines if "veth" in line]
    macs = [link["mac"] for one in parts.values() for link in one["links"]]
    assert len(set(macs)) == len(macs)


@pytest.fixture(name="on_two_paths")
def with_two_paths() -> Experiment:
    """Client 1 speaks MPTCP on both, client 2 has lte alone."""
    path = {"downlink": {"rate": "4Mbit/s"}, "rtt": {"mean": "20ms"}}
    far = {**path, "rtt": {"mean": "60ms"}}
    made: Experiment = resolved(
        clock="real",
        gateway={"paths": {"wifi": path, "lte": far}},
        clients=[{"player": "bola", "transport": "mptcp"}, {"player": "bola", "paths": ["lte"]}],
        events=[{"at": "1s", "for": "1s", "path": "lte", "rate": "1Mbit/s"}],
    )
    return made


@pytest.fixture(name="two_paths")
def split_two_paths(on_two_paths: Experiment) -> dict[str, Part]:
    return part.parts(on_two_paths, plan.make(on_two_paths, 1, own_kernels=True))


def test_one_agent_carries_a_whole_cell_as_it_is_planned(on_two_paths: Experiment) -> None:
    cell = plan.make(on_two_paths, 1)
    ((agent, whole),) = part.whole(on_two_paths, cell).items()
    assert (agent, whole["hosts"]) == ("cell", cell["hosts"])
    assert (whole["devices"], whole["links"]) == ([], [])
    assert (whole["groups"], whole["counted"]) == (cell["groups"], cell["counted"])
    assert whole["kernel_sysctls"] == cell["kernel_sysctls"] + cell["run_sysctls"]
    *roles, lateness = whole["roles"]
    assert roles == cell["roles"]
    assert lateness["module"] == "weir_lab.guest.lateness" and lateness["host"] in cell["hosts"]
    assert whole["mptcp_hosts"] == ["client1"]
    assert whole["record_tcp"] and whole["record_queue"]
    assert json.loads(json.dumps(whole))["roles"] == whole["roles"]


def test_one_agent_carries_the_gateways_of_all_paths(two_paths: dict[str, Part]) -> None:
    assert [(agent, one["hosts"]) for agent, one in two_paths.items()] == [
        ("server", ["server"]),
        ("gateway", ["gateway", "gateway2"]),
        ("client1", ["client1"]),
        ("client2", ["client2"]),
    ]
    gateway = two_paths["gateway"]
    assert gateway["counted"] == [
        {"host": "gateway", "device": "neck0"},
        {"host": "gateway2", "device": "neck1"},
    ]
    of_roles = {role["host"]: role["module"] for role in gateway["roles"]}
    assert of_roles == {"gateway2": "weir_gateway.timed", "gateway": "weir_lab.guest.lateness"}
    assert {group[0] for group in gateway["groups"]} == {"gateway", "gateway2"}
    assert two_paths["client1"]["mptcp_hosts"] == ["client1"]
    assert not two_paths["client2"]["mptcp_hosts"]
    # The longer path's round trip is waited for.
    assert gateway["drain_s"] > part.DRAIN_S + 0.06


def test_each_path_is_a_link_of_its_own(two_paths: dict[str, Part]) -> None:
    links_of = {
        agent: [(link["host"], link["device"], link["peer"]) for link in one["links"]]
        for agent, one in two_paths.items()
    }
    assert links_of == {
        "server": [("server", "eth0", "gateway"), ("server", "eth1", "gateway2")],
        "gateway": [
            ("gateway", "wan", "server"),
            ("gateway", "home1", "client1"),
            ("gateway2", "wan", "server"),
            ("gateway2", "home1", "client1"),
            ("gateway2", "home2", "client2"),
        ],
        "client1": [("client1", "eth0", "gateway"), ("client1", "eth1", "gateway2")],
        "client2": [("client2", "eth1", "gateway2")],
    }
    ends = {pair[::2] for own in links_of.values() for pair in own}
    assert {(peer, host) for host, peer in ends} == ends
    assert (
        "link set vec2 netns gateway2 name wan address 02:00:0a:01:01:01"
        in (two_paths["gateway"]["devices"])
    )


def test_an_outside_players_host_is_wired_and_no_more() -> None:
    whole = part.with_outside(EXPERIMENT, CELL)
    groups = [group for group in whole["groups"] if group[0] == "client2"]
    assert groups == [wiring.outside(2)]
    assert [group for group in whole["groups"] if group[0] != "client2"] == [
        group for group in CELL["groups"] if group[0] != "client2"
    ]
    asked: Any = [*CELL["groups"], ("client2", "sysctl", ["net.ipv4.tcp_ecn=1"])]
    with pytest.raises(RunFailure, match="asks for `sysctl net"):
        part.with_outside(EXPERIMENT, CELL | {"groups": asked})


def test_so_is_that_of_a_browser() -> None:
    asked: Any = EXPERIMENT | {"clients": [{"player": "bola"}, {"player": "chromium"}]}
    assert part.outside_hosts(asked) == {"client2": 2}
    assert part.with_outside(asked, CELL)["groups"][-1] == wiring.outside(2)


def test_a_full_wire_holds_its_sender_back_and_loses_nothing() -> None:
    own, peer = links.wire()
    with own, peer:
        peer.setblocking(False)
        sent = 0
        with pytest.raises(BlockingIOError):
            while sent < 1_000_000:
                peer.send(sent.to_bytes(4) + bytes(1496))
                sent += 1
        assert [int.from_bytes(own.recv(4096)[:4]) for _ in range(sent)] == list(range(sent))


def test_free_ports_differ() -> None:
    assert len(set(links.free_ports("127.0.0.1", 20))) == 20


def test_starvation_counts_threads_that_lived_all_the_time() -> None:
    before = {(1, 1): 1_000_000_000, (2, 2): 5}
    after = {(1, 1): 1_500_000_000, (3, 3): 9_000_000_000}
    assert starvation.share(before, after, 10.0) == pytest.approx(0.05)


@pytest.mark.parametrize(("late_s", "ok"), [(0.0005, True), (0.002, False)])
def test_the_worst_host_decides(late_s: float, ok: bool) -> None:
    late = {"server": [0.0001] * 100, "gateway": [late_s] * 100}
    checks = fidelity.fidelity(EXPERIMENT, {0: [0.1]}, late, {"server": 0.01, "gateway": None}, [])
    found = {check["name"]: check for check in checks}
    assert found["timer_lateness_s"]["ok"] is ok
    assert found["timer_lateness_s"]["measured"] == late_s
    assert found["cpu_starvation"]["ok"]


def test_one_late_timer_in_a_thousand_is_no_fault() -> None:
    late = {"gateway": [0.0001] * 999 + [1.0]}
    checks = fidelity.fidelity(EXPERIMENT, {0: [0.1]}, late, {"gateway": 0.0}, [])
    assert all(check["ok"] for check in checks)


def test_what_was_not_measured_is_not_ok() -> None:
    checks = fidelity.fidelity(EXPERIMENT, {0: [0.1]}, {"gateway": [0.0]}, {"gateway": None}, [])
    assert [check["name"] for check in checks if not check["ok"]] == ["cpu_starvation"]


def test_a_socket_tells_what_it_had_no_room_for() -> None:
    given = 200
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer,
    ):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        end.bind(("127.0.0.1", 0))
        end.setblocking(False)
        link = links.LinkEnd("127.0.0.1", end.getsockname()[1], "127.0.0.1", 1, 1)
        assert links.overflows(link) == 0
        for _ in range(given):
            peer.sendto(bytes(1500), end.getsockname())
        lost = links.overflows(link)
        kept = 0
        while kept < given:
            try:
                end.recv(2048)
            except BlockingIOError:
                break
            kept += 1
        assert lost == given - kept > 0
    assert links.overflows(link) is None


def ends(**gateway: Any) -> list[losses.End]:
    """A cell's, which has lost nothing but what is said of the gateway's ends."""
    known: dict[str, Any] = {"sent": [10, 20], "received": [30, 40], "overflows": [0, 0]}
    told = zip(*({**known, **gateway}[name] for name in known), strict=True)
    to_server, to_client = told
    return [
        losses.End("server", "gateway", 30, 10, 0),
        losses.End("gateway", "server", *to_server),
        losses.End("gateway", "client1", *to_client),
        losses.End("client1", "gateway", None, 20, 0),
    ]


@pytest.mark.parametrize(
    ("gateway", "lost", "said"),
    [
        ({}, 0, "client1 to gateway: 0 of ?"),
        ({"received": [27, 40]}, 3, "server to gateway: 3 of 30"),
        ({"received": [27, 40], "overflows": [3, 0]}, 3, "3 of 30, 3 since the socket was full"),
        ({"overflows": [0, 2]}, 2, "client1 to gateway: 2 of ?, 2 since the socket was full"),
        # Counted by the one after the other had counted.
        ({"received": [31, 40]}, 0, "server to gateway: 0 of 30"),
        ({"overflows": [0, None]}, None, "client1 to gateway: ? of ?"),
    ],
)
def test_a_link_has_lost_what_did_not_come_out_of_it(
    gateway: dict[str, Any], lost: int | None, said: str
) -> None:
    found = losses.lost_packets(ends(**gateway))
    assert found["measured"] == lost
    assert found["ok"] is (lost == 0)
    assert any(line.endswith(said) for line in found["applied"])
