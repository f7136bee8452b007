"""Every error this project raises on purpose.

    WeirError                a message for a person; no traceback is shown for it
    ├── SpecError            something the user wrote is wrong: a list of `Problem`
    └── RunFailure           one run could not be carried out: a reason to act on

Exit codes are the command's business; nothing here knows of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Problem", "RunFailure", "SpecError", "WeirError"]

_VALUE_WIDTH = 80


class WeirError(Exception):
    """Base of all errors meant for a person. `str()` is the message to print."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong in a spec.

    path: dotted path of the field, or a file's name where no field is at fault.
    value: what stands there; None where there is nothing to show.
    allowed: what may stand there, as a phrase ("a rate such as 8Mbit/s").
    remedy: what to do, as a sentence.
    """

    path: str
    value: Any = None
    allowed: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        head = self.path or "(whole file)"
        if self.value is not None:
            head += f": {_shown(self.value)}"
        if self.allowed:
            head += f" — allowed: {self.allowed}"
        return f"{head}\n    {self.remedy}" if self.remedy else head


class SpecError(WeirError):
    """A campaign or experiment that cannot be accepted, with every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[SpecError], tuple[list[Problem]]]:
        return type(self), (self.problems,)


class RunFailure(WeirError):
    """A run that ended without a result. `reason` says what a person can do about it."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= _VALUE_WIDTH else text[: _VALUE_WIDTH - 1] + "…"
