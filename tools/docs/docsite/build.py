"""Pages are put together in FOLDER/pages and built into FOLDER/site by Zensical."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from docsite import api, command, fields, metrics, settings
from docsite.links import Links
from docsite.toml import written

__all__ = ["ROOT", "SiteError", "build"]

ROOT: Final = Path(__file__).resolve().parents[3]
CONFIG: Final = Path(__file__).resolve().parents[1] / "zensical.toml"
_AT_THE_ROOT: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}


class SiteError(Exception):
    """What is wrong with the documentation, and where."""


def build(folder: Path, root: Path) -> Path:
    """The site of a checkout: its first page. Raises SiteError with all that is wrong."""
    pages = folder / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    texts = {**_handwritten(root), **_generated()}
    pictures = _pictures(root)
    links = Links(root, {source: target for source, (target, _) in texts.items()} | pictures)
    for source, (target, text) in texts.items():
        _write(pages / target, links.rewritten(source, text))
    for target, text in links.sources():
        _write(pages / target, text)
    for source, target in pictures.items():
        shutil.copy(root / source, pages / target)
    shutil.copy(CONFIG.with_name("extra.css"), pages)
    config = _config({target for target, _ in texts.values()})
    _write(folder / "zensical.toml", written(config))
    if wrong := [*links.dead, *_zensical(folder)]:
        raise SiteError("\n".join(wrong))
    return folder / "site" / "index.html"


def _handwritten(root: Path) -> dict[str, tuple[str, str]]:
    """Path in the checkout -> path in the site, text."""
    found = {name: (target, (root / name).read_text()) for name, target in _AT_THE_ROOT.items()}
    for path in sorted((root / "docs").rglob("*.md")):
        target = path.relative_to(root / "docs").as_posix()
        target = target.replace("README.md", "index.md")
        found[path.relative_to(root).as_posix()] = (target, path.read_text())
    return found


def _pictures(root: Path) -> dict[str, str]:
    """Path in the checkout -> path in the site."""
    return {f"docs/{path.name}": path.name for path in sorted((root / "docs").glob("*.svg"))}


def _generated() -> dict[str, tuple[str, str]]:
    """The same of pages made from the sources, as if they stood in docs/reference."""
    document = api.document()
    made = {
        "fields": fields.page(),
        "metrics": metrics.page(),
        "command": command.page(),
        "operations": api.operations(document),
        "models": api.models(document),
        "settings": settings.page(),
    }
    return {
        f"docs/reference/{name}.md": (f"reference/{name}.md", text) for name, text in made.items()
    }


def _config(pages: set[str]) -> dict[str, Any]:
    """Zensical's settings, with the decisions in the navigation. Raises SiteError."""
    config = tomllib.loads(CONFIG.read_text())
    decisions = sorted(page for page in pages if PurePosixPath(page).parts[0] == "decisions")
    decisions.sort(key=lambda page: page != "decisions/index.md")
    next(part for part in config["project"]["nav"] if "Decisions" in part)["Decisions"] = decisions
    named = set(_named(config["project"]["nav"]))
    if lost := pages - named:
        raise SiteError(f"{CONFIG.name}: nav: lacks {', '.join(sorted(lost))} — give each a place")
    if gone := named - pages:
        raise SiteError(f"{CONFIG.name}: nav: {', '.join(sorted(gone))} — no such page; remove it")
    return config


def _named(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
        return
    for part in nav.values() if isinstance(nav, dict) else nav:
        yield from _named(part)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _zensical(folder: Path) -> Iterator[str]:
    """Builds the site; what Zensical finds wrong."""
    done = subprocess.run(
        [Path(sys.executable).with_name("zensical"), "build", "--strict", "--clean"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
        yield told.partition("Traceback")[0].strip()
