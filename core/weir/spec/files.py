"""Files that a spec names: read once, relative to the campaign's folder, with bounded size."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

from weir.errors import Problem, SpecError

__all__ = ["MAX_BYTES", "Files", "inside"]

Made = TypeVar("Made")

MAX_BYTES = 16 * 1024 * 1024


def inside(folder: Path, name: str) -> bool:
    """Whether `name` is there and, `..` and links followed, stays in the folder."""
    try:
        return (folder / name).resolve(strict=True).is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


class Files:
    """Texts by the name the user wrote. One instance serves a whole expansion.

    confined: nothing outside the folder is read, as for a campaign that came over the network.
    """

    def __init__(self, folder: Path, *, confined: bool = False) -> None:
        self.folder = folder
        self._confined = confined
        self._texts: dict[str, str] = {}
        self._made: dict[Hashable, Any] = {}

    def text(self, name: str, path: str) -> str:
        """Content of a file; `path` is the field that names it. Raises SpecError."""
        if name not in self._texts:
            self._texts[name] = self._read(name, path)
        return self._texts[name]

    def size(self, name: str, path: str) -> int:
        """Bytes of a file. Raises SpecError."""
        file = self._allowed(name, path)
        if not file.is_file():
            what = "there is no such file; paths are relative to the campaign's file"
            raise SpecError([Problem(path, name, "a readable file", what)])
        return file.stat().st_size

    def directory(self, name: str, path: str) -> Path:
        """Where a folder is. Raises SpecError."""
        folder = self._allowed(name, path, "a folder")
        if not folder.is_dir():
            what = "there is no such folder; paths are relative to the campaign's file"
            raise SpecError([Problem(path, name, "a folder with a package.json", what)])
        return folder

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` makes of files or numbers, made once for the same key; do not change it."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def _allowed(self, name: str, path: str, kind: str = "a file") -> Path:
        if self._confined and not inside(self.folder, name):
            what = "there is none of that name; send it with the campaign, by a relative name"
            raise SpecError([Problem(path, name, f"{kind} of the campaign", what)])
        return self.folder / name

    def _read(self, name: str, path: str) -> str:
        file = self._allowed(name, path)
        try:
            with file.open("rb") as stream:
                raw = stream.read(MAX_BYTES + 1)
            text = raw.decode()
        except (FileNotFoundError, NotADirectoryError):
            what = "there is no such file; paths are relative to the campaign's file"
        except IsADirectoryError:
            what = f"it is a folder; if it holds a player for Node.js, write {name}/"
        except OSError as error:
            what = f"it cannot be read: {error.strerror}"
        except ValueError:
            what = "it is not a text file in UTF-8"
        else:
            if len(raw) <= MAX_BYTES:
                return text
            what = f"it has more than {MAX_BYTES} bytes; shorten it"
        raise SpecError([Problem(path, name, "a readable file", what)])
