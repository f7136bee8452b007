"""Building a lab kernel (ARCH=um) from a source archive and this checkout's files.

What this project brings is compiled in the tree that all builds of one source share, under that
tree's lock. What a campaign brings, C or changes to the kernel, is compiled in a linked copy, under
a lock of its own kernel alone: it holds up nobody but who wants the same kernel.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab.kernel import cache, changed, inputs, linked, locks, patching, source, tree
from weir_lab.kernel.changes import NONE, Changes
from weir_lab.kernel.compiler import PROGRAM, Progress, compile_kernel
from weir_lab.kernel.prune import bound_bytes, prune

__all__ = ["TOOLS", "build", "prepare"]

TOOLS: Final = {
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "xz": "xz-utils",
    "patch": "patch",
}
"""Programs that a build needs, and Debian's packages of them."""
_STEPS: Final = 1450
"""Lines that make prints in a full build."""
_FEW_STEPS: Final = 40
"""And where a few C files are new."""
_LIMIT_S: Final = 3600.0
_OTHERS_LIMIT_S: Final = 600.0
"""For what campaigns bring: seconds of work, minutes where the machine is busy."""
_MOST_WAIT_S: Final = 2 * _LIMIT_S
_log = logging.getLogger(__name__)


def _untold(done: int, total: int, what: str) -> None:
    pass


def build(
    cc_extra: Sequence[Path] = (),
    given_source: Path | None = None,
    progress: Progress = _untold,
    changes: Changes = NONE,
) -> cache.Kernel:
    """The kernel that this checkout asks for, with changes; built unless the cache has it whole.

    cc_extra: C files of further congestion controls, compiled in beside lab/cc.
    A damaged one is told by a warning, and built again. A build ends by pruning what else is
    cached. Raises WeirError when a tool is missing, a patch does not apply or the compiler fails,
    of these SpecError where the changes are at fault; cache.Damaged: the image's own kernel is;
    locks.Busy when another build took too long.
    """
    _require_tools()
    most_bytes = bound_bytes()
    if given_source is None and (ready := _whole(cc_extra, changes)):
        return ready
    progress(0, _STEPS, "getting the kernel source")
    origin = source.obtain(given_source, changes.version)
    name = inputs.kernel_hash(origin.sha256, cc_extra, changes=changes)
    with _alone(name, progress):
        if wrong := cache.damage(name):
            _log.warning("%s", wrong)
        elif ready := cache.find(cc_extra, changes=changes):
            return ready
        kernel = _made(name, origin, cc_extra, changes, progress)
        held = locks.hold(kernel.path)
    with held, suppress(locks.Busy):
        prune(most_bytes)
    return kernel


def prepare() -> None:
    """Get and unpack the source that `build` compiles, unless the kernel is there.

    It takes one core, and so is done beside other things. Raises as `build`.
    """
    _require_tools()
    if _whole((), NONE):
        return
    origin = source.obtain()
    shared = cache.shared_tree(inputs.tree_hash(origin.sha256))
    with _alone(shared.name, _untold):
        _unpack(shared, origin, _untold)


def _whole(cc_extra: Sequence[Path], changes: Changes) -> cache.Kernel | None:
    found = cache.find(cc_extra, changes=changes)
    if found is None:
        return None
    try:
        cache.verify(found)
    except cache.Damaged:
        if not found.path.is_relative_to(cache.root()):
            raise  # an image's, which no build replaces
        return None
    return found


def _require_tools() -> None:
    missing = [package for tool, package in TOOLS.items() if not shutil.which(tool)]
    if missing:
        raise WeirError(
            "building the lab kernel needs tools that are not here; install them with: "
            f"apt-get install {' '.join(missing)}"
        )


@contextmanager
def _alone(name: str, progress: Progress) -> Iterator[None]:
    def waiting(waited_s: float) -> None:
        progress(0, _STEPS, f"waiting for another build: {waited_s:.0f} s")

    with locks.alone(cache.lock(name), _MOST_WAIT_S, waiting):
        yield


