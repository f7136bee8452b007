"""A what-if is the same run, to the byte, until the moment of what is changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.resolved import Experiment
from weir.rundir import RunData
from weir.whatif import changed, decided, unchanged
from weir_engine.parting import partings
from weir_lab.kernel import Kernel
from weir_lab.zygotes import Zygotes
from weir_testing.cells import Runner, client, experiment
from weir_testing.files import run_directory

pytestmark = pytest.mark.kernel

PLAYER = "players/client-1.parquet"
SEGMENT = 12


def two_viewers(**changes: Any) -> Experiment:
    """A minute of two that compete, with jitter."""
    asked = {"duration_s": 60.0, "gateway.path.rtt.stddev_s": 0.007, **changes}
    return experiment(asked, client("bola"), client(start_s=3.0))


def streams() -> Experiment:
    """Three segments in flight over HTTP/2."""
    return experiment(
        {"duration_s": 40.0, "server.http_version": "2"}, client(in_flight=3), client(start_s=3.0)
    )


@pytest.fixture(scope="module")
def run(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory, zygotes: Zygotes) -> Runner:
    return Runner(kernel, tmp_path_factory.mktemp("whatif"), keep=True, zygotes=zygotes)


def levels_of(data: RunData) -> dict[int, int]:
    player = data.players[0]
    return dict(zip(player["segment"].tolist(), player["level"].tolist(), strict=True))


@pytest.mark.parametrize("make", [two_viewers, streams])
def test_rows_before_a_decision_are_the_same(run: Runner, make: Callable[[], Experiment]) -> None:
    plain = run(make()).data
    level = (levels_of(plain)[SEGMENT] + 2) % 5
    other = run(decided(make(), 1, {SEGMENT: level})).data
    asked_s = float(plain.players[0]["request_s"][plain.players[0]["segment"] == SEGMENT][0])
    assert levels_of(other)[SEGMENT] == level
    assert (plain.players[0]["last_byte_s"] < asked_s).sum() > 5
    for before, after in zip(plain.players, other.players, strict=True):
        came = before["last_byte_s"] < asked_s
        for name in before:
            assert np.array_equal(before[name][came], after[name][: came.sum()], equal_nan=True)
    found = partings(plain, other)
    assert {each.record for each in found} >= {"player", "queue", "tcp"}
    assert asked_s <= found[0].t_s < asked_s + 1


@pytest.mark.parametrize("make", [two_viewers, streams])
def test_deciding_what_was_chosen_changes_nothing(
    run: Runner, tmp_path: Path, make: Callable[[], Experiment]
) -> None:
    plain = run(make())
    for name, levels in (
        ("one", {SEGMENT: levels_of(plain.data)[SEGMENT]}),
        ("all", levels_of(plain.data)),
    ):
        same = run(decided(make(), 1, levels))
        assert partings(plain.data, same.data) == []
        files = [
            run_directory(each, tmp_path / name / f"{k}") for k, each in enumerate((plain, same))
        ]
        for file in (PLAYER, "players/client-2.parquet", "tcp.parquet", "queue.parquet"):
            assert files[0][file] == files[1][file]


@pytest.mark.parametrize("queue", ["drop-tail", "sfq"])
@pytest.mark.parametrize(
    ("place", "value", "waits_s"),
    [
        ("gateway.downlink.rate", "3Mbit/s", 1.0),
        ("gateway.path.rtt.mean", "180ms", 3.0),
        ("gateway.path.loss.downlink", "20%", 3.0),
        ("gateway.path.loss.uplink", "100%", 3.0),
    ],
)
def test_until_a_condition_changes_all_is_the_same(
    run: Runner, queue: str, place: str, value: str, waits_s: float
) -> None:
    asked = two_viewers(**{"gateway.downlink.queue.discipline": queue})
    plain = run(unchanged(asked, 24.0, place)).data
    found = partings(plain, run(changed(asked, 24.0, place, value)).data)
    assert {each.record for each in found} >= {"player", "queue"}
    assert 24.0 <= found[0].t_s < 24.0 + waits_s
