"""An experiment's changes in a linked tree: patches, then options.

They are others' code: Kconfig and make run what a patch brings. All of it is confined to the tree,
and nothing is written there from outside once a command has run in it.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Final

from weir.errors import Problem, SpecError, WeirError

from weir_lab import left
from weir_lab.kernel import confined, patching
from weir_lab.kernel.bounds import Bounds
from weir_lab.kernel.changes import Changes

__all__ = ["change", "left_out"]

_LIMIT_S: Final = 300.0
_MAY_BE_BUILT: Final = ("net", "lib", "crypto", "drivers/net")
"""Folders in which options have files compiled that the lab's own kernel is without."""
_KCONFIG: Final = re.compile(r"^\s*(?:menu)?config\s+([A-Z0-9_]+)\s*$")
_MOST_CONFIG_BYTES: Final = 1 << 20
_NUMBER: Final = re.compile(r"-?\d+|0x[0-9a-fA-F]+")


def change(own: Path, shared: Path, changes: Changes) -> None:
    """Apply them to `own`, whose links lead to `shared`.

    Raises SpecError: a patch does not apply, or an option cannot be set; WeirError.
    """
    texts = [(each, patching.for_tree(each)) for each in changes.patches]
    files = patching.files(texts)
    for name in files:
        _bring(name, own, shared)
    if changes.config or changes.if_offered or any(map(_says_what_is_built, files)):
        for folder in _MAY_BE_BUILT:
            if (own / folder).is_dir():
                _part_all(own / folder)
    for patch, text in texts:
        patching.apply(patch, text, own, shared)
    if changes.config or changes.if_offered:
        _configure(changes, own, shared)


def _says_what_is_built(name: PurePosixPath) -> bool:
    return name.name.startswith(("Kconfig", "Makefile", "Kbuild"))


def left_out(config: str, changes: Changes) -> list[str]:
    """Options that changes ask for where they are offered, and that a kernel's configuration has
    otherwise. config: as `.config` is."""
    have, given = config.splitlines(), dict(changes.config)
    asked = [(option, value) for option, value in changes.if_offered if option not in given]
    return [option for option, value in asked if not _has(have, option, _line(option, value))]


def _bring(name: PurePosixPath, own: Path, shared: Path) -> None:
    """Have a file in `own` itself, with its time, as `patch` follows no links."""
    for folder in reversed(name.parents[:-1]):
        if (own / folder).is_symlink():
            _part(own / folder)
        elif not (own / folder).exists():
            return
    file = own / name
    if file.is_symlink() and (shared / name).is_file() and not (shared / name).is_symlink():
        file.unlink()
        shutil.copy2(shared / name, file)


def _part(folder: Path) -> None:
    """In place of a link to a folder, a folder with a link to each of its entries."""
    there = folder.readlink()
    folder.unlink()
    folder.mkdir()
    for entry in there.iterdir():
        (folder / entry.name).symlink_to(entry)


def _part_all(folder: Path) -> None:
    """Have all folders in it be folders, as an option may have anything in them compiled."""
    if folder.is_symlink() and folder.readlink().is_absolute():
        _part(folder)
    for entry in [each for each in folder.iterdir() if each.is_dir()]:
        _part_all(entry)


def _configure(changes: Changes, own: Path, shared: Path) -> None:
    config = dict(changes.config)
    known = _options(own, shared) if config else set()
    unknown = [(option, value) for option, value in config.items() if option not in known]
    if unknown:
        raise SpecError(_unknown(option, value, known) for option, value in unknown)
    asked = {**dict(changes.if_offered), **config}
    lines = {option: _line(option, value) for option, value in asked.items()}
    # A patch could have left a link there.
    fd = os.open(own / ".config", os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
    with os.fdopen(fd, "w") as file:
        file.write("".join(f"{line}\n" for line in lines.values()))
    said = confined.run(["make", "ARCH=um", "olddefconfig"], own, [shared], Bounds(_LIMIT_S))
    if said.code:
        raise WeirError(
            "make olddefconfig failed in the kernel source:\n" + "".join(said.tail[-6:])
        )
    have = left.text(own, ".config", _MOST_CONFIG_BYTES).splitlines()
    if lost := [option for option in config if not _has(have, option, lines[option])]:
        raise SpecError(_not_taken(option, config[option], have) for option in lost)


def _options(own: Path, shared: Path) -> set[str]:
    found: set[str] = set()

    def note(line: str) -> None:
        if one := _KCONFIG.match(line):
            found.add(one[1])

    pattern = r"^\s*(menu)?config\s+[A-Z0-9_]+\s*$"
    # -R: the source is linked to.
    command = ["grep", "-RhE", "--include=Kconfig*", pattern, "."]
    confined.run(command, own, [shared], Bounds(_LIMIT_S), note)
    return found


def _line(option: str, value: str) -> str:
    """As it stands in `.config` where it was taken."""
    if value == "n":
        return f"# CONFIG_{option} is not set"
    plain = value == "y" or _NUMBER.fullmatch(value)
    return f"CONFIG_{option}={value}" if plain else f'CONFIG_{option}="{value}"'


def _has(have: list[str], option: str, line: str) -> bool:
    if line.startswith("#"):  # or not offered at all
        return not any(other.startswith(f"CONFIG_{option}=") for other in have)
    return line in have


def _unknown(option: str, value: str, known: set[str]) -> Problem:
    from weir.spec.names import nearest  # noqa: PLC0415 - an agent has the standard library alone

    near = nearest(option, known)
    remedy = f"did you mean {near}?" if near else "look it up in the kernel's Kconfig files"
    return Problem(f"kernel.config.{option}", value, "an option that this kernel has", remedy)


def _not_taken(option: str, value: str, have: list[str]) -> Problem:
    is_ = next((line for line in have if re.search(rf"\bCONFIG_{option}\b", line)), "")
    shown = f"it stays `{is_}`" if is_ else "it cannot be set for ARCH=um with the others as set"
    remedy = f"{shown}: set what it depends on too, or give a value of its kind (y, n, a number)"
    return Problem(f"kernel.config.{option}", value, "a value that the configuration takes", remedy)
