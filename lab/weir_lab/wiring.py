"""A cell's links, addresses and routes as `ip` commands. Pure.

    server eth0 10.0.1.2 --- wan 10.0.1.1 gateway neck0 10.0.2.1 --- eth0 10.0.2.(10+k) client k

`neck0` bridges one port per client, so that one queue on it serves the whole home.
"""

from __future__ import annotations

GATEWAY = "gateway"
SERVER = "server"
SERVER_NET = "10.0.1.0/24"
SERVER_ADDRESS = "10.0.1.2"
WAN_ADDRESS = "10.0.1.1"
HOME_ADDRESS = "10.0.2.1"
OUTSIDE_DEVICE = "weir0"
Group = tuple[str, str, list[str]]
"""(host, program, lines)"""


def client_host(number: int) -> str:
    """Host name of client `number` (1-based)."""
    return f"client{number}"


def client_address(number: int) -> str:
    """Address of client `number` (1-based)."""
    return f"10.0.2.{10 + number}"


def hosts(clients: int) -> list[str]:
    """Every host of a cell with that many clients."""
    return [SERVER, GATEWAY, *(client_host(k + 1) for k in range(clients))]


def groups(clients: int, own_kernels: bool = False) -> list[Group]:
    """Commands that link and address all hosts; run them in order.

    own_kernels: each host has a lab kernel of its own, which `devices` are in already.
    """
    edges = [*_server(), *(g for k in range(clients) for g in _client(k + 1))]
    return [*_gateway(clients, own_kernels), *edges]


def peers(host: str, clients: int) -> list[str]:
    """The hosts that `host` has a link to, in the order of `devices`."""
    if host == GATEWAY:
        return [SERVER, *(client_host(k + 1) for k in range(clients))]
    return [GATEWAY]


def devices(host: str, clients: int) -> list[str]:
    """`ip` lines that give vec0, vec1, ... of a lab kernel to the host in it."""
    if host == GATEWAY:
        macs = [_mac(WAN_ADDRESS), *(_port_mac(k + 1) for k in range(clients))]
    else:
        macs = [_mac(_address(host))]
    return [
        f"link set vec{number} netns {host} name {name} address {mac}"
        for number, (name, mac) in enumerate(zip(device_names(host, clients), macs, strict=True))
    ]


def device_names(host: str, clients: int) -> list[str]:
    """What the host calls its links' devices, in the order of `peers`."""
    if host == GATEWAY:
        return ["wan", *(f"home{k + 1}" for k in range(clients))]
    return ["eth0"]


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


def _address(host: str) -> str:
    if host == SERVER:
        return SERVER_ADDRESS
    return client_address(int(host.removeprefix("client")))


def _gateway(clients: int, own_kernels: bool) -> list[Group]:
    bridge = f"link add neck0 address {_mac(HOME_ADDRESS)} type bridge"
    lines = [
        f"link add wan address {_mac(WAN_ADDRESS)} type veth "
        f"peer name eth0 address {_mac(SERVER_ADDRESS)} netns {SERVER}",
        bridge,
    ]
    if own_kernels:
        lines = [bridge]
    ports = [f"home{k + 1}" for k in range(clients)]
    for number, port in enumerate(ports, 1):
        if not own_kernels:
            lines.append(
                f"link add {port} type veth peer name eth0 "
                f"address {_mac(client_address(number))} netns {client_host(number)}"
            )
        lines.append(f"link set {port} master neck0 up")
    lines += ["link set wan up", "link set neck0 up"]
    lines += [f"addr add {WAN_ADDRESS}/24 dev wan", f"addr add {HOME_ADDRESS}/24 dev neck0"]
    lines.append(_neighbour(SERVER_ADDRESS, "wan"))
    lines += [_neighbour(client_address(k + 1), "neck0") for k in range(clients)]
    return [(GATEWAY, "ip", lines), (GATEWAY, "ethtool", _offloads(["wan", *ports]))]


def _server() -> list[Group]:
    lines = _edge(SERVER_ADDRESS, WAN_ADDRESS)
    return [(SERVER, "ip", lines), (SERVER, "ethtool", _offloads())]


def _client(number: int) -> list[Group]:
    host = client_host(number)
    lines = _edge(client_address(number), HOME_ADDRESS)
    return [(host, "ip", lines), (host, "ethtool", _offloads())]


def _edge(address: str, gateway: str) -> list[str]:
    return [
        "link set lo up",
        "link set eth0 up",
        f"addr add {address}/24 dev eth0",
        f"route add default via {gateway}",
        _neighbour(gateway, "eth0"),
    ]


def _neighbour(address: str, device: str) -> str:
    """Known from the start: ARP would cross the path's delay and the bottleneck's queue."""
    return f"neigh add {address} lladdr {_mac(address)} nud permanent dev {device}"


def _mac(address: str) -> str:
    """A locally administered MAC address made of an IPv4 one."""
    return "02:00:" + ":".join(f"{int(part):02x}" for part in address.split("."))


def _port_mac(number: int) -> str:
    """That of the bridge's port to client `number`: no host answers to it."""
    return f"02:01:00:00:{number >> 8:02x}:{number & 255:02x}"


def _offloads(devices: list[str] | None = None) -> list[str]:
    # Queue lengths in packets mean nothing while a "packet" may be 64 kB.
    return [f"-K {device} tx off tso off gso off gro off" for device in devices or ["eth0"]]
