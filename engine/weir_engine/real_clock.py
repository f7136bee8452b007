"""What late timers mean for runs on the real clock, told before one is spent on finding out."""

from __future__ import annotations

from typing import Final

__all__ = ["REMEDY", "expected"]

REMEDY: Final = "let the machine be idle, or run it with priority (as root, or with CAP_SYS_NICE)"


def expected(late_s: float, bound_s: float) -> str:
    """What to expect where 99 of 100 timers fire within `late_s`.

    bound_s: the least `checks.timer_lateness` of the runs.
    """
    told = f"99 of 100 fire within {late_s * 1e3:.2g} ms, of {bound_s * 1e3:g} ms that are allowed"
    return told if late_s <= bound_s else f"{told}: expect invalid runs; {REMEDY}"
