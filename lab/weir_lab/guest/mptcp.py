"""What a host's kernel has counted of MPTCP (net/mptcp/mib.c)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_lab.guest.hosts import Hosts


def counts(hosts: Hosts, host: str) -> dict[str, int]:
    """By the kernel's names; those that are 0 are left out."""
    hosts.enter(host)
    with open("/proc/self/net/netstat") as file:
        lines = [line.split() for line in file if line.startswith("MPTcpExt:")]
    hosts.leave()
    names, values = (words[1:] for words in lines)
    return {name: int(value) for name, value in zip(names, values) if value != "0"}  # noqa: B905
