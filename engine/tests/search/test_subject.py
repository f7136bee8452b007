"""What a combination's search comes to, over made-up verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from weir.spec.search import Passes, Search
from weir_engine.search.subject import End, Subject, subjects
from weir_engine.search.verdict import Judged, judged

RATE = "gateway.downlink.rate"


def search(**more: Any) -> Search:
    asked = {"factor": RATE, "from": "1Mbit/s", "to": "9Mbit/s", "step": "1Mbit/s",
             "passes": {"metric": "stall_count", "at_most": 0}, "confirm": 1}  # fmt: skip
    return Search.model_validate(asked | more)


def carried_out(subject: Subject, passes: Any) -> tuple[list[str | int], End]:
    """Levels as their number of Mbit/s."""
    known: set[tuple[str, int]] = set()

    def verdict(levels: Mapping[str, Any], replicate: int) -> Judged | str | None:
        level = levels[RATE]
        rate = int(level.removesuffix("Mbit/s"))
        said: bool | str = passes(rate, replicate)
        if (level, replicate) not in known:
            return None
        return said if isinstance(said, str) else Judged(said, float(0 if said else 10 - rate))

    while True:
        tried, after = subject.narrow(verdict)
        if isinstance(after, End):
            return tried, after
        assert after
        known |= {(str(level), replicate) for level in after for replicate in subject.replicates}


def test_a_level_passes_when_all_replicates_do() -> None:
    subject = Subject(search(), {"a": 1}, (0, 1))
    tried, end = carried_out(subject, lambda rate, replicate: rate >= 4 + replicate)
    assert end == End("5Mbit/s")
    assert tried == [f"{rate}Mbit/s" for rate in (1, 3, 4, 5, 6, 9)]


def test_the_largest_is_found_from_the_other_side() -> None:
    subject = Subject(search(find="largest"), {}, (0,))
    tried, end = carried_out(subject, lambda rate, _: rate <= 7 and rate != 6)
    assert end == End("7Mbit/s", ("6Mbit/s",))
    assert tried == sorted(tried)


@pytest.mark.parametrize(
    ("passes", "reason"),
    [
        (
            lambda rate, _: True,
            "both ends pass, 1Mbit/s and 9Mbit/s: widen from and to (stall_count is 0 and 0)",
        ),
        (
            lambda rate, _: False,
            "both ends fail, 1Mbit/s and 9Mbit/s: widen from and to (stall_count is 9 and 1)",
        ),
        (lambda rate, _: rate < 4, "1Mbit/s passes and 9Mbit/s fails: set find: largest"),
        (
            lambda rate, _: "the run is failed: why" if rate == 5 else rate > 3,
            "at 5Mbit/s: the run",
        ),
    ],
)
def test_what_is_not_found_says_why(passes: Any, reason: str) -> None:
    _, end = carried_out(Subject(search(), {}, (0,)), passes)
    assert end.level is None and end.reason.startswith(reason)


@pytest.mark.parametrize(("find", "tried"), [("smallest", "1345"), ("largest", "3459")])
def test_a_search_may_start_at_a_metric_of_its_first_run(find: str, tried: str) -> None:
    """The smallest rate that passes is 4, the largest 4: from 2.5 or 5.5 on."""
    smallest = find == "smallest"

    def verdict(levels: Mapping[str, Any], replicate: int) -> Judged | str | None:
        rate = int(levels[RATE].removesuffix("Mbit/s"))
        seen.add(rate)
        return Judged(rate >= 4 if smallest else rate <= 4, 0.0, 2.5e6 if smallest else 5.5e6)

    seen: set[int] = set()
    subject = Subject(search(find=find, start="edf_rate_bps"), {}, (0,))
    _, end = subject.narrow(verdict)
    assert end == End("4Mbit/s")
    assert sorted(seen) == [int(rate) for rate in tried]


def test_subjects_are_combinations_or_replicates_of_them() -> None:
    runs = [
        ({"a": a, RATE: rate}, replicate)
        for a in (1, 2)
        for rate in ("1Mbit/s", "9Mbit/s")
        for replicate in (0, 1)
    ]
    together = subjects(search(), runs)
    assert [(each.levels, each.replicates) for each in together] == [
        ({"a": 1}, (0, 1)), ({"a": 2}, (0, 1)),
    ]  # fmt: skip
    apart = subjects(search(per="replicate"), runs)
    assert [each.replicates for each in apart] == [(0,), (1,), (0,), (1,)]


@pytest.mark.parametrize(
    ("rule", "values", "expected"),
    [
        ({"at_most": 0}, [0, 3, 1], Judged(False, 3.0)),
        ({"at_most": 4}, [0, 3, 1], Judged(True, 3.0)),
        ({"at_least": 2}, [5, 3, 1], Judged(False, 1.0)),
        ({"at_least": 0, "at_most": 4}, [-2, 5], Judged(False, -2.0)),
        ({"at_most": 4}, [], None),
    ],
)
def test_a_run_is_judged_by_its_worst_client(
    rule: dict[str, float], values: list[float], expected: Judged | None
) -> None:
    metrics: Any = {"run": {}, "clients": [{"stall_count": value} for value in values]}
    passes = Passes.model_validate({"metric": "stall_count", **rule})
    assert judged(metrics, passes) == expected
