"""Building a lab kernel (ARCH=um) from a source archive and this checkout's files."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from os import cpu_count
from pathlib import Path

from weir.errors import WeirError

from weir_lab import confine
from weir_lab.confine import profile
from weir_lab.kernel import cache, inputs, locks, source
from weir_lab.kernel.prune import bound_bytes, prune_locked

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps expected, and what is being done."""

# Of no use to a User-Mode Linux; leaving them packed halves the time of unpacking.
UNUSED = (
    *(f"Documentation/*.{kind}" for kind in ("rst", "txt", "yaml", "svg")),
    "tools/testing",
    "tools/perf",
    *(
        f"{folder}/*.[ch]"
        for folder in ("drivers/gpu", "drivers/media", "sound", "drivers/staging")
    ),
    *(f"drivers/net/{kind}/*.[ch]" for kind in ("ethernet", "wireless")),
)
EXPECTED_STEPS = 1450  # lines that make prints in a full build
TOOLS = {
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "xz": "xz-utils",
    "patch": "patch",
}
"""Programs that a build needs, and Debian's packages of them."""
OWN = "net/ipv4/weir"
LIMIT_S = 3600.0
_TAIL_LINES = 40
_LINE_CHARACTERS = 2000


def build(
    cc_extra: Sequence[Path] = (),
    given_source: Path | None = None,
    progress: Progress = lambda done, total, what: None,
) -> cache.Kernel:
    """The kernel that this checkout asks for; built unless the cache has it.

    cc_extra: C files of further congestion controls, compiled in beside lab/cc.
    A build ends by pruning what else is cached. Raises WeirError when a tool is missing, a patch
    does not apply or the compiler fails.
    """
    _require_tools()
    most_bytes = bound_bytes()
    if given_source is None and (ready := cache.find(cc_extra)):
        return ready
    progress(0, EXPECTED_STEPS, "getting the kernel source")
    origin = source.obtain(given_source)
    folder = cache.root() / "kernels" / inputs.kernel_hash(origin.sha256, cc_extra)
    with locks.building(cache.root()):
        if ready := cache.find(cc_extra):
            return ready
        tree = _tree(origin, progress)
        locks.used(tree)
        _place_own_files(tree, [*inputs.compiled_in(cc_extra), *inputs.headers()])
        _compile(tree, progress)
        folder.mkdir(parents=True, exist_ok=True)
        linux = shutil.copy2(tree / "linux", folder / "linux")
        shutil.copy2(tree / ".config", folder / "config")
        subprocess.run(["strip", "--strip-debug", linux], check=True)
        release = (tree / "include/config/kernel.release").read_text().strip()
        names = _congestion_controls(tree)
        digest = inputs.file_hash(Path(linux))
        kernel = cache.Kernel(Path(linux), folder.name, release, names, digest)
        cache.remember(kernel)
        with locks.hold(kernel.path):
            prune_locked(most_bytes)
    return kernel


def _require_tools() -> None:
    missing = [package for tool, package in TOOLS.items() if not shutil.which(tool)]
    if missing:
        raise WeirError(
            "building the lab kernel needs tools that are not here; install them with: "
            f"apt-get install {' '.join(missing)}"
        )


def _tree(origin: cache.Source, progress: Progress) -> Path:
    """A patched and configured tree of the source; unpacked unless it is kept already."""
    tree = cache.root() / "trees" / inputs.tree_hash(origin.sha256)
    if (tree / ".config").exists():
        return tree
    progress(0, EXPECTED_STEPS, "unpacking the kernel source")
    part = tree.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    unused = [f"--exclude=*/{path}" for path in UNUSED]
    _check(["tar", "-xf", str(origin.archive), "--strip-components=1", *unused], part)
    for patch in inputs.patches():
        _check(["patch", "-p1", "--forward", "--batch", "-i", str(patch)], part)
    (part / OWN).mkdir()
    with (part / "net/ipv4/Makefile").open("a") as makefile:
        makefile.write("obj-y += weir/\n")
    _configure(part)
    part.rename(tree)
    return tree


