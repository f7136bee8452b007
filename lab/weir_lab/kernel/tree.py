"""A kernel's source tree: unpacked, patched, configured; own C files in a folder of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from weir.errors import RunFailure, WeirError

from weir_lab import left
from weir_lab.kernel import inputs

__all__ = [
    "FIRST_CHANGED",
    "congestion_controls",
    "is_left_packed",
    "options",
    "place",
    "release",
    "unpack",
]

_ARCHITECTURES: Final = (
    "alpha arc arm arm64 csky hexagon loongarch m68k microblaze mips nios2 openrisc parisc "
    "powerpc riscv s390 sh sparc xtensa"
)
_DRIVERS: Final = (
    "accel clk comedi crypto dma firmware gpio gpu hid hwmon i2c iio infiniband leds md media mfd "
    "mmc mtd net/ethernet net/wireless phy pinctrl platform power regulator rtc s390 scsi soc spi "
    "staging thermal usb video watchdog"
)
_LEFT_PACKED: Final = (
    *(f"Documentation/*.{kind}" for kind in ("rst", "txt", "yaml", "svg")),
    "tools/testing/*",
    "tools/perf/*",
    "sound/*.[ch]",
    *(f"arch/{name}/*.{kind}" for name in _ARCHITECTURES.split() for kind in ("[chS]", "dts*")),
    *(f"drivers/{name}/*.[ch]" for name in _DRIVERS.split()),
)
"""Files of no use to a User-Mode Linux, as patterns whose * matches slashes, too: half of all files
are unpacked, linked to and removed in half the time."""
_OWN: Final = "net/ipv4/weir"
_MOST_TEXT_BYTES: Final = 4 << 20
FIRST_CHANGED: Final = "net/ipv4/Makefile"
"""Of a tree; written here before anything is built in it, and never again."""


def is_left_packed(name: str) -> bool:
    """Whether a file of the source, named as in its top folder, is not in a tree."""
    return any(fnmatchcase(name, pattern) for pattern in _LEFT_PACKED)


def unpack(archive: Path, tree: Path) -> None:
    """Make a patched and configured tree of a source archive.

    Raises WeirError when a patch does not apply, or an option that is asked for is not offered.
    """
    part = tree.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    left = [f"--exclude=*/{path}" for path in _LEFT_PACKED]
    _check(["tar", "-xf", str(archive), "--strip-components=1", *left], part)
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
    return left.text(tree, "include/config/kernel.release").strip()


def options(tree: Path) -> str:
    """Its configuration, as `.config` has it."""
    return left.text(tree, ".config", _MOST_TEXT_BYTES)


def congestion_controls(tree: Path, shared: Path, own: Iterable[Path]) -> tuple[str, ...]:
    """Names that the built-in congestion controls register under, read from their sources.

    tree: as compiled; its links lead to `shared`. own: the C files of this project, and of
    campaigns, that are compiled in.
    """
    config = set(options(tree).splitlines())
    makefile = _source(tree, shared, FIRST_CHANGED)
    files = ["net/ipv4/tcp_cong.c"]
    for option, stem in re.findall(r"obj-\$\((CONFIG_TCP_CONG_\w+)\)\s*\+=\s*(\w+)\.o", makefile):
        if f"{option}=y" in config:
            files.append(f"net/ipv4/{stem}.c")
    ops = re.compile(r"struct tcp_congestion_ops \w+[^=;]*=\s*\{.*?\.name\s*=\s*\"(\w+)\"", re.S)
    texts = [_source(tree, shared, file) for file in files]
    texts += [file.read_text(errors="replace") for file in own]
    return tuple(sorted({name for text in texts for name in ops.findall(text)}))


def _source(tree: Path, shared: Path, name: str) -> str:
    """A file that was patched, or else as all builds have it. No link that a build left counts."""
    for here in (tree, shared):
        with suppress(RunFailure, OSError):
            return left.text(here, name, _MOST_TEXT_BYTES)
    return ""


def _check(command: list[str], folder: Path) -> None:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        said = "\n".join((run.stdout + run.stderr).strip().splitlines()[-6:])
        raise WeirError(f"{' '.join(command[:3])} failed in the kernel source:\n{said}")
