"""What a patch is, as far as its text tells: a unified diff of files within a tree.

The format is that of diff(1), with git's extended headers (git-diff(1)). Whether it applies is
`patch`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Final

__all__ = ["faults", "files", "without"]

_HUNK: Final = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_NAMED: Final = re.compile(r"(?:---|\+\+\+|rename from|rename to|copy from|copy to) (\S.*)")
_BINARY: Final = re.compile(r"GIT binary patch|Binary files .* differ")
_MODE: Final = re.compile(r"(?:new|old|new file|deleted file) mode (\d+)")
_PLAIN_MODES: Final = frozenset({"100644", "100755"})
NOTHING: Final = "/dev/null"


def files(text: str) -> list[str]:
    """The files that it changes or makes, as named below the tree; each once, in order."""
    named = (name for kind, name, _ in _lines(text) if kind == "name" and name != NOTHING)
    return list(dict.fromkeys(name.partition("/")[2] or name for name in named))


def without(text: str, left_out: Callable[[str], bool]) -> str:
    """The patch without its parts for files that are left out; what stands between is kept."""
    parts: list[list[str]] = [[]]
    complete = False
    for kind, _, line in _lines(text):
        if line.startswith("diff --git ") or (complete and line.startswith("--- ") and kind):
            parts.append([])
            complete = False
        complete = complete or kind == "hunk"
        parts[-1].append(line)
    found = ("\n".join(part) for part in parts if part)
    return "\n".join(part for part in found if not any(map(left_out, files(part))))


def faults(text: str) -> Iterator[tuple[str, str]]:
    """What of it is refused, and what to do; nothing where it may be tried."""
    hunks = 0
    for kind, what, _ in _lines(text):
        hunks += kind == "hunk"
        if kind == "binary":
            yield "this one has binary parts", "leave the binary files out"
        elif kind == "mode" and what not in _PLAIN_MODES:
            yield (
                f"this one makes a file of mode {what}",
                "leave out links and submodules; files have mode 100644 or 100755",
            )
        elif kind == "name" and what != NOTHING and _outside(what):
            yield (
                f"this one names {what}, which is not within the source tree",
                "make it at the top of the source tree (git diff does): a/net/ipv4/tcp_input.c",
            )
    if not hunks:
        yield "this one has no hunk (@@ -1,2 +1,3 @@)", "make it by git diff or diff -u"


def _outside(name: str) -> bool:
    """Whether it leaves the tree, or has no first part that `patch -p1` would strip."""
    parts = PurePosixPath(name).parts
    return name.startswith(("/", '"')) or ".." in parts or len(parts) == 1


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Of each line its kind (name, mode, binary, hunk; empty: another one, or within a hunk), what
    it says, and itself.
    """
    old = new = 0
    for line in text.split("\n"):
        if old > 0 or new > 0:
            old -= line[:1] in {" ", "-", ""}
            new -= line[:1] in {" ", "+", ""}
            yield "", "", line
        elif found := _HUNK.match(line):
            old, new = (1 if count is None else int(count) for count in found.groups())
            yield "hunk", line, line
        elif found := _NAMED.fullmatch(line):
            yield "name", found[1].split("\t")[0].rstrip(), line
        elif _BINARY.match(line):
            yield "binary", line, line
        elif found := _MODE.fullmatch(line):
            yield "mode", found[1], line
        else:
            yield "", "", line
