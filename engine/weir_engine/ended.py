"""What a run's process says at its end: data alone, bounded, and checked by who hears it.

The process has met what others' code left, so nothing that it says is taken for granted.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints
from weir_lab.left import printable

__all__ = ["MOST_BYTES", "Ended", "shortened"]

MOST_BYTES: Final = 1 << 20
"""Of one line that a run's process says."""
_REASON_CHARACTERS: Final = 4000
_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Ended(BaseModel):
    """state: as judged by the run's own process. wall_s: seconds of each phase.

    not_forked: the zygote that it was lent failed it, and nothing else. files: of the run directory
    it wrote, name and SHA-256 of each.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    state: Literal["succeeded", "invalid", "failed"]
    reason: str = Field(default="", max_length=_REASON_CHARACTERS + 100)
    disk_full: bool = False
    lost: bool = False
    not_forked: bool = False
    wall_s: dict[str, FiniteFloat] = Field(default={}, max_length=16)
    files: dict[str, _Sha256] = Field(default={}, max_length=5000)


def shortened(reason: str) -> str:
    """A reason that any reader can hold: printable, its middle cut where it is long."""
    reason = printable(reason)
    if len(reason) <= _REASON_CHARACTERS:
        return reason
    half = _REASON_CHARACTERS // 2
    cut = len(reason) - 2 * half
    return f"{reason[:half]} [{cut} characters cut here] {reason[-half:]}"
