#!/usr/bin/env python3
"""Train a small policy in the gym, and compare it with players on traces that it never saw.

    gym/train.py [--out FOLDER] [--generations N]

The policy scores each level by a weighted sum of FEATURES and takes the best. It begins with no
weight on any, and plays the lowest level. The weights are found by the cross-entropy method
(Rubinstein 1999): each generation draws sets of weights from a normal distribution, plays each on
the same traces with the same seeds, and moves the distribution to the best quarter. Of the
generations' means the one is taken that is best on traces for validation. NumPy is all that it
needs. FOLDER gets the traces, result.json and curve.svg.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from weir.trace_models import as_csv
from weir_gym import StreamingVectorEnv, names_of
from weir_gym.observation import HISTORY

Floats = NDArray[np.float64]
Policy = Callable[[Floats, dict[str, Any]], NDArray[np.int64]]

LADDER_KBPS = [300, 750, 1200, 1850, 2850, 4300]  # Mao et al., SIGCOMM 2017
SEGMENT_S, SEGMENTS, DURATION_S = 2, 40, 240
MODELS = ("lte", "5g", "leo")
MEANS_MBPS = (1.0, 1.7, 2.8, 4.5)
FEATURES = ("bitrate", "change", "predicted stall", "stall at the worst", "load", "load / buffer",
            "bitrate * buffer", "bitrate * spread")  # fmt: skip
POPULATION, ELITE, NUM_ENVS = 24, 6, 12
LEVELS = len(LADDER_KBPS)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--out", type=Path, default=Path("build/gym"))
    asked.add_argument("--generations", type=int, default=12)
    given = asked.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    train = traces(given.out, "train", range(100, 124))
    validation = traces(given.out, "validation", range(200, 212))
    held_out = traces(given.out, "held-out", range(300, 324))
    means = learn(train, given.generations)
    came = [(by_trace(validation, learned(m)), by_trace(held_out, learned(m))) for m in means]
    curve = [
        {"generation": number, "validation": float(np.mean(one)), "held_out": float(np.mean(other))}
        for number, (one, other) in enumerate(came, 1)
    ]
    best = int(np.argmax([each["validation"] for each in curve]))
    found: dict[str, Any] = {"weights": dict(zip(FEATURES, means[best].round(3), strict=True))}
    found["curve"] = curve
    found["held_out"] = {"learned": came[best][1]}
    for player in ("dashjs-throughput", "bola", "dynamic"):
        found["held_out"][player] = by_trace(held_out, own, player)
    (given.out / "result.json").write_text(json.dumps(found, indent=1))
    draw(found, given.out / "curve.svg")
    for name, scores in found["held_out"].items():
        more = np.array(scores) - found["held_out"]["dashjs-throughput"]
        error = more.std(ddof=1) / np.sqrt(len(more))
        print(f"{name:18} {np.mean(scores):.3f}  than throughput's: {more.mean():+.3f}, standard "
              f"error {error:.3f}, better on {(more > 0).sum()} of {len(more)}")  # fmt: skip


def traces(out: Path, name: str, seeds: range) -> list[str]:
    """Files of all models and means, by the second: each row is a command to the gateway."""
    made = []
    for number, seed in enumerate(seeds):
        model, mean = MODELS[number % 3], MEANS_MBPS[number // 3 % 4]
        rows = csv.DictReader(io.StringIO(as_csv(model, mean * 1e6, DURATION_S, seed)))
        rates = np.array([float(row["rate_mbit"]) for row in rows][:-1]).reshape(-1, 10).mean(1)
        lines = ["time_s,rate_mbit", *(f"{at},{rate:.3f}" for at, rate in enumerate(rates))]
        path = out / f"{name}-{model}-{mean}-{seed}.csv"
        path.write_text("\n".join([*lines, f"{len(rates)},{rates[-1]:.3f}"]) + "\n")
        made.append(str(path))
    return made


def campaign(files: list[str], player: str) -> dict[str, Any]:
    return {
        "name": "gym",
        "experiment": {
            "duration": f"{DURATION_S}s",
            "content": {
                "ladder": [f"{rate}kbit/s" for rate in LADDER_KBPS],
                "segment": f"{SEGMENT_S}s",
                "segments": SEGMENTS,
            },
            "gateway": {
                "downlink": {"rate": "1Mbit/s"},
                "path": {"rtt": {"mean": "60ms"}},
            },
            "clients": [{"player": player, "buffer": "30s"}],
        },
        "factors": {"gateway.downlink.rate": [{"trace": file, "format": "rows"} for file in files]},
        "seed": 1,
    }


def own(seen: Floats, infos: dict[str, Any]) -> NDArray[np.int64]:
    """What the client's own player chooses."""
    level: NDArray[np.int64] = infos["own_level"]
    return level


