"""Which of the kernel's own tests a command asks for, and what they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weir_engine.errors import BadInput

if TYPE_CHECKING:
    from weir_engine.kernel_tests import Case
    from weir_engine.kernel_tests.kselftests import Kselftest
    from weir_engine.kernel_tests.packetdrill import Suite

__all__ = ["Selection", "asked_of"]

_CALLED = "ethtool"


@dataclass(frozen=True)
class Selection:
    """source: of the kernel, unpacked. packetdrill: what was given as it; None: its suite is not
    asked for. drilled: the suite's cases that are asked for."""

    source: Path
    packetdrill: Path | None
    suite: Suite | None
    drilled: Sequence[Case]
    kselftests: Sequence[Kselftest]

    @property
    def cases(self) -> list[Case]:
        """All of them, as `carry_out` takes them."""
        return [*self.drilled, *(each.case for each in self.kselftests)]

    @property
    def config(self) -> dict[str, str]:
        """Options of the kernel without which the packetdrill suite says nothing."""
        return self.suite.config if self.suite else {}

    @property
    def if_offered(self) -> dict[str, str]:
        """Options that kselftests' folders ask for, some of which need real machines."""
        return {option: value for each in self.kselftests for option, value in each.config.items()}

    def calls(self) -> Iterator[tuple[str, str, str]]:
        """A program of this machine, its Debian package, and who calls it."""
        if self.suite and (count := sum(_CALLED in self.suite.script(c) for c in self.drilled)):
            yield _CALLED, _CALLED, f"{count} cases of packetdrill call it"
        for each in self.kselftests:
            for program, package in each.calls().items():
                yield program, package, f"{each.name} names it"

    def make_tools(self, folder: Path) -> list[str]:
        """Fill a folder for `carry_out`. Returns what is to be told. Raises WeirError."""
        from weir_engine.kernel_tests import kselftests, packetdrill  # noqa: PLC0415 - the lab

        if self.suite and self.packetdrill:
            packetdrill.make_tools(self.packetdrill, self.suite, folder)
        if not self.kselftests:
            return []
        return kselftests.make_tools(self.source, self.kselftests, folder)


@contextmanager
def asked_of(
    given: Path | None, kselftests: Sequence[str], only: Sequence[str], version: str
) -> Iterator[Selection]:
    """What they need of the kernel's source stays until the end of the block.

    given: of --packetdrill. Raises BadInput; SpecError: there is no such version; WeirError."""
    from weir_engine.kernel_tests.kselftests import chosen  # noqa: PLC0415 - imports the lab
    from weir_engine.kernel_tests.packetdrill import open_suite  # noqa: PLC0415
    from weir_engine.kernel_tests.source import unpacked  # noqa: PLC0415
    from weir_lab.kernel import cache, source  # noqa: PLC0415

    if given is None and not kselftests:
        raise BadInput(
            "--packetdrill, --kselftest: neither is given — allowed: either, or both; as "
            "--packetdrill PATH, --kselftest net/mptcp/simult_flows.sh"
        )
    if only and given is None:
        raise BadInput(
            f"--only: {', '.join(only)} — allowed: with --packetdrill, whose cases it chooses; "
            "kselftests are chosen by --kselftest"
        )
    origin = source.obtain(version=version)
    with unpacked(origin.archive, cache.root() / "selftests" / origin.sha256[:16]) as folder:
        suite = open_suite(folder) if given else None
        cases = suite.named([*only]) if suite else []
        if suite and not cases:
            raise BadInput(
                f"--only: {', '.join(only)} — no case is called so; one is {suite.cases[0].name}"
            )
        yield Selection(folder, given, suite, cases, chosen(folder, kselftests))
