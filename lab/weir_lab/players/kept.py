"""Where such players are kept, and whether what an experiment asks for is there.

$WEIR_PLAYERS (default: `players` in $WEIR_CACHE)
  dashjs-VERSION/NAME.js         the script of an npm package, by the hash in weir.dashjs
  receive-HASH/receive.node      the add-on that Node.js needs, by the hash of its source
"""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import cache
from pathlib import Path

from weir.dashjs import VERSIONS, package
from weir.errors import RunFailure
from weir.resolved import DASHJS, Experiment
from weir_client import dashjs, program

from weir_lab.kernel import cache as caches
from weir_lab.packages import folder_of

__all__ = ["addon", "addon_source", "installed", "lacking", "needed_by", "node", "root"]

OF_IMAGE = "WEIR_PLAYERS"
FETCH = "weir player fetch"


def root() -> Path:
    """The folder; it need not exist."""
    named = os.environ.get(OF_IMAGE)
    return Path(named) if named else caches.root() / dashjs.PLAYERS


def node() -> str | None:
    """The path of Node.js; None where it is not installed."""
    return shutil.which("node", path=program.SEARCH_PATH)


def addon_source() -> Path:
    """The C file of the add-on."""
    return folder_of("weir_client") / "browser" / "receive.c"


@cache
def addon() -> str:
    """Its path below the root."""
    return dashjs.addon(hashlib.sha256(addon_source().read_bytes()).hexdigest())


def installed() -> list[str]:
    """The versions of dash.js that are there, unchanged."""
    return [version for version in VERSIONS if _is_pinned(version)]


def lacking(version: str) -> str:
    """What is missing to play this version, and the remedy; empty: nothing."""
    if node() is None:
        return "Node.js is not installed; apt-get install nodejs, or use a machine that has it"
    if not _is_pinned(version):
        there = ", ".join(installed()) or "none"
        return f"dash.js {version} is not on this machine (there: {there}); {FETCH}"
    if not (root() / addon()).exists():
        return f"the add-on of Node.js is not built on this machine; {FETCH}"
    return ""


def needed_by(experiment: Experiment) -> Path | None:
    """The folder, where the experiment has such players; None where not.

    Raises RunFailure where one is missing.
    """
    asked = [
        (number, client["options"]["version"])
        for number, client in enumerate(experiment["clients"], 1)
        if client["player"] == DASHJS
    ]
    for number, version in asked:
        if missing := lacking(version):
            raise RunFailure(f"client {number}: {missing}")
    return root() if asked else None


def _is_pinned(version: str) -> bool:
    try:
        content = (root() / dashjs.script(version)).read_bytes()
    except FileNotFoundError:
        return False
    return hashlib.sha256(content).hexdigest() == package(version).sha256
