"""A film as its segment sizes, and the CSV file that holds one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["MAX_SIZE_BYTES", "BadContent", "Film", "Folder", "film", "from_csv"]

MAX_SIZE_BYTES = 2**31 - 1


class BadContent(ValueError):
    """Content that cannot be used; `value` is what is wrong, the message says what to do."""

    def __init__(self, value: object, remedy: str) -> None:
        self.value = value
        super().__init__(remedy)


class Folder(Protocol):
    """Where a manifest stands: what it names lies in there or below."""

    def text(self, name: str) -> str:
        """Content of a file. Raises BadContent."""

    def size(self, name: str) -> int:
        """Bytes of a file. Raises BadContent."""


@dataclass(frozen=True)
class Film:
    """Sizes in bytes, [level][segment], and what the source itself says about the film.

    bitrates_bps: nominal rates, lowest first; segment_s: None where the source has none.
    """

    sizes_bytes: list[list[int]]
    bitrates_bps: list[float] | None = None
    segment_s: float | None = None


def film(
    rows: Sequence[Sequence[int]], bitrates_bps: list[float] | None, segment_s: float | None
) -> Film:
    """A film from one row per level. Raises BadContent: unequal lengths, a size out of range."""
    longest = max(len(row) for row in rows)
    for level, row in enumerate(rows):
        if len(row) != longest:
            raise BadContent(
                f"level {level} has {len(row)} segments, another {longest}",
                "every level needs a size for every segment; complete the shorter one",
            )
        for segment, size in enumerate(row):
            if not 0 < size <= MAX_SIZE_BYTES:
                raise BadContent(
                    f"level {level}, segment {segment}: {size} bytes",
                    f"a size is 1 to {MAX_SIZE_BYTES} bytes; mend that segment",
                )
    return Film([list(row) for row in rows], bitrates_bps, segment_s)


def from_csv(text: str, levels: int) -> Film:
    """A row per segment, a column per level, bytes. Lines that begin with # are comments.

    Raises BadContent.
    """
    rows: list[list[int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(",")]
        at = f"line {number}: {line[:60]}"
        if len(cells) != levels:
            raise BadContent(
                at, f"it has {len(cells)} sizes and the ladder {levels} levels; give one per level"
            )
        for level, cell in enumerate(cells):
            # 10 digits hold every size allowed; int() of thousands of digits is slow.
            if not (cell.isdecimal() and len(cell) <= 10 and 0 < int(cell) <= MAX_SIZE_BYTES):
                raise BadContent(
                    at,
                    f"level {level} has {cell[:20]!r}: mend that line; a size is a whole number "
                    "of bytes above zero, comments begin with #",
                )
        rows.append([int(cell) for cell in cells])
    if not rows:
        raise BadContent("no rows", "give a row per segment, with one size in bytes per level")
    return Film([list(column) for column in zip(*rows, strict=True)])
