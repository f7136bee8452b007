"""Kernels that a campaign changes: whether they are taken here, and what they are called.

Workers claim runs of a campaign that they have all kernels of: one name stands for them together.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from weir import resolved
from weir.errors import Problem, SpecError
from weir_lab import confine
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Changes, cache, inputs

__all__ = ["MOST_KERNELS", "check_patches", "hash_of", "name_of", "require"]

MOST_KERNELS: Final = 32
"""Of a campaign: each takes a worker minutes."""
_MOST_TEXT_BYTES: Final = 64 << 20
"""Of patches in a campaign's combinations together, each of which holds its own."""
_REHEARSAL_S: Final = 20.0
"""For all patches of a campaign; what is not tried by then, the build tells."""
_PATH: Final = "experiment.kernel"


def require(
    kernels: Sequence[resolved.Kernel], combinations: int, *, allowed: bool, refusal: str
) -> None:
    """Raises SpecError for kernels of a campaign that are not taken here.

    allowed: whether the team may change the kernel. refusal: why nobody runs others' code; empty:
    somebody does.
    """
    if not kernels:
        return
    if not allowed or refusal:
        asked = "have the operator name your team in WEIR_KERNEL_CODE, or use `weir run`"
        remedy = f"use the lab's, or have the operator mend that no worker runs yours: {refusal}"
        allows = "the lab's own kernel here"
        raise SpecError([Problem(_PATH, None, allows, remedy if allowed else asked)])
    largest = max(sum(len(p["text"].encode()) for p in k.get("patches", [])) for k in kernels)
    if (total := largest * combinations) > _MOST_TEXT_BYTES:
        bound = f"at most {_MOST_TEXT_BYTES} bytes in all combinations together"
        remedy = "shorten the patches, or split the campaign"
        raise SpecError([Problem(f"{_PATH}.patches", f"{total} bytes", bound, remedy)])


def check_patches(asked: Iterable[Changes]) -> None:
    """Raises SpecError, with file and hunk, for patches that do not apply.

    Of a source that is not unpacked here, or where this machine cannot confine `patch`, the
    worker that builds tells.
    """
    if confine.lacking():
        return
    until_s = time.monotonic() + _REHEARSAL_S
    problems: list[Problem] = []
    for changes in asked:
        tree = cache.shared_tree(inputs.tree_hash(_source(changes).sha256))
        try:
            lab_kernel.rehearse(changes, tree, until_s - time.monotonic())
        except SpecError as error:
            problems += _within(error)
    if problems:
        raise SpecError(dict.fromkeys(problems))


def hash_of(changes: Changes, code: Sequence[Path]) -> str:
    """What a kernel with these changes and C files is called. Raises SpecError: its source is not
    here.
    """
    return inputs.kernel_hash(_source(changes).sha256, code, changes=changes)


def name_of(own: str, changed: Iterable[str]) -> str:
    """Of all kernels of a campaign; own: of the one without changes."""
    every = sorted({own, *changed})
    if every == [own]:
        return own
    return hashlib.sha256("\n".join(every).encode()).hexdigest()[: inputs.HASH_CHARS]


def _source(changes: Changes) -> cache.Source:
    if changes.version:
        found = next(iter(cache.sources(changes.version)), None)
    else:
        own = lab_kernel.find()
        found = cache.source_of(own) if own else None
    if found is None:
        raise SpecError([_no_source(changes.version)])
    return found


def _no_source(version: str) -> Problem:
    if version and (here := cache.versions()):
        allowed = f"versions whose source is here: {', '.join(here)}"
        remedy = "name one of them, or have the operator get it: weir kernel build --version X.Y"
        return Problem(f"{_PATH}.version", version, allowed, remedy)
    return Problem(
        _PATH,
        version or None,
        "the lab's own kernel here, which came without its source and a compiler, as in images",
        "use a platform whose API and workers have both: a checkout, or the image weir-builder "
        "(docs/containers.md, on Kubernetes docs/cluster.md); or `weir run`",
    )


def _within(error: SpecError) -> Iterator[Problem]:
    for problem in error.problems:
        yield replace(problem, path=f"experiment.{problem.path}")
