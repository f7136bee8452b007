"""The best sequence of levels for one client of a run, by beam search over what-ifs.

A what-if forces some segments' levels; the client's own ABR plays on where nothing is forced, and
everything else in the cell answers. So each sequence is scored by the real course of its run.

The beam begins with the run as it was and with each level held throughout. It goes through the film
block by block: each sequence that it holds is tried with every other level in that block, and the
best `width` go on. Blocks are as short as the runs allow; what runs are left are spent on further
passes with blocks of half the length, until one of a segment each brings nothing better.

Beam search as in Lowerre, The HARPY speech recognition system, 1976. It finds no more than it
tries: the true optimum may be better, so the regret that it gives is a lower bound.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from math import ceil

__all__ = ["Levels", "Sequence", "first_block", "search"]

Levels = Mapping[int, int]
"""Segment, from 0 -> level that is forced."""


@dataclass(frozen=True)
class Sequence:
    """A run of the search. forced: see Levels. played: of each segment that came, its level.

    score: its QoE, higher being better.
    """

    forced: tuple[tuple[int, int], ...]
    played: tuple[int, ...]
    score: float


Tried = list[Sequence | None]
"""For each asked for, in order; None: that run did not succeed."""


def search(
    own: Sequence, *, levels: int, horizon: int, width: int, runs: int
) -> Generator[list[Levels], Tried, Sequence]:
    """The best sequence. It yields what to try next and is sent what came of it.

    own: the run as it was. levels: of the ladder. horizon: more segments than any run plays, or
    the film's. runs: at most so many are asked for.
    """
    left = runs
    block = first_block(len(own.played), levels, width, runs)
    asked: set[tuple[tuple[int, int], ...]] = {own.forced}

    def fresh(wanted: Iterable[Levels]) -> list[Levels]:
        found: list[Levels] = []
        for each in wanted:
            if (name := tuple(sorted(each.items()))) not in asked and len(found) < left:
                asked.add(name)
                found.append(each)
        return found

    def tried(wanted: list[Levels]) -> Generator[list[Levels], Tried, list[Sequence]]:
        nonlocal left
        if not wanted:
            return []
        left -= len(wanted)
        return [each for each in (yield wanted) if each is not None]

    constant = [dict.fromkeys(range(horizon), level) for level in range(levels)]
    beam = _best([own, *(yield from tried(fresh(constant)))], width)
    while left > 0:
        before = beam[0].score
        for start in range(0, len(own.played), block):
            stop = min(start + block, len(own.played))
            others = (
                {**dict(held.forced), **dict.fromkeys(range(start, stop), level)}
                for held in beam
                for level in range(levels)
                if any(each != level for each in held.played[start:stop])
            )
            beam = _best([*beam, *(yield from tried(fresh(others)))], width)
        if block == 1 and beam[0].score <= before:
            break
        block = max(1, block // 2)
    return beam[0]


def first_block(segments: int, levels: int, width: int, runs: int) -> int:
    """Segments in a block, so that one pass through the film fits into the runs."""
    passes_through = (runs - levels) // max(1, width * (levels - 1))
    return max(1, ceil(segments / max(1, passes_through)))


def _best(found: Iterable[Sequence], width: int) -> list[Sequence]:
    """The best first; of those that played the same levels one, and equal ones in a fixed order."""
    ordered = sorted(found, key=lambda each: (-each.score, len(each.forced), each.forced))
    different: dict[tuple[int, ...], Sequence] = {}
    for each in ordered:
        different.setdefault(each.played, each)
    return list(different.values())[:width]
