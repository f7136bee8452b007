"""Taking a run directory from the process that wrote it, without trust in either.

Each file is copied, so that nothing which may be left of that process can change it any more.
What is no plain file of a run directory, of another size or content than was said, is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final, NoReturn

from weir.errors import RunFailure
from weir_lab import left

__all__ = ["digests", "take", "take_so_far", "take_some"]

_MIB: Final = 2**20
_MOST_BYTES: Final = (
    (re.compile(r"players/client-[1-9][0-9]{0,3}\.parquet"), 64 * _MIB),
    (
        re.compile(
            r"(tcp(_seconds)?|retransmits|deadlines|(queue|upstream)(_10ms|_seconds)?)\.parquet"
        ),
        2048 * _MIB,
    ),
    (re.compile(r"(flows|checks|metrics|commands)\.json"), 16 * _MIB),
    (re.compile(r"events\.jsonl"), 64 * _MIB),
    (re.compile(r"log\.txt"), 4 * _MIB),
    (re.compile(r"traceback\.txt"), _MIB),
)
_NEEDED: Final = frozenset({"metrics.json", "checks.json", "flows.json", "events.jsonl", "log.txt"})
_WRITTEN_HERE: Final = frozenset({"run.json", "sizes.parquet"})
"""By whoever takes it, from what was asked for."""
_MOST_FAILED_BYTES: Final = 32 * _MIB
"""Of all that a failed run leaves: twenty minutes of two clients at 8 Mbit/s, twice over."""
_WORTH: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"players/client-[1-9][0-9]{0,3}\.parquet",
        r"flows\.json|events\.jsonl|traceback\.txt",
        r"(queue_10ms|upstream_10ms|retransmits)\.parquet",
        r"deadlines\.parquet",
        r"(tcp|queue|upstream)_seconds\.parquet",
        r"tcp\.parquet",
        r"(queue|upstream)\.parquet",
    )
)
"""What is taken of a failed run, the first first."""
_SO_FAR: Final = (
    re.compile(r"players/client-[1-9][0-9]{0,3}\.parquet"),
    re.compile(r"flows\.json"),
    *(
        re.compile(rf"{name}\.parquet")
        for name in ("queue_10ms", "tcp_seconds", "retransmits", "tcp", "queue")
    ),
)
"""What is taken of a run that goes on, the first first."""
_MOST_SO_FAR_BYTES: Final = 16 * _MIB
_PARQUET: Final = b"PAR1"
_CHUNK_BYTES: Final = 1 << 20
_PLAYERS: Final = "players"


def take(folder: Path, said: Mapping[str, str], into: Path) -> None:
    """Copy a run directory's files into an empty folder; said: the SHA-256 of each by its name.

    Raises RunFailure with what is wrong with it; OSError, as when the disk is full.
    """
    names = said.keys() - _WRITTEN_HERE
    if missing := _NEEDED - names:
        raise RunFailure(f"the run's process left no {', '.join(sorted(missing))}")
    for name in sorted(names):
        _take(folder, name, said[name], into, _most_bytes(name))


def take_some(folder: Path, said: Mapping[str, str], into: Path) -> None:
    """Of a run that failed: those files that are sound, while they take little together.

    As `take`, but what is wrong with one is no matter: it is left out. Raises OSError.
    """
    left_bytes = _MOST_FAILED_BYTES
    for pattern in _WORTH:
        for name in sorted(filter(pattern.fullmatch, said)):
            try:
                _take(folder, name, said[name], into, min(left_bytes, _most_bytes(name)))
                left_bytes -= (into / name).stat().st_size
            except RunFailure:
                (into / name).unlink(missing_ok=True)


def take_so_far(work: Path, name: str, into: Path) -> list[Path]:
    """Copy what a run that goes on has written to the folder `name` in `work`; which files.

    Those of curves that are there and sound: others may come in their place at any moment. Raises
    OSError.
    """
    taken: list[Path] = []
    left_bytes = _MOST_SO_FAR_BYTES
    there = _names(work / name)
    (into / _PLAYERS).mkdir(exist_ok=True)
    for file in (file for pattern in _SO_FAR for file in filter(pattern.fullmatch, there)):
        path = into / file
        try:
            _copy(work, f"{name}/{file}", path, left_bytes)
            _check(file, path)
        except (FileNotFoundError, RunFailure):
            path.unlink(missing_ok=True)
            continue
        left_bytes -= path.stat().st_size
        taken.append(path)
    return taken


def _names(folder: Path) -> list[str]:
    """Of the files that may stand there, as many as any run has."""
    names: list[str] = []
    for below in ("", f"{_PLAYERS}/"):
        with suppress(OSError), os.scandir(folder / below) as entries:
            names += [f"{below}{entry.name}" for entry in islice(entries, left.MOST_FILES)]
    return sorted(names)


def _most_bytes(name: str) -> int:
    most_bytes = next((most for one, most in _MOST_BYTES if one.fullmatch(name)), None)
    if most_bytes is None:
        raise RunFailure(f"the run's process left {name!r}, which is no file of a run")
    return most_bytes


def _take(folder: Path, name: str, said: str, into: Path, most_bytes: int) -> None:
    (into / name).parent.mkdir(exist_ok=True)
    try:
        found = _copy(folder, name, into / name, most_bytes)
    except FileNotFoundError:
        raise RunFailure(f"{name}: said to be written, and not there") from None
    if found != said:
        raise RunFailure(f"{name}: changed after the run's process had written it")
    _check(name, into / name)


def _copy(folder: Path, name: str, target: Path, most_bytes: int) -> str:
    """The SHA-256 of what was copied."""
    digest, copied = hashlib.sha256(), 0
    with left.reading(folder, name, most_bytes) as file, target.open("xb") as copy:
        while chunk := file.read(_CHUNK_BYTES):
            copied += len(chunk)
            if copied > most_bytes:
                raise RunFailure(f"{name}: grew beyond {most_bytes} bytes as it was read")
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()


def _check(name: str, path: Path) -> None:
    """That its kind is what its name says; readers look closer."""
    if name.endswith(".parquet"):
        with path.open("rb") as file:
            head = file.read(len(_PARQUET))
            file.seek(-min(len(_PARQUET), path.stat().st_size), 2)
            if not head == file.read() == _PARQUET:
                raise RunFailure(f"{name}: is no Parquet file")
    elif name.endswith(".json"):
        try:
            json.loads(path.read_bytes(), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise RunFailure(f"{name}: is no JSON ({error})") from error


def _no_number(said: str) -> NoReturn:
    raise ValueError(f"{said} is no number")


def digests(folder: Path) -> dict[str, str]:
    """What `take` is told: the SHA-256 of each file below a folder, by its name there."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            found[str(path.relative_to(folder))] = digest
    return found
