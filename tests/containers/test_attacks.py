"""Attacks where the platform runs in containers, in Docker's own profile: on both clocks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from weir_sdk import Client
from weir_testing import native_attacks
from weir_testing.docker import TAG, TEAM, WIDE, Compose, docker
from weir_testing.guest_attacks import ATTACKS, ON_THE_PLATFORM
from weir_testing.native_attacks import DENIED, SUCCEEDED
from weir_testing.platform.besieged import require_all_denied

pytestmark = [pytest.mark.docker, pytest.mark.kernel, pytest.mark.timeout(1800)]

_TARGETS: dict[str, Any] = {
    "outside": "/tmp/outside",
    "secret": "/tmp/outside/secret",
    "spare": "/tmp/outside/spare",
    "empty": "/tmp/outside/empty",
    "memory": "/tmp/memory",
    "data": "/data",
    "kernel": "/opt/weir/lab-kernel/linux",
    "package": "/opt/weir/engine/weir_engine/__init__.py",
    "victim": 1,
    "database": 5432,
    "store": 9000,
    "api": 8080,
    "tcp": 7411,
    "disk": "/dev/none",
}
_NATIVE = [
    attack
    for attack in native_attacks.ATTACKS
    if not any(word in attack.code for word in ("'unix'", "'abstract'", "'datagram'"))
]
_BOOT = """
import json, os, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from weir_lab import boot
from weir_lab.kernel import Kernel
os.umask(0)
Path("/tmp/outside/empty").mkdir(parents=True, exist_ok=True)
Path("/tmp/memory").mkdir(exist_ok=True)
for made in ("/tmp/outside/secret", "/tmp/outside/spare", "/tmp/memory/guest"):
    Path(made).write_text("the store's secret key")
said = {}
for name, source in json.load(sys.stdin).items():
    with TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        program.write_text(source)
        program.chmod(0o755)
        inside = Path(folder) / "inside"
        inside.mkdir()
        kernel = Kernel(program, "0" * 16, "7.3-test", ())
        said[name] = boot.run(kernel, boot.Boot(1, 1, False, False), inside, 60.0)
print(json.dumps(said))
"""

_REACH = """
import json, socket, sys
from concurrent.futures import ThreadPoolExecutor

def reached(address):
    try:
        socket.create_connection(address, 10).close()
    except OSError:
        return False
    return True

asked = json.load(sys.stdin)
with ThreadPoolExecutor(len(asked)) as pool:
    said = dict(zip(asked, pool.map(reached, map(tuple, asked.values()))))
print(json.dumps(said))
"""


@pytest.mark.parametrize("service", ["worker", "cell-worker", "client"])
def test_a_lab_kernel_that_was_taken_over_is_denied_all(service: str, compose: Compose) -> None:
    python = "python3" if service == "client" else "python"
    sources = {
        attack.name: native_attacks.program(attack, _TARGETS | {"abstract": "", "unix": ""})
        for attack in _NATIVE
    }
    said = json.loads(compose.within(service, python, "-c", _BOOT, said=json.dumps(sources)))
    succeeded = [name for name in sources if DENIED not in said[name] or SUCCEEDED in said[name]]
    assert not succeeded
    # What it looks for is there: whoever is not confined reads it.
    environment = "AWS_SECRET_ACCESS_KEY" if service != "client" else "WEIR_AGENT_TOKEN"
    assert environment in compose.within(service, "cat", "/proc/1/environ")


@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_players_find_nothing(clock: str, compose: Compose, weir: Client) -> None:
    before = _hashes(compose)
    changes = {"clock": clock, **({"checks": WIDE} if clock == "real" else {})}
    require_all_denied(weir, ATTACKS | ON_THE_PLATFORM, _TARGETS, TEAM, changes)
    assert _hashes(compose) == before


def test_an_agent_reaches_its_cells_alone(compose: Compose) -> None:
    """A lab kernel on the real clock may send datagrams: its container has nowhere else to."""
    asked = {}
    for service, network, port in (
        ("server", "cell", 7411),
        ("postgres", "inside", 5432),
        ("minio", "inside", 9000),
        ("minio", "outside", 9000),
    ):
        (container,) = compose.containers(service)
        its = container["NetworkSettings"]["Networks"][f"{compose.name}_{network}"]
        asked[f"{service}, {network}"] = (its["IPAddress"], port)
    told = compose.within("client", "python3", "-c", _REACH, said=json.dumps(asked))
    reached = json.loads(told)
    assert reached.pop("server, cell")
    assert not any(reached.values()), reached


def _hashes(compose: Compose) -> str:
    """Of the lab kernel and the installation that runs are carried out with."""
    command = "find /opt/weir -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum"
    return compose.within("worker", "sh", "-c", command)


def test_the_sandbox_is_whole_in_docker_s_own_profile(compose: Compose) -> None:
    told = compose.within("worker", "weir", "doctor", "--json")
    found = {each["name"]: each for each in json.loads(told)["findings"]}
    assert found["sandbox"]["level"] == "ok", found["sandbox"]


@pytest.mark.usefixtures("compose")
@pytest.mark.parametrize(
    "image", ["weir-orchestrator", "weir-server", "weir-gateway", "weir-client"]
)
def test_who_runs_owns_neither_kernel_nor_installation(image: str) -> None:
    """Also where the container's root file system could be written to."""
    words = ["run", "--rm", "--entrypoint", "find", f"{image}:{TAG}"]
    folders = ["/opt/weir", "/usr"]
    theirs = ["(", "!", "-user", "root", "-o", "-writable", ")", "!", "-type", "l"]
    assert docker(*words, *folders, *theirs) == ""
    assert docker(*words, "/opt/weir/lab-kernel/linux").strip() == "/opt/weir/lab-kernel/linux"
