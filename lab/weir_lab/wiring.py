"""A cell's links, addresses and routes as `ip` commands. Pure.

    server eth0 10.0.1.2 --- wan 10.0.1.1 gateway neck0 10.0.2.1 --- eth0 10.0.2.(10+k) client k

`neck0` bridges one port per client, so that one queue on it serves the whole home. Clients from 241
on are in 10.0.10.0/24 and from 481 on in 10.0.18.0/24, on the same bridge: one network's addresses
do not reach further.

With a second bottleneck a router stands between the two, in a network 10.0.0.0/24:

    server eth0 10.0.1.2 --- wan 10.0.1.1 upstream neck5 10.0.0.1 --- wan 10.0.0.2 gateway neck0 ...

Further paths are numbered from 1: path p has a gateway and a home of its own, `p` in place of each
0 above, and leads to the server's one address. A client's further addresses on one path are in
10.p.3.0/24 and so on, on the same device. What leaves by other than the first of its addresses has
a routing table of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from weir_gateway.devices import WAN, edge, home, port, upstream, upstream_host
from weir_gateway.devices import host as gateway_host

GATEWAY = "gateway"
SERVER = "server"
CLIENT = "client"
TRAFFIC = "traffic"
SERVER_NET = "10.0.1.0/24"
SERVER_ADDRESS = "10.0.1.2"
WAN_ADDRESS = "10.0.1.1"
HOME_ADDRESS = "10.0.2.1"
OUTSIDE_DEVICE = "weir0"
FIRST_TABLE = 100  # routing tables of a client's addresses count up from here
MOST_SUBFLOWS = 8  # the kernel's own limit (MPTCP_PM_ADDR_MAX)
_FIRST_NET = 2
_PER_NET = 240
_FIRST_OF_NET = 11
Group = tuple[str, str, list[str]]
"""(host, program, lines)"""
Way = tuple[int, int]
"""(path, which of the client's addresses on it), both from 0."""


class Link(TypedDict):
    """One end of a link: a device of `host`, with its MAC address. peer: the host at the other."""

    host: str
    device: str
    mac: str
    peer: str


def client_host(number: int) -> str:
    """Host name of client `number` (1-based)."""
    return f"{CLIENT}{number}"


def client_address(number: int, way: Way = (0, 0)) -> str:
    """Address of client `number` (1-based)."""
    path, _ = way
    return f"10.{path}.{_net(number, way)}.{_FIRST_OF_NET + (number - 1) % _PER_NET}"


def client_of(address: int) -> int:
    """Number of the client (1-based) that `client_address` gives this one, as 32 bits."""
    net, host = address >> 8 & 255, address & 255
    return (net - _FIRST_NET) // MOST_SUBFLOWS * _PER_NET + host - _FIRST_OF_NET + 1


def traffic_host(number: int) -> str:
    """Host name of the end at home of other traffic `number` (1-based)."""
    return f"{TRAFFIC}{number}"


def hosts(
    clients: int, paths: int = 1, traffic: int = 0, upstreams: Collection[int] = ()
) -> list[str]:
    """Every host of a cell with that many clients and flows of other traffic.

    upstreams: the paths with a second bottleneck.
    """
    gateways = [gateway_host(path) for path in range(paths)]
    routers = [upstream_host(path) for path in upstreams]
    return [SERVER, *gateways, *routers, *_homes(clients, traffic)]


def _homes(clients: int, traffic: int) -> list[str]:
    """Hosts at home; addresses are numbered in this order."""
    return [
        *(client_host(k + 1) for k in range(clients)),
        *(traffic_host(k + 1) for k in range(traffic)),
    ]


def groups(clients: int, own_kernels: bool = False) -> list[Group]:
    """Commands that link and address all hosts of a cell with one path; run them in order.

    own_kernels: the devices of `links` are in their hosts already.
    """
    return groups_of_ways([[(0, 0)]] * clients, 1, own_kernels)


def groups_of_ways(
    ways: list[list[Way]],
    paths: int,
    own_kernels: bool = False,
    traffic: int = 0,
    upstreams: Collection[int] = (),
) -> list[Group]:
    """As `groups`, of a cell with several paths.

    ways: of each host at home, its addresses in order; the last `traffic` of them are of other
    traffic. upstreams: the paths with a second bottleneck.
    """
    every, names = range(paths), _homes(len(ways) - traffic, traffic)
    homes = list(zip(names, ways, strict=True))
    routers = [group for path in upstreams for group in _upstream(path)]
    gateways = [
        group for path in every for group in _gateway(path, homes, own_kernels, path in upstreams)
    ]
    servers = [group for path in every for group in _server(path)]
    edges = [group for k, home in enumerate(homes, 1) for group in _client(k, *home)]
    return [*routers, *gateways, *servers, *edges]


def links(ways: list[list[Way]], paths: int) -> list[Link]:
    """Both ends of each link where hosts have lab kernels of their own; a host's stand together.

    ways, paths: as of `groups_of_ways`. No two links join the same two hosts.
    """
    clients = list(enumerate(ways, 1))
    found = [
        _end(SERVER, edge(path), _mac(_server_end(path)), gateway_host(path))
        for path in range(paths)
    ]
    for path in range(paths):
        host = gateway_host(path)
        found.append(_end(host, WAN, _mac(_wan_address(path)), SERVER))
        found += [
            _end(host, port(number), _port_mac(number), client_host(number))
            for number, own in clients
            if (path, 0) in own
        ]
    found += [
        _end(client_host(number), edge(path), _client_mac(number, path), gateway_host(path))
        for number, own in clients
        for path in dict.fromkeys(path for path, _ in own)
    ]
    return found


def _end(host: str, device: str, mac: str, peer: str) -> Link:
    return {"host": host, "device": device, "mac": mac, "peer": peer}


def outside(number: int) -> Group:
    """As a client's host that is no lab kernel: it keeps its own routes, and has no offloads."""
    device = OUTSIDE_DEVICE
    lines = [
        f"link set {device} address {_mac(client_address(number))}",
        f"link set {device} up",
        f"addr add {client_address(number)}/24 dev {device}",
        f"route add {SERVER_NET} via {HOME_ADDRESS} dev {device}",
        _neighbour(HOME_ADDRESS, device),
    ]
    return (client_host(number), "ip", lines)


def _upstream(path: int) -> list[Group]:
    """The router of a path's second bottleneck, linked to the server and to the path's gateway."""
    host, neck, far = upstream_host(path), upstream(path), _server_end(path)
    own, gateway = _between(path), _between(path, 2)
    lines = [
        f"link add wan address {_mac(_wan_address(path))} type veth "
        f"peer name {edge(path)} address {_mac(far)} netns {SERVER}",
        f"link add {neck} address {_mac(own)} type veth "
        f"peer name wan address {_mac(gateway)} netns {gateway_host(path)}",
        *_device("wan", [_wan_address(path)]),
        *_device(neck, [own]),
        _neighbour(far, "wan"),
        _neighbour(gateway, neck),
        f"route add 10.{path}.0.0/16 via {gateway} dev {neck}",
    ]
    if path:
        lines.append(f"route add {SERVER_ADDRESS}/32 via {far} dev wan")
    return [(host, "ip", lines), (host, "ethtool", _offloads(["wan", neck]))]


def _gateway(
    path: int, homes: list[tuple[str, list[Way]]], own_kernels: bool, behind_router: bool
) -> list[Group]:
    host, neck = gateway_host(path), home(path)
    wan, far = _wan_address(path), _server_end(path)
    clients = {k: each for k, each in enumerate(homes, 1) if (path, 0) in each[1]}
    bridge = f"link add {neck} address {_mac(_home_address(path))} type bridge"
    lines = [
        f"link add wan address {_mac(wan)} type veth "
        f"peer name {edge(path)} address {_mac(far)} netns {SERVER}",
        bridge,
    ]
    if behind_router:
        wan, far = _between(path, 2), _between(path)
    if own_kernels or behind_router:
        lines = [bridge]
    ports = [port(number) for number in clients]
    for (number, (name, _)), device in zip(clients.items(), ports, strict=True):
        if not own_kernels:
            lines.append(
                f"link add {device} type veth peer name {edge(path)} "
                f"address {_client_mac(number, path)} netns {name}"
            )
        lines.append(f"link set {device} master {neck} up")
    lines += ["link set wan up", f"link set {neck} up"]
    ways = [(number, way) for number, (_, own) in clients.items() for way in own if way[0] == path]
    nets = sorted({_net(number, way) for number, way in ways} | {_FIRST_NET})
    lines.append(f"addr add {wan}/24 dev wan")
    lines += [f"addr add {_home_address(path, net)}/24 dev {neck}" for net in nets]
    lines.append(_neighbour(far, "wan"))
    if path or behind_router:
        lines.append(f"route add {SERVER_ADDRESS}/32 via {far} dev wan")
    lines += [
        _neighbour(client_address(number, way), neck, _client_mac(number, path))
        for number, way in ways
    ]
    return [(host, "ip", lines), (host, "ethtool", _offloads(["wan", *ports]))]


def _server(path: int) -> list[Group]:
    device, gateway = edge(path), _wan_address(path)
    lines = [] if path else ["link set lo up"]
    lines += _device(device, [_server_end(path)])
    to = f"10.{path}.0.0/16" if path else "default"
    lines += [f"route add {to} via {gateway}", _neighbour(gateway, device)]
    return [(SERVER, "ip", lines), (SERVER, "ethtool", _offloads([device]))]


def _client(number: int, host: str, ways: list[Way]) -> list[Group]:
    lines = ["link set lo up"]
    paths = list(dict.fromkeys(path for path, _ in ways))
    for path in paths:
        own = [client_address(number, way) for way in ways if way[0] == path]
        lines += _device(edge(path), own)
    for position, (path, nth) in enumerate(ways):
        device, gateway = edge(path), _home_address(path, _net(number, (path, nth)))
        if position:
            table = FIRST_TABLE + position
            lines.append(f"rule add from {client_address(number, (path, nth))} table {table}")
            lines.append(f"route add default via {gateway} dev {device} table {table}")
        else:
            lines.append(f"route add default via {gateway}")
        lines.append(_neighbour(gateway, device, _mac(_home_address(path))))
    return [(host, "ip", lines), (host, "ethtool", _offloads([edge(path) for path in paths]))]


def _device(device: str, addresses: list[str]) -> list[str]:
    """Up, with these addresses."""
    return [
        f"link set {device} up",
        *(f"addr add {address}/24 dev {device}" for address in addresses),
    ]


def _between(path: int, end: int = 1) -> str:
    """Address of a path's router (1), or of its gateway (2), on the link between the two."""
    return f"10.{path}.0.{end}"


def _wan_address(path: int) -> str:
    return f"10.{path}.1.1"


def _server_end(path: int) -> str:
    return f"10.{path}.1.2"


def _home_address(path: int, net: int = _FIRST_NET) -> str:
    return f"10.{path}.{net}.1"


def _net(number: int, way: Way) -> int:
    """Third part of the network with this address of a client."""
    _, nth = way
    return _FIRST_NET + nth + MOST_SUBFLOWS * ((number - 1) // _PER_NET)


def _client_mac(number: int, path: int) -> str:
    return _mac(client_address(number, (path, 0)))


def _neighbour(address: str, device: str, mac: str | None = None) -> str:
    """Known from the start: ARP would cross the path's delay and the bottleneck's queue."""
    return f"neigh add {address} lladdr {mac or _mac(address)} nud permanent dev {device}"


def _mac(address: str) -> str:
    """A locally administered MAC address made of an IPv4 one."""
    return "02:00:" + ":".join(f"{int(part):02x}" for part in address.split("."))


def _port_mac(number: int) -> str:
    """That of the bridge's port to client `number`: no host answers to it."""
    return f"02:01:00:00:{number >> 8:02x}:{number & 255:02x}"


def _offloads(devices: list[str]) -> list[str]:
    # Queue lengths in packets mean nothing while a "packet" may be 64 kB.
    return [f"-K {device} tx off tso off gso off gro off" for device in devices]
