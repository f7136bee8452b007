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
from weir.spec.players import completed
from weir_client import role, rows
from weir_client.errors import TRACEBACK
from weir_testing.patience import PATIENCE_S

LADDER = [80e3, 160e3, 320e3]
SEGMENT_S = 0.2
DEFAULTS = completed("aggressive-rate", {})
Rows = dict[str, npt.NDArray[Any]]


def in_child(client: Any, context: Any) -> None:
    """Run the role in a forked child, as the lab does (it owns SIGALRM)."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            role.run(client, context)
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., Rows]:
    def run(
        port: int,
        end_s: float = PATIENCE_S,
        segments: int | None = None,
        http_version: str = "1.1",
        **client: Any,
    ) -> Rows:
        out = tmp_path / "client-1"
        spec: dict[str, Any] = {"player": "aggressive-rate", "options": {}, "buffer_s": 1.0,
                "in_flight": 1, "start_s": 0.0, "stop_s": None, "source": None,
                **client}  # fmt: skip
        spec["options"] = completed(spec["player"], spec["options"])
        content = {"bitrates_bps": LADDER, "segment_s": SEGMENT_S, "segments": segments,
                   "sizes_bytes": None}  # fmt: skip
        context = {"number": 1, "server": "127.0.0.1", "port": port, "content": content,
                   "epoch_s": time.monotonic() + 0.05, "end_s": end_s, "out": str(out),
                   "http_version": http_version, "rtt_s": 0.1, "seed": 5}  # fmt: skip
        in_child(spec, context)
        error = tmp_path / "client-1.error"
        assert error.read_text() == ""
        return rows.read(out)

    return run


def _carried_by(rates_bps: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The highest level that each carries, or the lowest."""
    return (np.searchsorted(LADDER, rates_bps, side="right") - 1).clip(0)


