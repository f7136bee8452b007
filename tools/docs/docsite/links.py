"""Links of pages, as they stand in the checkout, turned into those of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docsite.sources import shown

__all__ = ["Links"]

_CODE: Final = re.compile(r"(^ *(`{3,}|~{3,}).*?^ *\2 *$|`+[^`]+`+)", re.M | re.S)
_LINK: Final = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_ELSEWHERE: Final = re.compile(r"[a-z]+:|#|/")


class Links:
    """pages: path in the checkout -> path in the site. Other files linked to get a page, too."""

    def __init__(self, root: Path, pages: dict[str, str]) -> None:
        self._root = root
        self._pages = pages
        self._shown: dict[str, str] = {}
        self.dead: list[str] = []
        """Links that lead nowhere, each with its remedy."""

    def rewritten(self, source: str, text: str) -> str:
        """A page's text with the links of the site; code is left alone."""
        parts = _CODE.split(text)
        # Of each match both groups are in the list: the code, then its fence.
        return "".join(
            part or ""
            if number % 3 == 1
            else _LINK.sub(lambda link: self._target(source, link[1]), part)
            for number, part in enumerate(parts)
            if number % 3 != 2
        )

    def sources(self) -> Iterator[tuple[str, str]]:
        """Path in the site and text of the pages that show files and folders linked to."""
        for path, target in self._shown.items():
            yield target, shown(self._root / path, path)

    def _target(self, source: str, link: str) -> str:
        if _ELSEWHERE.match(link):
            return link
        name, _, anchor = link.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        target = self._pages.get(path) or self._pages.get(f"{path}/README.md")
        if target is None:
            if path.startswith("..") or not (self._root / path).exists():
                self.dead.append(
                    f"{source}: ({link}) — no such file or page as {path}; mend the link"
                )
                return link
            # Zensical passes over what begins with a dot.
            target = self._shown.setdefault(path, f"source/{path.lstrip('.')}.md")
        start = posixpath.dirname(self._pages[source])
        return posixpath.relpath(target, start or ".") + (f"#{anchor}" if anchor else "")
