"""Verdicts on made results, of which it is known what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from weir.metrics import CATALOG
from weir_engine.errors import BadInput
from weir_engine.regression import Judged, Judgement, Pairs, effects, judge, wording

N = 24
METRICS = ("mean_bitrate_bps", "stall_count", "rebuffer_ratio_percent", "jain", "segments")

Change = Callable[[str, float], float]


def results(
    random: np.random.Generator, change: Change | None = None, *, same_seeds: bool = True
) -> list[Pairs]:
    """Six combinations with skewed noise; `change` is applied to what comes after."""
    found = []
    for place in range(6):
        pairs = Pairs({"queue": place}, N, distinct=N, changed=N)
        for name in CATALOG:
            if name not in METRICS:
                pairs.before[name], pairs.after[name] = [None] * N, [None] * N
                continue
            before = (1e6 * random.exponential(1.0, N)).tolist()
            after = before if same_seeds else (1e6 * random.exponential(1.0, N)).tolist()
            pairs.before[name] = list(before)
            pairs.after[name] = [change(name, value) if change else value for value in after]
        found.append(pairs)
    return found


def verdicts(judgement: Judgement, metric: str) -> set[str]:
    return {one.verdict for one in judgement.judged if one.metric == metric}


def test_nights_without_a_change_raise_no_alarm() -> None:
    random = np.random.default_rng(7)
    alarms = 0
    for _ in range(300):
        judgement = judge(results(random, same_seeds=False), effects.DEFAULTS)
        alarms += any(one.verdict in {"worse", "better"} for one in judgement.judged)
    assert alarms <= 3


def test_a_change_of_one_metric_is_found_everywhere_and_nothing_else() -> None:
    def lower(name: str, value: float) -> float:
        return 0.95 * value if name == "mean_bitrate_bps" else value

    judgement = judge(results(np.random.default_rng(1), lower), effects.DEFAULTS)
    assert verdicts(judgement, "mean_bitrate_bps") == {"worse"}
    assert verdicts(judgement, "stall_count") == {"no matter"}
    assert {one.metric for one in judgement.worse} == {"mean_bitrate_bps"}
    assert judgement.judged[0].verdict == "worse"
    assert judgement.judged[0].relative == pytest.approx(-0.05, abs=0.03)


@pytest.mark.parametrize(
    ("metric", "factor", "verdict"),
    [
        ("mean_bitrate_bps", 1.05, "better"),
        ("stall_count", 1.05, "worse"),
        ("stall_count", 0.9, "better"),
        ("segments", 1.1, "higher"),
        ("segments", 0.9, "lower"),
    ],
)
def test_which_way_is_better(metric: str, factor: float, verdict: str) -> None:
    def change(name: str, value: float) -> float:
        return factor * value if name == metric else value

    judgement = judge(results(np.random.default_rng(2), change), effects.DEFAULTS)
    assert verdicts(judgement, metric) == {verdict}


def test_what_is_too_small_does_not_matter() -> None:
    def little(_: str, value: float) -> float:
        return 1.01 * value

    judgement = judge(results(np.random.default_rng(3), little), effects.DEFAULTS)
    assert verdicts(judgement, "mean_bitrate_bps") == {"no matter"}
    own = effects.parsed(["mean_bitrate_bps=0.5%"])
    judgement = judge(results(np.random.default_rng(3), little), own)
    assert verdicts(judgement, "mean_bitrate_bps") == {"better"}


def test_equal_bytes_are_no_question_of_statistics() -> None:
    found = results(np.random.default_rng(4))
    for pairs in found:
        pairs.changed = 0
    judgement = judge(found, effects.DEFAULTS)
    assert judgement.changed == 0
    assert {one.verdict for one in judgement.judged} == {"same"}


def test_too_few_replicates_say_how_many_would_tell() -> None:
    found = results(np.random.default_rng(5), lambda _, value: 0.9 * value)
    for pairs in found:
        for side in (pairs.before, pairs.after):
            side.update({name: values[:4] for name, values in side.items()})
    judgement = judge(found, effects.DEFAULTS)
    unclear = next(one for one in judgement.judged if one.metric == "mean_bitrate_bps")
    assert unclear.verdict == "cannot tell"
    assert unclear.replicates is not None
    assert 5 <= unclear.replicates <= N
    assert f"about {unclear.replicates} replicates would" in wording.line(unclear)


def test_replicates_that_are_all_alike_are_one() -> None:
    found = results(np.random.default_rng(9), lambda _, value: 0.5 * value)
    for pairs in found:
        pairs.distinct = 1
        for side in (pairs.before, pairs.after):
            side.update({name: [values[0]] * N for name, values in side.items()})
    judgement = judge(found, effects.DEFAULTS)
    assert {one.verdict for one in judgement.judged} == {"cannot tell"}
    assert {one.n for one in judgement.judged} == {1}
    assert judgement.remarks == [
        "6 combinations have replicates that are all alike: nothing random happens"
    ]


def test_what_is_defined_on_one_side_only_is_not_judged() -> None:
    found = results(np.random.default_rng(6))
    for pairs in found:
        pairs.after["stall_count"] = [None] * N
    assert verdicts(judge(found, effects.DEFAULTS), "stall_count") == set()


def worse_night() -> Judgement:
    def change(name: str, value: float) -> float:
        return 1.5 * value if name == "rebuffer_ratio_percent" else value

    return judge(results(np.random.default_rng(8), change), effects.DEFAULTS, ["queue 9: no runs"])


def test_it_is_told_in_words() -> None:
    said = wording.markdown(worse_night(), "nightly")
    assert said.startswith("## nightly: worse\n\n6 of 6 combinations changed in any way")
    assert "worse: Rebuffer ratio" in said
    assert "(+50 %, 24 pairs) at queue " in said
    assert said.rstrip().endswith("Not compared: queue 9: no runs.")


def test_junit_fails_what_is_worse() -> None:
    suite = ElementTree.fromstring(wording.junit(worse_night(), "nightly"))
    failed = {case.get("name") for case in suite if case.find("failure") is not None}
    assert suite.get("failures") == "6"
    assert failed == {"rebuffer_ratio_percent"}
    assert suite.get("tests") == str(len(suite))


def test_json_says_from_where_on_it_matters() -> None:
    told: dict[str, Any] = wording.as_json(worse_night(), effects.DEFAULTS)
    first = told["verdicts"][0]
    assert told["worse"] is True
    assert first["verdict"] == "worse"
    assert first["matters_from"] == pytest.approx(0.02 * first["before"])


@pytest.mark.parametrize(
    "text", ["jain", "jain=", "jain=-1", "jain=much", "jain=inf", "jain=nan%", "no_metric=1"]
)
def test_effects_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match=f"--effect: {text}"):
        effects.parsed([text])


def test_a_line_of_a_metric_without_a_baseline_to_relate_to() -> None:
    one = Judged({}, "stall_count", "worse", 20, 0.0, 2.0, None, None)
    assert wording.line(one) == "worse: Stalls 0 -> 2.00 (20 pairs) at the one combination"
