"""The packetdrill scripts of a kernel's source, and how upstream's runner calls it for each.

What is particular to a source, addresses, cookies and options of the kernel, is read from the
suite's own `ksft_runner.sh` and `config`, so that each version is tested as it asks to be.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_engine.kernel_tests.case import Case
from weir_engine.kernel_tests.source import SELFTESTS

__all__ = ["Suite", "case", "open_suite"]

_FOLDER: Final = f"{SELFTESTS}/net/packetdrill"
_ARGUMENTS: Final = re.compile(r'\[(ipv[\w-]+)\]="([^"]*)"')
_OWN_VERSION: Final = re.compile(r"^--ip_version=(\S+)", re.M)
_OPTION: Final = re.compile(r"^CONFIG_(?!HZ)(\w+)=(\S+)$", re.M)


@dataclass(frozen=True)
class Suite:
    """folder: of the scripts. config: options of the kernel that they need -> value; not its tick,
    which is User-Mode Linux's own."""

    folder: Path
    config: dict[str, str]
    cases: tuple[Case, ...]

    def script(self, case: Case) -> str:
        """Its text."""
        return (self.folder / case.command[-1]).read_text()

    def named(self, patterns: list[str]) -> list[Case]:
        """The cases that match one of the patterns, as `tcp_sack_*` or `*/ipv6`; all without."""
        whole = [p if "/" in p else f"{p}/*" for p in patterns]
        return [c for c in self.cases if not whole or any(fnmatchcase(c.name, p) for p in whole)]


def case(name: str, arguments: Sequence[str]) -> Case:
    """A script with one version of IP, from what `make_tools` makes: as `unshare -n packetdrill`,
    since a script's commands are relative to the scripts. arguments: packetdrill's.
    """
    command = ("../packetdrill", *arguments)
    return Case(name, command, at="scripts", preload="yielding.so", own_network=True)


def open_suite(source: Path) -> Suite:
    """The suite of an unpacked kernel source. Raises WeirError: it has none."""
    folder = source / _FOLDER
    try:
        runner = (folder / "ksft_runner.sh").read_text()
        config = dict(_OPTION.findall((folder / "config").read_text()))
    except FileNotFoundError as error:
        raise WeirError(
            f"{source}: has no {_FOLDER}, which is in Linux since 6.12; use a newer source"
        ) from error
    by_version = {name: tuple(shlex.split(words)) for name, words in _ARGUMENTS.findall(runner)}
    cases = [
        case(f"{script.stem}/{version}", (*by_version[version], script.name))
        for script in sorted(folder.glob("*.pkt"))
        for version in _OWN_VERSION.findall(script.read_text()) or by_version
        if version in by_version
    ]
    return Suite(folder, config, tuple(cases))
