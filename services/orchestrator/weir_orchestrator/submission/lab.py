"""The lab that a campaign would run in: what its keys hold besides the experiment and the seed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from weir import resolved
from weir.errors import Problem, SpecError
from weir.resolved import Experiment
from weir_engine import provenance
from weir_engine.errors import CannotRun
from weir_lab import kernel
from weir_lab.kernel import Changes, cache, changes_of, inputs

from weir_orchestrator.submission import own_kernels

__all__ = ["Lab", "NoLab", "kernel_code", "lab_with"]

_FILE_NAME = re.compile(r"[a-z][a-z0-9_]*\.c")
_ALGORITHM = re.compile(r'\.name\s*=\s*"([a-z][a-z0-9_]*)"')


class NoLab(CannotRun):
    """No lab kernel is built here, so nothing can be checked against it."""


@dataclass(frozen=True)
class Lab:
    """Hashes for the run key (weir.runkey), and the congestion controls that there are.

    kernel_hash: of runs without a kernel of their own. refusal: why nobody runs code that a
    campaign brings (`own_code`); empty: somebody does. takes_code: whether the team may bring C,
    or change the kernel. clocks: of the runs that are carried out where kernels are built. code:
    the campaign's C files. changed: hashes of kernels that it changes.
    """

    kernel_hash: str
    roles_hash: str
    congestion_controls: tuple[str, ...]
    refusal: str = ""
    takes_code: bool = False
    clocks: tuple[str, ...] = ("virtual", "real")
    code: tuple[Path, ...] = ()
    changed: Mapping[Changes, str] = field(default_factory=dict)

    def with_kernels(self, kernels: Iterable[resolved.Kernel]) -> Lab:
        """With those that a campaign changes. Raises SpecError: a source is not here."""
        asked = map(changes_of, kernels)
        return replace(self, changed={one: own_kernels.hash_of(one, self.code) for one in asked})

    def hash_of(self, experiment: Experiment) -> str:
        """Of the kernel that an experiment of the campaign runs in."""
        if "kernel" not in experiment:
            return self.kernel_hash
        return self.changed[changes_of(experiment["kernel"])]

    @property
    def needed(self) -> str:
        """What a worker must have for the campaign: its kernel, or all of them by one name."""
        return own_kernels.name_of(self.kernel_hash, self.changed.values())


def kernel_code(folder: Path, *, allowed: bool) -> list[Path]:
    """The C files of a campaign: congestion controls to compile in. Raises SpecError."""
    found = sorted(folder.rglob("*.c"))
    taken = {path.name for path in inputs.compiled_in()}
    problems = []
    for path in found:
        name = path.relative_to(folder).as_posix()
        if not allowed:
            remedy = "remove it; an operator may accept your team's C (WEIR_KERNEL_CODE)"
            problems.append(Problem(f"files.{name}", name, "no C files here", remedy))
        elif not _FILE_NAME.fullmatch(name) or name in taken:
            remedy = "give it another name, in no folder"
            some = "lower-case letters, digits, _ and .c, not a name that the lab has"
            problems.append(Problem(f"files.{name}", name, some, remedy))
    if problems:
        raise SpecError(problems)
    return found


def lab_with(code: Sequence[Path]) -> Lab:
    """The lab with these C files compiled in, built or not.

    Raises NoLab; SpecError where they could not be compiled.
    """
    built = kernel.find()
    if built is None:
        raise NoLab("no lab kernel is built on this machine yet: run `weir kernel build`")
    name, known = built.hash, built.congestion_controls
    if code:
        own = [a for path in code for a in _ALGORITHM.findall(path.read_text(errors="replace"))]
        known = (*known, *own)
        if (source := cache.source_of(built)) is None:
            raise SpecError([_not_compiled(path) for path in code])
        name = inputs.kernel_hash(source.sha256, code)
    return Lab(name, provenance.roles()["hash"], known, code=tuple(code))


def _not_compiled(path: Path) -> Problem:
    return Problem(
        f"files.{path.name}",
        path.name,
        "no C files here: the lab kernel came without its source and a compiler, as in images",
        "use a platform whose API and workers have a compiler: a checkout, or the image "
        "weir-builder (docs/containers.md, on Kubernetes docs/cluster.md); or put the file into "
        "lab/cc and build images with it",
    )
