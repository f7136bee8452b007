"""People's opinion scores of recorded runs, beside what was measured.

A CSV file with a header and a row per score: person, recording (the key of a run, or its first
characters), item (what was scored, such as picture or sound), score from 1, bad, to 5, excellent
(the five-point category scale, ITU-T P.910). The mean over people is the MOS of a combination.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weir import stats

from weir_engine.errors import BadInput
from weir_engine.report.build import Combination, Report

__all__ = ["COLUMNS", "Rating", "join", "read"]

COLUMNS = ("person", "recording", "item", "score")
SHORTEST_KEY = 6


@dataclass(frozen=True)
class Rating:
    """One score. where: file and line, for messages."""

    person: str
    recording: str
    item: str
    score: int
    where: str


def read(path: Path) -> list[Rating]:
    """The file's ratings. Raises BadInput: unreadable, columns missing, a score out of scale, a
    person that scored an item of one recording twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--ratings: {path} — allowed: a CSV file\n    {error}") from None
    rows = csv.DictReader(io.StringIO(text))
    if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
        raise BadInput(
            f"{path}: no column {', '.join(missing)} — allowed: a first line with "
            f"{', '.join(COLUMNS)}"
        )
    found = [_rating(f"{path}:{rows.line_num}", row) for row in rows]
    if not found:
        raise BadInput(f"{path}: no scores — allowed: a line for each")
    seen: dict[tuple[str, str, str], str] = {}
    for one in found:
        first = seen.setdefault((one.person, one.recording, one.item), one.where)
        if first != one.where:
            raise BadInput(
                f"{one.where}: {one.person} scored {one.item} of {one.recording} already, at "
                f"{first}\n    Keep one of the two."
            )
    return found


def _rating(where: str, row: dict[str, str | None]) -> Rating:
    person, recording, item, score = ((row[name] or "").strip() for name in COLUMNS)
    for name, value in (("person", person), ("recording", recording), ("item", item)):
        if not value:
            raise BadInput(f"{where}: {name} is empty — allowed: a name in each line")
    if len(recording) < SHORTEST_KEY:
        raise BadInput(
            f"{where}: recording {recording} — allowed: a run's key, its first {SHORTEST_KEY} "
            "characters or more; `weir status --all` shows keys"
        )
    if score not in ("1", "2", "3", "4", "5"):
        raise BadInput(
            f"{where}: score {score or 'empty'} — allowed: a whole number from 1 (bad) to 5 "
            "(excellent)\n    Convert scores of another scale first."
        )
    return Rating(person, recording, item, int(score), where)


def join(ratings: list[Rating], reports: list[Report]) -> None:
    """Give each report the opinions of its combinations.

    Raises BadInput for a recording that is none, or several, of the runs that succeeded in them.
    """
    kept = [row.key for report in reports for each in report.combinations for row in each.rows]
    for one in ratings:
        mine = {key for key in kept if key.startswith(one.recording)}
        if len(mine) != 1:
            raise BadInput(
                f"{one.where}: recording {one.recording} is that of {len(mine)} runs — allowed: "
                "the key of one that succeeded in the campaigns named; `weir status --all` shows "
                "keys"
            )
    for report in reports:
        for index, combination in enumerate(report.combinations):
            if scores := _opinions(ratings, combination):
                report.opinions[index] = scores


def _opinions(ratings: list[Rating], combination: Combination) -> dict[str, stats.Summary]:
    """By item, over people: each counts once, with the mean of what they gave."""
    keys = [row.key for row in combination.rows]
    mine = [one for one in ratings if any(key.startswith(one.recording) for key in keys)]
    return {
        item: stats.summary(_by_person([one for one in mine if one.item == item]))
        for item in dict.fromkeys(one.item for one in mine)
    }


def _by_person(ratings: list[Rating]) -> Iterator[float]:
    for person in dict.fromkeys(one.person for one in ratings):
        scores = [one.score for one in ratings if one.person == person]
        yield sum(scores) / len(scores)
