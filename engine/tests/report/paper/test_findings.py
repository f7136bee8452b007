"""Findings on constructed results whose verdict is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.spec.paper import Paper
from weir_engine.report.paper import study
from weir_engine.report.paper.findings import Judged
from weir_engine.report.paper.parts import Part
from weir_engine.report.paper.wording import as_json, summary, worded
from weir_engine.row import Row

QUEUE, SIZE = "queue", "gateway.downlink.queue.limit"
AXES = {
    "queue": {"levels": {"drop-tail": "drop-tail", "codel": "CoDel"}},
    "size": {"factor": SIZE, "levels": {"1bdp": "1", "6bdp": "6"}},
    "player": {"levels": ["classic2", "bba2"]},
}
NOISE = (-0.2, 0.1, -0.1, 0.2)


def row(value: float | None, replicate: int, **levels: str) -> Row:
    asked = {QUEUE: levels["queue"], SIZE: levels["size"], "player": levels["player"]}
    metrics: Any = {
        "run": {"quality_unfairness_percent": value, "drops_burst": 3, "drops_ack_clocking": 1},
        "clients": [
            {"client": 1, "rank": 2, "ins": None if value is None else value / 2},
            {"client": 2, "rank": 1, "ins": value},
        ],
    }
    key = f"{replicate} {asked}"
    return Row(key, asked, replicate, 100 + replicate, "succeeded", "", Path(), metrics)


def rows(means: dict[tuple[str, str, str], float], noise: tuple[float, ...] = NOISE) -> list[Row]:
    """Means by (queue, size, player); replicate k has the same noise everywhere, times the mean."""
    return [
        row(mean * (1 + wobble), k, queue=queue, size=size, player=player)
        for (queue, size, player), mean in means.items()
        for k, wobble in enumerate(noise)
    ]


def judged(found: list[Row], *comparisons: dict[str, Any], name: str = "small") -> Judged:
    paper = Paper.model_validate(
        {
            "citation": "A paper",
            "axes": AXES,
            "metrics": {
                "burst_share": {
                    "title": "Burst",
                    "part": ["drops_burst"],
                    "of": ["drops_burst", "drops_ack_clocking"],
                }
            },
            "findings": [{"statement": "So it is.", "comparisons": list(comparisons)}],
        }
    )
    record: Any = {"name": name, "spec": {"experiment": {}}}
    (one,) = study(paper, [(record, found)]).judged
    return one


def only(one: Judged) -> Part:
    ((part,),) = one.parts
    return part


GROWS = {
    "metric": "quality_unfairness_percent",
    "of": {"size": "6bdp"},
    "expect": "greater",
    "than": {"size": "1bdp"},
    "where": {"queue": "drop-tail"},
}
FOUR = {
    ("drop-tail", "1bdp", "classic2"): 2.0,
    ("drop-tail", "6bdp", "classic2"): 4.0,
    ("drop-tail", "1bdp", "bba2"): 3.0,
    ("drop-tail", "6bdp", "bba2"): 9.0,
}


def test_shown_with_the_means_of_the_pairs() -> None:
    one = judged(rows(FOUR), GROWS)
    part = only(one)
    assert (one.verdict, part.verdict) == ("supported", "supported")
    assert part.paired is not None
    # Two players times four replicates; the noise adds up to nothing.
    assert part.paired.n == 8
    assert part.paired.mean_b == pytest.approx(6.5)
    assert part.paired.mean_a == pytest.approx(2.5)
    # Differences 2 (1 + wobble) and 6 (1 + wobble): t(0.975, 7) = 2.36462
    differences = [scale * (1 + wobble) for scale in (2, 6) for wobble in NOISE]
    variance = sum((each - 4) ** 2 for each in differences) / 7
    assert part.paired.ci_low == pytest.approx(4 - 2.36462 * (variance / 8) ** 0.5, abs=1e-4)


def test_the_same_numbers_the_other_way_round_are_the_opposite() -> None:
    assert judged(rows(FOUR), {**GROWS, "expect": "less"}).verdict == "contradicted"


def test_not_shown_when_the_threshold_is_not_clearly_passed() -> None:
    low = only(judged(rows(FOUR), GROWS)).paired
    assert low is not None
    assert judged(rows(FOUR), {**GROWS, "by": low.ci_low - 0.01}).verdict == "supported"
    assert judged(rows(FOUR), {**GROWS, "by": low.ci_low + 0.01}).verdict == "inconclusive"


def test_a_relative_threshold_is_of_the_mean_it_is_compared_with() -> None:
    part = only(judged(rows(FOUR), {**GROWS, "by": "50%"}))
    assert part.by == pytest.approx(0.5 * 2.5)


def test_not_shown_when_the_interval_holds_zero() -> None:
    means = {**FOUR, ("drop-tail", "6bdp", "bba2"): 1.0}
    one = judged(rows(means), GROWS)
    assert one.verdict == "inconclusive"


@pytest.mark.parametrize("replicates", [0, 1])
def test_not_measured_below_two_pairs(replicates: int) -> None:
    means = {key: mean for key, mean in FOUR.items() if key[2] == "bba2"}
    one = judged(rows(means, NOISE[:replicates]), GROWS)
    assert one.verdict == only(one).verdict == "not measured"
    assert only(one).paired is None


def test_identical_replicates_count_once() -> None:
    """Without anything random they are one run, however often it is done."""
    part = only(judged(rows(FOUR, (0.0,) * 4), GROWS))
    assert part.paired is not None
    assert part.paired.n == 2


def test_pairs_need_the_same_seed_and_levels() -> None:
    found = [
        one
        for one in rows(FOUR)
        if not (one.levels[SIZE] == "6bdp" and one.replicate >= 2)
        and not (one.levels[SIZE] == "1bdp" and one.replicate == 0)
    ]
    part = only(judged(found, GROWS))
    assert part.paired is not None
    assert part.paired.n == 2


def test_each_level_must_show_it() -> None:
    one = judged(rows(FOUR), {**GROWS, "each": ["player"]})
    assert one.verdict == "supported"
    assert [part.at for parts in one.parts for part in parts] == [
        {"player": "classic2"},
        {"player": "bba2"},
    ]
    means = {**FOUR, ("drop-tail", "6bdp", "bba2"): 3.0}
    one = judged(rows(means), {**GROWS, "each": ["player"]})
    assert (one.verdict, one.count("supported")) == ("inconclusive", 1)


def test_what_was_measured_decides_but_every_comparison_must_be() -> None:
    means = {key: mean for key, mean in FOUR.items() if key[2] == "bba2"}
    each = {**GROWS, "each": ["player"]}
    assert (
        summary(judged(rows(means), each))
        == "supported (1 of 2 comparisons support it; 1 not measured)"
    )
    codel = {**GROWS, "where": {"queue": "codel"}}
    assert judged(rows(means), each, codel).verdict == "not measured"


def test_difference_of_differences() -> None:
    most = {**GROWS, "more_for": {"player": "bba2"}, "than_for": {"player": "classic2"}}
    part = only(judged(rows(FOUR), most))
    assert part.paired is not None
    assert part.verdict == "supported"
    assert [part.paired.mean_b, part.paired.mean_a] == pytest.approx([6, 2])
    assert part.paired.n == 4
    turned = {**most, "more_for": {"player": "classic2"}, "than_for": {"player": "bba2"}}
    assert judged(rows(FOUR), turned).verdict == "contradicted"


LITTLE = {
    "metric": "quality_unfairness_percent",
    "expect": "little effect",
    "across": ["queue", "size"],
    "by": 1,
}


@pytest.mark.parametrize(
    ("largest", "little", "effect"),
    [
        (2.1, "supported", "contradicted"),
        (9.0, "contradicted", "supported"),
        (3.0, *["inconclusive"] * 2),
    ],
)
def test_effects_over_all_pairs_of_combinations(largest: float, little: str, effect: str) -> None:
    queues, sizes = ("drop-tail", "codel"), ("1bdp", "6bdp")
    means = {(q, s, p): 2.0 for q in queues for s in sizes for p in ("classic2", "bba2")}
    means |= {("drop-tail", "6bdp", p): largest for p in ("classic2", "bba2")}
    one = judged(rows(means), LITTLE)
    assert one.verdict == little
    assert only(one).tried == 6
    assert "drop-tail, 6" in {only(one).of, only(one).than}
    assert judged(rows(means), {**LITTLE, "expect": "effect"}).verdict == effect


def test_some_pair_of_many_must_differ_clearly() -> None:
    """95 % intervals alone would call one of 20 pairs different by chance."""
    noise = (-1.0, 0.4, 0.8, 1.4)
    means = {("drop-tail", "1bdp", "bba2"): 0.0, ("drop-tail", "6bdp", "bba2"): 1.0}
    found = [
        row(mean + mean * wobble * 0.6, k, queue=q, size=s, player=p)
        for (q, s, p), mean in means.items()
        for k, wobble in enumerate(noise)
    ]
    two = {**LITTLE, "expect": "effect", "by": 0}
    assert judged(found, two).verdict == "supported"
    others = [
        row(k / 1000, k, queue="codel", size=s, player="bba2")
        for s in ("1bdp", "6bdp")
        for k in range(4)
    ]
    assert judged([*found, *others], two).verdict == "inconclusive"


def test_metrics_of_clients_are_their_mean_or_that_of_a_rank() -> None:
    one = {**GROWS, "metric": "ins"}
    mean, first = (only(judged(rows(FOUR), {**one, **more})) for more in ({}, {"client": 1}))
    assert mean.paired is not None
    assert first.paired is not None
    assert mean.paired.mean_b == pytest.approx(0.75 * 6.5)
    assert first.paired.mean_b == pytest.approx(6.5)


def test_a_share_is_of_the_sum() -> None:
    found = rows(FOUR)
    little = {**LITTLE, "metric": "burst_share", "where": {"queue": "drop-tail"}}
    part = only(judged(found, {**little, "across": ["size"]}))
    assert part.paired is not None
    assert (part.paired.mean_a, part.verdict) == (75.0, "supported")


def test_runs_of_several_campaigns_and_fixed_levels_count_once() -> None:
    paper = {"citation": "A paper", "axes": AXES}
    found = rows(FOUR)
    fixed = [
        Row(one.key, {SIZE: one.levels[SIZE]}, 0, one.seed, one.state, "", one.path, one.metrics)
        for one in found
    ]
    record: Any = {"name": "a", "spec": {"experiment": {"gateway": {"downlink": {}}}}}
    done = study(Paper.model_validate(paper), [(record, found), (record | {"name": "b"}, fixed)])
    assert len(done.pool.observations) == len(found)
    other = [row(1.0, 0, queue="pie", size="1bdp", player="bba2")]
    known = study(Paper.model_validate(paper), [(record, other)]).pool
    assert (known.observations, known.strangers) == ((), {("queue", "pie"): 1})
    where: Any = {"spec": {"experiment": {"gateway": {"downlink": {"queue": {"limit": "6bdp"}}}}}}
    without = [
        Row(f"x{n}", {"player": "bba2"}, 0, 1, "succeeded", "", Path(), one.metrics)
        for n, one in enumerate(found[:1])
    ]
    pooled = study(Paper.model_validate(paper), [(where | {"name": "c"}, without)]).pool
    assert pooled.observations[0].levels == {"size": "6bdp", "player": "bba2"}


def test_words_and_json_carry_the_numbers() -> None:
    one = judged(rows(FOUR), GROWS, {**GROWS, "where": {"queue": "codel"}})
    assert one.verdict == "not measured"
    paper = Paper.model_validate({"citation": "A paper", "axes": AXES})
    said = worded(paper, one.parts[0][0])
    assert (said.metric, said.where, said.expected) == (
        "Quality unfairness",
        "queue drop-tail",
        "6 > 1",
    )
    assert said.found.startswith("6.50 against 2.50 %: +4.00 [+")
    assert said.n == "8"
    written = json.loads(json.dumps(as_json(one)))
    first, second = written["comparisons"]
    assert (first["n"], first["difference"]) == (8, pytest.approx(4.0))
    assert (second["verdict"], second["ci95"]) == ("not measured", None)
