"""Merging a campaign over its base, and setting single values by dotted path."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any

from weir.errors import Problem, SpecError
from weir.spec.files import inside
from weir.spec.packages import is_package
from weir.spec.rules import is_file
from weir.spec.yamlfile import load_yaml

__all__ = ["document", "merged", "set_at"]

_MAX_DEPTH = 8
_NOT_INHERITED = ("name", "description", "base")
_FILE_KEYS = ("trace", "sizes", "file", "dash", "table", "hls", "sabre", "paper", "patches")


def document(path: Path, *, confined: bool = False) -> dict[str, Any]:
    """The file at `path` merged over its bases; confined: all in its folder. Raises SpecError."""
    return _document(path, [], path.parent if confined else None)


def _document(path: Path, seen: list[Path], root: Path | None) -> dict[str, Any]:
    content = load_yaml(path)
    if not isinstance(content, dict):
        raise SpecError(
            [Problem(path.name, content, "keys and values", "a campaign begins with name:")]
        )
    base = content.get("base")
    if not isinstance(base, str):
        return content
    file = path.parent / base
    if root is not None and not inside(root, str(file.absolute())):
        remedy = "send it with the campaign, by a relative name"
        raise SpecError([Problem("base", base, "a file of the campaign", remedy)])
    trail = [*seen, path.resolve()]
    if file.resolve() in trail or len(trail) > _MAX_DEPTH:
        raise SpecError(
            [Problem("base", base, "a file that does not lead back here", "break the circle")]
        )
    if not file.is_file():
        raise SpecError(
            [Problem("base", base, "a readable file", f"there is no such file beside {path.name}")]
        )
    below = _document(file, trail, root)
    inherited = {key: value for key, value in below.items() if key not in _NOT_INHERITED}
    if PurePath(base).parent != PurePath():
        inherited = _moved(inherited, PurePath(base).parent.as_posix())
    result = merged(inherited, content)
    assert isinstance(result, dict)
    return result


def merged(below: Any, above: Any) -> Any:
    """RFC 7396: mappings merge, null removes a key, everything else replaces."""
    if not isinstance(above, dict):
        return above
    result = dict(below) if isinstance(below, dict) else {}
    for key, value in above.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def _moved(value: Any, folder: str, key: str = "") -> Any:
    """File names of a base in another folder, as seen from the campaign's."""
    if isinstance(value, dict):
        return {k: _moved(v, folder, str(k).rpartition(".")[2]) for k, v in value.items()}
    if isinstance(value, list):
        return [_moved(item, folder, key) for item in value]
    named = key in _FILE_KEYS or (key == "player" and isinstance(value, str) and is_file(value))
    if isinstance(value, str) and named:
        moved = posixpath.normpath(posixpath.join(folder, value))
        return f"{moved}/" if is_package(value) else moved
    return value


def set_at(value: Any, steps: Sequence[str | int], level: Any) -> Any:
    """A copy of `value` with `level` at `steps`; only what lies on the way is copied.

    Missing mappings on the way are made. Raises KeyError with a remedy: a position that the list
    does not have, or something on the way that has no parts.
    """
    if not steps:
        return level
    step = steps[0]
    if isinstance(step, int):
        if not isinstance(value, list) or step >= len(value):
            have = len(value) if isinstance(value, list) else 0
            raise KeyError(f"the list has {have} entries, the first is 0; add one or lower {step}")
        return [*value[:step], set_at(value[step], steps[1:], level), *value[step + 1 :]]
    if value is not None and not isinstance(value, dict):
        raise KeyError(f"{value!r} stands there, which has no part {step!r}")
    copy = dict(value or {})
    copy[step] = set_at(copy.get(step), steps[1:], level)
    return copy
