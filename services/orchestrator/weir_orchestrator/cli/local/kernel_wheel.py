"""The wheel's lab kernel, in place of one that is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weir_engine.errors import CannotRun

from weir_orchestrator.cli.common import notes

if TYPE_CHECKING:
    from weir_lab.kernel import Kernel

__all__ = ["of_wheel"]

_NO_SOURCE = (
    "this Weir was installed without the files that a lab kernel is built from; install "
    "weir-lab-kernel of the same version, or run `make setup` in a checkout"
)


def of_wheel(*, plain: bool) -> Kernel | None:
    """The lab kernel of the wheel weir-lab-kernel, if it is used; if it is not fit, that is told.

    plain: the lab's own is asked for, from no source in particular. Raises CannotRun where nothing
    can be built either.
    """
    from weir_engine import ready_made  # noqa: PLC0415 - imports the lab

    package = ready_made.installed()
    if plain and package:
        try:
            ready = ready_made.read(package)
            ready_made.check(ready)
        except ready_made.Unfit as reason:
            notes.print(f"weir-lab-kernel is not used: {reason}", markup=False)
        else:
            if not ready_made.use():
                return None
            notes.print(f"ready made, of weir-lab-kernel {ready.version}", markup=False)
            return ready.kernel
    ready_made.leave()
    if not ready_made.can_build():
        raise CannotRun(_NO_SOURCE)
    return None
