"""A player for Node.js that a campaign brings: a folder with a package.json, ready to run.

Nothing is installed: what it needs is bundled, or stands in its node_modules.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from weir import resolved
from weir.errors import Problem, SpecError
from weir.runkey import canonical_json
from weir.spec.files import Files
from weir.spec.folders import texts

__all__ = ["is_package", "read"]

MANIFEST = "package.json"
LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml")
INSTALLING = ("preinstall", "install", "postinstall")
"""Scripts that npm runs where a package is installed."""
_NATIVE = "binding.gyp"
"""Has npm run node-gyp, as an install script would."""
_SCRIPTS = (".js", ".cjs", ".mjs")
_NEEDS = ("dependencies", "optionalDependencies")
_MODULES = "node_modules/"


def is_package(player: str) -> bool:
    """Whether `player` names such a folder."""
    return player.endswith("/")


def read(path: str, name: str, files: Files) -> resolved.Package:
    """The package in the folder `name`; path: the field. Raises SpecError with all that is wrong.

    Equal names give one object, not to be changed.
    """
    return files.once(("package", name), lambda: _read(path, name, files))


def _read(path: str, name: str, files: Files) -> resolved.Package:
    found = texts(path, name, files.directory(name, path))
    problems: list[Problem] = []
    manifest = _object(path, name, MANIFEST, found, problems)
    if manifest is None:
        raise SpecError(problems)
    problems += _installing(path, name, found)
    problems += _unlocked(path, name, manifest, found)
    problems += _unknown(path, name, manifest)
    main = manifest.get("main")
    started = posixpath.normpath(main) if isinstance(main, str) and main else ""
    if started not in found or not started.endswith(_SCRIPTS):
        shown = f"{name}{MANIFEST}: main" + ("" if main is None else f": {main!r}")
        problems.append(
            Problem(path, shown, f"a file of the folder that ends in {', '.join(_SCRIPTS)}",
                    "name there the one that Node.js is to start, relative to the folder")
        )  # fmt: skip
    if problems:
        raise SpecError(problems)
    made: resolved.Package = {
        "main": started,
        "sha256": hashlib.sha256(canonical_json(found).encode()).hexdigest(),
        "files": found,
    }
    if manifest.get("weir", {}).get("browser"):
        made["browser"] = True
    return made


def _object(
    path: str, name: str, inner: str, found: Mapping[str, str], problems: list[Problem]
) -> dict[str, Any] | None:
    """What a file of JSON holds; None, and a problem, where that is no object."""
    allowed, remedy = "a JSON object, as npm init writes it", "write it in the folder"
    if inner not in found:
        problems.append(Problem(path, f"{name}{inner}: not there", allowed, remedy))
        return None
    try:
        value = json.loads(found[inner])
    except (ValueError, RecursionError) as error:
        problems.append(Problem(path, f"{name}{inner}", allowed, f"it is none: {error}"))
        return None
    if not isinstance(value, dict):
        problems.append(Problem(path, f"{name}{inner}", allowed, remedy))
        return None
    return value


def _installing(path: str, name: str, found: Mapping[str, str]) -> Iterator[Problem]:
    """Of the package, and of each that it brings in node_modules."""
    for inner in found:
        if posixpath.basename(inner) == _NATIVE:
            yield _refused(path, f"{name}{inner}")
        if posixpath.basename(inner) != MANIFEST:
            continue
        try:
            scripts = json.loads(found[inner]).get("scripts")
        except (ValueError, RecursionError, AttributeError):
            continue  # of another's tests, say; Node.js would say so if it had to read it
        for script in INSTALLING:
            if isinstance(scripts, dict) and script in scripts:
                yield _refused(path, f"{name}{inner}: scripts.{script}")


def _refused(path: str, shown: str) -> Problem:
    return Problem(path, shown, "packages without install scripts, since nothing is installed",
                   "build the player before, bundle what the script makes, and remove "
                   "it")  # fmt: skip


def _unlocked(
    path: str, name: str, manifest: Mapping[str, Any], found: Mapping[str, str]
) -> Iterator[Problem]:
    """Dependencies whose versions no lock file pins, and others than it pins."""
    needed = [each for key in _NEEDS for each in _names(manifest.get(key))]
    brought = any(inner.startswith(_MODULES) for inner in found)
    if (needed or brought) and not any(lock in found for lock in LOCKS):
        what = ", ".join(sorted(needed)) or "node_modules"
        yield Problem(path, f"{name}: no lock file beside {what}", f"one of {', '.join(LOCKS)}",
                      "copy that of your build into the folder; where all is bundled, leave the "
                      "dependencies out of package.json")  # fmt: skip
    for lock in LOCKS[:2]:
        yield from _others(path, name, lock, found) if lock in found else ()


def _others(path: str, name: str, lock: str, found: Mapping[str, str]) -> Iterator[Problem]:
    """Packages in node_modules of other versions than npm's lock file says."""
    problems: list[Problem] = []
    read = _object(path, name, lock, found, problems)
    yield from problems
    pinned = (read or {}).get("packages")
    for inner, each in pinned.items() if isinstance(pinned, dict) else ():
        manifest = f"{inner}/{MANIFEST}"
        if not inner.startswith(_MODULES) or manifest not in found or not isinstance(each, dict):
            continue
        own = _object(path, name, manifest, found, problems := [])
        yield from problems
        if own is not None and own.get("version") != each.get("version"):
            yield Problem(path, f"{name}{inner}: {own.get('version')}",
                          f"{each.get('version')}, as {lock} has it",
                          "run npm ci, and copy node_modules anew")  # fmt: skip


def _names(given: object) -> list[str]:
    return [str(each) for each in given] if isinstance(given, dict) else []


def _unknown(path: str, name: str, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    asked = manifest.get("weir", {})
    if not isinstance(asked, dict) or not set(asked) <= {"browser"}:
        yield Problem(path, f"{name}{MANIFEST}: weir", '{"browser": true or false}',
                      "write that, or remove it")  # fmt: skip
    elif not isinstance(asked.get("browser", False), bool):
        yield Problem(path, f"{name}{MANIFEST}: weir.browser: {asked['browser']!r}",
                      "true or false", "write one of them")  # fmt: skip
