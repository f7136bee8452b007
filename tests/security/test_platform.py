"""What a team's member can try through the API, on a platform with Postgres and MinIO.

Every attack fails. Another team's runs, carried out meanwhile by the same worker, end as they would
have, and the API answers.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import weir_sdk
from weir_sdk import models
from weir_testing import command, kernel_attacks
from weir_testing.guest_attacks import APPETITES, ATTACKS, ON_THE_PLATFORM, abr
from weir_testing.patience import until
from weir_testing.platform import OTHER_TEAM, TEAM, besieged
from weir_testing.platform.besieged import Besieged, attempt, carry_out, film, require_all_denied

pytestmark = pytest.mark.kernel

_LONGEST_PAUSE_S = 5.0
"""Of another team between its campaigns, the later the longer: they would take half of the
machine."""
_LONGEST_REASON = 4096
_LOG_BYTES = 1 << 20
_REFUSED = {-1: "EPERM", -13: "EACCES", -18: "EXDEV", -26: "ETXTBSY"}
"""The last of a program that runs, which is looked at before rights are."""


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Besieged]:
    with besieged.up(tmp_path_factory.mktemp("besieged")) as up:
        yield up


@pytest.fixture(autouse=True)
def _others_notice_nothing(platform: Besieged, tmp_path: Path) -> Iterator[None]:
    """Another team's campaign, as long as the attack lasts."""
    stop, ended, failed = threading.Event(), list[models.RunDetail](), list[BaseException]()

    def use() -> None:
        try:
            while not stop.is_set() or not ended:
                # Each time of another seed: a result that is there is not made again.
                seed = zlib.crc32(f"{tmp_path} {len(ended)}".encode())
                ended.extend(carry_out(platform.other, film("others", seed=seed), team=OTHER_TEAM))
                stop.wait(min(len(ended), _LONGEST_PAUSE_S))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    yield
    stop.set()
    thread.join()
    assert not failed, failed
    assert {run.state for run in ended} == {"succeeded"}, [run.reason for run in ended]


def test_players_find_nothing_of_the_machine(platform: Besieged) -> None:
    before = _content(platform)
    attacks = ATTACKS | ON_THE_PLATFORM
    require_all_denied(platform.attacker, attacks, platform.targets)
    assert _content(platform) == before


def _content(platform: Besieged) -> dict[str, bytes]:
    found = {key: platform.targets[key] for key in ("secret", "kernel", "package")}
    return {key: Path(path).read_bytes() for key, path in found.items()}


def test_players_of_any_appetite_end_alone(platform: Besieged) -> None:
    for name, run in attempt(platform.attacker, APPETITES, {}).items():
        assert run.state in {"failed", "succeeded", "invalid"}, name
        assert run.state == "succeeded" or run.reason, name
        assert len(run.reason) <= _LONGEST_REASON, name
        assert "\0" not in run.reason, name
        if run.state == "succeeded":
            log = platform.attacker.fetch_artifact(run.id, "log.txt")
            assert len(log) < _LOG_BYTES, name


def test_a_player_without_end_holds_one_place_until_it_is_cancelled(platform: Besieged) -> None:
    source = abr(APPETITES["ends"]).replace("os._exit(0)", "exec('while True: pass')")
    document = film("endless", {"clients": [{"player": "endless.py"}]})
    made = besieged.submit(platform.attacker, TEAM, document, {"endless.py": source})

    def states() -> list[str]:
        return [run.state for run in platform.attacker.list_runs(made.id)]

    until(lambda: states() == ["running"], "its start")
    carry_out(platform.other, film("beside", replicates=3), team=OTHER_TEAM)
    assert states() == ["running"]
    platform.attacker.cancel_campaign(made.id)
    until(lambda: states() == ["cancelled"], "its end")


def test_native_code_in_the_lab_kernel_is_denied_all_of_the_host(platform: Besieged) -> None:
    before = _content(platform)
    controls = list(kernel_attacks.NAMES)
    document = film("native", factors={"server.congestion_control": controls})
    source = kernel_attacks.source(platform.targets)
    runs = carry_out(platform.attacker, document, {"attack.c": source})
    by_control = {run.levels["server.congestion_control"]: run for run in runs}
    native, suicide, sound = (by_control[name] for name in controls)
    assert (native.state, sound.state) == ("succeeded", "succeeded"), native.reason + sound.reason
    log = platform.attacker.fetch_artifact(native.id, "log.txt").decode()
    said = dict(
        line.partition("ATTACK ")[2].rsplit(" = ", 1)
        for line in log.splitlines()
        if "ATTACK " in line
    )
    came = {name: int(value) for name, value in said.items()}
    assert came.keys() == kernel_attacks.ALLOWED.keys() | kernel_attacks.DENIED.keys()
    assert all(came[name] >= 0 for name in kernel_attacks.ALLOWED), came
    not_denied = {name: came[name] for name in kernel_attacks.DENIED if came[name] not in _REFUSED}
    assert not not_denied
    # Something outside might have ended it: it is tried again, but not for ever.
    assert (suicide.state, suicide.attempts) == ("failed", 3), suicide.reason
    assert "SIGKILL" in suicide.reason
    assert _content(platform) == before


# What the compiler may is asked of it alone in test_build.py.
@pytest.mark.parametrize(
    "name",
    [
        "holds a file",
        pytest.param("includes a file", marks=pytest.mark.long),
        pytest.param("fills the disk", marks=pytest.mark.long),
    ],
)
def test_a_build_finds_and_takes_nothing(name: str, platform: Besieged) -> None:
    source = kernel_attacks.BUILDS[name].format_map(platform.targets)
    (run,) = carry_out(platform.attacker, film("build"), {"hostile.c": source})
    assert run.state == "failed"
    assert "does not compile" in run.reason
    assert besieged.SECRET.decode().strip() not in run.reason
    assert len(run.reason) <= _LONGEST_REASON


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"duration": "100000h", "record": {"tcp": "off", "queue": "off"}}, "experiment.duration"),
        ({"clients": [{"player": "../../etc/passwd"}]}, "experiment.clients"),
        ({"clients": [{"player": "fixed", "count": 10**9}]}, "experiment.clients"),
        ({"server": {"sysctls": {"kernel.core_pattern": "|/bin/sh"}}}, "experiment.server"),
        ({"server": {"sysctls": {"../../proc/self/mem": 1}}}, "experiment.server"),
        ({"server": {"congestion_control": "x\nserver {"}}, "experiment.server"),
    ],
)  # fmt: skip
def test_what_asks_for_more_is_refused(
    changes: dict[str, object], path: str, platform: Besieged
) -> None:
    with pytest.raises(weir_sdk.errors.ClientError) as refused:
        besieged.submit(platform.attacker, TEAM, film("more", changes))
    assert path in str(refused.value)


def test_results_are_those_of_a_machine_that_nobody_attacks(
    platform: Besieged, tmp_path: Path
) -> None:
    """After all of the above, by the same worker, kernels and packages."""
    document = film("sound", replicates=3)
    file, store = tmp_path / "sound.yaml", tmp_path / "store"
    file.write_text(document)
    done = command.weir("run", file, "--store", store)
    assert done.returncode == 0, done.stderr
    runs = carry_out(platform.other, document, team=OTHER_TEAM)
    for run in runs:
        (here,) = store.glob(f"runs/*/{run.key}")
        for name in ("metrics.json", "checks.json", "players/client-1.parquet", "tcp.parquet"):
            there = platform.other.fetch_artifact(run.id, name)
            assert there == (here / name).read_bytes(), name
