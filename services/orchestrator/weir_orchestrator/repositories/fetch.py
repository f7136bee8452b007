"""Fetching a file of a repository, and no more; what is wrong is told by the field it is about."""

from __future__ import annotations

import re
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import Problem, SpecError
from weir_lab import confine

from weir_orchestrator import addresses
from weir_orchestrator.repositories.command import LIMIT_S, Failed, Git, printable
from weir_orchestrator.repositories.source import Source, check, remote_of
from weir_orchestrator.settings import Settings

__all__ = ["Fetched", "Opened", "newest", "opened"]

_HERE: Final = "refs/heads/tested"
_FILES: Final = frozenset({"100644", "100755"})
_KINDS: Final = {"120000": "a link", "160000": "a submodule", "040000": "a folder"}
_TOLD: Final = 300
_CONNECT_S: Final = 5.0
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


def newest(source: Source, settings: Settings, path: str, limit_s: float = LIMIT_S) -> Fetched:
    """The file at the branch's newest commit. path: of the source in an answer.

    Raises SpecError.
    """
    with opened(source, settings, path, limit_s, depth=1) as repository:
        return repository.file(repository.tip())


@contextmanager
def opened(
    source: Source,
    settings: Settings,
    path: str,
    limit_s: float = LIMIT_S,
    depth: int | None = None,
) -> Iterator[Opened]:
    """The branch with so much of its history, by default all, without contents.

    limit_s: for this and all that is asked of it. Raises SpecError.
    """
    until = time.monotonic() + limit_s
    to_private = settings.webhooks_to_private
    if problems := check(source, path, to_private=to_private):
        raise SpecError(problems)
    remote = remote_of(source.repository)
    assert remote is not None
    missing = confine.lacking()
    if missing and settings.shared and not settings.unconfined:
        remedy = f"have the operator use a kernel that offers a sandbox: this one lacks {missing}"
        raise SpecError([Problem(f"{path}.repository", None, "uploaded files alone", remedy)])
    try:
        found = addresses.resolve(remote.host, remote.port, to_private=to_private)
    except addresses.Refused as refused:
        allowed = "an address that can be reached from outside"
        raise _wrong(path, "repository", source.repository, allowed, str(refused)) from None
    except (OSError, UnicodeError) as error:
        remedy = f"see that the name is right: {error}"
        raise _wrong(
            path, "repository", source.repository, "a host that is there", remedy
        ) from None
    with tempfile.TemporaryDirectory(prefix="weir-git-") as folder:
        try:
            address = _answering(found, remote.port)
            git = Git(Path(folder), source, remote, address, until)
            options = ["--quiet", "--no-tags", "--no-recurse-submodules"]
            options += [f"--depth={depth}"] if depth else []
            branch = ["origin", f"+refs/heads/{source.branch}:{_HERE}"]
            git("fetch", *options, "--filter=blob:none", *branch)
            whole = ["fetch", *options, "--refetch", "--no-filter", *branch]
            repository = Opened(git, source, settings, path, whole)
        except Failed as failed:
            raise _explained(source, path, failed.told) from None
        yield repository


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
            raise _wrong(self._path, "path", path, allowed, f"{what}: give a file's path")
        digest = rest.split()[1].partition("\t")[0]
        size = self._size(digest)
        if size > self._most_bytes:
            allowed = f"a file of at most {self._most_bytes} bytes"
            raise _wrong(self._path, "path", path, allowed, f"it has {size}: shorten it")
        try:
            content = self._git("cat-file", "blob", digest, most_bytes=size)
        except Failed as failed:
            raise _explained(self._source, self._path, failed.told) from None
        return Fetched(commit, content, self._git.host_keys)

    def between(self, good: str, bad: str) -> list[str]:
        """The commits after `good` up to `bad` in which the file changed, oldest first.

        Of merges, the merge. Raises SpecError where the branch's history has one of them no more.
        """
        for commit in (good, bad):
            # Whoever uploads a file says which version it is, in any words.
            if not _COMMIT.fullmatch(commit) or not self._is_ancestor(commit, _HERE):
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
        try:
            return self._git(*words).decode(errors="replace")
        except Failed as failed:
            raise _explained(self._source, self._path, failed.told) from None

    def _size(self, digest: str) -> int:
        """Of a file, which is here then."""
        words = ("cat-file", "-s", digest)
        try:
            return int(self._git(*words))
        except Failed as failed:
            if _NOT_ALONE not in failed.told:
                raise _explained(self._source, self._path, failed.told) from None
        self._ask(*self._whole)
        return int(self._ask(*words))

    def _is_ancestor(self, commit: str, of: str) -> bool:
        try:
            self._git("merge-base", "--is-ancestor", commit, of)
        except Failed:
            return False
        return True

    def _rewritten(self, commit: str) -> SpecError:
        allowed = f"a branch whose history has commit {commit[:12]}"
        remedy = "its history was rewritten (a forced push): choose nights after that"
        return _wrong(self._path, "branch", self._source.branch, allowed, remedy)


def _answering(found: Sequence[str], port: int) -> str:
    """The first of a name's addresses that takes connections; the last is not tried."""
    *others, last = found
    for address in others:
        with suppress(OSError), socket.create_connection((address, port), _CONNECT_S):
            return address
    return last


def _wrong(path: str, field: str, value: object, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(f"{path}.{field}", value, allowed, remedy)])


_MEANINGS: Final = (
    ("find remote ref", "branch", "a branch of it", "it is gone: give one that is there"),
    (
        "host key verification failed",
        "repository",
        "the server of the first time",
        "its key is another one than before: if that is right, give the source anew",
    ),
    (
        "could not read username",
        "secret_token",
        "a token for it",
        "the repository is not there, or needs a token that may read it",
    ),
    (
        "authentication failed",
        "secret_token",
        "a token for it",
        "the token is wrong, has ended, or is for something else: give one that may read it",
    ),
    (
        "returned error: 403",
        "secret_token",
        "a token for it",
        "the token may not read the repository: give one that may",
    ),
    (
        "permission denied (",
        "secret_key",
        "a key for it",
        "add the key's public half to the repository, as a deploy key that may read",
    ),
    (
        "not found",
        "repository",
        "a repository that is there",
        "it is not there, or needs a token or key that may read it",
    ),
    ("signal 25", "repository", "one of at most 256 MiB", "keep what is tested in a smaller one"),
)
"""What git says, in lower case -> field, what is allowed there, and what to do."""


def _explained(source: Source, path: str, told: str) -> SpecError:
    """git's message in terms of what was given."""
    shown = {"branch": source.branch, "repository": source.repository}
    low = told.lower()
    for words, field, allowed, remedy in _MEANINGS:
        if words in low:
            return _wrong(path, field, shown.get(field), allowed, remedy)
    line = next((each for each in told.splitlines() if each.startswith("fatal:")), told)
    remedy = f"git says: {line.removeprefix('fatal: ')[:_TOLD]}"
    return _wrong(path, "repository", source.repository, "one that can be fetched", remedy)
