"""What a combination's search comes to, over made-up verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from weir.spec.search import Passes, Search
from weir_engine.search.subject import End, Subject, narrowed, subjects
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


NEEDS = {("none", 1): 170, ("none", 2): 164, ("wide", 1): 146, ("wide", 2): 120, ("narrow", 1): 144,
         ("narrow", 2): 122}  # fmt: skip
"""The smallest rate that passes, Mbit/s, by control and scenario."""


def trials(near: str | None, lots: Random) -> tuple[dict[tuple[str, int], Any], set[Any]]:
    """What is found, by control and scenario, and the runs that it took, ending in any order."""
    asked = search(to="250Mbit/s", near=near, start="edf_rate_bps", confirm=2)
    plan = [({"control": c, "scenario": s, RATE: "1Mbit/s"}, 0)
            for s in (1, 2) for c in ("none", "wide", "narrow")]  # fmt: skip
    ended: set[tuple[str, int, str]] = set()

    def verdict(levels: Mapping[str, Any], replicate: int) -> Judged | None:
        name = (levels["control"], levels["scenario"], levels[RATE])
        rate = int(name[2].removesuffix("Mbit/s"))
        return Judged(rate >= NEEDS[name[:2]], 0.0, 110e6) if name in ended else None

    while True:
        told = list(narrowed(subjects(asked, plan), verdict))
        open_ = {
            (subject.levels["control"], subject.levels["scenario"], str(level))
            for subject, _, after in told
            if not isinstance(after, End)
            for level in after
        }
        if not open_:
            break
        ended.add(lots.choice(sorted(open_)))
    assert all(isinstance(after, End) for _, _, after in told)
    tried = {
        (s.levels["control"], s.levels["scenario"], level) for s, some, _ in told for level in some
    }
    assert tried == ended
    found = {(s.levels["control"], s.levels["scenario"]): end for s, _, end in told}
    return found, ended


def test_from_a_neighbour_s_level_it_finds_the_same_with_fewer_runs() -> None:
    alone, runs_alone = trials(None, Random(1))
    beside, runs_beside = trials("control", Random(1))
    assert beside == alone == {name: End(f"{rate}Mbit/s") for name, rate in NEEDS.items()}
    assert len(runs_beside) < 0.85 * len(runs_alone)


def test_the_runs_are_the_same_in_whatever_order_they_end() -> None:
    """That each of `trials` has come to all that have ended, and no others, it checks itself."""
    _, runs = trials("control", Random(0))
    assert all(trials("control", Random(seed))[1] == runs for seed in range(1, 5))


def test_one_whose_neighbour_found_nothing_searches_by_itself() -> None:
    subject = Subject(search(), {}, (0,), neighbour=0)
    none = End(None, reason="both ends fail")
    assert subject.narrow(lambda levels, _: None, None) == (["1Mbit/s"], ["1Mbit/s"])
    assert subject.narrow(lambda levels, _: None, none)[1] == ["1Mbit/s", "9Mbit/s"]
    assert subject.narrow(lambda levels, _: None, End("4Mbit/s"))[1] == ["1Mbit/s", "4Mbit/s"]
    assert subject.narrow(lambda levels, _: Judged(False, 1.0), None) == (["1Mbit/s"], [])


def test_a_neighbour_differs_in_that_factor_alone() -> None:
    runs = [({"a": a, "b": b}, k) for a in (1, 2) for b in (1, 2, 3) for k in (0, 1)]
    found = subjects(search(near="a", per="replicate"), runs)
    assert [each.neighbour for each in found] == [None] * 6 + list(range(6))
    found = subjects(search(near="b"), runs)
    assert [each.neighbour for each in found] == [None, 0, 1, None, 3, 4]
