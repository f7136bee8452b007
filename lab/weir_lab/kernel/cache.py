"""Where lab kernels are kept, outside any checkout.

$WEIR_CACHE (default ~/.cache/weir)
  sources/NAME.tar.xz + NAME.json     kernel sources and their hashes
  trees/HASH/                         a configured tree, kept for quick rebuilds
  kernels/HASH/linux, kernel.json     builds
  selftests/HASH/                     of a source, the tests that `weir kernel test` takes from it
  builds/HASH/                        what a campaign brings is compiled in, meanwhile
  locks/HASH                          of whoever makes that kernel or tree
The folder of a tree, a kernel or tests has the time of its last use; `prune` goes by it.

$WEIR_LAB_KERNEL, in an image: the folder of the one build that belongs to it. The builder image's
has sources/ and trees/, too, which are another user's and only read.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from weir.errors import WeirError

from weir_lab.kernel import inputs
from weir_lab.kernel.changes import NONE, Changes

OF_IMAGE = "WEIR_LAB_KERNEL"
_BUILD_AGAIN = "weir kernel build builds it again"
_NOT_OF_CACHE = "it came with an image or the wheel weir-lab-kernel: pull, or install, that again"
_ARCHIVE = re.compile(r"linux-(?:source-)?(\d+\.\d+)")


class Damaged(WeirError):
    """A kernel is not as it was built, or its note cannot be read; `str()` says which, and what to
    do."""


@dataclass(frozen=True)
class Kernel:
    """A built lab kernel."""

    path: Path
    hash: str
    release: str
    congestion_controls: tuple[str, ...]
    sha256: str = ""
    """Of the program's bytes; empty: built before they were noted."""
    version: str = ""
    """The three that follow: an experiment's changes (`weir_lab.kernel.changes`)."""
    patches: tuple[str, ...] = ()
    config: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it is an experiment's, and not the lab's own."""
        return bool(self.version or self.patches or self.config)


@dataclass(frozen=True)
class Source:
    """A kernel source archive."""

    archive: Path
    sha256: str


def root() -> Path:
    """The cache folder; it need not exist."""
    if named := os.environ.get("WEIR_CACHE"):
        return Path(named).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "weir"


def lock(name: str) -> Path:
    """The lock of who makes or removes the kernel or tree of that hash."""
    return root() / "locks" / name


def shared_tree(tree_hash: str) -> Path:
    """The configured tree of that hash: the image's where it has it, else the cache's."""
    of_image = [folder / "trees" / tree_hash for folder in _image()]
    return next((tree for tree in of_image if tree.is_dir()), root() / "trees" / tree_hash)


def linked_tree(kernel_hash: str) -> Path:
    """Where a kernel with others' C or changes is compiled; there only meanwhile."""
    return root() / "builds" / kernel_hash


def sources(version: str = "") -> list[Source]:
    """Known kernel sources, newest first: the lab's, or all of a version (7.2).

    One whose note is damaged is not known: it is had, and noted, again.
    """
    notes = sorted(_source_notes(), key=lambda p: -p.stat().st_mtime)
    found = [_source(note) for note in notes]
    return [
        source
        for source, of_lab in filter(None, found)
        if (version_of(source.archive.name) == version if version else of_lab)
        and source.archive.exists()
    ]


def versions() -> list[str]:
    """Of the sources that are here."""
    found = filter(None, map(_source, _source_notes()))
    return sorted({name for source, _ in found if (name := version_of(source.archive.name))})


def version_of(archive: str) -> str:
    """By an archive's name; empty where it says none."""
    found = _ARCHIVE.match(archive)
    return found[1] if found else ""


def source_of(kernel: Kernel) -> Source | None:
    """What the lab's own kernel was built from; None: it is not here, or there is no compiler."""
    return next((s for s in sources() if inputs.kernel_hash(s.sha256) == kernel.hash), None)


def remember(kernel: Kernel) -> None:
    """Write the note beside a kernel; a kernel without one does not count as built."""
    note = asdict(kernel) | {"path": kernel.path.name}
    scratch = kernel.path.with_name("kernel.json.part")
    scratch.write_text(json.dumps(note, indent=1))
    scratch.rename(kernel.path.with_name("kernel.json"))


