"""The plan of a cell, and the words of a kernel that ended badly."""

from __future__ import annotations

import fcntl
import marshal
import os
from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir.spec.real_clock import MOST_LINKS
from weir_lab import boot, plan
from weir_lab.guest.plan import dumped
from weir_lab.kernel import Kernel
from weir_testing.cells import client, experiment, own_abr


def test_a_plan_crosses_to_the_guest_as_it_is() -> None:
    made = plan.make(experiment({}, client(), own_abr("class A: ...")), 5)
    assert marshal.loads(dumped(made)) == made


def test_the_same_experiment_has_the_same_plan() -> None:
    one, other = (plan.make(experiment({}, client()), 5) for _ in range(2))
    assert dumped(one) == dumped(other)


def test_every_role_knows_the_start_and_the_clients_their_seed() -> None:
    shaped = {"gateway.shaping.method": "htbm", "server.congestion_control": "vegas"}
    made = plan.make(experiment(shaped, client(), client()), 5)
    assert made["epoch_s"] > plan.SETTLE_S + plan.PROBES * 0.1
    modules = [role["module"] for role in made["roles"]]
    assert modules == [
        "weir_server.role",
        "weir_gateway.manager",
        "weir_client.role",
        "weir_client.role",
    ]
    contexts = [
        role["args"]["context"] for role in made["roles"] if role["module"] == "weir_client.role"
    ]
    assert [context["number"] for context in contexts] == [1, 2]
    assert {context["epoch_s"] for context in contexts} == {made["epoch_s"]}
    assert {context["seed"] for context in contexts} == {5}
    assert any("vegas" in line for line in made["run_sysctls"])


def test_commands_are_as_a_person_would_type_them() -> None:
    made = plan.make(experiment({}, client()), 5)
    lines = {(one["host"], one["line"]) for one in plan.mentioned_commands(made)}
    assert ("server", "sysctl -w net.ipv4.tcp_congestion_control=cubic") in lines
    assert ("gateway", "sysctl -w net.ipv4.ip_forward=1") in lines
    assert ("client1", "ip addr add 10.0.2.11/24 dev eth0") in lines
    assert ("gateway", "ethtool -K wan tx off tso off gso off gro off") in lines


def script(tmp_path: Path, text: str) -> Kernel:
    """A stand-in for the kernel's binary."""
    path = tmp_path / "kernel.sh"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return Kernel(path, "hash", "7.3", ())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("echo 'FAILED client1: out of luck'", "^client1: out of luck$"),
        ("echo 'FAILED a'; echo 'FAILED b'; echo DONE", "^a; b$"),
        ("echo 'Kernel panic - not syncing: x'; echo more", "said: Kernel panic - not syncing: x"),
        ("echo last words", "ended before the experiment did; it said: last words"),
        ("true", "it said: nothing"),
        ("sleep 60", r"wall-clock limit of 0\.3 s; raise --wall-limit"),
    ],
)
def test_a_bad_end_has_its_reason(tmp_path: Path, text: str, says: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(RunFailure, match=says):
        boot.run(script(tmp_path, text), boot.Boot(1, 1, False, False), out, 0.3)


def test_a_good_end(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    kernel = script(tmp_path, 'echo "$@" > args; echo DONE')
    assert "DONE" in boot.run(kernel, boot.Boot(9, 2, True, False), out, 5)
    words = (out / "args").read_text().split()
    assert {"rng-seed=9", "recorder.tcp=1", "recorder.queue=0", "time-travel=inf-cpu"} <= set(words)
    assert f"mem={boot.BASE_MEMORY_MIB + 2 * boot.CLIENT_MEMORY_MIB}M" in words


def test_as_many_links_as_the_spec_allows_fit_a_kernels_command_line(tmp_path: Path) -> None:
    """4,096 bytes with the NUL at its end (arch/um/include/asm/setup.h, COMMAND_LINE_SIZE)."""
    out = tmp_path / "out"
    out.mkdir()
    kernel = script(tmp_path, 'echo "$@" > args; echo DONE')
    with (tmp_path / "wire").open("w") as wire:
        largest = fcntl.fcntl(wire, fcntl.F_DUPFD, 999)
        try:
            wires = (largest,) * MOST_LINKS
            boot.run(kernel, boot.Boot(2**64 - 1, 200, True, True, wires), out, 5)
        finally:
            os.close(largest)
    assert len((out / "args").read_text().rstrip("\n")) < 4096
