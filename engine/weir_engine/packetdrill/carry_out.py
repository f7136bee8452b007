"""Cases side by side, each in a lab kernel of its own: what one leaves, none finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from weir.errors import RunFailure
from weir_lab import boot
from weir_lab.guest.plan import PacketdrillPlan, dumped
from weir_lab.kernel import Kernel
from weir_lab.packages import folder_of

from weir_engine.packetdrill.suite import Case

__all__ = ["Outcome", "carry_out"]

_SEED: Final = 1
_CLIENTS: Final = 16
"""As for so many, the guest has memory."""
_MOST_SAID_CHARS: Final = 4000


@dataclass(frozen=True)
class Outcome:
    """How a case ended. said: what packetdrill said, or why there was no end. took_ns: on the lab
    kernel's clock; 0: it had no end."""

    case: Case
    passed: bool
    said: str
    took_ns: int


def carry_out(
    kernel: Kernel, tools: Path, cases: Sequence[Case], jobs: int, wall_limit_s: float
) -> Iterator[Outcome]:
    """Each case's outcome, in the order given. tools: see `make_tools`."""
    with ThreadPoolExecutor(jobs, thread_name_prefix="packetdrill") as several:
        yield from several.map(lambda case: _one(kernel, tools, case, wall_limit_s), cases)


def _one(kernel: Kernel, tools: Path, case: Case, wall_limit_s: float) -> Outcome:
    with TemporaryDirectory(prefix="weir-packetdrill-") as name:
        folder = Path(name)
        asked: PacketdrillPlan = {
            "packages": {},
            "tools": str(tools),
            "arguments": list(case.arguments),
        }
        (folder / "plan.marshal").write_bytes(dumped(asked))
        how = boot.Boot(
            _SEED,
            _CLIENTS,
            record_tcp=False,
            record_queue=False,
            folders=(folder_of("weir_lab"), tools),
            guest="packetdrill",
        )
        try:
            boot.run(kernel, how, folder, wall_limit_s)
            code, took_ns = map(int, (folder / "ended.txt").read_text().split())
        except (RunFailure, OSError, ValueError) as error:
            return Outcome(case, False, str(error), 0)
        said = (folder / "said.txt").read_text(errors="replace")[:_MOST_SAID_CHARS]
        return Outcome(case, code == 0, said.strip(), took_ns)
