"""Does one level beat the other one? By e-values, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir_engine.regression.effects import Effect
from weir_engine.regression.question import Hypothesis, answer, asked_in, in_words
from weir_engine.row import Row

CC = "server.congestion_control"
TWO_PERCENT = Effect(0.02, 0.0)


def asked(metric: str = "mean_bitrate_bps", effect: Effect = TWO_PERCENT) -> Hypothesis:
    return Hypothesis(CC, "illinois", "cubic", metric, effect)


def rows(
    does: Sequence[float], beat: Sequence[float], metric: str = "mean_bitrate_bps"
) -> list[Row]:
    found = []
    for level, values in (("illinois", does), ("cubic", beat)):
        for replicate, value in enumerate(values):
            metrics: Any = {"run": {}, "clients": [{metric: value}]}
            key, path = f"{level}-{replicate}", Path()
            found.append(Row(key, {CC: level}, replicate, 0, "succeeded", "", path, metrics))
    return found


def test_eight_pairs_of_one_mind_are_the_least_that_tell() -> None:
    beat = [1e6 + k for k in range(8)]
    does = [1.5e6 + 2 * k for k in range(8)]
    seven = answer(rows(does[:7], beat[:7]), asked())
    assert (seven.verdict, seven.low, seven.replicates) == ("cannot tell", None, 8)
    found = answer(rows(does, beat), asked())
    assert (found.verdict, found.n, found.distinct, found.replicates) == ("yes", 8, 8, None)
    assert (found.low, found.high) == (5e5, 5e5 + 7)
    assert found.relative == pytest.approx(0.5, rel=1e-4)
    assert answer(rows(beat, does), asked()).verdict == "no"


def test_less_is_better_where_it_is() -> None:
    stalls = [float(k) for k in range(1, 9)]
    found = answer(
        rows([0.1 * one for one in stalls], stalls, "stall_mean_s"), asked("stall_mean_s")
    )
    assert found.verdict == "yes"
    assert found.worst is not None and found.worst.replicate == 0, "there it gained least"


def test_a_difference_that_does_not_matter_is_none() -> None:
    beat = [1e6 + k for k in range(12)]
    found = answer(rows([one * 1.001 for one in beat], beat), asked())
    assert found.verdict == "no difference"
    assert (
        answer(rows([one * 1.001 for one in beat], beat), asked(effect=Effect(0, 0))).verdict
        == "yes"
    )


def test_runs_that_are_one_over_again_count_once() -> None:
    found = answer(rows([2e6] * 5, [1e6] * 5), asked())
    assert (found.verdict, found.n, found.distinct) == ("alike", 5, 1)
    assert answer(rows([2e6] * 4, [1e6] * 4), asked()).verdict == "cannot tell"
    two = answer(rows([2e6, 3e6] * 10, [1e6] * 20), asked())
    assert (two.verdict, two.n, two.distinct) == ("cannot tell", 20, 2)


def test_pairs_are_those_of_which_both_succeeded() -> None:
    found = rows([2e6, 3e6, 4e6], [1e6, 1e6, 1e6])
    lost = [
        Row(r.key, r.levels, r.replicate, 0, state, "", r.path, r.metrics)
        for r, state in zip(
            found, ("succeeded", "failed", "running", *["succeeded"] * 3), strict=True
        )
    ]
    told = answer(lost, asked())
    assert (told.n, told.without) == (1, 1)
    nothing = answer([], asked())
    assert nothing.verdict == "cannot tell"
    assert in_words(nothing, asked()).startswith("Nothing is known yet of illinois and cubic")


def test_the_typical_and_the_worst_pair_are_named() -> None:
    does = [1.1e6, 1.2e6, 1.3e6, 1.4e6, 1.8e6, 1.9e6, 2e6, 2.1e6, 2.2e6]
    found = answer(rows(does, [1e6] * 9), asked())
    assert found.typical is not None and found.worst is not None
    assert (found.typical.does_key, found.typical.beat_key) == ("illinois-4", "cubic-4")
    assert found.worst.replicate == 0


def test_looking_after_every_pair_is_wrong_in_one_of_twenty_at_most() -> None:
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(150):
        does, beat = random.normal(1e6, 1e5, (2, 40))
        every = rows(does.tolist(), beat.tolist())
        looks = (
            answer([row for row in every if row.replicate < n], asked(effect=Effect(0, 0)))
            for n in range(8, 41, 4)
        )
        wrong += any(found.verdict in {"yes", "no"} for found in looks)
    assert wrong / 150 <= 0.05


def test_in_words() -> None:
    beat = [1e6 + k for k in range(8)]
    found = answer(rows([1.5 * one for one in beat], beat), asked())
    assert in_words(found, asked()) == (
        "Yes: illinois beats cubic for mean bitrate, +50 % (+0.500 Mbit/s), 95 % interval "
        "+0.500 to +0.500 Mbit/s, over 8 seeds."
    )
    worse = answer(rows(beat, [1.5 * one for one in beat]), asked())
    assert in_words(worse, asked()).startswith(
        "No: cubic beats illinois for mean bitrate; illinois"
    )
    assert "\u221233.3 %" in in_words(worse, asked())


def test_a_question_is_read_from_a_spec() -> None:
    spec = {
        "factors": {CC: ["cubic", "illinois"]},
        "question": {"does": "illinois", "metric": "mean_bitrate_bps", "matters": "5%"},
    }
    assert asked_in(spec) == asked(effect=Effect(0.05, 0.0))
    assert asked_in({"factors": {}, "question": None}) is None
    named = {"control": {"old": {CC: "cubic"}, "new": {}}}
    question = {"does": "new", "metric": "stall_count", "matters": 1}
    found = asked_in({"factors": named, "question": question})
    assert found == Hypothesis("control", "new", "old", "stall_count", Effect(0.0, 1.0))
