"""Hosts of a cell: network namespaces by name."""

from __future__ import annotations

import os

from weir_lab.guest import system

FOLDER = "/run/netns"  # where `ip ... netns NAME` looks


class Hosts:
    """The cell's hosts; `with hosts.inside(name):` moves this process into one."""

    def __init__(self, names: list[str]) -> None:
        os.makedirs(FOLDER)
        self._home = os.open("/proc/self/ns/net", os.O_RDONLY)
        self._fds: dict[str, int] = {}
        for name in names:
            system.new_network_namespace()
            path = f"{FOLDER}/{name}"
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            system.mount("/proc/self/ns/net", path, "none", system.MS_BIND)
            self._fds[name] = os.open(path, os.O_RDONLY)
        self.leave()

    def enter(self, name: str) -> None:
        """Move this process into a host."""
        system.enter_network_namespace(self._fds[name])

    def leave(self) -> None:
        """Move this process back to the initial network namespace."""
        system.enter_network_namespace(self._home)
