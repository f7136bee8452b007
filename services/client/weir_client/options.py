"""Options of players and ABR algorithms: what is allowed, and errors that say so."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NUMBER, WHOLE_NUMBER, LEVEL, CHOICE = "number", "whole number", "level", "choice"
ON_OFF = "on/off"


class Option:
    """One option: its kind, default and allowed values (both ends included)."""

    __slots__ = ("choices", "default", "high", "kind", "low", "text")

    def __init__(
        self, default: Any, text: str, kind: str = NUMBER, *, low: float = 0.0,
        high: float = float("inf"), choices: tuple[Any, ...] = (),
    ) -> None:  # fmt: skip
        self.default = default  # None: `text` says what stands in for it
        self.text = text
        self.kind = kind
        self.low = low
        self.high = high
        self.choices = choices

    def allowed(self, levels: int) -> str:
        """The allowed values in words, on a ladder of so many levels."""
        if self.kind == CHOICE:
            return "one of " + ", ".join(str(choice) for choice in self.choices)
        if self.kind == ON_OFF:
            return "true or false"
        if self.kind == LEVEL:
            return f"a level, a whole number from 0 to {levels - 1}"
        end = "or more" if self.high == float("inf") else f"to {self.high:g}"
        return f"a {self.kind} of {self.low:g} {end}"

    def accepts(self, value: object, levels: int) -> bool:
        """Whether value is allowed. A default of None allows None."""
        if value is None:
            return self.default is None
        if self.kind == CHOICE:
            return value in self.choices and not isinstance(value, bool)
        if self.kind == ON_OFF:
            return isinstance(value, bool)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if self.kind != NUMBER and not isinstance(value, int):
            return False
        return (0 <= value < levels) if self.kind == LEVEL else (self.low <= value <= self.high)


# The player's own options, which every ABR algorithm shares.
PLAYER = {
    "startup_s": Option(0.0, "playback starts with this much media in the buffer; 0: one segment"),
    "resume_s": Option(0.0, "the same after a stall"),
}


def problems(
    name: str, allowed: Mapping[str, Option], given: Mapping[str, Any], levels: int
) -> list[str]:
    """What is wrong with the options given to the ABR of that name; empty if nothing."""
    found = []
    for key, value in given.items():
        if key not in allowed:
            names = ", ".join(allowed) or "none"
            found.append(f"{name} has no option {key!r}; it has: {names}")
        elif not allowed[key].accepts(value, levels):
            found.append(f"option {key} of {name} is {value!r}; it must be "
                         f"{allowed[key].allowed(levels)}")  # fmt: skip
    return found


def complete(allowed: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options with defaults for the rest."""
    return {key: given.get(key, option.default) for key, option in allowed.items()}


def split(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The player's own options, completed, and the rest, which is the ABR's."""
    rest = {key: value for key, value in given.items() if key not in PLAYER}
    return complete(PLAYER, given), rest
