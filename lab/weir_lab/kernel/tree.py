"""A kernel's source tree: unpacked, patched, configured; own C files in a folder of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab.kernel import inputs

__all__ = ["FIRST_CHANGED", "congestion_controls", "place", "release", "unpack"]

# Of no use to a User-Mode Linux; leaving them packed halves the time of unpacking.
_UNUSED: Final = (
    *(f"Documentation/*.{kind}" for kind in ("rst", "txt", "yaml", "svg")),
    "tools/testing",
    "tools/perf",
    *(
        f"{folder}/*.[ch]"
        for folder in ("drivers/gpu", "drivers/media", "sound", "drivers/staging")
    ),
    *(f"drivers/net/{kind}/*.[ch]" for kind in ("ethernet", "wireless")),
)
_OWN: Final = "net/ipv4/weir"
FIRST_CHANGED: Final = "net/ipv4/Makefile"
"""Of a tree; written here before anything is built in it, and never again."""


def unpack(archive: Path, tree: Path) -> None:
    """Make a patched and configured tree of a source archive.

    Raises WeirError when a patch does not apply, or an option that is asked for is not offered.
    """
    part = tree.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    unused = [f"--exclude=*/{path}" for path in _UNUSED]
    _check(["tar", "-xf", str(archive), "--strip-components=1", *unused], part)
    for patch in inputs.patches():
        _check(["patch", "-p1", "--forward", "--batch", "-i", str(patch)], part)
    (part / _OWN).mkdir()
    with (part / FIRST_CHANGED).open("a") as makefile:
        makefile.write("obj-y += weir/\n")
    _configure(part)
    part.rename(tree)


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


def place(tree: Path, files: Sequence[Path]) -> None:
    """Compile these in. Copies changed files only, so that make rebuilds no more than it must."""
    folder = tree / _OWN
    for old in folder.glob("*.[ch]"):
        if old.name not in {path.name for path in files}:
            old.unlink()
    for path in files:
        kept = folder / path.name
        if not kept.exists() or kept.read_bytes() != path.read_bytes():
            shutil.copyfile(path, kept)
    objects = [f"obj-y += {path.stem}.o\n" for path in files if path.suffix == ".c"]
    (folder / "Makefile").write_text("".join(objects))


def release(tree: Path) -> str:
    """The version that a kernel of a compiled tree tells."""
    return (tree / "include/config/kernel.release").read_text().strip()


def congestion_controls(tree: Path, own: Iterable[Path]) -> tuple[str, ...]:
    """Names that the built-in congestion controls register under, read from their sources.

    own: the C files of this project, and of campaigns, that are compiled in.
    """
    config = set((tree / ".config").read_text().splitlines())
    makefile = (tree / FIRST_CHANGED).read_text()
    files = [tree / "net/ipv4/tcp_cong.c"]
    for option, stem in re.findall(r"obj-\$\((CONFIG_TCP_CONG_\w+)\)\s*\+=\s*(\w+)\.o", makefile):
        if f"{option}=y" in config:
            files.append(tree / f"net/ipv4/{stem}.c")
    ops = re.compile(r"struct tcp_congestion_ops \w+[^=;]*=\s*\{.*?\.name\s*=\s*\"(\w+)\"", re.S)
    texts = (file.read_text(errors="replace") for file in (*files, *own))
    return tuple(sorted({name for text in texts for name in ops.findall(text)}))


def _check(command: list[str], folder: Path) -> None:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        said = "\n".join((run.stdout + run.stderr).strip().splitlines()[-6:])
        raise WeirError(f"{' '.join(command[:3])} failed in the kernel source:\n{said}")
