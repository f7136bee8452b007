"""A cell's links and addresses."""

from __future__ import annotations

import ipaddress
import re

import pytest
from weir_lab import wiring


@pytest.mark.parametrize(("clients", "networks"), [(1, 1), (2, 1), (240, 1), (241, 2), (500, 3)])
def test_every_host_is_wired_once(clients: int, networks: int) -> None:
    hosts = wiring.hosts(clients)
    groups = wiring.groups(clients)
    assert len(hosts) == clients + 2
    assert {host for host, _, _ in groups} == set(hosts)
    lines = [line for _, program, found in groups if program == "ip" for line in found]
    addresses = [match for line in lines for match in re.findall(r"addr add (\S+)", line)]
    assert len(addresses) == len(set(addresses)) == clients + 2 + networks
    for address in addresses:
        ipaddress.ip_interface(address)
    peers = [line.rsplit(" ", 1)[1] for line in lines if "type veth" in line]
    assert sorted(peers) == sorted(host for host in hosts if host != wiring.GATEWAY)


def test_every_device_has_its_offloads_off() -> None:
    groups = wiring.groups(2)
    quiet = {
        (host, line.split()[1]) for host, program, found in groups if program == "ethtool"
        for line in found
    }  # fmt: skip
    assert quiet == {
        ("gateway", "wan"),
        ("gateway", "home1"),
        ("gateway", "home2"),
        ("server", "eth0"),
        ("client1", "eth0"),
        ("client2", "eth0"),
    }


def test_clients_count_from_one() -> None:
    assert wiring.client_host(1) == "client1"
    assert wiring.client_address(1) == "10.0.2.11"
    assert wiring.client_address(240) == "10.0.2.250"
    assert wiring.client_address(241) == "10.0.10.11"


def test_a_clients_number_is_told_by_any_of_its_addresses() -> None:
    for number in (1, 240, 241, 480, 481, 500):
        for way in ((0, 0), (0, 1), (2, 7)):
            address = ipaddress.ip_address(wiring.client_address(number, way))
            assert wiring.client_of(int(address)) == number


def test_clients_beyond_a_network_have_a_gateway_of_theirs() -> None:
    lines = {host: found for host, program, found in wiring.groups(241) if program == "ip"}
    assert "addr add 10.0.10.1/24 dev neck0" in lines["gateway"]
    assert "route add default via 10.0.10.1" in lines["client241"]
    known = "neigh add 10.0.10.1 lladdr 02:00:0a:00:02:01 nud permanent dev eth0"
    assert known in lines["client241"]


def test_hosts_know_their_neighbours_from_the_start() -> None:
    lines = {host: found for host, program, found in wiring.groups(2) if program == "ip"}
    known = [line for line in lines["gateway"] if line.startswith("neigh add")]
    assert known == [
        "neigh add 10.0.1.2 lladdr 02:00:0a:00:01:02 nud permanent dev wan",
        "neigh add 10.0.2.11 lladdr 02:00:0a:00:02:0b nud permanent dev neck0",
        "neigh add 10.0.2.12 lladdr 02:00:0a:00:02:0c nud permanent dev neck0",
    ]
    for host in ("server", "client1", "client2"):
        assert sum(line.startswith("neigh add") for line in lines[host]) == 1


def test_paths_have_gateways_of_their_own_and_one_server() -> None:
    """Client 1 on both paths, client 2 with two addresses on the second."""
    groups = wiring.groups_of_ways([[(0, 0), (1, 0)], [(1, 0), (1, 1)]], 2)
    assert wiring.hosts(2, 2) == ["server", "gateway", "gateway2", "client1", "client2"]
    ip = [(host, lines) for host, program, lines in groups if program == "ip"]
    lines = {host: [line for of, found in ip if of == host for line in found] for host, _ in ip}
    assert "route add 10.0.1.2/32 via 10.1.1.2 dev wan" in lines["gateway2"]
    assert "addr add 10.1.3.1/24 dev neck1" in lines["gateway2"]
    assert not any("home2" in line for line in lines["gateway"])
    assert "route add 10.1.0.0/16 via 10.1.1.1" in lines["server"]
    assert "rule add from 10.1.2.11 table 101" in lines["client1"]
    assert "route add default via 10.1.2.1" in lines["client2"]
    assert "route add default via 10.1.3.1 dev eth1 table 101" in lines["client2"]
    known = [line for line in lines["gateway2"] if line.startswith("neigh add 10.1.3.12 ")]
    assert known == [
        "neigh add 10.1.3.12 lladdr 02:00:0a:01:02:0c nud permanent dev neck1",
    ]
