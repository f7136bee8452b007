"""Runs of two campaigns, in pairs of one combination and one seed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeVar

from weir.metrics import CATALOG

from weir_engine.differing_files import differing_files
from weir_engine.errors import BadInput
from weir_engine.groups import grouped
from weir_engine.row import Row

__all__ = ["Pairs", "beside", "pair"]

_OF_THE_HOST: Final = frozenset({"host.json", "run.json"})
"""What a run directory says of the machine and the code, and not of what happened."""


@dataclass
class Pairs:
    """A combination of levels, in both.

    before, after: by metric that any run has, one value per pair in the order of the replicates; a
    client metric is the mean over the clients. None: not defined there. changed: pairs of runs in
    which anything differs. distinct: how many pairs of results there are.
    """

    levels: dict[str, Any]
    n: int = 0
    distinct: int = 0
    changed: int = 0
    before: dict[str, list[float | None]] = field(default_factory=dict)
    after: dict[str, list[float | None]] = field(default_factory=dict)

    def only(self, metrics: Collection[str]) -> Pairs:
        """The same pairs with some of the metrics."""
        before, after = (
            {name: values for name, values in side.items() if name in metrics}
            for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)


class _Seeded(Protocol):
    @property
    def seed(self) -> int: ...

    @property
    def replicate(self) -> int: ...


_Left = TypeVar("_Left", bound=_Seeded)
_Right = TypeVar("_Right", bound=_Seeded)


def beside(left: Sequence[_Left], right: Iterable[_Right]) -> list[tuple[_Left, _Right | None]]:
    """Each of `left` in the order of its replicates, and its partner: that of the same seed where
    any seed is common (replicates share seeds by design), else that of the same replicate."""
    partners = list(right)
    by_seed = {each.seed: each for each in partners}
    if any(each.seed in by_seed for each in left):
        return [(each, by_seed.get(each.seed)) for each in sorted(left, key=_replicate)]
    by_replicate = {each.replicate: each for each in partners}
    return [(each, by_replicate.get(each.replicate)) for each in sorted(left, key=_replicate)]


def _replicate(run: _Seeded) -> int:
    return run.replicate


def _differ(before: Row, after: Row) -> bool:
    return bool(differing_files(before.path, after.path, _OF_THE_HOST))


def pair(
    baseline: Sequence[Row], tonight: Sequence[Row], differ: Callable[[Row, Row], bool] = _differ
) -> tuple[list[Pairs], list[str]]:
    """The combinations that both have runs of, and what cannot be compared, in words.

    differ: whether anything of two runs of different keys differs; by default any byte.
    Runs are paired as `beside` has it. Raises BadInput where nothing is common.
    """
    factors = _factors(baseline, tonight)
    left = {group.key: group for group in grouped(((r.levels, r) for r in baseline), factors)}
    right = {group.key: group for group in grouped(((r.levels, r) for r in tonight), factors)}
    remarks = [
        f"only {side} has {_words(levels)}"
        for side, its, other in (("the baseline", left, right), ("the other", right, left))
        for levels in (group.levels for key, group in its.items() if key not in other)
    ]
    found, of_other_clocks = [], []
    for key, group in left.items():
        if key not in right:
            continue
        clocks = [side[key].members[0].clock for side in (left, right)]
        if clocks[0] != clocks[1]:
            of_other_clocks.append(
                f"{_words(group.levels)} is on the {clocks[0]} clock in the baseline, and on the"
                f" {clocks[1]} clock in the other"
            )
            continue
        pairs, left_out = _paired(group.levels, group.members, right[key].members, differ)
        found += [pairs] if pairs.n else []
        remarks += [left_out] if left_out else []
    if not found:
        if of_other_clocks:
            raise BadInput(f"BASELINE: {of_other_clocks[0]}\n    Compare campaigns of one clock.")
        raise BadInput(
            "BASELINE: it has no succeeded run of a combination and seed that the other has too\n"
            "    Compare results of one campaign, made with the same seed; weir status lists them."
        )
    return found, [*remarks, *of_other_clocks]


def _factors(baseline: Sequence[Row], tonight: Sequence[Row]) -> list[str]:
    sides = [list(rows[0].levels) if rows else [] for rows in (baseline, tonight)]
    if sorted(sides[0]) != sorted(sides[1]):
        theirs, ours = (", ".join(side) or "none" for side in sides)
        raise BadInput(
            f"BASELINE: its factors are {theirs}, and the other's are {ours}\n"
            "    Compare campaigns that vary the same."
        )
    return sides[0]


def _paired(
    levels: dict[str, Any],
    left: list[Row],
    right: list[Row],
    differ: Callable[[Row, Row], bool],
) -> tuple[Pairs, str]:
    partners = beside(left, (row for row in right if row.state == "succeeded"))
    found = [
        (before, after)
        for before, after in partners
        if after is not None and before.state == "succeeded"
    ]
    names = {name for both in found for row in both for name in row.measured}
    ordered = [name for name in CATALOG if name in names]
    before, after = (
        {name: [both[side].measured.get(name) for both in found] for name in ordered}
        for side in (0, 1)
    )
    pairs = Pairs(
        levels,
        len(found),
        len({(one.digest, other.digest) for one, other in found}),
        sum(one.key != other.key and differ(one, other) for one, other in found),
        before,
        after,
    )
    without = len(left) - len(found)
    said = f"{without} of {len(left)} runs of {_words(levels)} have no succeeded run beside them"
    return pairs, said if without else ""


def _words(levels: Mapping[str, Any]) -> str:
    return ", ".join(f"{path} {level}" for path, level in levels.items()) or "the one combination"
