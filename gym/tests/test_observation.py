"""What is observed and what it is worth, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from weir.metrics import qoe
from weir_gym.observation import HISTORY, Observer, names_of, space_of
from weir_gym.reward import Segment, pensieve
from weir_lab.asking import Question
from weir_testing.cells import LADDER_BPS, client, experiment


def test_an_observation_by_hand() -> None:
    asked = experiment({"content.segments": 8}, client())
    observer = Observer(asked, 1)
    observer.came(456e3, 114_000, 0.5)
    observer.came(928e3, 232_000, 2.0)
    seen = observer.at(Question(2, 0, now_s=3.0, buffer_s=3.5))
    told = dict(zip(names_of(len(LADDER_BPS)), seen.tolist(), strict=True))
    assert told["buffer_s"] == 3.5
    assert told["last_mbps"] == pytest.approx(0.928)
    assert told["segments_left"] == 6
    assert told["throughput_mbps_1"] == pytest.approx(0.928)
    assert told["throughput_mbps_2"] == pytest.approx(1.824)
    assert told["throughput_mbps_3"] == 0
    assert (told["download_s_2"], told["download_s_1"]) == (0.5, 2.0)
    sizes = [told[f"size_mb_{level}"] for level in range(len(LADDER_BPS))]
    assert sizes == pytest.approx([rate * 2 / 8 / 1e6 for rate in LADDER_BPS])
    assert seen in space_of(len(LADDER_BPS))


def test_of_an_endless_film_the_time_that_is_left_counts() -> None:
    observer = Observer(experiment({}, client(stop_s=15.0)), 1)
    seen = observer.at(Question(4, 0, now_s=9.0, buffer_s=1.0))
    assert seen[names_of(5).index("segments_left")] == 3


def test_history_is_no_longer_than_it_is_said_to_be() -> None:
    observer = Observer(experiment({}, client()), 1)
    for number in range(HISTORY + 3):
        observer.came(248e3, 1000 * (number + 1), 1.0)
    seen = observer.at_end(0.0)
    first = names_of(5).index(f"throughput_mbps_{HISTORY}")
    assert seen[first : first + HISTORY] == pytest.approx(
        [8e-3 * (number + 4) for number in range(HISTORY)]
    )
    assert not seen[-5:].any()


def test_rewards_add_up_to_the_metric() -> None:
    rates, stalls = [300e3, 1200e3, 750e3, 750e3], [0.0, 1.5, 0.0, 0.25]
    before = [None, *rates[:-1]]
    steps = [
        Segment(rate, last, stall, 1.0, 0.0)
        for rate, last, stall in zip(rates, before, stalls, strict=True)
    ]
    mean = np.mean([pensieve(step) for step in steps])
    assert mean == pytest.approx(qoe.pensieve(np.array(rates), sum(stalls)))


def test_a_segment_that_was_cut_off_is_worth_its_stall() -> None:
    assert pensieve(Segment(None, 4256e3, 2.0, 3.0, 0.0)) == -8.6
