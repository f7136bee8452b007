"""Players for Node.js as clients of a resolved experiment, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from weir.programs import PINNED
from weir.spec.files import Files
from weir.spec.packages import read

from weir_testing.cells import client

__all__ = ["FILM", "FILM_S", "SMALL", "WALL_LIMIT_S", "brought", "itself", "written"]

FILM_S: Final = 14.0
FILM: Final = {"content.segments": 5, "duration_s": FILM_S}
"""A film that is over before the run."""
WALL_LIMIT_S: Final = 900.0
"""A run computes for seconds, which take long on a busy machine."""

SMALL: Final = Path(__file__).parents[2] / "services/client/node-player"
"""The reference player."""


def itself(player: str, settings: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A client that plays by a pinned player itself, of the newest version."""
    version = PINNED[player].versions[-1]
    return client(player, options={"version": version, "settings": settings or {}}, **fields)


def brought(folder: Path, **fields: Any) -> dict[str, Any]:
    """A client whose player is in this folder."""
    package = read("clients.0.player", f"{folder}/", Files(folder))
    return client(f"{folder.name}/", package=package, **fields)


def written(folder: Path, main: str, files: dict[str, str] | None = None, **fields: Any) -> Any:
    """A client whose player is this script, written into a new folder with these files."""
    folder.mkdir()
    browser = "true" if "WEIR_BROWSER" in main else "false"
    manifest = f'{{"main": "main.cjs", "weir": {{"browser": {browser}}}}}'
    for name, text in {"package.json": manifest, "main.cjs": main, **(files or {})}.items():
        (folder / name).write_text(text)
    return brought(folder, **fields)
