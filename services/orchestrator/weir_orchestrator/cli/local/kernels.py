"""The lab kernels that a command names, or its runs need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weir.errors import SpecError, WeirError
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli.common import find_kernel
from weir_orchestrator.cli.local.kernel_progress import KernelProgress

if TYPE_CHECKING:
    from weir import resolved
    from weir_engine.kernels import Kernels
    from weir_lab.kernel import Changes, Kernel

__all__ = ["build_kernels", "changes_given", "one_of"]


def build_kernels(changed: Iterable[resolved.Kernel]) -> Kernels:
    """The lab's own kernel, which must be built, and changed ones; these are built, and progress
    is told. Raises SpecError where the changes are at fault; CannotRun.
    """
    from weir_engine.kernels import Kernels, built  # noqa: PLC0415 - imports the lab

    own, changed = find_kernel(), list(changed)
    if not changed:
        return Kernels(own)
    try:
        with KernelProgress() as shown:
            return built(own, changed, shown.progress)
    except SpecError:
        raise
    except WeirError as error:
        raise CannotRun(str(error)) from error


def changes_given(patches: Sequence[Path], config: Sequence[str], version: str | None) -> Changes:
    """Options of the command as an experiment's `kernel`. Raises SpecError, BadInput."""
    from pydantic import ValidationError  # noqa: PLC0415 - slow to import
    from weir.spec import kernel  # noqa: PLC0415
    from weir.spec.files import Files  # noqa: PLC0415
    from weir.spec.problems import from_validation  # noqa: PLC0415
    from weir_lab.kernel import changes_of  # noqa: PLC0415

    pairs = [text.partition("=") for text in config]
    if lacking := [text for text, (_, equals, _) in zip(config, pairs, strict=True) if not equals]:
        raise BadInput(f"--config: {lacking[0]} — allowed: OPTION=VALUE, as TCP_CONG_YEAH=y")
    given = {
        "version": version,
        "patches": [str(path) for path in patches],
        "config": {name: value for name, _, value in pairs},
    }
    try:
        asked = kernel.Kernel.model_validate(given)
    except ValidationError as error:
        raise SpecError(from_validation(error, kernel.Kernel, "kernel")) from None
    return changes_of(kernel.resolve(asked, Files(Path())))


def one_of(known: Sequence[Kernel], argument: str, asked: str) -> Kernel:
    """The built kernel of a hash, or of its beginning. Raises BadInput."""
    found = [kernel for kernel in known if asked and kernel.hash.startswith(asked)]
    if len(found) == 1:
        return found[0]
    hashes = ", ".join(sorted(kernel.hash for kernel in found or known))
    what = "one of them in full" if found else "a built kernel; `weir kernel list` shows them"
    raise BadInput(f"{argument}: {asked} — allowed: {hashes or 'none is built'}\n    Name {what}.")
