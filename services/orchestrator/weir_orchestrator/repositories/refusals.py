"""What is wrong with a repository, told by the field that it is about."""

from __future__ import annotations

from typing import Final

from weir.errors import Problem, SpecError

from weir_orchestrator.repositories.source import Source

__all__ = ["explained", "wrong"]

_TOLD: Final = 300


def wrong(path: str, field: str, value: object, allowed: str, remedy: str) -> SpecError:
    """path: of the source in an answer."""
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


def explained(source: Source, path: str, told: str) -> SpecError:
    """git's message in terms of what was given."""
    shown = {"branch": source.branch, "repository": source.repository}
    low = told.lower()
    if source.token:
        # It is in a header: where that is refused, git asks for a name as if none had been given.
        low = low.replace("could not read username", "authentication failed")
    for words, field, allowed, remedy in _MEANINGS:
        if words in low:
            return wrong(path, field, shown.get(field), allowed, remedy)
    line = next((each for each in told.splitlines() if each.startswith("fatal:")), told)
    remedy = f"git says: {line.removeprefix('fatal: ')[:_TOLD]}"
    return wrong(path, "repository", source.repository, "one that can be fetched", remedy)
