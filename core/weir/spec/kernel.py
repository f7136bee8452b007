"""The kernel that an experiment's hosts run, where it is another than the lab's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import PurePath
from typing import Annotated, Final

from pydantic import Field

from weir import patch, resolved
from weir.errors import Problem, SpecError
from weir.spec.files import Files
from weir.spec.model import Model

__all__ = ["MOST_PATCH_BYTES", "Kernel", "resolve"]

MOST_PATCH_BYTES: Final = 1 << 20
"""Of an experiment's patches together: each run's record holds their text."""
OptionName = Annotated[str, Field(pattern=r"^(CONFIG_)?[A-Z0-9][A-Z0-9_]*$", max_length=80)]
OptionText = Annotated[str, Field(pattern=r"^[-+.,:/=@\w ]*$", max_length=200)]


class Kernel(Model):
    """Changes to the lab's kernel; with none, it is the lab's own."""

    version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$", max_length=8)] | None = Field(
        default=None,
        description="Another Linux: one that Debian packages the source of, or that was given by "
        "`weir kernel build --source`. Default: the lab's.",
        examples=["7.2"],
    )
    patches: list[str] = Field(
        default=[],
        max_length=100,
        description="Unified diffs against the kernel's source, applied in this order by "
        "`patch -p1`, without fuzz.",
        examples=[["fix.patch"]],
    )
    config: dict[OptionName, bool | int | OptionText] = Field(
        default={},
        description="Options of the kernel's configuration, on top of the lab's.",
        examples=[{"TCP_CONG_BIC": True, "NET_SCH_FQ_PIE": True}],
    )


def resolve(asked: Kernel, files: Files) -> resolved.Kernel | None:
    """What is changed, patches by value; None: nothing. Raises SpecError."""
    problems: list[Problem] = []
    patches: list[resolved.Patch] = []
    for number, name in enumerate(asked.patches):
        where = f"kernel.patches.{number}"
        try:
            text = files.text(name, where)
        except SpecError as error:
            problems += error.problems
            continue
        problems += _broken(where, name, text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        patches.append({"name": PurePath(name).name, "sha256": digest, "text": text})
    total = sum(len(each["text"].encode()) for each in patches)
    if total > MOST_PATCH_BYTES:
        allowed = f"at most {MOST_PATCH_BYTES} bytes together"
        remedy = "leave out what the experiment does not need, or build from an archive"
        problems.append(Problem("kernel.patches", f"{total} bytes", allowed, remedy))
    if problems:
        raise SpecError(problems)
    found: resolved.Kernel = {}
    if asked.version is not None:
        found["version"] = asked.version
    if patches:
        found["patches"] = patches
    if asked.config:
        words = {name.removeprefix("CONFIG_"): _word(set_) for name, set_ in asked.config.items()}
        found["config"] = dict(sorted(words.items()))
    return found or None


def _broken(where: str, name: str, text: str) -> Iterator[Problem]:
    for what, remedy in patch.faults(text):
        yield Problem(where, name, f"a unified diff of text files; {what}", remedy)


def _word(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "y" if value else "n"
    return str(value)
