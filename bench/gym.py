"""The gym: decisions a minute on two cores, what one costs, and beside the same run without it.

Episodes of a film of 5 minutes in segments of 2 s at 4 Mbit/s, a client alone, without records; the
levels are drawn. Wall time of several at once, after the first have begun; CPU time of an episode
from its start to its end, in pairs with `run_cell` of its decisions.
"""

from __future__ import annotations

import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir.whatif import decided
from weir_bench.common import require_kernel, show
from weir_gym import StreamingEnv, StreamingVectorEnv
from weir_lab.cell import run_cell

PAIRS = 5
NUM_ENVS = 8
SEGMENTS = 150
WALL_LIMIT_S = 900.0
LADDER = ["300kbit/s", "750kbit/s", "1200kbit/s", "1850kbit/s", "2850kbit/s", "4300kbit/s"]
CAMPAIGN: dict[str, Any] = {
    "name": "gym",
    "experiment": {
        "duration": "600s",
        "content": {"ladder": LADDER, "segment": "2s", "segments": SEGMENTS},
        "gateway": {"downlink": {"rate": "4Mbit/s"}, "path": {"rtt": {"mean": "80ms"}}},
        "clients": [{"player": "dashjs-throughput", "buffer": "20s"}],
        "record": {"tcp": "off", "queue": "off"},
    },
    "seed": 1,
}


def main(json: bool = False) -> int:
    """Print decisions a minute, milliseconds of CPU time, and ratios of pairs."""
    kernel = require_kernel()
    levels = np.random.default_rng(1).integers(0, 4, SEGMENTS)
    experiment = next(Expansion(parse_campaign(CAMPAIGN, Path())).runs()).experiment
    plain = decided(experiment, 1, dict(enumerate(levels.tolist())))
    env = StreamingEnv(CAMPAIGN)

    def episode() -> None:
        env.reset(options={"seed": 1})
        for level in levels:
            env.step(level)

    def begin() -> None:
        env.reset(options={"seed": 1})
        env.close()

    def run() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            run_cell(plain, 1, kernel, Path(scratch), WALL_LIMIT_S)

    episode()
    begins = [_cpu_s(begin) for _ in range(PAIRS)]
    pairs = [(_cpu_s(episode), _cpu_s(run)) for _ in range(PAIRS)]
    own, theirs = (statistics.median(each) for each in zip(*pairs, strict=True))
    found = {
        "cores": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 1),
        "decisions_per_minute": round(_decisions_per_minute()),
        "cpu_ms_to_begin": round(statistics.median(begins) * 1e3),
        "cpu_ms_per_decision": round(own / SEGMENTS * 1e3, 2),
        "decisions_per_cpu_minute": round(SEGMENTS / own * 60),
        "cpu_s_episode": round(own, 3),
        "cpu_s_run": round(theirs, 3),
        "cpu_ratio_of_pairs": round(statistics.median(a / b for a, b in pairs), 3),
    }
    show(found, json)
    return 0


def _decisions_per_minute() -> float:
    """Of a whole episode in each environment, its beginning and its end counted."""
    envs = StreamingVectorEnv(CAMPAIGN, NUM_ENVS)
    draw = np.random.default_rng(2)
    envs.reset(seed=1)
    for _ in range(SEGMENTS):
        envs.step(draw.integers(0, 4, NUM_ENVS))
    started = time.perf_counter()
    for _ in range(SEGMENTS + 1):
        envs.step(draw.integers(0, 4, NUM_ENVS))
    took_s = time.perf_counter() - started
    envs.close()
    return NUM_ENVS * SEGMENTS / took_s * 60


def _cpu_s(carry_out: Callable[[], None]) -> float:
    """User and system time, of ended processes that it started, too."""
    before = _used_s()
    carry_out()
    return _used_s() - before


def _used_s() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)
