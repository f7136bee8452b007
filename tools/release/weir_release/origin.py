"""What a built kernel came from."""

from __future__ import annotations

import platform
from dataclasses import dataclass

from weir.errors import WeirError
from weir_engine import ready_made
from weir_lab.kernel import Kernel, cache, inputs

from weir_release.tree import Head

__all__ = ["Origin", "of_commit"]


@dataclass(frozen=True)
class Origin:
    """A built kernel and what it was built from. inputs: `ready_made.inputs_hash` of the lab/."""

    kernel: Kernel
    archive: str
    archive_sha256: str
    compiler: str
    machine: str
    inputs: str


def of_commit(head: Head) -> Origin:
    """Of the kernel that this machine has built of a commit's lab/. Raises WeirError."""
    lab = head.folder / "lab"
    kernel = cache.find(lab=lab)
    name = kernel.hash if kernel else ""
    of = next((s for s in cache.sources() if inputs.kernel_hash(s.sha256, lab=lab) == name), None)
    if kernel is None or of is None:
        raise WeirError(
            "the lab kernel of the committed files is not built here: weir kernel build"
        )
    cache.verify(kernel)
    return Origin(
        kernel,
        of.archive.name,
        of.sha256,
        inputs.compiler(),
        platform.machine(),
        ready_made.inputs_hash(lab),
    )
