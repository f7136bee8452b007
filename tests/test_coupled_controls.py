"""MPTCP's coupled controls in the lab kernel: subflows join, and windows grow as the papers say.

The expected growth is worked out here from the windows and round trips that the kernel shows, by
the formulas of RFC 6356, draft-khalili-mptcp-congestion-control-05 (its first term) and
draft-walid-mptcp-congestion-control-04, in segments per round trip of the subflow's own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from weir_lab.kernel import Kernel
from weir_testing import guests
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel

GUEST = Path(guests.__file__).parent / "two_paths.py"
FIRST = "1"


def samples(
    kernel: Kernel, folder: Path, control: str, rtts_ms: str, windows: str, *more: str
) -> list[dict[str, Any]]:
    """What the guest printed, in order of time."""
    arguments = [f"cc={control}", f"rtts={rtts_ms}", f"windows={windows}", *more]
    process = subprocess.Popen(
        [
            str(kernel.path),
            *("mem=512M", "uml_dir=uml/", "rootfstype=hostfs", "rootflags=/", "ro"),
            *(f"init={GUEST}", "time-travel=inf-cpu", "time-travel-start=1700000000000000000"),
            *("rng-seed=1", "con=null", "con0=null,fd:1", "quiet", "panic=-1", "seccomp=auto"),
            *arguments,
        ],
        cwd=folder,
        env={"HOME": str(folder), "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=PATIENCE_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    found = [line.removeprefix("sample ") for line in said.splitlines() if "sample " in line]
    assert found, said
    return [json.loads(line) for line in found]


def growth(control: str, windows: dict[str, float], rtts: dict[str, float]) -> float:
    """Of the first path, in segments per round trip of its own; units of rtt cancel."""
    rate = {path: windows[path] / rtts[path] for path in windows}
    total = sum(rate.values())
    own = rate[FIRST] / rtts[FIRST] / total**2
    if control == "lia":
        steepest = max(rate[path] / rtts[path] for path in rate)
        own = min(steepest / total**2, 1 / windows[FIRST])
    if control == "balia":
        ratio = max(rate.values()) / rate[FIRST]
        own *= (1 + ratio) / 2 * (4 + ratio) / 5
    return own * windows[FIRST]


BY_HAND = {
    ("20,20", "40,40"): {"lia": 0.25, "olia": 0.25, "balia": 0.25},
    ("20,20", "20,80"): {"lia": 0.64, "olia": 0.64, "balia": 0.64},
    ("20,40", "40,40"): {"lia": 0.22, "olia": 0.11, "balia": 0.20},
}
"""Windows and RTTs (ms) of two paths, and what the first one's window grows by, worked by hand."""


@pytest.mark.parametrize(("windows", "rtts_ms"), BY_HAND)
def test_the_formulas_give_what_they_do_by_hand(windows: str, rtts_ms: str) -> None:
    first, second = (
        {FIRST: float(one), "2": float(two)}
        for one, two in (windows.split(","), rtts_ms.split(","))
    )
    for control, grows in BY_HAND[windows, rtts_ms].items():
        assert growth(control, first, second) == pytest.approx(grows, abs=0.005)


@pytest.mark.parametrize("control", ["lia", "olia", "balia"])
@pytest.mark.parametrize(("windows", "rtts_ms"), [*BY_HAND, ("20,20", "20,20")])
def test_a_window_grows_by_the_formula(
    kernel: Kernel, tmp_path: Path, control: str, rtts_ms: str, windows: str
) -> None:
    """The first path has data whenever its window allows: it grows by the formula over a second.
    The default scheduler leaves the second one short of data at times, so only its window counts.

    OLIA's second term gives the first path more until the other, of twice its window, has brought
    more bytes (draft-khalili, section 2.1): samples from then on are of the first term alone.
    """
    seen = samples(kernel, tmp_path, control, rtts_ms, windows)
    # The first round trips after the join still smooth the RTT; at the end the first path is short
    # of data, too, as its window has outgrown what the connection queues.
    begins = 4 if (control, windows) == ("olia", "20,40") else 1
    joined = [each for each in seen if len(each["paths"]) == 2][begins : begins + 6]
    assert len(joined) == 6, seen
    held, rtts = (
        [{path: values[column] for path, values in each["paths"].items()} for each in joined]
        for column in (0, 1)
    )
    expected = grown = 0.0
    for before, after, window, rtt in zip(joined, joined[1:], held, rtts, strict=False):
        round_trips = (after["t_s"] - before["t_s"]) * 1e3 / rtt[FIRST]
        expected += round_trips * growth(control, window, rtt)
        grown += after["paths"][FIRST][0] - window[FIRST]
    assert grown == pytest.approx(expected, rel=0.1, abs=1)


@pytest.mark.parametrize(("lossy", "kept"), [("1", 1 / 2), ("2", 1 / 4)])
def test_balia_cuts_the_slower_path_deeper(
    kernel: Kernel, tmp_path: Path, lossy: str, kept: float
) -> None:
    """By half of w times the ratio of the fastest path's rate to its own, of at most 1.5."""
    seen = samples(kernel, tmp_path, "balia", "20,80", "20,20", f"lossy={lossy}")
    before, after = (seen[number]["paths"][lossy] for number in (4, 5))
    assert after[2] == pytest.approx(before[0] * kept, abs=1)
