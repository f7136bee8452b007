"""Sessions in a cell: each with its own film, deadlines that hold or not, and an early end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir_testing.cells import Runner, broken
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel


def asked(*groups: dict[str, Any], rate: str = "4Mbit/s", end: str = "all-done") -> Any:
    return resolved(
        duration="60s",
        server={"congestion_control": "aimd"},
        gateway={
            "downlink": {"rate": rate, "queue": {"discipline": "drop-tail", "limit": "30packets"}},
            "path": {"rtt": {"mean": "60ms"}},
        },
        clients=[],
        sessions={"groups": list(groups), "end": end},
        record={"tcp": "off", "queue": "full"},
    )


def stream(rate: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "stream", "rate": rate, "length": "20s", "ahead": "1s", **fields}


def test_each_has_its_own_film(run_once: Runner) -> None:
    """A stream takes what TCP gives it, a live one what there is, a source no more than its cap."""
    result = run_once(
        asked(
            stream("1Mbit/s"),
            {**stream("500kbit/s"), "kind": "live", "ahead": "5s", "delay": "5s"},
            {"kind": "download", "size": "1MB", "cap": "800kbit/s"},
            {"kind": "download", "size": "1MB", "start": "2s"},
            rate="8Mbit/s",
        )
    )
    assert not broken(result)
    measured = compute(result.data)
    stored, live, capped, file = result.data.players
    assert [len(rows["segment"]) for rows in result.data.players] == [20, 20, 10, 1]
    assert [rows["size_bytes"].sum() for rows in result.data.players] == [
        2_500_000, 1_250_000, 1_000_000, 1_000_000,
    ]  # fmt: skip
    # The last bytes of a live stream exist 20 s after its first; a cap of 100 kB/s makes 10 s.
    assert stored["last_byte_s"].max() < 10
    assert 20 < live["last_byte_s"].max() < 21
    assert 10 < capped["last_byte_s"].max() < 11
    assert np.all(np.diff(live["last_byte_s"]) < 1.5)
    assert file["last_byte_s"].max() < 10
    assert measured["run"]["late_streams"] == 0
    assert measured["run"]["edf_rate_bps"] == pytest.approx(1.4e6, rel=0.05)


def test_a_link_below_the_bound_makes_a_stream_late(run_once: Runner) -> None:
    """20 Mbit in 21 s need 0.95 Mbit/s without headers."""
    late = {
        rate: compute(run_once(asked(stream("1Mbit/s"), rate=rate)).data)["run"]["late_streams"]
        for rate in ("900kbit/s", "1200kbit/s")
    }
    assert late == {"900kbit/s": 1, "1200kbit/s": 0}


def test_the_first_late_byte_may_end_the_experiment(run_once: Runner) -> None:
    """Two streams want twice what there is; the third has not begun when that shows."""
    result = run_once(
        asked(
            stream("2Mbit/s"), stream("2Mbit/s"), stream("1Mbit/s", start="40s"),
            rate="2Mbit/s", end="first-late-byte",
        )
    )  # fmt: skip
    assert not broken(result)
    (ended_s,) = [each["t_s"] for each in result.data.events if each["event"] == "experiment-ends"]
    first, second, third = result.data.players
    # Neither can have more than its 2 Mbit/s of the second before the first byte is due, or less
    # than nothing: somebody is late well before the films are over.
    assert 1 < ended_s < 10
    assert not len(third["segment"])
    measured = compute(result.data)
    assert measured["run"]["late_streams"] == 1
    late = [rows for rows in (first, second) if (rows["stall_s"] > 0).any()]
    assert len(late) == 1 and late[0]["stall_s"].max() < 0.1
    for rows in (first, second):
        assert rows["status"][-1] == 0
        assert rows["last_byte_s"][-1] == pytest.approx(ended_s, abs=1e-3)


def test_a_stream_that_would_be_late_takes_more(run_once: Runner) -> None:
    """2.4 Mbit/s beside two downloads on 4 Mbit/s: an equal share would be 1.3."""
    files = [{"kind": "download", "size": "20MB"}] * 2

    def late(moves: str) -> int:
        one = stream("2.4Mbit/s", moves=moves, ahead="8s", lower="4s", upper="7s")
        value = compute(run_once(asked(one, *files)).data)["clients"][0]["late_segments"]
        assert isinstance(value, int)
        return value

    assert late("alpha") < late("none")