def test_fills_the_buffer_then_asks_once_per_segment_duration(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    got = play(nginx([1 << 20] * 3), segments=15)
    # The fuller the buffer, the more it trusts beyond its estimate; how full it is, the machine's
    # speed decides.
    estimates = got["estimate_bps"][1:]
    least, most = _carried_by(estimates), _carried_by(estimates * (1 + DEFAULTS["sigma"]))
    assert got["level"][0] == 0
    assert ((least <= got["level"][1:]) & (got["level"][1:] <= most)).all()
    assert list(got["segment"]) == list(range(15))
    assert set(got["status"]) == {206}
    assert list(got["size_bytes"]) == [(2000, 4000, 8000)[level] for level in got["level"]]
    # 5 segments of 0.2 s fill 1 s of buffer; each one more waits until one was played. A busy
    # machine makes all of it later, nothing earlier.
    room_s = got["last_byte_s"][0] + SEGMENT_S * (np.arange(5, 15) - 4)
    assert (got["request_s"][5:] >= room_s - 0.001).all()
    assert got["buffer_after_s"].max() <= 1.0 and got["buffer_before_s"].min() >= 0
    assert len(set(got["connection"])) == 1
    assert np.isnan(got["estimate_bps"][0])
    assert np.allclose(got["estimate_bps"][1:], got["raw_bps"][:-1])


def test_live_asks_for_nothing_that_is_not_filmed_yet(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    got = play(nginx([1 << 20] * 3), segments=6, start_s=0.1, live=True)
    assert list(got["segment"]) == list(range(6))
    assert (got["request_s"] >= 0.1 + SEGMENT_S * (np.arange(6) + 1) - 0.001).all()


def test_a_download_in_flight_ends_with_the_time(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    port = nginx([1 << 20] * 3, extra="limit_rate 10;")  # 10 bytes/s for segments of 8000 bytes
    got = play(port, end_s=1.5, player="fixed", options={"level": 2})
    assert got["status"][-1] == 0
    assert got["last_byte_s"][-1] >= 1.5
    assert got["size_bytes"][-1] < 8000


def test_a_slow_server_stalls_the_player(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    # 4000 bytes at 8000 bytes/s: 0.5 s or more for each 0.2 s of media (nginx counts in seconds).
    port = nginx([1 << 20] * 3, extra="limit_rate 4000;")
    got = play(port, segments=4, player="fixed", options={"level": 1})
    whole = got["status"] == 206
    assert got["stall_s"][0] == 0
    played = got["buffer_before_s"].size and whole.sum() * SEGMENT_S - got["buffer_after_s"][-1]
    began = got["last_byte_s"][0]
    assert got["stall_s"].sum() == pytest.approx(got["last_byte_s"][-1] - began - played, abs=1e-6)
    assert got["stall_s"].sum() > 0.5


def test_stops_at_its_stop_time_and_at_the_end_of_the_film(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    port = nginx([1 << 20] * 3)
    assert (play(port, stop_s=0.5)["request_s"] <= 0.5).all()
    started = play(port, start_s=0.2, segments=3)
    assert list(started["segment"]) == [0, 1, 2] and started["request_s"].min() >= 0.2
    assert len(play(port, start_s=3.0, end_s=2.0)["segment"]) == 0


def test_reconnects_to_a_server_that_closes(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    got = play(nginx([1 << 20] * 3, keepalive=2), segments=8)
    assert set(got["status"]) == {206}
    assert len(set(got["connection"])) > 2


def test_no_server_leaves_rows_with_status_0(play: Callable[..., Rows]) -> None:
    got = play(1, end_s=3.5)
    assert 1 <= len(got["status"]) <= 4
    assert set(got["status"]) == {0} and set(got["segment"]) == {0}
    assert (np.diff(got["request_s"]) >= 0.999).all()
    assert np.isnan(got["first_byte_s"]).all()


@pytest.mark.parametrize("player", ["bola", "dashjs-throughput", "dynamic", "festive"])
def test_every_algorithm_plays(
    nginx: Callable[..., int], play: Callable[..., Rows], player: str
) -> None:
    got = play(nginx([1 << 20] * 3), segments=8, player=player)
    assert set(got["status"]) == {206} and list(got["segment"]) == list(range(8))


def test_several_in_flight_come_in_order_of_their_requests(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    port = nginx([1 << 20] * 3, http2=True)
    got = play(port, segments=12, http_version="2", in_flight=4)
    assert list(got["segment"]) == list(range(12)) and set(got["status"]) == {206}
    assert list(got["size_bytes"]) == [(2000, 4000, 8000)[level] for level in got["level"]]
    assert len(set(got["connection"])) == 1
    assert got["buffer_after_s"].max() <= 1.0 and got["buffer_before_s"].min() >= 0
    # Four at once to begin with; the buffer of five segments has room for one more then.
    assert (got["request_s"][1:4] < got["last_byte_s"][0]).all()
    assert (got["request_s"][4:] >= np.sort(got["last_byte_s"])[: 12 - 4]).all()


def test_what_is_in_flight_ends_with_the_time_or_the_server(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    slow = nginx([1 << 20] * 3, extra="limit_rate 10;", http2=True)
    high: dict[str, Any] = {"player": "fixed", "options": {"level": 2}, "in_flight": 3}
    got = play(slow, end_s=1.5, http_version="2", **high)
    assert list(got["segment"]) == [0, 1, 2] and set(got["status"]) == {0}
    assert (got["last_byte_s"] >= 1.5).all() and (got["size_bytes"] < 8000).all()
    none = play(1, end_s=2.5, http_version="2", **high)
    assert len(none["status"]) >= 1 and set(none["status"]) == {0}
    assert (np.diff(none["request_s"]) >= 0.999).all()


def test_a_refusal_fails_the_client_over_http2_too(
    nginx: Callable[..., int], tmp_path: Path
) -> None:
    port = nginx([1000], http2=True)
    for in_flight in (1, 3):
        said = failing(tmp_path, port, "2", options={"level": 2}, in_flight=in_flight)
        assert "client 2 (fixed): the server answered 404 to 3 requests for segment 0" in said


def failing(tmp_path: Path, port: int, http_version: str = "1.1", **client: Any) -> str:
    out = tmp_path / "client-2"
    spec: dict[str, Any] = {"player": "fixed", "options": {}, "buffer_s": 1.0, "start_s": 0.0,
            "stop_s": None, "in_flight": 1,
            "source": None, **client}  # fmt: skip
    spec["options"] = completed(spec["player"], spec["options"])
    content = {"bitrates_bps": LADDER, "segment_s": SEGMENT_S, "segments": None,
               "sizes_bytes": None}  # fmt: skip
    context = {"number": 2, "server": "127.0.0.1", "port": port, "content": content,
               "epoch_s": time.monotonic(), "end_s": 5.0, "out": str(out), "rtt_s": 0.1,
               "http_version": http_version, "seed": 5}  # fmt: skip
    in_child(spec, context)
    return (tmp_path / "client-2.error").read_text()


def test_a_file_that_is_not_there_fails_the_client(
    nginx: Callable[..., int], tmp_path: Path
) -> None:
    said = failing(tmp_path, nginx([1000]), options={"level": 2})
    assert "client 2 (fixed): the server answered 404 to 3 requests for segment 0" in said
    assert list(rows.read(tmp_path / "client-2")["status"]) == [404] * 3


def test_a_bad_abr_fails_the_client(nginx: Callable[..., int], tmp_path: Path) -> None:
    text = "class Bad:\n def __init__(s, l, o): pass\n def choose(s, state): return 7.5\n"
    source = {"name": "bad.py", "class": None, "sha256": "", "text": text}
    said = failing(tmp_path, nginx([1 << 20] * 3), source=source, player="./bad.py")
    assert said == (
        "client 2 (./bad.py): choose for segment 0 returned 7.5; "
        "it must return a level, a whole number from 0 to 2\n"
    )
    assert not len(rows.read(tmp_path / "client-2")["status"])


@pytest.mark.parametrize(
    ("body", "frames"),
    [
        ("return 1 / 0", ['  File "bad.py", line 4, in choose', "ZeroDivisionError: "]),
        ("while True: state.segment", ['  File "bad.py", line 4, in choose', "does it loop?"]),
        ("return (", ['  File "bad.py", line 4', "SyntaxError: "]),
    ],
)
def test_a_client_says_where_its_abr_went_wrong(
    nginx: Callable[..., int], tmp_path: Path, body: str, frames: list[str]
) -> None:
    text = f"class Bad:\n def __init__(s, l, o): pass\n def choose(s, state):\n  {body}\n"
    source = {"name": "bad.py", "class": None, "sha256": "", "text": text}
    said = failing(tmp_path, nginx([1 << 20] * 3), source=source, player="./bad.py")
    reason, _, trace = said.partition(TRACEBACK)
    assert reason.startswith("bad.py: ") and reason.count("\n") == 1
    assert trace.startswith(frames[0])
    assert frames[1] in trace.splitlines()[-1]
    assert "weir_client" not in trace, "only one's own file is told of"


def test_a_decided_level_is_played_and_what_is_chosen_anyway_changes_nothing(
    nginx: Callable[..., int], play: Callable[..., Rows]
) -> None:
    got = play(nginx([1 << 20] * 3), segments=6, decisions={"1": 2, "3": 0})
    assert [got["level"][1], got["level"][3]] == [2, 0]
    affordable = np.searchsorted(LADDER, got["estimate_bps"], side="right") - 1
    assert [got["level"][k] for k in (2, 4, 5)] == [affordable[k] for k in (2, 4, 5)]
