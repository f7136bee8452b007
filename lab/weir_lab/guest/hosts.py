"""Hosts of a cell: network namespaces by name, and the roles that run in them."""

from __future__ import annotations

import marshal
import os
import struct
import sys
import time
from importlib import import_module

from weir_lab.guest import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir_lab.guest.plan import Role

FOLDER = "/run/netns"  # where `ip ... netns NAME` looks
SERVER = "weir_server.role"
BRING_CODE = ("weir_client.role", "weir_client.program")
"""The roles that run what is not Weir's: without privileges, as far as it can be."""


DESCRIPTORS_EACH = 3  # of a host: its namespace, and the pipes of a role's order and end
USUAL_DESCRIPTORS = 900  # of 1,024 that a process may have, those for all hosts
OVER = b"!"
SIZE = struct.Struct("Q")


class Hosts:
    """The cell's hosts; `with hosts.inside(name):` moves this process into one."""

    def __init__(self, names: list[str]) -> None:
        """names: of the hosts."""
        self.processes = 0
        """That players which are programs may have, all together."""
        if (descriptors := DESCRIPTORS_EACH * len(names)) > USUAL_DESCRIPTORS:
            system.hold_descriptors(2 * descriptors)
        os.makedirs(FOLDER)
        self._home = os.open("/proc/self/ns/net", os.O_RDONLY)
        self._fds: dict[str, int] = {}
        self.players: dict[int, int] = {}
        """Of each client that was started: its end's file descriptor and its process."""
        self._waiting: dict[str, tuple[int, int, int]] = {}
        """Processes that wait for a role, by host: with the descriptors of it and of its end."""
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

    def start(self, role: Role, run: Callable[..., object]) -> int:
        """Start a role in its host, in the process that waits there if there is one. Returns a file
        descriptor that becomes readable at its end, by OVER where the experiment is over with it.

        A role that has ended stays as a sleeping process: the host tells the kernel of a process's
        exit whenever it gets to it, which is no moment of virtual time.
        """
        if waiting := self._waiting.pop(role["host"], None):
            pid, order, ending = waiting
            given: Any = (role, self.processes)
            told = marshal.dumps(given)
            os.write(order, SIZE.pack(len(told)) + told)
            os.close(order)
        else:
            pid, ending = self._begin(role["host"], lambda: self._carry_out(role, run))
        if role["module"] in BRING_CODE:
            self.players[ending] = pid
        return ending

    def have_wait(self, name: str) -> None:
        """Have a process wait in a host for its role, which it gets by `start`."""
        given, order = os.pipe()

        def wait() -> object:
            # Who brings code is to give no other process its role.
            for _, of_other, _ in self._waiting.values():
                os.close(of_other)
            os.close(order)
            (size,) = SIZE.unpack(_read(given, SIZE.size))
            role, self.processes = marshal.loads(_read(given, size))
            os.close(given)
            return self._carry_out(role, *load([role]))

        pid, ending = self._begin(name, wait)
        os.close(given)
        self._waiting[name] = (pid, order, ending)

    def have_stay(self, name: str, run: Callable[[], None]) -> None:
        """Have a process in a host that is there from now on."""
        self._begin(name, run)

    def _begin(self, name: str, run: Callable[[], object]) -> tuple[int, int]:
        """A process in a host, and the descriptor of its end."""
        ending, end = os.pipe()
        self.enter(name)
        if pid := os.fork():
            self.leave()
            os.close(end)
            return pid, ending
        # Whoever finds the guest spinning reads it (weir_lab/standstill.py).
        system.be_called(name)
        over = None
        try:
            over = run()
        except BaseException as error:
            import traceback

            traceback.print_exc(file=sys.stdout)
            print(f"FAILED {name}: {error}", flush=True)
        finally:
            os.write(end, OVER if over else b".")
            while True:
                time.sleep(3600)

    def _carry_out(self, role: Role, run: Callable[..., object]) -> object:
        if role["module"] in BRING_CODE:
            return run(**role["args"], drop_privileges=self._drop)
        return run(**role["args"])

    def _drop(self) -> None:
        system.become_nobody(self.processes)


def _read(fd: int, size: int) -> bytes:
    said = b""
    while len(said) < size:
        said += os.read(fd, size - len(said))
    return said


def processes(roles: list[Role]) -> int:
    """How many processes, threads included, the roles' programs may have together."""
    most = system.PROGRAMS_PROCESSES
    programs = [role for role in roles if role["module"] == "weir_client.program"]
    return sum(role.get("processes", most) for role in programs)


def import_all(modules: list[str]) -> None:
    """Before roles ask for them."""
    for name in modules:
        import_module(name)


def load(roles: list[Role]) -> list[Callable[..., object]]:
    """`run` of each role's module: here alone names of a plan become imports."""
    return [import_module(role["module"]).run for role in roles]
