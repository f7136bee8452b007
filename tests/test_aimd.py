"""aimd's growth and cuts are those asked for, New Reno's parameters are reno, ACK for ACK, and
deadlines move alpha as in the paper."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.rundir import Columns
from weir_lab.kernel import inputs
from weir_testing.cells import Runner, broken, bulk, client, experiment, rows, sent_bps

OWN = "server.congestion_control"
LOSSY = {"gateway.path.loss.downlink": 0.002, "duration_s": 30.0}

PROGRAM = """
#include <stdio.h>
#include "deadline.h"

int main(void)
{
    struct deadline_stream stream = {
        .begin_us = 30000000, .end_us = 130000000, .rate_bps = 1000000,
        .lower_ms = 5000, .upper_ms = 20000,
    };
    long long now_s, byte, got_bps, value;

    while (scanf("%lld %lld %lld %lld", &now_s, &byte, &got_bps, &value) == 4)
        printf("%lld\\n", (long long)deadline_decide(&stream, now_s * 1000000, byte, got_bps,
                                                    value, &deadline_alpha));
    return 0;
}
"""


@pytest.mark.kernel
def test_new_renos_parameters_are_reno(run_once: Runner) -> None:
    """The same ACKs find the same windows, through losses, recoveries and slow starts."""
    reno, aimd = (
        rows(run_once(experiment({OWN: name, **LOSSY})).data.tcp) for name in ("reno", "aimd")
    )
    assert np.count_nonzero(np.diff(reno["ssthresh"].astype(np.int64)) < 0) >= 5
    for column, values in reno.items():
        assert np.array_equal(values, aimd[column]), column


def windows(
    run_once: Runner, blackout: tuple[float, float] | None = None, **asked: float
) -> Columns:
    """The ACKs of one client that is always sending, at 40 Mbit/s and 100 ms: a window of 333
    segments fills the pipe, slow start overflows the queue before. blackout: from, for s."""
    changes: dict[str, Any] = {
        OWN: "aimd",
        "duration_s": 10.0,
        "content.bitrates_bps": [40e6],
        "content.segment_s": 20.0,
        "gateway.downlink.rate_steps": [[0.0, 40e6]],
        "gateway.downlink.queue.limit_packets": 50,
    }
    if blackout:
        at_s, for_s = blackout
        changes["events"] = [{"at_s": at_s, "for_s": for_s, "on": "downlink", "loss": 1.0}]
    parameters = {"alpha": 1.0, "beta": 0.5} | asked
    playing = client("fixed", options={"level": 0}, buffer_s=600.0, aimd=parameters)
    result = run_once(experiment(changes, playing))
    assert not broken(result)
    return rows(result.data.tcp)


def cuts(acks: Columns) -> list[tuple[float, int, int]]:
    """(s, cwnd before, ssthresh after) of every fall of ssthresh."""
    falls = np.flatnonzero(np.diff(acks["ssthresh"].astype(np.int64)) < 0)
    return [
        (acks["t_ns"][k + 1] / 1e9, int(acks["cwnd"][k]), int(acks["ssthresh"][k + 1]))
        for k in falls
    ]


@pytest.mark.kernel
@pytest.mark.parametrize("alpha", [0.1, 0.2, 0.5, 1.0, 2.0, 5.0])
def test_the_window_grows_by_a_segment_per_alpha_round_trips(
    run_once: Runner, alpha: float
) -> None:
    acks = windows(run_once, alpha=alpha)
    at_s = acks["t_ns"] / 1e9
    next_loss_s = [*(at for at, _, _ in cuts(acks)[1:]), 10.0][0]
    growing = (at_s > 2) & (at_s < next_loss_s) & (acks["cwnd"] < 320)  # the queue stays empty
    round_trips = at_s[growing] / (acks["srtt_us"][growing].mean() / 1e6)
    slope = np.polyfit(round_trips, acks["cwnd"][growing].astype(np.int64), 1)[0]
    assert np.ptp(round_trips) > 8
    assert slope == pytest.approx(1 / alpha, rel=0.05)


@pytest.mark.kernel
@pytest.mark.parametrize("beta", [0.1, 0.3, 0.5, 0.9])
def test_a_loss_takes_beta_of_the_window(run_once: Runner, beta: float) -> None:
    _, before, after = cuts(windows(run_once, beta=beta))[0]
    assert before > 200
    assert after == pytest.approx((1 - beta) * before, abs=1)


@pytest.mark.kernel
@pytest.mark.parametrize("beta", [0.1, 0.5, 0.9])
def test_a_timeout_halves_whatever_beta_is(run_once: Runner, beta: float) -> None:
    found = cuts(windows(run_once, blackout=(5.0, 1.0), beta=beta))
    ((_, before, after),) = [cut for cut in found if 6 < cut[0] < 7]
    assert before > 50
    assert after == pytest.approx(before / 2, abs=1)


@pytest.mark.kernel
def test_what_a_client_asks_for_steers_its_share(run_once: Runner) -> None:
    """The same two clients, one of them first more and then less aggressive than the other."""

    def ratio(**asked: float) -> float:
        parameters = {"alpha": 1.0, "beta": 0.5} | asked
        result = run_once(
            experiment({OWN: "aimd", "duration_s": 60.0}, bulk(aimd=parameters), bulk()),
        )
        assert not broken(result)
        queue = rows(result.data.queue)
        first, second = (
            sent_bps(
                {name: column[queue["flow"] == flow] for name, column in queue.items()}, 20, 60
            )
            for flow in (0, 1)
        )
        return first / second

    equal = ratio()
    assert ratio(alpha=0.2) > 1.3 * equal and ratio(alpha=4.0) < equal / 1.3
    assert ratio(beta=0.1) > 1.3 * equal and ratio(beta=0.9) < equal / 1.3


@pytest.mark.kernel
def test_a_stream_with_deadlines_takes_more_when_it_would_be_late(run_once: Runner) -> None:
    """4.256 Mbit/s beside two bulk clients on 8 Mbit/s: an equal share would be 2.6."""

    def least_margin_s(moves: str) -> float:
        deadlines: dict[str, Any] = {
            "after_s": 5.0, "length_s": 60.0, "rate_bps": 4256e3, "moves": moves,
            "lower_s": 2.0, "upper_s": 5.0,
        }  # fmt: skip
        asked = experiment(
            {OWN: "aimd", "duration_s": 60.0}, bulk(deadlines=deadlines), bulk(), bulk()
        )
        result = run_once(asked)
        assert not broken(result)
        margin_s = compute(result.data)["clients"][0]["least_margin_s"]
        assert isinstance(margin_s, float)
        return margin_s

    assert least_margin_s("alpha") > least_margin_s("none") + 2.0


@pytest.fixture(scope="module")
def decide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernel's arithmetic as a program: lines of `now byte throughput alpha` in, alphas out."""
    folder = tmp_path_factory.mktemp("deadline")
    (folder / "main.c").write_text(PROGRAM)
    include = str(inputs.LAB / "cc")
    command = ["gcc", "-Wall", "-Werror", f"-I{include}", "-o", "decide", "main.c"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "decide"


@pytest.mark.parametrize(
    ("throughput_bps", "alpha_milli", "expected"),
    [
        (1_230_000, 1000, 1100),  # figure 5: T > T_u = 1.07, C = 21.7 s
        (1_000_000, 1000, 1000),  # between T_l = 0.89 and T_u: nothing to do
        (800_000, 1000, 1000),  # T < T_l, but 0.9 * 0.2 / 10 s is less than half a step
        (0, 1000, 900),  # gap 10 s: 0.9 / 10
        (9_000_000, 1000, 4000),  # 3 * 8 / 5 s is beyond what is meekest
    ],
)
def test_the_papers_example(
    decide: Path, throughput_bps: int, alpha_milli: int, expected: int
) -> None:
    """r = 1 Mbit/s, d_0 = 30 s, l = 100 s, bounds 5 and 20 s; 20 Mbit sent at 35 s: m = 15 s."""
    line = f"35 2500000 {throughput_bps} {alpha_milli}\n"
    done = subprocess.run([str(decide)], input=line, capture_output=True, text=True, check=True)
    assert int(done.stdout) == expected


@pytest.mark.parametrize(("byte", "expected"), [(1_000_000, 100), (4_000_000, 4000)])
def test_outside_the_bounds_the_parameter_is_at_its_end(
    decide: Path, byte: int, expected: int
) -> None:
    """Byte 1,000,000 is due at 38 s, 3 s ahead; byte 4,000,000 at 62 s, 27 s ahead."""
    line = f"35 {byte} 1000000 1000\n"
    done = subprocess.run([str(decide)], input=line, capture_output=True, text=True, check=True)
    assert int(done.stdout) == expected
