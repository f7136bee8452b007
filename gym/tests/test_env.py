"""The environment: Gymnasium's own checks, runs like any other, refusals, and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import yaml
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from weir import rundir
from weir.errors import RunFailure, SpecError
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir_engine import jsonfile
from weir_gym import ENV_ID, StreamingEnv, StreamingVectorEnv, names_of
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_testing.command import weir
from weir_testing.patience import PATIENCE_S, until

pytestmark = pytest.mark.kernel

SEGMENTS = 6
LADDER = ["300kbit/s", "750kbit/s", "1200kbit/s", "2850kbit/s"]
STEPS = {"steps": [{"at": "0s", "rate": "6Mbit/s"}, {"at": "2s", "rate": "400kbit/s"}]}


def campaign(**experiment: Any) -> dict[str, Any]:
    return {
        "name": "gym",
        "experiment": {
            "duration": "60s",
            "content": {"ladder": LADDER, "segment": "2s", "segments": SEGMENTS},
            "gateway": {"downlink": {"rate": STEPS}, "path": {"rtt": {"mean": "40ms"}}},
            "clients": [{"player": "dashjs-throughput", "buffer": "20s"}],
            **experiment,
        },
        "seed": 1,
    }


@pytest.fixture
def env(kernel: Kernel) -> Iterator[StreamingEnv]:
    made = StreamingEnv(campaign())
    yield made
    made.close()


def forks_of(parent: int) -> list[int]:
    """Of the lab kernels that this process started: by a helper of each."""
    helpers = [one for kernel in kernels_of(parent) for one in kernels_of(kernel)]
    return [one for helper in helpers for one in kernels_of(helper)]


def kernels_of(parent: int) -> set[int]:
    """Lab kernels that this process started and that have not ended. Other tests' may be there."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, _, others = (process / "stat").read_text().rpartition(")")
        except OSError:
            continue
        fields = others.split()
        # It may have started servers, too.
        kernel = command.endswith("(linux")
        if kernel and int(fields[1]) == parent and fields[0] != "Z":
            found.add(int(process.name))
    return found


def files_of(run: Path) -> dict[str, bytes]:
    """All of a run directory but host.json."""
    found = {
        str(path.relative_to(run)): path.read_bytes()
        for path in run.rglob("*")
        if path.is_file() and path.name != "host.json"
    }
    assert len(found) > 5
    return found


def play(env: StreamingEnv, levels: list[int], **reset: Any) -> list[Any]:
    """Observations and rewards of an episode, and the last info."""
    seen, _ = env.reset(**reset)
    found: list[Any] = [seen.tolist()]
    for level in levels:
        seen, reward, terminated, truncated, info = env.step(level)
        found.append((seen.tolist(), reward, terminated, truncated))
        if terminated or truncated:
            found.append(info)
            break
    return found


def test_gymnasium_finds_nothing_wrong(kernel: Kernel) -> None:
    made = gymnasium.make(ENV_ID, campaign=campaign(), disable_env_checker=True)
    check_env(made.unwrapped, skip_render_check=True)
    made.close()


def test_an_episode_is_a_run_like_any_other(kernel: Kernel, tmp_path: Path) -> None:
    """By seed and actions the same again, and, but for host.json, byte for byte what `weir run`
    makes of its decisions."""
    levels = [0, 2, 3, 3, 1, 0]
    env = StreamingEnv(campaign(), kept_in=tmp_path / "kept")
    once = play(env, levels, seed=5)
    again = play(env, levels, seed=5)
    assert once == again
    kept = Path(once[-1]["run"])
    document = jsonfile.read(kept / "run.json")
    decisions = {str(segment): level for segment, level in enumerate(levels)}
    clients = [{"player": "dashjs-throughput", "buffer": "20s", "decisions": decisions}]
    plain = {**campaign(clients=clients), "replicate_seeds": [document["seed"]]}
    (tmp_path / "gym.yaml").write_text(yaml.safe_dump(plain))
    done = weir("run", tmp_path / "gym.yaml", "--store", tmp_path / "plain")
    assert done.returncode == 0, done.stderr
    other = tmp_path / "plain" / kept.relative_to(tmp_path / "kept")
    assert files_of(kept) == files_of(other)

    rows = rundir.load_player(kept, 1)
    rewards = [step[1] for step in once[1:-1]]
    qoe = jsonfile.read(kept / "metrics.json")["clients"][0]["qoe_pensieve"]
    assert rows["stall_s"].sum() > 1.0
    assert np.mean(rewards) == pytest.approx(qoe, abs=0.01)
    assert [step[0][0] for step in once[1:-2]] == pytest.approx(
        rows["buffer_after_s"][:-1].tolist(), abs=1e-4
    )


def test_who_follows_the_own_player_plays_as_it_does(
    env: StreamingEnv, kernel: Kernel, tmp_path: Path
) -> None:
    _, info = env.reset(options={"seed": 4})
    levels, over = [], False
    while not over:
        levels.append(int(info["own_level"]))
        _, _, terminated, truncated, info = env.step(info["own_level"])
        over = terminated or truncated
    run = next(Expansion(parse_campaign(campaign(), Path())).runs())
    alone = run_cell(run.experiment, 4, kernel, tmp_path, PATIENCE_S)
    assert alone.data.players[0]["level"].tolist() == levels
    assert len(set(levels)) > 1


