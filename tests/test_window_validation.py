"""What senders do with a window that no ACK has confirmed of late: RFC 2861, RFC 7661, the paper's.

The trace's first row after a pause is the request itself; the next one is the first ACK, recorded
before it was processed: the window that the restart began with.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from weir.errors import RunFailure
from weir.notes import notes
from weir.rundir import Columns
from weir.spec.control_options import OPTIONS
from weir_lab.kernel import Kernel
from weir_testing.cells import Runner, broken, checks_of, client, experiment, own_abr, rows

pytestmark = pytest.mark.kernel

OWN = "server.congestion_control"
IDLE = "net.ipv4.tcp_slow_start_after_idle"
INITIAL_WINDOW = 10
INFINITE = 0x7FFFFFFF
DROPPED = 1
PAUSED: dict[str, Any] = {
    "content.segment_s": 10.0,
    "duration_s": 90.0,
    "gateway.downlink.rate_steps": [[0.0, 10e6]],
    "gateway.downlink.queue.limit_packets": 60,
    "gateway.path.rtt.mean_s": 0.04,
}
LARGE = client("fixed", options={"level": 3}, buffer_s=10.0)


@dataclass(frozen=True)
class Trace:
    """What one flow's sender and the bottleneck recorded."""

    acks: Columns
    packets: Columns
    retransmits: Columns

    def pauses(self, longer_than_s: float) -> NDArray[np.intp]:
        """Indices of the last ACK before each pause."""
        return np.flatnonzero(np.diff(self.acks["t_ns"]) > longer_than_s * 1e9)

    def at(self, index: int) -> tuple[int, int]:
        """(cwnd, ssthresh) of an ACK, in segments."""
        return int(self.acks["cwnd"][index]), int(self.acks["ssthresh"][index])


def paused(run: Runner, control: str, after_idle: int, **changes: Any) -> Trace:
    """A film of large segments, 2 MB each, with 10 s between them in which the link is idle."""
    base = PAUSED | {OWN: control, "server.sysctls": {IDLE: str(after_idle)}}
    viewer = changes.pop("viewer", LARGE)
    result = run(experiment({**base, **changes}, viewer))
    assert not broken(result)
    record = result.data
    return Trace(rows(record.tcp), rows(record.queue), rows(record.retransmits))


