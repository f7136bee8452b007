"""A tree of its own for a build with others' C: what was built is copied, the source is linked to.

80 MB, where a whole tree has 920. The compiler writes to the copy and can only
read what the links lead to: no team's build changes what the next one is made from.
"""

from __future__ import annotations

import os
import shutil
from array import array
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from typing import Final

from weir_lab.kernel.tree import FIRST_CHANGED

__all__ = ["make"]

_GET_FLAGS: Final = 0x80086601
"""This and the next two: FS_IOC_GETFLAGS, FS_IOC_SETFLAGS and FS_TOPDIR_FL of <linux/fs.h>."""
_SET_FLAGS: Final = 0x40086602
_TOP_FOLDER: Final = 0x00020000
_LINKED_ANEW: Final = ("vmlinux", ".tmp_vmlinux", "linux", "System.map")
"""What the linker makes of all objects, in the top folder: half of what was built."""


def make(tree: Path, own: Path) -> None:
    """Make `own` of a compiled tree, with files' times, by which make(1) goes. Raises OSError."""
    own.parent.mkdir(parents=True, exist_ok=True)
    _keep_apart(own.parent)
    _link(str(tree), own, (tree / FIRST_CHANGED).stat().st_mtime_ns, _LINKED_ANEW)


def _keep_apart(folder: Path) -> None:
    """Have ext4 put each folder in it elsewhere on the disk, as below the root.

    Else, where it has no journal, it takes none of the last tree's 10,000 inodes for minutes, and
    looks at all of them for each new one: 9 s of a build's 16.
    """
    fd = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # another file system
            flags = array("l", [0])
            ioctl(fd, _GET_FLAGS, flags)
            flags[0] |= _TOP_FOLDER
            ioctl(fd, _SET_FLAGS, flags)
    finally:
        os.close(fd)


def _link(tree: str, own: Path, unpacked_ns: int, left: tuple[str, ...] = ()) -> bool:
    """Whether a file within was made or changed after that time; else `own` is not made.

    left: how files of this folder begin that are left out.
    """
    built: list[str] = []
    source: list[str] = []
    for entry in os.scandir(tree):  # of 60,000 files in all
        if entry.is_dir(follow_symlinks=False):
            if not _link(entry.path, own / entry.name, unpacked_ns):
                source.append(entry.name)
        elif entry.stat(follow_symlinks=False).st_mtime_ns > unpacked_ns:
            if not entry.name.startswith(left):
                built.append(entry.name)
        else:
            source.append(entry.name)
    if not built and not own.is_dir():  # which a folder within has made
        return False
    own.mkdir(parents=True, exist_ok=True)
    for name in built:
        shutil.copy2(f"{tree}/{name}", own / name, follow_symlinks=False)
    for name in source:
        (own / name).symlink_to(f"{tree}/{name}")
    return True
