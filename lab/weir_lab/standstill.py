"""A guest that spins: it computes on and on, and virtual time stands still.

The clock of a lab kernel in time-travel mode moves when its guest waits or reads the clock. A
program that does neither would take a core until the wall-clock limit. CPU time is counted, so
that a busy machine makes nobody look as if they spun. What is asked for is read from the kernel's
memory by its own symbols; from one that has not got them, nothing is told.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["MOST_CPU_S", "Standstill"]

MOST_CPU_S: Final = 30.0
"""Far above what an honest decision of a player takes: a film has a hundred of them."""
_CLOCK, _RUNNING, _FIRST = "time_travel_time", "cpu_tasks", "init_task"
_NAME_OF_FIRST: Final = b"swapper"
_MOST_TASK_BYTES: Final = 16384
_NAME_BYTES: Final = 16
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL_TABLE: Final = 2
_SESSION, _USER, _SYSTEM = 3, 11, 12
"""Fields of /proc/PID/stat, counted from the one after the program's name."""


class Standstill:
    """Watches a lab kernel of the virtual clock from outside."""

    def __init__(self, pid: int, program: Path, most_cpu_s: float) -> None:
        """pid: of the lab kernel, which leads its session. most_cpu_s: that one may compute while
        virtual time stands still."""
        self._most_cpu_s = most_cpu_s
        self._pid = pid
        self._program = program
        self._symbols: dict[str, int] | None = None
        self._clock_ns = -1
        self._since_cpu_s = 0.0

    def spinning(self) -> str:
        """The program that computes while virtual time stands still for longer than it may; empty
        where none does.
        """
        if self._symbols is None:  # most runs have ended before anybody asks
            self._symbols = _symbols(self._program)
        try:
            clock_ns = self._number(_CLOCK)
        except (OSError, KeyError, struct.error):
            return ""
        if clock_ns != self._clock_ns:
            self._clock_ns, self._since_cpu_s = clock_ns, _cpu_s(self._pid)
            return ""
        if _cpu_s(self._pid) - self._since_cpu_s < self._most_cpu_s:
            return ""
        return self._running()

    def _running(self) -> str:
        """Of the guest's current task, the name: its place is found by the first task's."""
        with suppress(OSError, KeyError, struct.error):
            first = self._read(self._at(_FIRST), _MOST_TASK_BYTES)
            if (offset := first.find(_NAME_OF_FIRST)) >= 0:
                name = self._read(self._number(_RUNNING) + offset, _NAME_BYTES)
                return name.partition(b"\0")[0].decode("ascii", "replace")
        return "a program"

    def _number(self, symbol: str) -> int:
        (number,) = struct.unpack("<Q", self._read(self._at(symbol), 8))
        return int(number)

    def _at(self, symbol: str) -> int:
        return (self._symbols or {})[symbol]

    def _read(self, address: int, size: int) -> bytes:
        fd = os.open(f"/proc/{self._pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.pread(fd, size, address)
        finally:
            os.close(fd)

    def told(self, program: str, hosts: Mapping[str, str]) -> str:
        """The reason of a run that was ended for it; hosts: what runs in each, by its name."""
        host = program if program in hosts else ""
        host = host or next((name for name, runs in hosts.items() if runs == program), "")
        where = f"{hosts[host]} in {host}" if host else program
        return (
            f"the guest spins: {where} took {self._most_cpu_s:g} s of CPU time while virtual time "
            "stood still; look for an endless loop, or for one that waits for something without "
            "sleeping"
        )


def _cpu_s(session: int) -> float:
    """CPU time of a session's processes that have not ended: the kernel, and one per guest
    process."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        # It may end while it is looked at.
        with suppress(OSError):
            stat = (process / "stat").read_text(errors="replace")
            fields = stat.rpartition(")")[2].split()
            if int(fields[_SESSION]) == session:
                ticks += int(fields[_USER]) + int(fields[_SYSTEM])
    return ticks / os.sysconf("SC_CLK_TCK")


def _symbols(program: Path) -> dict[str, int]:
    """Addresses in an ELF64 program (elf(5)) that is loaded where it says; {} where none are
    told."""
    with suppress(OSError, struct.error, IndexError, StopIteration):
        content = program.read_bytes()
        (offset,) = struct.unpack_from("<Q", content, 40)
        size, count = struct.unpack_from("<HH", content, 58)
        sections = [_SECTION.unpack_from(content, offset + size * n) for n in range(count)]
        table = next(each for each in sections if each[1] == _SYMBOL_TABLE)
        named = sections[table[6]]
        names = content[named[4] : named[4] + named[5]]
        symbols = content[table[4] : table[4] + table[5]]
        return {
            name: address
            for name in (_CLOCK, _RUNNING, _FIRST)
            for address in _addresses(symbols, names.find(f"\0{name}\0".encode()) + 1)
        }
    return {}


def _addresses(symbols: bytes, name: int) -> Iterator[int]:
    """Of the symbols whose name stands there among the names; 0: of none."""
    wanted, at = struct.pack("<I", name), -1
    while name and (at := symbols.find(wanted, at + 1)) >= 0:
        if at % _SYMBOL.size == 0:
            yield _SYMBOL.unpack_from(symbols, at)[4]
