"""Applying a cell's commands: ip and tc in batches, sysctls and offloads directly."""

from __future__ import annotations

import array
import errno
import fcntl
import os
import socket
import struct

TYPE_CHECKING = False  # `typing` itself is slow to import in the guest
if TYPE_CHECKING:
    from weir_gateway.tc_process import TcProcess

    from weir_lab.guest.hosts import Hosts

PROGRAMS = {"ip": "/sbin/ip", "tc": "/sbin/tc"}
SIOCETHTOOL = 0x8946
# ethtool's "set" commands: transmit checksum, TSO, GSO, GRO.
OFFLOADS = (0x17, 0x1F, 0x24, 0x2C)


def apply(
    hosts: Hosts,
    groups: list[tuple[str, str, list[str]]],
    waiting: dict[str, TcProcess] | None = None,
) -> None:
    """Run groups of (host, program, lines). Raises RuntimeError with what failed.

    waiting: by host, a tc that is there; the first lines for a host are its, and take it out.
    """
    waiting = waiting or {}
    for host, program, lines in groups:
        hosts.enter(host)
        if program == "sysctl":
            for line in lines:
                set_sysctl(line)
        elif program == "ethtool":
            for line in lines:
                turn_offloads_off(line.split()[1])
        elif program == "module":
            from weir_lab.guest import module_options

            for line in lines:
                module_options.set_option(line)
        elif program == "rtnetlink":
            from weir_gateway import rtnetlink

            for line in lines:
                rtnetlink.apply(line)
        elif program == "tc" and host in waiting:
            tc = waiting.pop(host)
            tc.apply(lines)
            tc.close()
        else:
            run_batch(program, lines)
        hosts.leave()


def run_batch(program: str, lines: list[str]) -> None:
    """Run one `ip -batch` or `tc -batch` over the lines."""
    name = f"/run/{program}.batch"
    with open(name, "w") as file:
        file.write("\n".join(lines) + "\n")
    pid = os.posix_spawn(PROGRAMS[program], [program, "-batch", name], {})
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError(f"{program} refused a command (its message stands above)")


def set_sysctl(line: str) -> None:
    """Apply `a.b.c=value`."""
    key, _, value = line.partition("=")
    path = "/proc/sys/" + key.replace(".", "/")
    try:
        fd = os.open(path, os.O_WRONLY)
        os.write(fd, value.encode())
        os.close(fd)
    except OSError as error:
        raise RuntimeError(f"sysctl {line}: {error.strerror}") from error


def turn_offloads_off(device: str) -> None:
    """What `ethtool -K DEVICE tx off tso off gso off gro off` does."""
    with socket.socket() as any_socket:
        for command in OFFLOADS:
            value = array.array("B", struct.pack("II", command, 0))
            request = struct.pack("16sP", device.encode(), value.buffer_info()[0])
            try:
                fcntl.ioctl(any_socket, SIOCETHTOOL, request)
            except OSError as error:
                if error.errno != errno.EOPNOTSUPP:  # a device without it needs no telling
                    raise
