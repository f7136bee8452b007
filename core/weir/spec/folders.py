"""A folder that a spec names: its files as text, taken whole and never by a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from weir.errors import Problem, SpecError

__all__ = ["MOST_BYTES", "MOST_ENTRIES", "listed", "texts"]

MOST_BYTES = 2 * 1024 * 1024
"""Of all files together: they stand in each run's run.json."""
MOST_ENTRIES = 500
"""Files and folders together."""
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def listed(path: str, name: str, folder: Path) -> dict[str, Path]:
    """Path below the folder -> file, in order; what is hidden (`.git`, `.bin`) is left out.

    path: the field that names it, as `name`. Raises SpecError with all that cannot be taken: links,
    what is no regular file, too many, too large.
    """
    found: dict[str, Path] = {}
    problems: list[Problem] = []
    total = 0
    try:
        for number, (inner, entry) in enumerate(_below(folder, ""), 1):
            if number > MOST_ENTRIES:
                problems.append(_too_many(path, name))
                break
            state = entry.stat(follow_symlinks=False)
            if not entry.name.isprintable():
                problems.append(_unprintable(path, f"{name}{inner}"))
            elif stat.S_ISREG(state.st_mode):
                found[inner], total = Path(entry.path), total + state.st_size
            elif not stat.S_ISDIR(state.st_mode):
                problems.append(_no_file(path, f"{name}{inner}", state.st_mode))
    except OSError as error:
        what = f"it cannot be read: {error.strerror}"
        raise SpecError([Problem(path, name, "a readable folder", what)]) from None
    if total > MOST_BYTES:
        problems.append(_too_large(path, name, total))
    if problems:
        raise SpecError(problems)
    return dict(sorted(found.items()))


def texts(path: str, name: str, folder: Path) -> dict[str, str]:
    """Path below the folder -> text, in order. Raises SpecError as `listed`, and for no text."""
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for inner, file in listed(path, name, folder).items():
        what = ""
        try:
            with os.fdopen(os.open(file, _READ), "rb") as stream:
                raw = stream.read(MOST_BYTES + 1)
            found[inner] = raw.decode()
        except OSError as error:
            what = f"it cannot be read: {error.strerror}"
        except ValueError:
            what = "bundle it into JavaScript, or leave it out of the folder"
        else:
            if "\0" in found[inner]:
                what = "it has a NUL character; leave it out of the folder"
        if what:
            problems.append(Problem(path, f"{name}{inner}", "text files in UTF-8", what))
    if problems:
        raise SpecError(problems)
    return found


def _below(folder: Path, above: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Folders before what is in them; links are not followed."""
    with os.scandir(folder) as entries:
        own = sorted(entries, key=lambda entry: entry.name)
    for entry in own:
        if entry.name.startswith("."):
            continue
        yield f"{above}{entry.name}", entry
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry.path), f"{above}{entry.name}/")


def _unprintable(path: str, name: str) -> Problem:
    return Problem(path, ascii(name), "names of printable characters", "rename it")


def _too_many(path: str, name: str) -> Problem:
    return Problem(path, name, f"at most {MOST_ENTRIES} files and folders",
                   "bundle the player, and keep what builds it elsewhere")  # fmt: skip


def _too_large(path: str, name: str, total: int) -> Problem:
    return Problem(path, f"{name}: {total} bytes", f"at most {MOST_BYTES} bytes in all files",
                   "minify the player, and keep source maps and what builds it "
                   "elsewhere")  # fmt: skip


def _no_file(path: str, name: str, mode: int) -> Problem:
    what = "a link" if stat.S_ISLNK(mode) else "no regular file"
    return Problem(path, f"{name}: {what}", "regular files in the folder itself",
                   "put what it leads to in its place, or leave it out")  # fmt: skip
