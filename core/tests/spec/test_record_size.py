"""The bound of what a run records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.errors import SpecError
from weir.expand import Expansion
from weir.resolved import Experiment
from weir.spec.load import parse_campaign
from weir.spec.record_size import most_bytes


def experiment(clients: int, duration: str, rate: Any, **record: str) -> Experiment:
    document = {
        "name": "x",
        "experiment": {
            "duration": duration,
            "content": {"ladder": ["1Mbit/s", "3Mbit/s"]},
            "gateway": {"downlink": {"rate": rate, "queue": {"limit": "67packets"}}},
            "clients": [{"player": "bola", "count": clients, "buffer": "30s"}],
            "record": record,
        },
    }
    return next(Expansion(parse_campaign(document, Path())).runs()).experiment


def test_by_hand() -> None:
    # The link: 100 s of 6 Mbit/s on average are 50,000 packets, each with an ACK, 48 bytes each.
    steps = {"steps": [{"at": "0s", "rate": "8Mbit/s"}, {"at": "50s", "rate": "4Mbit/s"}]}
    assert most_bytes(experiment(4, "100s", steps)) == pytest.approx(100_000 * 48)
    assert most_bytes(experiment(4, "100s", steps, tcp="off")) == pytest.approx(50_000 * 48)
    assert most_bytes(experiment(4, "100s", steps, tcp="off", queue="off")) == 0
    # By the second: four flows at either place, and 100 bins.
    seconds = experiment(4, "100s", steps, tcp="per-second", queue="per-second")
    assert most_bytes(seconds) == pytest.approx(100 * (4 + 4 + 100) * 48)
    assert most_bytes(experiment(4, "100s", steps, queue="per-second")) == pytest.approx(
        (50_000 + 100 * 104) * 48
    )
    assert most_bytes(experiment(4, "100s", steps, queue="summary")) == pytest.approx(
        (50_000 + 100 * 104) * 48
    )
    # One client: 130 s of 3 Mbit/s and 15 % on top are 37,375 packets, less than the link carries.
    assert most_bytes(experiment(1, "100s", steps)) == pytest.approx(37_375 * 2 * 48)


def test_a_run_that_would_not_fit_in_memory_is_refused() -> None:
    # 200 clients of 3 Mbit/s and 15 %, 3630 s: 209 million packets, 20 GB with their ACKs.
    with pytest.raises(SpecError) as refused:
        experiment(200, "1h", "1000Mbit/s")
    (problem,) = refused.value.problems
    assert problem.path == "experiment.record"
    assert "up to 20.0 GB — allowed: at most 1 GB" in str(problem)
    assert "record: {tcp: per-second, queue: per-second} or both off" in problem.remedy
    assert experiment(200, "1h", "1000Mbit/s", tcp="off", queue="off")["duration_s"] == 3600


@pytest.mark.parametrize("name", ["tcp", "queue"])
def test_seconds_of_the_real_clock_are_no_lab_kernels(name: str) -> None:
    document = {
        "name": "x",
        "experiment": {
            "duration": "10s",
            "clock": "real",
            "gateway": {"downlink": {"rate": "8Mbit/s", "queue": {"limit": "67packets"}}},
            "content": {"ladder": ["1Mbit/s"]},
            "clients": [{"player": "bola"}],
            "record": {name: "per-second"},
        },
    }
    with pytest.raises(SpecError) as refused:
        parse_campaign(document, Path())
    (problem,) = refused.value.problems
    assert problem.path == f"experiment.record.{name}"
    assert "per-second" in str(problem) and "clock: virtual" in problem.remedy
