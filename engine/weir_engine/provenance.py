"""What a result rests on besides its spec: our own sources and the programs in the cell."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from weir.programs import with_others
from weir_client.web_player import BROWSER
from weir_lab.packages import HTTP2, PACKAGES, folder_of
from weir_lab.players import browser

__all__ = ["SEARCH_PATH", "binaries", "roles", "roles_at"]

_PROGRAMS: Final = (
    ("nginx", ("nginx", "-v")),
    ("apache", ("apache2", "-v")),
    ("iproute2", ("ip", "-V")),
)
_EXECUTABLES: Final = ("nginx", "apache2", "ip", "tc")
_NODE: Final = "node"
_CHROMIUM: Final = "chromium"
_DIGITS: Final = 15
"""All of a hash has 64 at most, as the platform keeps it."""
_SOURCES: Final = ("*.py", "*.cjs", "*.js", "*.html", "*.c", "*.json")
_LIBRARY: Final = re.compile(r"(/\S+) \(0x")
_VERSION: Final = re.compile(r"(?:[A-Za-z]\w*[/ -]|\bv)\d+(?:\.\d+)+")
SEARCH_PATH: Final = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
"""Where the programs are looked for."""


@cache
def roles() -> dict[str, str]:
    """What `roles_at` says of this machine; it is not asked twice."""
    return roles_at(SEARCH_PATH)


def roles_at(search_path: str) -> dict[str, str]:
    """{"hash", "python", "nginx", "apache", "iproute2", "node", "chromium"}; the hash covers all.

    hash: first 32 hex digits of SHA-256 over every source file (path and bytes) of
    PACKAGES and HTTP2, the versions, and the bytes of the programs and the libraries that they
    load: builds of one version differ, and so do the times that they read from the clock. Behind
    it, since only some runs need them (weir.programs), 15 digits each over the versions of Node.js
    and Chromium, and over what their linkers called these builds of them and their libraries.
    "absent" stands for a program that is not there.
    """
    versions = {"python": platform.python_version()}
    versions |= {name: _version(command, search_path) for name, command in _PROGRAMS}
    digest = hashlib.sha256()
    for package in (*PACKAGES, *HTTP2):
        sources = folder_of(package)
        for path in sorted(path for kind in _SOURCES for path in sources.rglob(kind)):
            _add(digest, f"{package}/{path.relative_to(sources)}".encode(), path.read_bytes())
    for name, version in sorted(versions.items()):
        _add(digest, name.encode(), version.encode())
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    _add_files(digest, binaries([python, *_EXECUTABLES], search_path))
    node_version = _version((_NODE, "-v"), search_path)
    node = hashlib.sha256(node_version.encode())
    _add_builds(node, binaries([_NODE], search_path))
    chromium_version = _version((BROWSER, "--version"), search_path)
    chromium = hashlib.sha256(chromium_version.encode())
    _add_builds(chromium, binaries([BROWSER], search_path))
    others = (each.hexdigest()[:_DIGITS] for each in (node, chromium))
    found = with_others(digest.hexdigest()[:32], *others)
    return {"hash": found, **versions, _NODE: node_version, _CHROMIUM: chromium_version}


def binaries(names: Sequence[str], search_path: str) -> Iterator[Path]:
    """These programs, as far as they are there, and their libraries."""
    found = (shutil.which(name, path=search_path) for name in names)
    programs = list(filter(None, found))
    if not programs:
        return
    told = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False)
    yield from (Path(path).resolve() for path in (*programs, *_LIBRARY.findall(told.stdout)))


def _add_files(digest: hashlib._Hash, paths: Iterable[Path]) -> None:
    for path in sorted(set(paths), key=lambda path: path.name):
        _add(digest, path.name.encode(), path.read_bytes())


def _add_builds(digest: hashlib._Hash, paths: Iterable[Path]) -> None:
    """By what names their builds: together they are a third of a gigabyte."""
    for path in sorted(set(paths), key=lambda path: path.name):
        _add(digest, path.name.encode(), browser.build_id(path).encode() or path.read_bytes())


def _add(digest: hashlib._Hash, name: bytes, content: bytes) -> None:
    digest.update(b"%d %b %d " % (len(name), name, len(content)))
    digest.update(content)


def _version(command: tuple[str, ...], search_path: str) -> str:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={"PATH": search_path, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return "absent"
    found = _VERSION.search(done.stdout + done.stderr)
    return found[0] if found else "absent"
