"""Host side: what must be known about a client before a run."""

from __future__ import annotations

import ast
import hashlib
from importlib import metadata, util
from pathlib import Path
from typing import Any

GROUP = "weir.abr"


def source_of(name: str) -> dict[str, Any] | None:
    """The source of the ABR that an installed package offers as entry point `name` of weir.abr.

    Returns {"name", "class", "sha256", "text"} as in a resolved client, or None if there is none.
    Raises ValueError if the entry point leads to no readable Python file. The module is not run;
    it must be one file that needs the standard library only, as the guest has no packages.
    """
    found = [point for point in metadata.entry_points(group=GROUP) if point.name == name]
    if not found:
        return None
    point = found[0]
    spec = util.find_spec(point.module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ValueError(f"entry point {name} of {GROUP}: {point.module} is no Python file")
    return source_from(Path(spec.origin), point.attr or None)


def source_from(path: Path, class_name: str | None = None) -> dict[str, Any]:
    """The same from a user's file. Raises OSError if it cannot be read."""
    text = path.read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"name": path.name, "class": class_name, "sha256": digest, "text": text}


def check_source(source: dict[str, Any]) -> list[str]:
    """What is wrong with a user's ABR that can be seen without running it."""
    name, wanted = source["name"], source["class"]
    try:
        tree = ast.parse(source["text"], name)
    except SyntaxError as error:
        return [f"{name}, line {error.lineno}: {error.msg}"]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    names = [node.name for node in classes]
    if wanted is not None:
        if wanted in names:
            return []
        return [f"{name} has no class {wanted}; it has: {', '.join(names) or 'none'}"]
    # A class may inherit its choose(), which only running it can tell.
    choosing = [node.name for node in classes if _defines_choose(node) or node.bases]
    if not choosing:
        return [f"{name} has no class with a method choose(self, state)"]
    certain = [node.name for node in classes if _defines_choose(node)]
    if len(certain) > 1:
        return [f"{name} has several classes with a method choose: {', '.join(certain)}; "
                f"name one as {name}:Class"]  # fmt: skip
    return []


def _defines_choose(node: ast.ClassDef) -> bool:
    return any(isinstance(part, ast.FunctionDef) and part.name == "choose" for part in node.body)
