"""The whole player against a real nginx, in real time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from weir_client import role, rows

LADDER = [80e3, 160e3, 320e3]
SEGMENT_S = 0.2
Rows = dict[str, npt.NDArray[Any]]


def in_child(client: dict[str, Any], context: dict[str, Any]) -> float:
    """Run the role in a forked child, as the lab does (it owns SIGALRM); return wall seconds."""
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            role.run(client, context)
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
    return time.monotonic() - began


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., Rows]:
    def run(port: int, end_s: float = 2.0, segments: int | None = None, **client: Any) -> Rows:
        out = tmp_path / "client-1"
        spec = {"player": "aggressive-rate", "options": {}, "buffer_s": 1.0, "start_s": 0.0,
                "stop_s": None, "source": None, **client}  # fmt: skip
        content = {"bitrates_bps": LADDER, "segment_s": SEGMENT_S, "segments": segments,
                   "sizes_bytes": None}  # fmt: skip
        context = {"number": 1, "server": "127.0.0.1", "port": port, "content": content,
                   "epoch_s": time.monotonic() + 0.05, "end_s": end_s, "out": str(out),
                   "rtt_s": 0.1, "seed": 5}  # fmt: skip
        wall_s = in_child(spec, context)
        assert wall_s < end_s + 0.5
        error = tmp_path / "client-1.error"
        assert not error.exists(), error.read_text()
        return rows.read(out)

    return run


def test_fills_the_buffer_then_asks_once_per_segment_duration(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    got = play(nginx([1 << 20] * 3), end_s=2.0)
    assert got["level"][0] == 0 and set(got["level"][1:]) == {2}
    assert list(got["segment"]) == list(range(len(got["segment"])))
    assert set(got["status"]) == {206}
    assert list(got["size_bytes"]) == [2000] + [8000] * (len(got["size_bytes"]) - 1)
    # 5 segments of 0.2 s fill 1 s of buffer; then one more each 0.2 s until 2 s.
    assert got["request_s"][4] < 0.1
    assert np.allclose(np.diff(got["request_s"][5:]), SEGMENT_S, atol=0.03)
    assert 13 <= len(got["segment"]) <= 15
    assert got["buffer_after_s"].max() <= 1.0 and got["buffer_before_s"].min() >= 0
    assert got["stall_s"].sum() == 0
    assert len(set(got["connection"])) == 1
    assert np.isnan(got["estimate_bps"][0])
    assert np.allclose(got["estimate_bps"][1:], got["raw_bps"][:-1])
