"""Two bottlenecks in a row: the slower one holds the queue, and each has a record of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.resolved import Experiment
from weir.rundir import load, save
from weir_lab.collect import CellResult
from weir_testing.cells import Runner, broken, checks_of, rows, sent_bps
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel


def queue(packets: int) -> dict[str, Any]:
    return {"discipline": "drop-tail", "limit": f"{packets}packets"}


def experiment(home: Any, upstream: Any, **more: Any) -> Experiment:
    """A film that never ends at 9 Mbit/s, over two links of these rates; RTT 40 and 60 ms."""
    base: dict[str, Any] = {
        "duration": "20s",
        "content": {"ladder": ["9Mbit/s"], "segment": "100s"},
        "gateway": {
            "downlink": {"rate": home, "queue": queue(40)},
            "upstream": {"rate": upstream, "queue": queue(60), "rtt": "60ms"},
            "path": {"rtt": {"mean": "40ms"}},
        },
        "clients": [{"player": "fixed", "options": {"level": 0}, "buffer": "600s"}],
    }
    made: Experiment = resolved(**base | more)
    return made


def longest(result: CellResult) -> tuple[int, int]:
    """Most packets in the queue upstream, and at home."""
    deepest = [rows(each)["backlog"].max() for each in (result.data.upstream, result.data.queue)]
    return int(deepest[0]), int(deepest[1])


@pytest.mark.parametrize(("home", "upstream"), [("6Mbit/s", "4Mbit/s"), ("4Mbit/s", "6Mbit/s")])
def test_the_slower_link_is_the_bottleneck(run: Runner, home: str, upstream: str) -> None:
    result = run(experiment(home, upstream))
    assert not broken(result)
    checks = checks_of(result)
    assert checks["idle_rtt_s"]["asked"] == pytest.approx(0.1)
    assert checks["idle_rtt_s"]["measured"] == pytest.approx(0.1, abs=1e-3)
    slow = "upstream" if upstream == "4Mbit/s" else "downlink"
    assert checks[f"{slow}_rate_bps"]["measured"] == pytest.approx(4e6, rel=0.005)
    before, behind = longest(result)
    if slow == "upstream":
        assert before >= 60 and behind <= 4
    else:
        # A burst of a window may queue before a faster link, too, but not for long.
        assert behind >= 40 and before < 40
    for record in (result.data.upstream, result.data.queue):
        assert sent_bps(rows(record), 5, 20) == pytest.approx(4e6, rel=0.03)


def test_what_left_the_first_comes_to_the_second(run: Runner) -> None:
    """Nothing is lost between them: whatever leaves one queue arrives at the other at once."""
    result = run(experiment("4Mbit/s", "6Mbit/s"))
    before, behind = rows(result.data.upstream), rows(result.data.queue)
    left_ns = np.sort(before["departure_ns"][before["fate"] == 0])
    left_ns = left_ns[left_ns < 20e9]
    came_ns = behind["arrival_ns"]
    assert len(left_ns) == pytest.approx(len(came_ns), abs=1)
    both = min(len(left_ns), len(came_ns))
    assert np.abs(came_ns[:both] - left_ns[:both]).max() < 1e6
    assert set(before["flow"]) == set(behind["flow"])


def test_the_bottleneck_moves_with_a_rate(run: Runner) -> None:
    steps = {"steps": [{"at": "0s", "rate": "8Mbit/s"}, {"at": "10s", "rate": "2Mbit/s"}]}
    result = run(experiment("4Mbit/s", steps))
    assert not broken(result)
    before = rows(result.data.upstream)
    late = before["arrival_ns"] > 12e9
    assert before["backlog"][late].max() >= 40
    assert sent_bps(before, 12, 20) == pytest.approx(2e6, rel=0.03)
    assert sent_bps(rows(result.data.queue), 5, 10) == pytest.approx(4e6, rel=0.03)


def test_each_bottleneck_has_its_metrics_and_its_tables(run: Runner, tmp_path: Any) -> None:
    result = run(experiment("6Mbit/s", "4Mbit/s"))
    metrics = compute(result.data)
    (upstream,) = metrics["upstream"]
    assert upstream["link_utilisation_percent"] > 90
    assert upstream["dropped_packets"] > 0
    assert metrics["run"]["loss_rate_percent"] == 0
    behind_s = metrics["run"]["queueing_delay_mean_s"]
    assert behind_s is not None
    assert upstream["queueing_delay_mean_s"] > 10 * behind_s
    save(tmp_path, result.data)
    read = load(tmp_path)
    for name in ("upstream", "upstream_10ms"):
        kept, found = rows(getattr(result.data, name)), rows(getattr(read, name))
        assert {key: values.tolist() for key, values in kept.items()} == {
            key: values.tolist() for key, values in found.items()
        }


def test_a_path_with_a_second_bottleneck_beside_one_without(run: Runner) -> None:
    path = {"downlink": {"rate": "4Mbit/s", "queue": queue(40)}, "rtt": {"mean": "20ms"}}
    far = {**path, "upstream": {"rate": "2Mbit/s", "queue": queue(40), "rtt": "40ms"}}
    client = {"player": "fixed", "options": {"level": 0}, "buffer": "600s"}
    result = run(
        experiment(
            "4Mbit/s",
            "4Mbit/s",
            gateway={"paths": {"wifi": path, "lte": far}},
            clients=[{**client, "transport": "mptcp", "paths": ["wifi", "lte"]}],
        )
    )
    assert not broken(result)
    assert checks_of(result)["idle_rtt_s_lte"]["measured"] == pytest.approx(0.06, abs=1e-3)
    assert set(rows(result.data.upstream)["path"]) == {1}
    assert set(rows(result.data.queue)["path"]) == {0, 1}
    metrics = compute(result.data)
    assert [each["path"] for each in metrics["upstream"]] == ["lte"]
    wifi, lte = (each["throughput_bps"] for each in metrics["paths"])
    assert 3.2e6 < wifi <= 4.04e6
    assert 1.6e6 < lte <= 2.02e6
