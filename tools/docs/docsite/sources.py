"""Files and folders of the checkout as pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

__all__ = ["shown"]

_LANGUAGES: Final = {
    ".c": "c",
    ".json": "json",
    ".md": "markdown",
    ".mjs": "javascript",
    ".patch": "diff",
    ".py": "python",
    ".toml": "toml",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".yaml": "yaml",
}
_LONGEST: Final = 200_000
_TITLE: Final = "---\ntitle: {title}\nsearch:\n  exclude: true\n---\n# `{path}`\n\n"


def shown(path: Path, name: str) -> str:
    """A page with a file's text, a notebook's cells or the names in a folder."""
    title = _TITLE.format(title=json.dumps(path.name), path=name)
    if path.is_dir():
        names = (f"{each.name}/" if each.is_dir() else each.name for each in path.iterdir())
        visible = sorted(each for each in names if each[0] not in "._")
        return title + "".join(f"- `{each}`\n" for each in visible)
    text = path.read_text()
    if path.suffix == ".ipynb":
        return title + _notebook(text)
    if len(text) > _LONGEST:
        return f"{title}{len(text):,} characters: read it in the checkout.\n"
    return title + _fenced(text, _LANGUAGES.get(path.suffix, "text"))


def _notebook(text: str) -> str:
    cells = json.loads(text)["cells"]
    joined = (("".join(cell["source"]), cell["cell_type"]) for cell in cells)
    return "\n\n".join(
        source if kind == "markdown" else _fenced(source, "python") for source, kind in joined
    )


def _fenced(text: str, language: str) -> str:
    fence = "````" if "```" in text else "```"
    return f"{fence} {language}\n{text.rstrip()}\n{fence}\n"
