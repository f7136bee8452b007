"""An experiment's patches, by the real `patch`: in a tree that is built, or on copies to try them.

A patch is others' text, and `patch` reads it: that is confined to the folder that it changes.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from weir import patch as unified
from weir.errors import Problem, SpecError

from weir_lab.kernel import confined, locks, tree
from weir_lab.kernel.bounds import Bounds
from weir_lab.kernel.changes import Changes, Patch

__all__ = ["apply", "files", "for_tree", "rehearse"]

_LIMIT_S: Final = 300.0
_FILE: Final = re.compile(r"patching file '?(.+?)'?(?: \(.*\))?$")
_FAILED: Final = re.compile(r"Hunk #(\d+) FAILED at (\d+)")


def rehearse(changes: Changes, shared: Path, limit_s: float) -> None:
    """Apply the patches to copies of what they name in a source tree, before anything is built.

    Nothing is told where that tree is not there, or of patches that `patch` has not come to within
    `limit_s`. Raises SpecError as a build would; OSError.
    """
    until_s = time.monotonic() + limit_s
    if not changes.patches or not shared.is_dir() or not shutil.which("patch"):
        return
    texts = [(each, for_tree(each)) for each in changes.patches]
    with locks.reading(shared), TemporaryDirectory(prefix="weir-patch-") as folder:
        own = Path(folder)
        for name in files(texts):
            if time.monotonic() > until_s:
                return
            if (shared / name).is_file() and not (shared / name).is_symlink():
                (own / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(shared / name, own / name)
        for patch, text in texts:
            left_s = until_s - time.monotonic()
            try:
                apply(patch, text, own, shared, left_s)
            except confined.TookMuch:
                return


def files(texts: Iterable[tuple[Patch, str]]) -> list[PurePosixPath]:
    """What they name within a tree, each once; `patch` refuses the rest."""
    names = dict.fromkeys(PurePosixPath(n) for _, text in texts for n in unified.files(text))
    return [name for name in names if not name.is_absolute() and ".." not in name.parts]


def for_tree(patch: Patch) -> str:
    """Without its parts for files that no tree of the lab holds. Raises SpecError: none is left."""
    text = unified.without(patch.text, tree.is_left_packed)
    if not unified.files(text):
        allowed = "a patch of what the lab's kernel is built from"
        remedy = f"it changes {', '.join(unified.files(patch.text))} alone; remove it"
        raise SpecError([Problem(patch.where, patch.name, allowed, remedy)])
    return text


def apply(patch: Patch, text: str, own: Path, shared: Path, limit_s: float = _LIMIT_S) -> None:
    """Have it in `own`, confined to it; shared: what links in there lead to.

    Raises SpecError; confined.TookMuch.
    """
    lines: list[str] = []
    # -u: of the formats that it knows, the one that was checked; no fuzz, as git applies it.
    how = ["-p1", "-u", "--forward", "--batch", "--fuzz=0", "--no-backup-if-mismatch", "-r", "-"]
    said = confined.run(["patch", *how], own, [shared], Bounds(limit_s), lines.append, text)
    if said.code:
        allowed = "a patch that applies to the lab's kernel source, with what was applied before"
        remedy = f"{_refused(lines)}; make it anew against that source (docs/lab.md)"
        raise SpecError([Problem(patch.where, patch.name, allowed, remedy)])


def _refused(said: list[str]) -> str:
    """File and hunks, from what `patch` says."""
    file, hunks = "", []
    for line in said:
        if found := _FILE.match(line):
            file = found[1]
        elif found := _FAILED.match(line):
            hunks.append(f"{file}: hunk {found[1]} does not apply at line {found[2]}")
    if hunks:
        return "; ".join(hunks)
    if any("can't find file" in line for line in said):
        names = [line.split()[1] for line in said if line.startswith(("|+++ ", "|--- "))]
        return f"the source has no file {', '.join(names[-1:])}"
    if any("previously applied" in line for line in said):
        return f"{file}: it is applied already, or reversed"
    return "; ".join(line.strip() for line in said[-3:]) or "patch refused it"