@pytest.mark.parametrize("off_s", [5.0, 7.0, 10.0])
@pytest.mark.parametrize(
    ("control", "after_idle"),
    [("reno", 1), ("cwv_paper", 1), ("newcwv_paper", 1), ("newcwv", 0), ("reno", 0)],
)
def test_the_window_and_threshold_of_a_restart(
    run_once: Runner, control: str, after_idle: int, off_s: float
) -> None:
    """Segments of 2 MB, each asked for when the one before has been played."""
    film = {
        "content.segment_s": off_s,
        "content.bitrates_bps": [2e6 * 8 / off_s],
        "duration_s": 8 * (off_s + 2),
    }
    viewer = client("fixed", options={"level": 0}, buffer_s=off_s)
    trace = paused(run_once, control, after_idle, viewer=viewer, **film)
    pauses = trace.pauses(longer_than_s=1)
    assert len(pauses) >= 6
    silent_s = np.diff(trace.acks["t_ns"])[pauses] / 1e9
    assert silent_s == pytest.approx([off_s] * len(pauses), abs=0.1)
    for last in pauses:
        (old, old_ssthresh), (cwnd, ssthresh) = trace.at(last), trace.at(last + 2)
        kept = control == "newcwv" or not after_idle
        assert cwnd == pytest.approx(old if kept else INITIAL_WINDOW, abs=1)
        if control == "cwv_paper":
            assert ssthresh == INFINITE
        elif control == "newcwv_paper":
            assert ssthresh == pytest.approx(old, abs=1)
        else:
            assert ssthresh >= max(old_ssthresh, 3 * old // 4) - 1


def after_recovery(trace: Trace, start: int, stop: int) -> tuple[int, int, int] | None:
    """Of the first recovery among ACKs start..stop: (window at the loss, distinct segments sent
    again, window when it ended); None without one."""
    ssthresh, cwnd = trace.acks["ssthresh"].astype(int), trace.acks["cwnd"].astype(int)
    t_ns = trace.acks["t_ns"]
    sent_again = trace.retransmits
    inside = (sent_again["t_ns"] >= t_ns[start]) & (sent_again["t_ns"] < t_ns[stop])
    if not inside.any():
        return None
    begins = int(np.searchsorted(t_ns, sent_again["t_ns"][inside][0], side="right")) - 1
    last_ns = sent_again["t_ns"][inside][-1]
    # The ACKs of the last retransmissions come within two of the longest round trips here.
    settled = int(np.searchsorted(t_ns, last_ns + 0.1e9))
    ends = next(k for k in range(begins + 1, settled) if cwnd[k] == ssthresh[k])
    window = next((k for k in range(settled, ends, -1) if cwnd[k] < cwnd[k - 1]), ends)
    return int(cwnd[begins]), len(np.unique(sent_again["seq"][inside])), int(cwnd[window])


def test_a_loss_in_the_first_flight_after_a_pause_is_answered_by_what_was_in_flight(
    run_once: Runner,
) -> None:
    """pipeACK is 0 after 10 s of silence, so LossFlightSize counts: the whole burst, as large as
    cwnd; at recovery's end R, the segments sent again, is taken off before halving."""
    trace = paused(run_once, "newcwv", 0)
    pauses = trace.pauses(longer_than_s=5)
    seen = 0
    for this, following in zip(pauses, [*pauses[1:], len(trace.acks["t_ns"]) - 2], strict=True):
        found = after_recovery(trace, this + 1, following)
        if found is None or found[1] < 4:
            continue
        flight, sent_again, after = found
        assert after == pytest.approx((flight - sent_again) / 2, abs=1)
        seen += 1
    assert seen >= 2


def second_transfer(run: Runner, pause_s: float, *lost: tuple[float, float, float]) -> Trace:
    """2 MB, which fill the link; after a pause 12 kB, one flight of 8 or 9 packets.

    lost: (from, until, share) in s, when a share of the packets is lost before the bottleneck.
    """
    abr = """
        class Abr:
            def __init__(self, ladder, options):
                pass
            def choose(self, state):
                return 1 if state.segment == 0 else 0
    """
    changes = {
        "content.segment_s": pause_s,
        "content.bitrates_bps": [packets * 1448 * 8 / pause_s for packets in (8, 1400)],
        "content.segments": 2,
        "duration_s": 20.0,
        "events": [
            {"at_s": start, "for_s": end - start, "loss": share, "on": "downlink"}
            for start, end, share in lost
        ],
    }
    viewer = own_abr(dedent(abr), buffer_s=pause_s)
    return paused(run, "newcwv", 0, viewer=viewer, **changes)


def sent_s(trace: Trace) -> tuple[NDArray[Any], NDArray[Any]]:
    """When the first and the second transfer's data packets came to the bottleneck, in s."""
    came_s = trace.packets["arrival_ns"][trace.packets["payload"] > 0] / 1e9
    begins = int(np.flatnonzero(np.diff(came_s) > 0.4)[0]) + 1
    return came_s[:begins], came_s[begins:]


@pytest.mark.parametrize(
    ("pause_s", "recovery", "validated"),
    [(0.6, False, True), (3.0, False, False), (3.0, True, True)],
    ids=["a sample in the last second's bins", "pipeACK is zero", "pipeACK is undefined"],
)
def test_what_a_loss_costs_depends_on_what_pipe_ack_says(
    run_once: Runner, pause_s: float, recovery: bool, validated: bool
) -> None:
    """A loss in the second transfer, whose 8 packets are less than half of the window.

    pipeACK is a second's largest sample: after 0.6 s that of the first transfer confirms the
    window, after 3 s it is 0, and after a recovery at the end of the first it is undefined.
    Confirmed or undefined, half of cwnd is the threshold; else half of the flight.
    """
    lost: list[tuple[float, float, float]] = []
    if recovery:
        first_s, _ = sent_s(second_transfer(run_once, pause_s))
        lost.append((float(first_s[-20]), float(first_s[-15]), 1.0))
    _, second_s = sent_s(second_transfer(run_once, pause_s, *lost))
    lost.append((float(second_s[0]) - 0.01, float(second_s[0]) + 0.01, 0.5))
    trace = second_transfer(run_once, pause_s, *lost)
    t_s, cwnd = trace.acks["t_ns"] / 1e9, trace.acks["cwnd"].astype(int)
    sent_again_s = trace.retransmits["t_ns"] / 1e9
    begins = int(np.searchsorted(t_s, sent_again_s[sent_again_s > lost[-1][0]][0], side="right"))
    window = int(cwnd[begins - 1])
    assert window > 2 * 9
    threshold = int(trace.acks["ssthresh"][begins])
    assert threshold == pytest.approx(window // 2 if validated else 4, abs=1)


def test_a_window_that_is_not_used_is_halved_every_five_minutes(run_once: Runner) -> None:
    """Three large segments open the window; then 7 packets every 10 s, far less than half of it."""
    abr = """
        class Abr:
            def __init__(self, ladder, options):
                pass
            def choose(self, state):
                return 1 if state.segment < 3 else 0
    """
    changes = {"content.bitrates_bps": [8e3, 1632e3], "duration_s": 680.0}
    trace = paused(run_once, "newcwv", 0, viewer=own_abr(dedent(abr), buffer_s=10.0), **changes)
    t_s, cwnd = trace.acks["t_ns"] / 1e9, trace.acks["cwnd"].astype(int)
    small = t_s > 35
    falls = np.flatnonzero(np.diff(cwnd) < 0) + 1
    falls = falls[small[falls]]
    opened = int(cwnd[small][0])
    assert opened > 4 * INITIAL_WINDOW
    assert [int(cwnd[k]) for k in falls] == [opened // 2, opened // 4]
    assert int(trace.acks["ssthresh"][falls[0]]) >= 3 * opened // 4 - 1
    # The phase begins when the last large sample is 1 s old; it is looked at with each sending.
    assert t_s[falls] == pytest.approx([31 + 300, 31 + 600], abs=11)


@pytest.mark.parametrize(("pacing", "shown"), [(True, "Y"), (False, "N")])
def test_a_kept_window_is_paced_where_asked(run_once: Runner, pacing: bool, shown: str) -> None:
    """RFC 7661, 4.4.2: unpaced, all of the window is at the bottleneck within 5 ms of a pause.

    After a recovery pipeACK is undefined, the window counts as validated, and nothing is paced.
    """
    asked = experiment(PAUSED | {OWN: "newcwv", "server.sysctls": {IDLE: "0"}}, LARGE)
    asked["server"]["congestion_control_options"] = {"pacing": pacing}
    result = run_once(asked)
    assert not broken(result)
    assert checks_of(result)["congestion_control_options"]["measured"] == {"pacing": shown}
    packets, acks = rows(result.data.queue), rows(result.data.tcp)
    came_ns = packets["arrival_ns"][packets["payload"] > 0]
    shares = []
    for start in np.flatnonzero(np.diff(came_ns) > 5e9) + 1:
        window = int(acks["cwnd"][np.searchsorted(acks["t_ns"], came_ns[start]) - 1])
        burst = int(np.searchsorted(came_ns, came_ns[start] + 5e6)) - int(start)
        shares.append(burst / window)
    assert len(shares) >= 6
    assert np.median(shares) < 0.2 if pacing else min(shares) > 0.95


@pytest.mark.parametrize("control", ["newcwv", "cubic", "aimd", "reno"])
def test_the_kernel_has_the_options_that_are_documented(run: Runner, control: str) -> None:
    """It names what it has when it is asked for another."""
    asked = experiment({OWN: control})
    asked["server"]["congestion_control_options"] = {"pacng": 1}
    has = f"its options are {', '.join(OPTIONS[control])}" if OPTIONS[control] else "it has no opt"
    with pytest.raises(RunFailure, match=f"{control} has no such option; {has}"):
        run(asked)


@pytest.mark.long
@pytest.mark.parametrize("control", sorted(OPTIONS.keys() - {"newcwv", "cubic", "aimd", "reno"}))
def test_so_it_has_of_every_other_control(run: Runner, control: str) -> None:
    test_the_kernel_has_the_options_that_are_documented(run, control)


def test_every_control_of_the_kernel_is_documented(kernel: Kernel) -> None:
    assert set(kernel.congestion_controls) == set(OPTIONS)


def test_a_value_that_a_control_refuses_is_told(run: Runner) -> None:
    asked = experiment({OWN: "newcwv"})
    asked["server"]["congestion_control_options"] = {"pacing": "maybe"}
    with pytest.raises(RunFailure, match="newcwv refuses maybe"):
        run(asked)


def test_a_control_made_for_the_other_idle_restart_is_told(run_once: Runner) -> None:
    asked = experiment({OWN: "newcwv"})
    result = run_once(asked)
    told = checks_of(result)["idle_restart_of_the_control"]
    assert (told["asked"], told["measured"], told["ok"]) == ("0", "1", True)
    assert any("tcp_slow_start_after_idle=0" in note for note in notes(asked))
    asked["server"]["sysctls"] = {IDLE: "0"}
    assert not any("tcp_slow_start_after_idle" in note for note in notes(asked))


def test_a_timeout_has_the_standard_response(run_once: Runner) -> None:
    """The whole first flight of a transfer is lost: half of it is the threshold of slow start."""
    lost = {"at_s": 35.0, "for_s": 8.0, "loss": 1.0, "on": "downlink"}
    trace = paused(run_once, "newcwv", 0, events=[lost])
    t_s = trace.acks["t_ns"] / 1e9
    before = int(np.searchsorted(t_s, 35.0)) - 1
    first = int(np.searchsorted(t_s, 43.0))
    assert trace.at(first)[0] <= 3
    assert trace.at(first)[1] == pytest.approx(trace.at(before)[0] // 2, abs=2)
