"""Where such players are kept, and whether what an experiment asks for is there.

$WEIR_PLAYERS (default: `players` in $WEIR_CACHE)
  PLAYER-VERSION/NAME.js         the script of an npm package, by the hash that Weir pins
  native-HASH/NAME               what they need beside them, by the hash of its sources
"""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import cache
from pathlib import Path

from weir.errors import RunFailure
from weir.programs import PINNED, in_browser, is_program, scripted_by
from weir.resolved import CHROMIUM, Client, Experiment
from weir_client import program, web_player

from weir_lab.kernel import cache as caches
from weir_lab.packages import folder_of
from weir_lab.players import browser

__all__ = ["installed", "lacking", "native", "native_sources", "needed_by", "node", "root"]

OF_IMAGE = "WEIR_PLAYERS"
FETCH = "weir player fetch"
_NO_NODE = "Node.js is not installed; apt-get install nodejs, or use a machine that has it"
_NO_BROWSER = (
    "Chromium's headless shell is not installed; apt-get install chromium-headless-shell, or use a "
    "machine that has it"
)


def root() -> Path:
    """The folder; it need not exist."""
    named = os.environ.get(OF_IMAGE)
    return Path(named) if named else caches.root() / web_player.PLAYERS


def node() -> str | None:
    """The path of Node.js; None where it is not installed."""
    return shutil.which("node", path=program.SEARCH_PATH)


def native_sources() -> dict[Path, str]:
    """C files, and the names of what is built of them."""
    folder = folder_of("weir_client") / "browser"
    return {folder / source: built for source, built in web_player.NATIVE.items()}


@cache
def native() -> str:
    """The folder below the root that they are built into."""
    sources = b"".join(path.read_bytes() for path in native_sources())
    return web_player.native(hashlib.sha256(sources).hexdigest())


def installed(player: str) -> list[str]:
    """The versions of a player that are there, unchanged."""
    return [version for version in PINNED[player].versions if _is_there(player, version)]


def lacking(player: str, version: str) -> str:
    """What is missing to play this version, and the remedy; empty: nothing."""
    chromium = player == CHROMIUM
    if chromium and not browser.is_there():
        return _NO_BROWSER
    if not chromium and node() is None:
        return _NO_NODE
    if not _is_there(player, version):
        whose = scripted_by(player)
        there = ", ".join(installed(whose)) or "none"
        return f"{whose} {version} is not on this machine (there: {there}); {FETCH}"
    return _lacking_native()


def _lacking_native() -> str:
    if not all((root() / native() / built).exists() for built in web_player.NATIVE.values()):
        return f"what it needs beside it is not built on this machine; {FETCH}"
    return ""


def _lacking_for(client: Client) -> str:
    if "package" not in client:
        return lacking(client["player"], client["options"]["version"])
    if node() is None:
        return _NO_NODE
    return _lacking_native() if in_browser(client) else ""


def needed_by(experiment: Experiment) -> Path | None:
    """The folder, where the experiment has players in a browser; None where not.

    Raises RunFailure where one is missing, or what a client plays in.
    """
    for number, client in enumerate(experiment["clients"], 1):
        if is_program(client) and (missing := _lacking_for(client)):
            raise RunFailure(f"client {number}: {missing}")
    return root() if any(map(in_browser, experiment["clients"])) else None


def _is_there(player: str, version: str) -> bool:
    try:
        content = (root() / web_player.script(player, version)).read_bytes()
    except FileNotFoundError:
        return False
    pinned = PINNED[scripted_by(player)].package(version)
    return hashlib.sha256(content).hexdigest() == pinned.sha256
