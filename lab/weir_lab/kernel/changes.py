"""What an experiment's kernel has on top of the lab's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir import resolved

__all__ = ["NONE", "Changes", "Patch", "of"]


@dataclass(frozen=True)
class Patch:
    """A unified diff for `patch -p1`; where: the field that names it."""

    name: str
    text: str = field(repr=False)
    sha256: str
    where: str = field(compare=False)


@dataclass(frozen=True)
class Changes:
    """version: of another Linux, 7.2; empty: the lab's. config: options without CONFIG_.

    if_offered: further ones, which the kernel is built without where they cannot be set.
    """

    version: str = ""
    patches: tuple[Patch, ...] = ()
    config: tuple[tuple[str, str], ...] = ()
    if_offered: tuple[tuple[str, str], ...] = ()

    @property
    def in_tree(self) -> bool:
        """Whether they need a source tree of their own."""
        return bool(self.patches or self.config or self.if_offered)

    def words(self) -> list[str]:
        """What a build's hash covers of them, beside the source; a patch's name is not of it."""
        return [
            *(f"patch {patch.sha256}" for patch in self.patches),
            *(f"{option}={value}" for option, value in self.config),
            *(f"{option}={value} if offered" for option, value in self.if_offered),
        ]


NONE = Changes()


def of(kernel: resolved.Kernel | None) -> Changes:
    """Those of a resolved experiment's `kernel`, which may be absent."""
    if kernel is None:
        return NONE
    patches = (
        Patch(each["name"], each["text"], each["sha256"], f"kernel.patches.{number}")
        for number, each in enumerate(kernel.get("patches", []))
    )
    config = kernel.get("config", {})
    return Changes(kernel.get("version", ""), tuple(patches), tuple(sorted(config.items())))
