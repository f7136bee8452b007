"""The bottleneck's rate: constant, in steps, from a trace."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml
from weir.expand import Expansion
from weir.spec.load import load_campaign
from weir_testing.cells import (
    SENT,
    Runner,
    broken,
    bulk,
    checks_of,
    client,
    experiment,
    rows,
    sent_bps,
)

pytestmark = pytest.mark.kernel

STEPS = "gateway.downlink.rate_steps"


@pytest.mark.parametrize("rate_bps", [1e6, 8e6, 50e6])
def test_a_saturated_link_carries_its_rate(run_once: Runner, rate_bps: float) -> None:
    limit = max(20, round(3 * rate_bps * 0.1 / 8 / 1500))
    # One segment that never ends: no pause for a request empties the queue.
    changes = {
        STEPS: [[0.0, rate_bps]],
        "gateway.downlink.queue.limit_packets": limit,
        "content.bitrates_bps": [rate_bps],
        "content.segment_s": 100.0,
    }
    film = {"options": {"level": 0}, "buffer_s": 600.0}
    result = run_once(experiment(changes, client("fixed", **film), client("fixed", **film)))
    assert not broken(result)
    queue = rows(result.data.queue)
    at_12_s = (queue["arrival_ns"] > 12e9) & (queue["arrival_ns"] < 18e9)
    assert queue["backlog"][at_12_s].min() > 0, "the link was not saturated"
    assert sent_bps(queue, 12, 18) == pytest.approx(rate_bps, rel=0.005)
    check = checks_of(result)["downlink_rate_bps"]
    assert check["measured"] == pytest.approx(rate_bps, rel=0.005)
    ten_ms = rows(result.data.queue_10ms)
    assert ten_ms["sent_bytes"].sum() * 8 == pytest.approx(sent_bps(queue, 0, 20) * 20, rel=1e-4)


def test_steps_take_effect_at_their_times(run_once: Runner) -> None:
    steps = [[0.0, 8e6], [8.0, 2e6], [14.0, 4e6]]
    result = run_once(experiment({STEPS: steps}, bulk(), bulk()))
    assert not broken(result)
    queue = rows(result.data.queue)
    assert sent_bps(queue, 4, 8) == pytest.approx(8e6, rel=0.01)
    assert sent_bps(queue, 8.05, 14) == pytest.approx(2e6, rel=0.01)
    assert sent_bps(queue, 14.05, 20) == pytest.approx(4e6, rel=0.01)
    changes = [event for event in result.data.events if event["event"] == "rate"]
    assert [event["rate_bps"] for event in changes] == [2e6, 4e6]
    assert [event["t_s"] for event in changes] == pytest.approx([8.0, 14.0], abs=0.001)


def test_a_shaped_uplink_carries_its_rate(run: Runner) -> None:
    # 64 kbit/s of ACKs (52 bytes and a frame's 14): 121 a second, two segments each.
    queue = {"discipline": "drop-tail", "limit_packets": 20, "options": {}}
    changes = {
        "gateway.uplink.rate_steps": [[0.0, 64e3]],
        "gateway.uplink.queue": queue,
        "duration_s": 20.0,
    }
    slow = sent_bps(rows(run(experiment(changes)).data.queue), 10, 20)
    free = sent_bps(rows(run(experiment({})).data.queue), 10, 20)
    assert free > 6.5e6
    assert slow < 0.8 * free


@pytest.mark.parametrize("kind", ["mahimahi", "pensieve"])
def test_a_trace_delivers_its_volume(run_once: Runner, tmp_path: Path, kind: str) -> None:
    if kind == "mahimahi":
        # Two opportunities per 3 ms for 2 s (8 Mbit/s), then one per 6 ms for 2 s (2 Mbit/s).
        stamps = [ms for k in range(3, 2001, 3) for ms in (k, k)] + list(range(2004, 4001, 6))
        text = "".join(f"{stamp}\n" for stamp in stamps)
    else:
        text = "0 8\n2 8\n4 2\n"
    (tmp_path / "link.trace").write_text(text)
    spec = {
        "name": "traced",
        "experiment": {
            "duration": "20s",
            "content": {"ladder": ["1Mbit/s", "9Mbit/s"]},
            "gateway": {
                "downlink": {
                    "rate": {"trace": "link.trace", "format": kind},
                    "queue": {"discipline": "drop-tail", "limit": "200packets"},
                },
                "path": {"rtt": {"mean": "20ms"}},
            },
            "clients": [{"player": "fixed", "options": {"level": 1}, "buffer": "600s", "count": 2}],
        },
    }
    file = tmp_path / "traced.yaml"
    file.write_text(yaml.safe_dump(spec))
    (one,) = Expansion(load_campaign(file)).runs()
    result = run_once(one.experiment)
    assert not broken(result)
    queue = rows(result.data.queue)
    # Four periods after the start-up's; the trace gives 5 Mbit/s on average.
    assert sent_bps(queue, 4, 20) == pytest.approx(5e6, rel=0.01)
    assert sent_bps(queue, 8.1, 10) == pytest.approx(8e6, rel=0.02)
    assert sent_bps(queue, 10.1, 12) == pytest.approx(2e6, rel=0.02)


def test_what_arrives_leaves_in_time_order(run_once: Runner) -> None:
    queue = rows(run_once(experiment({}, bulk(), bulk())).data.queue)
    sent = queue["fate"] == SENT
    assert (queue["departure_ns"][sent] >= queue["arrival_ns"][sent]).all()
    assert (np.diff(queue["arrival_ns"]) >= 0).all()


def test_segments_have_their_exact_size(run_once: Runner) -> None:
    player = client("fixed", options={"level": 2})
    (played,) = run_once(experiment({}, player)).data.players
    whole = played["status"] == 206
    assert whole.sum() > 8
    assert set(played["size_bytes"][whole]) == {928_000 * 2 // 8}
