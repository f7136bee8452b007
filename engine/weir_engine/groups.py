"""Groups of runs: replicates of a combination, or what is pooled over some factors with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from weir_engine.levels import text

__all__ = ["Group", "grouped"]

T = TypeVar("T")
Members = TypeVar("Members")


class Group(NamedTuple, Generic[Members]):
    """What has the same levels. key: the levels as text, by which groups are told apart."""

    key: tuple[str, ...]
    levels: dict[str, Any]
    members: Members


def grouped(
    members: Iterable[tuple[Mapping[str, Any], T]], factors: Sequence[str]
) -> list[Group[list[T]]]:
    """Groups by the levels of these factors, in the order in which they first come.

    members: each with its levels, by factor.
    """
    groups: dict[tuple[str, ...], Group[list[T]]] = {}
    for levels, member in members:
        key = tuple([text(levels[path]) for path in factors])
        if (group := groups.get(key)) is None:
            group = groups[key] = Group(key, {path: levels[path] for path in factors}, [])
        group.members.append(member)
    return list(groups.values())
