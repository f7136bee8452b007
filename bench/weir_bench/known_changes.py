"""Changes of which it is known that they are there: in a player, a control in C, and a queue.

Cubic's source is the lab kernel's own, under another name, so that it stands beside the built-in.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from weir.errors import WeirError
from weir_bench.common import require_kernel
from weir_lab.kernel import cache, inputs

__all__ = ["CHANGES", "Change"]

_KFUNCS: Final = r"^BTF_KFUNCS_START.*?^};\n\n"
_REGISTERED: Final = r"^\tret = register_btf_kfunc.*?return ret;\n"
_PLAYERS: Final = Path(__file__).parent / "players"
_RATES: Final = ("3Mbit/s", "5Mbit/s")
_EXPERIMENT: Final[dict[str, Any]] = {
    "duration": "60s",
    "content": {
        # Levels 6 % apart: a share of 0.85 instead of 0.9 is one level less.
        "ladder": [f"{round(500 * 1.06**level)}kbit/s" for level in range(30)],
        "segment": "2s",
    },
    "server": {"congestion_control": "cubic"},
    "gateway": {
        "downlink": {"queue": {"discipline": "drop-tail", "limit": "1bdp"}},
        "path": {"rtt": {"mean": "60ms", "stddev": "5ms"}},
    },
}


@dataclass(frozen=True)
class Change:
    """A file under test, and what in it changes; or, with `bad_queue`, what of the campaign does.

    name: of the campaign, too. good: the file's text, in which `was` stands once.
    """

    name: str
    file: str
    good: Callable[[], str]
    was: str = ""
    becomes: str = ""
    control: str = "cubic"
    player: str = "./rate.py"
    queue: str = "1bdp"
    bad_queue: str = ""

    @property
    def in_file(self) -> bool:
        """Whether a commit makes it."""
        return not self.bad_queue

    def content(self, bad: bool, edits: int) -> str:
        """The file after so many edits that change nothing of what it does."""
        text = self.good()
        if bad and self.in_file:
            if text.count(self.was) != 1:
                raise WeirError(f"{self.file}: `{self.was}` is not in it once")
            text = text.replace(self.was, self.becomes)
        remark = "//" if self.file.endswith(".c") else "#"
        return "".join([text, *(f"{remark} edit {number + 1}\n" for number in range(edits))])

    def campaign(self, seed: int, replicates: int, combinations: int, bad: bool) -> dict[str, Any]:
        """What a schedule submits."""
        experiment = copy.deepcopy(_EXPERIMENT)
        experiment["server"]["congestion_control"] = self.control
        limit = self.bad_queue if bad and self.bad_queue else self.queue
        experiment["gateway"]["downlink"]["queue"]["limit"] = limit
        experiment["clients"] = [{"player": self.player, "count": 2, "buffer": "20s"}]
        return {
            "name": self.name,
            "experiment": experiment,
            "factors": {"gateway.downlink.rate": list(_RATES[:combinations])},
            "replicates": replicates,
            "seed": seed,
        }


def _player(name: str) -> Callable[[], str]:
    return (_PLAYERS / name).read_text


def _cubic() -> str:
    """The lab kernel's tcp_cubic.c as lab_cubic, without what lets BPF programs call it."""
    source = cache.source_of(require_kernel())
    tree = cache.shared_tree(inputs.tree_hash(source.sha256)) if source else None
    if tree is None or not tree.is_dir():
        raise WeirError("no source of the lab kernel is here: weir kernel build")
    text = (tree / "net/ipv4/tcp_cubic.c").read_text()
    for of_bpf in (_KFUNCS, _REGISTERED, "\tint ret;\n\n"):
        text = re.sub(of_bpf, "", text, flags=re.DOTALL | re.MULTILINE)
    return text.replace("cubictcp", "lab_cubic").replace('"cubic"', '"lab_cubic"')


CHANGES: Final = (
    Change("abr-safety", "rate.py", _player("rate.py"), "SAFETY = 0.9\n", "SAFETY = 0.85\n"),
    Change("asks-50-ms-later", "rate.py", _player("rate.py"), "LATE_S = 0.0\n", "LATE_S = 0.05\n"),
    Change(
        "reservoir-off-by-one",
        "reservoir.py",
        _player("reservoir.py"),
        "- RESERVOIR_SEGMENTS\n",
        "- RESERVOIR_SEGMENTS - 1\n",
        player="./reservoir.py",
    ),
    Change("queue", "rate.py", _player("rate.py"), bad_queue="0.8bdp"),
    Change(
        "cubic-beta",
        "lab_cubic.c",
        _cubic,
        "beta __read_mostly = 717;",
        "beta __read_mostly = 600;",
        control="lab_cubic",
        player="dynamic",
        queue="0.5bdp",
    ),
)
