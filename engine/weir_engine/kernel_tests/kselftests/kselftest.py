"""Which kselftests a kernel's source has, and what each asks for: options of the kernel, time, and
programs of the machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from weir_engine.errors import BadInput
from weir_engine.kernel_tests.case import Case
from weir_engine.kernel_tests.source import SELFTESTS

__all__ = ["Kselftest", "chosen"]

_OPTION: Final = re.compile(r'^CONFIG_(\w+)="?([^"\n]*)"?$', re.M)
_LIMIT: Final = re.compile(r"^timeout=(\d+)$", re.M)
_LIMIT_S: Final = 45
"""Of a folder without `settings`, as the kernel's tools/testing/selftests/kselftest/runner.sh."""
_COMMENT: Final = re.compile(r"^\s*#.*$", re.M)
_SOMETIMES_THERE: Final = {
    "arping": "iputils-arping",
    "bc": "bc",
    "conntrack": "conntrack",
    "ethtool": "ethtool",
    "ip6tables": "iptables",
    "iperf3": "iperf3",
    "iptables": "iptables",
    "jq": "jq",
    "mausezahn": "netsniff-ng",
    "nc": "netcat-openbsd",
    "nft": "nftables",
    "ping": "iputils-ping",
    "ping6": "iputils-ping",
    "python3": "python3",
    "socat": "socat",
    "sysctl": "procps",
    "tcpdump": "tcpdump",
    "traceroute": "traceroute",
    "traceroute6": "traceroute",
}
"""Programs that scripts call -> Debian's package of them."""


@dataclass(frozen=True)
class Kselftest:
    """selftests: the folder of all of them. name: its path below that, as upstream has it, without
    the .c of a program."""

    selftests: Path
    name: str

    @property
    def folder(self) -> str:
        """What it is in, below `selftests`: net/mptcp."""
        return self.name.rpartition("/")[0]

    @property
    def program(self) -> str:
        """What is started in it."""
        return self.name.rpartition("/")[2]

    @property
    def compiled(self) -> bool:
        """Whether it is no script."""
        return not (self.selftests / self.name).is_file()

    @property
    def text(self) -> str:
        """Of the script, without comments; of a program, nothing."""
        return "" if self.compiled else code_of(self.selftests / self.name)

    @property
    def config(self) -> dict[str, str]:
        """Options of the kernel that its folder asks for -> value; modules are built in."""
        found = _OPTION.findall(self._beside("config"))
        return {option: "y" if value == "m" else value for option, value in found}

    @property
    def case(self) -> Case:
        """As it is carried out with what `make_tools` makes."""
        limit = _LIMIT.search(self._beside("settings"))
        return Case(
            self.name,
            (f"./{self.program}",),
            at=f"selftests/{self.folder}",
            limit_s=int(limit[1]) if limit else _LIMIT_S,
        )

    def calls(self) -> dict[str, str]:
        """Programs that its script names, of those that not every machine has -> the package."""
        words = set(re.findall(r"[\w-]+", self.text))
        return {name: package for name, package in _SOMETIMES_THERE.items() if name in words}

    def _beside(self, name: str) -> str:
        file = self.selftests / self.folder / name
        return file.read_text() if file.is_file() else ""


def chosen(source: Path, names: Sequence[str]) -> list[Kselftest]:
    """Those of an unpacked kernel source. Raises BadInput: it has none of that name."""
    selftests = source / SELFTESTS
    asked = [name.removeprefix(f"{SELFTESTS}/") for name in names]
    known = set(_known(selftests))
    for name in asked:
        if name not in known:
            near = ", ".join(get_close_matches(name, sorted(known), cutoff=0.5)) or "none"
            raise BadInput(
                f"--kselftest: {name} — allowed: a test below {SELFTESTS} of this kernel's source, "
                f"as net/mptcp/simult_flows.sh; near ones: {near}"
            )
    return [Kselftest(selftests, name) for name in dict.fromkeys(asked)]


def code_of(script: Path) -> str:
    """A script without its comments."""
    return _COMMENT.sub("", script.read_text(errors="replace"))


def _known(selftests: Path) -> list[str]:
    """Scripts that can be started, and programs that can be compiled."""
    found = []
    for path in selftests.rglob("*"):
        name = path.relative_to(selftests)
        if path.suffix == ".c":
            found.append(str(name.with_suffix("")))
        elif path.is_file() and path.stat().st_mode & 0o100:
            found.append(str(name))
    return found