def _configure(tree: Path) -> None:
    _check(["make", "ARCH=um", "allnoconfig"], tree)
    merge = ["scripts/kconfig/merge_config.sh", "-m", ".config", str(inputs.config())]
    _check(merge, tree)
    _check(["make", "ARCH=um", "olddefconfig"], tree)
    wanted = [line for line in inputs.config().read_text().splitlines() if line.endswith("=y")]
    have = set((tree / ".config").read_text().splitlines())
    if lost := [line for line in wanted if line not in have]:
        (tree / ".config").unlink()
        raise WeirError(f"this kernel source does not offer {', '.join(lost)}; use another version")


def _place_own_files(tree: Path, files: list[Path]) -> None:
    """Copy changed files only, so that make rebuilds no more than it must."""
    folder = tree / OWN
    for old in folder.glob("*.[ch]"):
        if old.name not in {path.name for path in files}:
            old.unlink()
    for path in files:
        kept = folder / path.name
        if not kept.exists() or kept.read_bytes() != path.read_bytes():
            shutil.copyfile(path, kept)
    objects = [f"obj-y += {path.stem}.o\n" for path in files if path.suffix == ".c"]
    (folder / "Makefile").write_text("".join(objects))


def _compile(tree: Path, progress: Progress) -> None:
    """make, confined to the tree. Raises WeirError: it does not compile, or takes too long."""
    jobs = f"-j{cpu_count() or 1}"
    tail: deque[str] = deque(maxlen=_TAIL_LINES)
    with (
        confine.ready(profile.build(tree)) as confinement,
        subprocess.Popen(
            ["make", "ARCH=um", jobs, "linux"],
            cwd=tree,
            env={"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(tree), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=confinement.enter,  # noqa: PLW1509 - it makes system calls only
        ) as make,
    ):
        assert make.stdout is not None
        patience = threading.Timer(LIMIT_S, os.killpg, (make.pid, signal.SIGKILL))
        patience.start()
        try:
            # Lines in pieces: a message may be as long as its writer likes.
            for done, line in enumerate(iter(partial(make.stdout.readline, _LINE_CHARACTERS), "")):
                progress(min(done, EXPECTED_STEPS), EXPECTED_STEPS, line.strip())
                tail.append(line)
        finally:
            patience.cancel()
    if make.returncode == -signal.SIGKILL:
        raise WeirError(
            f"the lab kernel was not compiled within {LIMIT_S:.0f} s, or was killed: is there "
            "enough memory?"
        )
    if make.returncode:
        raise WeirError("the lab kernel does not compile:\n" + _errors(list(tail)))


def _errors(tail: list[str]) -> str:
    return "".join([line for line in tail if "error" in line.lower()][:8] or tail[-8:])


def _congestion_controls(tree: Path) -> tuple[str, ...]:
    """Names the built-in congestion controls register under, read from their sources."""
    config = set((tree / ".config").read_text().splitlines())
    makefile = (tree / "net/ipv4/Makefile").read_text()
    files = ["net/ipv4/tcp_cong.c"]
    for option, stem in re.findall(r"obj-\$\((CONFIG_TCP_CONG_\w+)\)\s*\+=\s*(\w+)\.o", makefile):
        if f"{option}=y" in config:
            files.append(f"net/ipv4/{stem}.c")
    files += [str(path.relative_to(tree)) for path in sorted((tree / OWN).glob("*.c"))]
    ops = re.compile(r"struct tcp_congestion_ops \w+[^=;]*=\s*\{.*?\.name\s*=\s*\"(\w+)\"", re.S)
    names = [name for file in files for name in ops.findall((tree / file).read_text())]
    return tuple(sorted(set(names)))


def _check(command: list[str], folder: Path) -> None:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        said = "\n".join((run.stdout + run.stderr).strip().splitlines()[-6:])
        raise WeirError(f"{' '.join(command[:3])} failed in the kernel source:\n{said}")
