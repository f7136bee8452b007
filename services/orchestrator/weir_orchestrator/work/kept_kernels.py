"""Lab kernels in the object store: kept by who builds them, fetched and checked by who boots them.

kernels/HASH/kernel.json     a kernel's note (weir_lab.kernel.cache.Kernel)
kernels/HASH/SHA256          its program, by its own hash: two that build it do not mix
kernels/NAME/kernels.json    the kernels that a campaign's name for all of its own stands for

A note is stored last: what it tells of is there. A name is the hash of what a campaign has, and is
asked for by it; a program's own hash is compared before it counts as a kernel here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from weir.errors import WeirError
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel, cache, inputs

from weir_orchestrator.objects import ObjectNotFound, ObjectStore, kernel_prefix
from weir_orchestrator.submission.own_kernels import MOST_KERNELS, name_of

__all__ = ["NotAsBuilt", "fetch", "has", "keep", "keep_set", "members", "remove", "there"]

_MOST_NOTE_BYTES: Final = 1 << 20
_MOST_PROGRAM_BYTES: Final = 1 << 28
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_HASH: Final = re.compile(rf"[0-9a-f]{{{inputs.HASH_CHARS}}}")


class NotAsBuilt(WeirError):
    """What the store has under a kernel's hash is not what was built."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(
            f"lab kernel {name} of the object store: {what}. It is not booted, and was removed "
            "from there: run the failed runs again, and it is built anew"
        )


def keep(objects: ObjectStore, kernel: Kernel) -> None:
    """Store a kernel that was built here. Raises WeirError: it has changed since."""
    lab_kernel.verify(kernel)
    note = asdict(kernel) | {"path": kernel.path.name}
    objects.put_file(f"{kernel_prefix(kernel.hash)}/{kernel.sha256}", kernel.path)
    objects.put_bytes(_note(kernel.hash), json.dumps(note).encode())


def keep_set(objects: ObjectStore, hashes: Collection[str]) -> None:
    """Store which kernels a campaign has that changes some; all of them are kept already."""
    own, *others = sorted(hashes)
    objects.put_bytes(_set(name_of(own, others)), json.dumps([own, *others]).encode())


def members(objects: ObjectStore, name: str) -> frozenset[str]:
    """Hashes of the kernels that a campaign's name stands for: one, or what `keep_set` stored.

    Raises NotAsBuilt.
    """
    try:
        found = _json(objects, _set(name), name)
    except ObjectNotFound:
        return frozenset({name})
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_KERNELS + 1:
        raise NotAsBuilt(name, "no list of kernels")
    if not all(isinstance(each, str) and _HASH.fullmatch(each) for each in found):
        raise NotAsBuilt(name, "a list with what is no kernel's hash")
    if name_of(found[0], found[1:]) != name:
        raise NotAsBuilt(name, "a list of other kernels")
    return frozenset(found)


def has(objects: ObjectStore, name: str) -> bool:
    """Whether the store has the kernel of a hash."""
    return objects.exists(_note(name))


def there(objects: ObjectStore, name: str, known: Collection[str]) -> bool:
    """Whether the store has all kernels of a campaign's name; known: hashes that need not be.

    Raises NotAsBuilt.
    """
    return all(has(objects, each) for each in members(objects, name) - set(known))


def fetch(objects: ObjectStore, name: str) -> frozenset[str]:
    """Have all kernels of a campaign's name in this machine's cache; their hashes.

    Raises ObjectNotFound; NotAsBuilt: nothing of that one is left here.
    """
    wanted = members(objects, name)
    for each in sorted(wanted - {kernel.hash for kernel in lab_kernel.installed()}):
        _fetch_one(objects, each)
    return wanted


def remove(objects: ObjectStore, name: str) -> None:
    """What cannot be trusted: all kernels that the name stands for, as far as can be told."""
    try:
        named = members(objects, name)
    except NotAsBuilt:
        named = frozenset({name})
    for each in named | {name}:
        objects.delete_prefix(kernel_prefix(each))


def _fetch_one(objects: ObjectStore, name: str) -> None:
    kernel = _kernel(_json(objects, _note(name), name), name)
    folder = cache.root() / "kernels" / name
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix="part-") as part:
        program = Path(part) / kernel.path.name
        _download(objects, kernel, program)
        program.chmod(0o755)
        program.rename(folder / kernel.path.name)
    cache.remember(replace(kernel, path=folder / kernel.path.name))


def _download(objects: ObjectStore, kernel: Kernel, program: Path) -> None:
    download = objects.stream(f"{kernel_prefix(kernel.hash)}/{kernel.sha256}")
    if download.info.size_bytes > _MOST_PROGRAM_BYTES:
        raise NotAsBuilt(kernel.hash, f"a program of {download.info.size_bytes} bytes")
    digest = hashlib.sha256()
    with program.open("wb") as file:
        for chunk in download.chunks:
            digest.update(chunk)
            file.write(chunk)
    if digest.hexdigest() != kernel.sha256:
        raise NotAsBuilt(kernel.hash, "its program has other bytes than were built")


def _kernel(note: Any, name: str) -> Kernel:
    if not isinstance(note, dict) or note.get("hash") != name:
        raise NotAsBuilt(name, "a note of another kernel")
    sha256 = note.get("sha256")
    if not (isinstance(sha256, str) and _SHA256.fullmatch(sha256)):
        raise NotAsBuilt(name, "a note without its program's hash")
    return Kernel(
        Path("linux"),
        name,
        str(note.get("release", "")),
        _names(note.get("congestion_controls")),
        sha256,
        str(note.get("version", "")),
        _names(note.get("patches")),
        _names(note.get("config")),
    )


def _names(found: Any) -> tuple[str, ...]:
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _json(objects: ObjectStore, key: str, name: str) -> Any:
    if (size_bytes := objects.info(key).size_bytes) > _MOST_NOTE_BYTES:
        raise NotAsBuilt(name, f"a note of {size_bytes} bytes")
    try:
        return json.loads(objects.get_bytes(key))
    except (ValueError, RecursionError):
        raise NotAsBuilt(name, "a note that is no JSON") from None


def _note(name: str) -> str:
    return f"{kernel_prefix(name)}/kernel.json"


def _set(name: str) -> str:
    return f"{kernel_prefix(name)}/kernels.json"