def test_time_that_is_up_cuts_the_episode_off(kernel: Kernel) -> None:
    env = StreamingEnv(campaign(duration="9s"))
    *_, (seen, reward, terminated, truncated), info = play(env, [3] * SEGMENTS, seed=1)
    assert (terminated, truncated) == (False, True)
    assert reward < 0
    assert len(info["decisions"]) < SEGMENTS
    assert seen[names_of(4).index("segments_left")] == 0


@pytest.mark.parametrize("action", [-1, 4, 1.5, True, "2", None, np.array([1])])
def test_what_is_no_level_is_refused_and_changes_nothing(action: Any, env: StreamingEnv) -> None:
    env.reset(options={"seed": 3})
    with pytest.raises(SpecError, match=r"action.*a whole number from 0 to 3\n.*choose one"):
        env.step(action)
    after = env.step(np.int64(1))
    env.reset(options={"seed": 3})
    assert after[0].tolist() == env.step(1)[0].tolist()


def test_without_an_episode_there_is_no_step(env: StreamingEnv) -> None:
    with pytest.raises(ResetNeeded):
        env.step(0)
    play(env, [0] * SEGMENTS)
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"combination": 1}, "options.combination: 1 — allowed: whole numbers from 0 to 0"),
        ({"seed": -1}, "options.seed: -1"),
        ({"seed": "a"}, "options.seed: a"),
        ({"trace": 1}, "options.trace: 1 — allowed: combination and seed"),
    ],
)
def test_options_that_there_are_not(options: dict[str, Any], named: str, env: StreamingEnv) -> None:
    with pytest.raises(SpecError, match=named):
        env.reset(options=options)


def test_campaigns_that_no_policy_can_play(kernel: Kernel, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("class Own:\n    def choose(self, state):\n        return 0\n")
    bola = {"player": "bola"}
    refused: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("^client: 2 — allowed: clients of the run, 1 to 1", campaign(), {"client": 2}),
        ("^clock: real", campaign(clock="real"), {}),
        ("confined", campaign(clients=[bola, {"player": str(own)}]), {}),
        ("^client 1.decisions: dashjs", campaign(clients=[{"player": "dashjs"}]), {}),
        ("^wall_limit_s: 0", campaign(), {"wall_limit_s": 0}),
        (
            "^client 1.in_flight: 2 — allowed: 1",
            campaign(server={"http_version": "2"}, clients=[{**bola, "in_flight": 2}]),
            {},
        ),
        (
            "^content.ladder: of 2 and 3 levels",
            {**campaign(), "factors": {"content.ladder": [LADDER[:2], LADDER[:3]]}},
            {},
        ),
    ]
    for named, asked, given in refused:
        with pytest.raises(SpecError, match=named):
            StreamingEnv(asked, **given)


def test_a_policy_that_never_answers_meets_the_limit(kernel: Kernel) -> None:
    before = kernels_of(os.getpid())
    env = StreamingEnv(campaign(), wall_limit_s=4.0)
    with pytest.raises(RunFailure, match=r"wall-clock limit of 4 s.*raise wall_limit_s"):
        env.reset()  # which may take as long itself
        until(lambda: not forks_of(os.getpid()), "the limit")
        env.step(0)
    env.close()
    assert kernels_of(os.getpid()) == before


def test_close_leaves_no_process_and_no_file(
    kernel: Kernel, tmp_path: Path, monkeypatch: Any
) -> None:
    before = kernels_of(os.getpid())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    envs = StreamingVectorEnv(campaign(), 2)
    envs.reset(seed=1)
    assert len(kernels_of(os.getpid())) == len(before) + 2
    envs.close()
    assert kernels_of(os.getpid()) == before
    assert not list(tmp_path.iterdir())


OWNER = """
import sys, time, yaml
from weir_gym import StreamingEnv
env = StreamingEnv(yaml.safe_load(sys.argv[1]))
env.reset()
print("ready", flush=True)
time.sleep(3600)
"""


def test_a_policy_that_is_killed_leaves_no_process(kernel: Kernel) -> None:
    command = [sys.executable, "-c", OWNER, yaml.safe_dump(campaign())]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "TMPDIR": folder}
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as owner:
            assert owner.stdout is not None
            assert owner.stdout.readline() == "ready\n"
            (pid,) = kernels_of(owner.pid)
            owner.send_signal(signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists(), "the lab kernel's end")


def test_several_at_once_are_the_same_and_begin_anew(env: StreamingEnv, kernel: Kernel) -> None:
    levels = [0, 1, 2, 3, 0, 1]
    alone = [play(env, levels, options={"seed": seed}) for seed in (11, 12)]
    envs = StreamingVectorEnv(campaign(), 2)
    seen, _ = envs.reset(seed=3, options={"seed": [11, 12]})
    together = [[each.tolist()] for each in seen]
    for level in levels:
        seen, rewards, terminated, truncated, infos = envs.step(np.array([level] * 2))
        for number in range(2):
            step = (seen[number].tolist(), rewards[number], terminated[number], truncated[number])
            together[number].append(step)
    assert together == [each[:-1] for each in alone]
    assert infos["_decisions"].all()
    seen, rewards, terminated, _, infos = envs.step(np.array([0, 0]))
    assert not rewards.any() and not terminated.any()
    assert (infos["segment"] == 0).all()
    assert (seen[:, names_of(4).index("segments_left")] == SEGMENTS).all()
    with pytest.raises(SpecError, match="actions: 3 of them — allowed: 2"):
        envs.step(np.array([0, 0, 0]))
    with pytest.raises(SpecError, match="action: 9"):
        envs.step(np.array([0, 9]))
    envs.close()
