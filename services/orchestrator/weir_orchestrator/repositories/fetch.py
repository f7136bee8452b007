"""Fetching a file of a repository, and no more; what is wrong is told by the field it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from weir.errors import SpecError

from weir_orchestrator.repositories.command import Failed, Git, printable
from weir_orchestrator.repositories.reached import reached
from weir_orchestrator.repositories.refusals import wrong
from weir_orchestrator.repositories.source import Source
from weir_orchestrator.settings import Settings

__all__ = ["Fetched", "Opened", "newest", "opened"]

_HERE: Final = "refs/heads/tested"
_FILES: Final = frozenset({"100644", "100755"})
_KINDS: Final = {"120000": "a link", "160000": "a submodule", "040000": "a folder"}
_TOLD: Final = 300
_NOT_ALONE: Final = "Server does not allow request for unadvertised object"
"""What git says of a server that gives no file alone, as most do by ssh that is not told of git's
protocol 2 (AcceptEnv GIT_PROTOCOL)."""
_MOST_COMMITS: Final = 10_000
_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True)
class Fetched:
    """A file at a commit. commit: whole. host_keys: of the ssh server that told it."""

    commit: str
    content: bytes
    host_keys: str


def newest(source: Source, settings: Settings, path: str, limit_s: float | None = None) -> Fetched:
    """The file at the branch's newest commit. path: of the source in an answer.

    limit_s: see `reached`. Raises SpecError.
    """
    with opened(source, settings, path, limit_s, depth=1) as repository:
        return repository.file(repository.tip())


@contextmanager
def opened(
    source: Source,
    settings: Settings,
    path: str,
    limit_s: float | None = None,
    depth: int | None = None,
) -> Iterator[Opened]:
    """The branch with so much of its history, by default all, without contents.

    limit_s: for this and all that is asked of it; see `reached`. Raises SpecError.
    """
    with reached(source, settings, path, limit_s) as git:
        options = ["--quiet", "--no-tags", "--no-recurse-submodules"]
        options += [f"--depth={depth}"] if depth else []
        branch = ["origin", f"+refs/heads/{source.branch}:{_HERE}"]
        git("fetch", *options, "--filter=blob:none", *branch)
        whole = ["fetch", *options, "--refetch", "--no-filter", *branch]
        yield Opened(git, source, settings, path, whole)


class Opened:
    """A branch that was fetched. whole: the words by which git gets its contents, too."""

    def __init__(
        self, git: Git, source: Source, settings: Settings, path: str, whole: Sequence[str]
    ) -> None:
        self._git = git
        self._source = source
        self._most_bytes = settings.max_file_bytes
        self._path = path
        self._whole = whole

    def tip(self) -> str:
        """The newest commit."""
        return self._ask("rev-parse", "--verify", _HERE).strip()

    def file(self, commit: str) -> Fetched:
        """The file as it is in a commit of the branch. Raises SpecError."""
        path = self._source.path
        listed = self._ask("ls-tree", "-z", commit, "--", f":(literal){path}")
        mode, _, rest = listed.partition(" ")
        if not listed or mode not in _FILES:
            what = f"{_KINDS.get(mode, 'something else')} there" if listed else "none there"
            allowed = f"a file that is in commit {commit[:12]} of {self._source.branch}"
            raise wrong(self._path, "path", path, allowed, f"{what}: give a file's path")
        digest = rest.split()[1].partition("\t")[0]
        size = self._size(digest)
        if size > self._most_bytes:
            allowed = f"a file of at most {self._most_bytes} bytes"
            raise wrong(self._path, "path", path, allowed, f"it has {size}: shorten it")
        content = self._git("cat-file", "blob", digest, most_bytes=size)
        return Fetched(commit, content, self._git.host_keys)

    def between(self, good: str, bad: str) -> list[str]:
        """The commits after `good` up to `bad` in which the file changed, oldest first.

        Of merges, the merge. Raises SpecError where one of them is no commit, or the branch's
        history has it no more.
        """
        for commit in (good, bad):
            if not _COMMIT.fullmatch(commit):
                raise self._named(commit)
            if not self._is_ancestor(commit, _HERE):
                raise self._rewritten(commit)
        if not self._is_ancestor(good, bad):
            raise self._rewritten(good)
        options = ["--first-parent", "--reverse", f"--max-count={_MOST_COMMITS}"]
        return self._ask("rev-list", *options, f"{good}..{bad}", "--", self._source.path).split()

    def title(self, commit: str) -> str:
        """A commit's subject line and who wrote it."""
        told = self._ask("log", "--max-count=1", "--format=%s (%an, %as)", commit)
        return printable(told)[:_TOLD]

    def _ask(self, *words: str) -> str:
        return self._git(*words).decode(errors="replace")

    def _size(self, digest: str) -> int:
        """Of a file, which is here then."""
        words = ("cat-file", "-s", digest)
        try:
            return int(self._git(*words))
        except Failed as failed:
            if _NOT_ALONE not in failed.told:
                raise
        self._ask(*self._whole)
        return int(self._ask(*words))

    def _is_ancestor(self, commit: str, of: str) -> bool:
        try:
            self._git("merge-base", "--is-ancestor", commit, of)
        except Failed:
            return False
        return True

    def _named(self, version: str) -> SpecError:
        # Whoever uploads a file says which version it is, in any words.
        allowed = f"nights of commits of {self._source.branch}"
        remedy = "a file was uploaded as this: choose nights that took theirs from the repository"
        return wrong(self._path, "version", version, allowed, remedy)

    def _rewritten(self, commit: str) -> SpecError:
        allowed = f"a branch whose history has commit {commit[:12]}"
        remedy = "its history was rewritten (a forced push): choose nights after that"
        return wrong(self._path, "branch", self._source.branch, allowed, remedy)