def _made(
    name: str,
    origin: cache.Source,
    cc_extra: Sequence[Path],
    changes: Changes,
    progress: Progress,
) -> cache.Kernel:
    """Who calls has the kernel's lock."""
    others = bool(cc_extra) or changes.in_tree
    shared = cache.shared_tree(inputs.tree_hash(origin.sha256))
    files = inputs.compiled_in(cc_extra)
    with ExitStack() as stack:
        with _alone(shared.name, progress):
            if not others or not (shared / "linux").exists():
                _compile_shared(shared, origin, progress)
            locks.used(shared)
            if not others:
                return _kept(name, shared, shared, files, changes)
            stack.enter_context(locks.reading(shared))
            # Told before the tree is made, which takes longer.
            patching.rehearse(changes, shared, _OTHERS_LIMIT_S)
            own = cache.linked_tree(name)
            shutil.rmtree(own, ignore_errors=True)  # of a build that was killed
            stack.callback(shutil.rmtree, own, ignore_errors=True)
            linked.make(shared, own)
        tree.place(own, [*files, *inputs.headers()])
        progress(0, _FEW_STEPS, "applying changes")
        changed.change(own, shared, changes)
        limit_s = _LIMIT_S if changes.in_tree else _OTHERS_LIMIT_S
        compile_kernel(own, [shared], limit_s, _FEW_STEPS, progress)
        return _kept(name, own, shared, files, changes)


def _compile_shared(shared: Path, origin: cache.Source, progress: Progress) -> None:
    """Who calls has the tree's lock."""
    _unpack(shared, origin, progress)
    tree.place(shared, [*inputs.compiled_in(), *inputs.headers()])
    compile_kernel(shared, [], _LIMIT_S, _STEPS, progress)


def _unpack(shared: Path, origin: cache.Source, progress: Progress) -> None:
    """Who calls has the tree's lock."""
    if not (shared / ".config").exists():
        progress(0, _STEPS, "unpacking the kernel source")
        source.check(origin)
        tree.unpack(origin.archive, shared)


def _kept(
    name: str, built: Path, shared: Path, files: Sequence[Path], changes: Changes
) -> cache.Kernel:
    """What was built, as a kernel of the cache, without trust in what it was built from."""
    folder = cache.root() / "kernels" / name
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "linux"
    _take(built / PROGRAM, program)
    config = tree.options(built)
    (folder / "config").write_text(config)
    _keep_patches(folder / "patches", changes)
    own = [path for path in files if path.suffix == ".c"]
    kernel = cache.Kernel(
        program,
        name,
        tree.release(built if changes.in_tree else shared),
        tree.congestion_controls(built, shared, own),
        inputs.file_hash(program),
        changes.version,
        tuple(patch.name for patch in changes.patches),
        tuple(f"{option}={value}" for option, value in _taken(config, changes)),
    )
    cache.remember(kernel)
    return kernel


def _taken(config: str, changes: Changes) -> list[tuple[str, str]]:
    """The options of the changes that the kernel was built with."""
    missing = changed.left_out(config, changes)
    asked = {**dict(changes.if_offered), **dict(changes.config)}
    return [(option, value) for option, value in asked.items() if option not in missing]


def _keep_patches(folder: Path, changes: Changes) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if changes.patches:
        folder.mkdir()
    for number, patch in enumerate(changes.patches, 1):
        (folder / f"{number:04}-{patch.name}").write_text(patch.text)


def _take(given: Path, program: Path) -> None:
    """A regular file: a link that the compiler was made to leave is not followed."""
    try:
        at = os.open(given, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise WeirError(f"{given}: {error.strerror}; build it again") from error
    part = program.with_suffix(".part")
    with os.fdopen(at, "rb") as content, part.open("wb") as kept:
        if not stat.S_ISREG(os.fstat(at).st_mode):
            raise WeirError(f"{given}: no regular file; build it again")
        shutil.copyfileobj(content, kept)
    part.chmod(0o755)
    part.rename(program)  # in place of a damaged one, which may still be open