def learned(weights: Floats) -> Policy:
    """weights: (features,), or (environments, features)."""

    def choose(seen: Floats, infos: dict[str, Any]) -> NDArray[np.int64]:
        scores: Floats = np.einsum(
            "elf,ef->el", features(seen), np.broadcast_to(weights, (len(seen), len(FEATURES)))
        )
        best: NDArray[np.int64] = np.argmax(scores, axis=1)
        return best

    return choose


def features(seen: Floats) -> Floats:
    """(environments, levels, features) of observations (environments, values)."""
    names = names_of(LEVELS)
    value = {name: seen[:, number : number + 1] for number, name in enumerate(names)}
    rates = np.array(LADDER_KBPS)[None, :] / 1e3
    sizes = seen[:, names.index("size_mb_0") :]
    last = seen[:, names.index(f"throughput_mbps_{HISTORY}") :][:, :HISTORY][:, -5:]
    known = last > 0
    count = np.maximum(known.sum(1, keepdims=True), 1)
    harmonic = count / np.where(known, 1 / np.where(known, last, 1), 0).sum(1, keepdims=True).clip(
        1e-9
    )
    rate = np.where(known.any(1, keepdims=True), harmonic, rates[:, :1])
    spread = np.where(known, abs(last - rate), 0).sum(1, keepdims=True) / count / rate
    buffer_s = value["buffer_s"]
    takes_s = sizes * 8 / rate
    worst = np.where(known, last, np.inf).min(1, keepdims=True)
    worst_s = sizes * 8 / np.where(known.any(1, keepdims=True), worst, rate)
    return np.stack([
        rates + 0 * sizes,
        abs(rates - value["last_mbps"]) * (value["last_mbps"] > 0),
        np.maximum(0, takes_s - buffer_s) * (value["last_mbps"] > 0),
        np.maximum(0, worst_s - buffer_s) * (value["last_mbps"] > 0),
        takes_s / SEGMENT_S,
        takes_s / (buffer_s + 1),
        rates * buffer_s / 10,
        rates * spread,
    ], axis=2)  # fmt: skip


def play(envs: StreamingVectorEnv, policies: Policy, combinations: list[int]) -> Floats:
    """The mean reward of an episode in each environment. The seed is of the trace's number."""
    seeds = [1000 + number for number in combinations]
    seen, infos = envs.reset(options={"combination": combinations, "seed": seeds})
    total, steps = np.zeros(len(combinations)), np.zeros(len(combinations))
    running = np.ones(len(combinations), bool)
    while running.any():
        seen, rewards, ends, cut, infos = envs.step(policies(seen.astype(float), infos))
        total += np.where(running, rewards, 0)
        steps += running
        running &= ~(ends | cut)
    return total / steps


def by_trace(files: list[str], policy: Policy, player: str = "dashjs-throughput") -> list[float]:
    """The mean reward on each trace."""
    envs = StreamingVectorEnv(campaign(files, player), NUM_ENVS)
    numbers = np.arange(len(files)).reshape(-1, NUM_ENVS)
    scores = [play(envs, policy, [int(n) for n in some]) for some in numbers]
    envs.close()
    return [round(float(score), 4) for score in np.concatenate(scores)]


def learn(train: list[str], generations: int) -> list[Floats]:
    """The mean weights after each generation."""
    random = np.random.default_rng(1)
    mean, deviation = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    envs = StreamingVectorEnv(campaign(train, "dashjs-throughput"), NUM_ENVS)
    means = []
    for generation in range(generations):
        drawn = random.normal(mean, deviation, (POPULATION, len(mean)))
        who, trace = np.divmod(np.arange(POPULATION * len(train)), len(train))
        parts = zip(who.reshape(-1, NUM_ENVS), trace.reshape(-1, NUM_ENVS), strict=True)
        came = [play(envs, learned(drawn[some]), on.tolist()) for some, on in parts]
        scores = np.concatenate(came).reshape(POPULATION, len(train))
        best = np.argsort(scores.mean(1))[-ELITE:]
        mean, deviation = drawn[best].mean(0), drawn[best].std(0) + 0.05
        means.append(mean)
        print(f"generation {generation + 1}: population {scores.mean():.3f}, "
              f"elite {scores[best].mean():.3f}", flush=True)  # fmt: skip
    envs.close()
    return means


def draw(found: dict[str, Any], path: Path) -> None:
    """The curves on traces that it did not learn from, beside the players' values."""
    import matplotlib  # noqa: PLC0415 (only at the end)

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    matplotlib.rcParams["svg.hashsalt"] = "weir"
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
    at = [each["generation"] for each in found["curve"]]
    for kind, mark in (("held_out", "o-"), ("validation", "o:")):
        label = f"learned policy, {kind.replace('_', ' ')}"
        axes.plot(at, [each[kind] for each in found["curve"]], mark, color="C0", label=label)
    for number, (name, scores) in enumerate(found["held_out"].items()):
        if name != "learned":
            axes.axhline(np.mean(scores), color=f"C{number}", linestyle="--", label=name)
    axes.set(xlabel="generation", ylabel="QoE (Pensieve)", xticks=at)
    figure.legend(loc="outside upper center", ncols=3)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
