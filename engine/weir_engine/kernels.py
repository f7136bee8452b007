"""The lab kernel of each experiment: the lab's own, or that with the experiment's changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from weir.resolved import Experiment
from weir_lab.kernel import Changes, Kernel, build, changes_of

if TYPE_CHECKING:
    from weir import resolved
    from weir_lab.kernel import Progress

__all__ = ["Kernels", "built"]


class Kernels:
    """Those that a campaign's runs need, all built."""

    def __init__(self, own: Kernel, changed: Mapping[Changes, Kernel] | None = None) -> None:
        self.own = own
        self._changed = dict(changed or {})

    def of(self, experiment: Experiment) -> Kernel:
        """The one that an experiment runs in. Raises KeyError where it is not among these."""
        if "kernel" not in experiment:
            return self.own
        return self._changed[changes_of(experiment["kernel"])]


def built(own: Kernel, changed: Iterable[resolved.Kernel], progress: Progress) -> Kernels:
    """The lab's own kernel, and changed ones; those that the cache has not are built.

    Raises SpecError where the changes are at fault; WeirError.
    """
    asked = [changes_of(kernel) for kernel in changed]
    return Kernels(own, {each: build(progress=progress, changes=each) for each in asked})