def verify(kernel: Kernel) -> None:
    """Raises Damaged where the program is another than was built; OSError: it is not there."""
    state = kernel.path.stat()
    seen = (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
    if kernel.sha256 and _digest(kernel.path, seen) != kernel.sha256:
        raise Damaged(
            f"lab kernel {kernel.path}: changed since it was built, its sha256 is another than "
            f"{kernel.sha256[:16]}...; {_remedy(kernel.path)}"
        )


@functools.cache
def _digest(path: Path, seen: tuple[int, ...]) -> str:
    """seen: what differs where the file has changed; nobody can set a file's ctime."""
    return inputs.file_hash(path)


def installed() -> list[Kernel]:
    """The image's own kernel, then every kernel in the cache but damaged ones, newest first."""
    kept = {}
    for note in _notes():
        with suppress(FileNotFoundError, Damaged):  # pruned meanwhile
            kept[note] = (-note.stat().st_mtime, _read(note))
    newest_first = sorted(kept, key=lambda note: kept[note][0])
    return [*map(_read, _of_image()), *(kept[note][1] for note in newest_first)]


def damaged() -> list[str]:
    """What is wrong with kernels of the cache that `installed` and `find` pass over."""
    wrong = []
    for note in sorted(_notes()):
        try:
            _read(note)
        except FileNotFoundError:  # pruned meanwhile
            continue
        except Damaged as error:
            wrong.append(str(error))
    return wrong


def damage(name: str) -> str:
    """What is wrong with the cache's kernel of a hash, its program's bytes too; empty: nothing, or
    it is not there."""
    try:
        verify(_read(root() / "kernels" / name / "kernel.json"))
    except Damaged as error:
        return str(error)
    except FileNotFoundError:
        return ""
    return ""


def find(
    cc_extra: Sequence[Path] = (), lab: Path = inputs.LAB, changes: Changes = NONE
) -> Kernel | None:
    """The kernel that a checkout's files ask for, with changes; None: it is not built, or damaged.

    In an image it is the image's own: most have no compiler, whose version counts. Raises Damaged
    where that is.
    """
    if not cc_extra and changes == NONE and (notes := _of_image()):
        return _read(notes[0])
    for source in sources(changes.version):
        name = inputs.kernel_hash(source.sha256, cc_extra, lab, changes)
        note = root() / "kernels" / name / "kernel.json"
        with suppress(FileNotFoundError, Damaged):
            return _read(note)
    return None


def _of_image() -> list[Path]:
    notes = [folder / "kernel.json" for folder in _image()]
    for note in notes:
        if not note.is_file():
            raise WeirError(
                f"${OF_IMAGE}: {note.parent} — must be a folder with a lab kernel and its "
                "kernel.json; outside an image leave it unset"
            )
    return notes


def _source_notes() -> list[Path]:
    return [note for at in (root(), *_image()) for note in (at / "sources").glob("*.json")]


def _image() -> list[Path]:
    """The image's folder; none outside of one."""
    folder = os.environ.get(OF_IMAGE)
    return [Path(folder)] if folder else []


def _notes() -> list[Path]:
    return [*(root() / "kernels").glob("*/kernel.json")]


def _read(note: Path) -> Kernel:
    """Raises Damaged; FileNotFoundError: there is no note."""
    try:
        content = json.loads(note.read_text())
        kernel = Kernel(
            path=note.parent / content["path"],
            hash=content["hash"],
            release=content["release"],
            congestion_controls=tuple(content["congestion_controls"]),
            sha256=content.get("sha256", ""),
            version=content.get("version", ""),
            patches=tuple(content.get("patches", ())),
            config=tuple(content.get("config", ())),
        )
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"{note.name} cannot be read ({type(error).__name__}: {error})"
        raise Damaged(f"lab kernel {note.parent}: {what}; {_remedy(note)}") from error
    if not kernel.path.is_file():
        what = f"its program {kernel.path.name} is not there"
        raise Damaged(f"lab kernel {note.parent}: {what}; {_remedy(note)}")
    return kernel


def _remedy(within: Path) -> str:
    return _BUILD_AGAIN if within.is_relative_to(root()) else _NOT_OF_CACHE


def _source(note: Path) -> tuple[Source, bool] | None:
    """With whether it is the lab's; None: the note is damaged."""
    with suppress(ValueError, LookupError, TypeError, AttributeError):
        content = json.loads(note.read_text())
        archive = note.parent / content["archive"]
        return Source(archive, content["sha256"]), content.get("of_lab", True)
    return None
