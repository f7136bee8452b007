"""A Docker engine, images of this checkout, and a platform brought up by compose.yaml."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from weir_lab.kernel import cache
from weir_sdk import Client

from weir_testing.checkout import ROOT
from weir_testing.patience import PATIENCE_S
from weir_testing.servers.folder import scratch
from weir_testing.servers.process import ServerProcess, free_port

TAG = "test"
PROJECT = "weirtest"
"""What the names of the tests' projects begin with."""
PHRASE = "a pass phrase of the tests"
EMAIL = "ada@example.org"
TEAM = "lab"
WIDE = {
    "rtt_tolerance": "10s",
    "rate_tolerance": "100%",
    "timer_lateness": "5s",
    "cpu_starvation": "100%",
}
"""Checks of a run that is not about fidelity: the machine may be busy."""
ASK = ["docker", "version", "--format", "{{.Server.Version}}"]


@contextmanager
def engine() -> Iterator[None]:
    """An engine that Docker's clients find: the one that runs, or one of our own meanwhile."""
    if _answers():
        yield
        return
    if os.getuid() or shutil.which("dockerd") is None:
        raise RuntimeError("no Docker engine answers; start one, or run as root: .ci/apt docker.io")
    before = os.environ.get("DOCKER_HOST")
    # Two engines over one folder of images wait for each other until they give up.
    with (cache.root() / "docker.lock").open("w") as lock, scratch() as folder:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.environ["DOCKER_HOST"] = f"unix://{folder}/docker.sock"
        process = ServerProcess(
            [
                *("dockerd", "--host", os.environ["DOCKER_HOST"]),
                # Kept, as the other builds are: layers of images take minutes.
                *("--data-root", str(cache.root() / "docker")),
                *("--exec-root", str(folder / "exec"), "--pidfile", str(folder / "pid")),
            ],
            folder / "log.txt",
            ready=_answers,
        )
        process.start()
        try:
            _remove_left_over()
            yield
        finally:
            process.stop()
            if before is None:
                del os.environ["DOCKER_HOST"]
            else:
                os.environ["DOCKER_HOST"] = before


def build_images(*, builder: bool = False, browser: bool = False) -> None:
    """All images of this checkout, tagged TAG; what has not changed is taken from the cache.

    builder: also the one that compiles campaigns' C. browser: also those with Chromium.
    """
    wanted = ["--version", TAG]
    wanted += [f"--{name}" for name, asked in (("builder", builder), ("browser", browser)) if asked]
    for command in (["base.py"], ["build.py", *wanted]):
        script = ROOT / "tools/images" / command[0]
        subprocess.run([sys.executable, script, *command[1:]], check=True)


def docker(*words: str) -> str:
    """What a docker command said. Raises CalledProcessError, having shown why."""
    return _output(["docker", *words])


@dataclass
class Compose:
    """One project of compose.yaml, with a second cell unless told otherwise; `up()` makes one."""

    folder: Path
    override: str = "tests/compose.two-cells.yaml"
    profiles: tuple[str, ...] = ("cell",)
    name: str = field(default_factory=lambda: f"{PROJECT}{secrets.token_hex(3)}")
    port: int = field(default_factory=free_port)
    store_port: int = field(default_factory=free_port)
    s3_key: str = field(default_factory=lambda: secrets.token_hex(8))
    s3_secret: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def store(self) -> str:
        """The object store's address from here."""
        return f"http://127.0.0.1:{self.store_port}"

    def __call__(self, *words: str, said: str | None = None) -> str:
        """What a command of compose said; `said`: its standard input."""
        files = [ROOT / "compose.yaml", ROOT / self.override]
        command = [*compose_command(), "--project-name", self.name]
        command += ["--project-directory", str(ROOT), "--env-file", str(self.folder / "env")]
        command += [word for file in files for word in ("--file", str(file))]
        command += [word for profile in self.profiles for word in ("--profile", profile)]
        return _output([*command, *words], said)

    def within(
        self,
        service: str,
        *words: str,
        said: str | None = None,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """What a command in a service's container said: by Docker, which starts sooner than
        compose does."""
        (container,) = self.containers(service)
        given = [word for item in environment.items() for word in ("--env", "=".join(item))]
        return _output(["docker", "exec", "-i", *given, container["Id"], *words], said)

    def write_settings(self) -> None:
        """The .env that compose.yaml wants."""
        settings = {
            "WEIR_VERSION": TAG,
            "WEIR_POSTGRES_IMAGE": f"weir-postgres:{TAG}",
            "WEIR_MINIO_IMAGE": f"weir-minio:{TAG}",
            "WEIR_POSTGRES_PASSWORD": secrets.token_hex(16),
            "WEIR_S3_KEY": self.s3_key,
            "WEIR_S3_SECRET": self.s3_secret,
            "WEIR_AGENT_TOKEN": secrets.token_hex(16),
            "WEIR_HTTP_PORT": str(self.port),
            "WEIR_S3_PORT": str(self.store_port),
            "WEIR_S3_PUBLIC_URL": self.store,
            "WEIR_KERNEL_CODE": TEAM,
            # On any machine alike: a test breaks things before so many runs are over.
            "WEIR_JOBS": "2",
        }
        lines = (f"{name}={value}\n" for name, value in settings.items())
        (self.folder / "env").write_text("".join(lines))

    def containers(self, service: str | None = None) -> list[dict[str, Any]]:
        """What Docker knows of the project's running containers, or of a service's."""
        label = f"label=com.docker.compose.project={self.name}"
        asked = ["ps", "--quiet", "--no-trunc", "--filter", label]
        if service:
            asked += ["--filter", f"label=com.docker.compose.service={service}"]
        ids = docker(*asked).split()
        found: list[dict[str, Any]] = json.loads(docker("inspect", *ids)) if ids else []
        return found

    def kill(self, service: str) -> None:
        """kill -9 of a service's processes, as the system does when it is out of memory: Docker
        starts the container again."""
        (container,) = self.containers(service)
        os.kill(container["State"]["Pid"], 9)

    def wait_until_well(self, *services: str) -> None:
        """Until their containers are healthy."""
        until_s = time.monotonic() + PATIENCE_S
        while not all(self._is_well(service) for service in services):
            if time.monotonic() > until_s:
                raise RuntimeError(f"never well: {self('ps')}\n{self('logs', '--tail', '40')}")
            time.sleep(0.3)

    def query(self, statement: str) -> list[str]:
        """Lines of the answer of the platform's database."""
        words = ["psql", "-U", "weir", "-d", "weir", "-h", "127.0.0.1", "-Atc", statement]
        given = {"PGPASSWORD": self._settings()["WEIR_POSTGRES_PASSWORD"]}
        return self.within("postgres", *words, environment=given).splitlines()

    def token(self) -> str:
        """Make an administrator and a team; a token for it."""
        words = ["weir", "admin", "create", EMAIL, "--password-stdin"]
        self.within("orchestrator", *words, said=f"{PHRASE}\n")
        with Client(self.url) as weir:
            weir.sign_in(EMAIL, PHRASE)
            weir.make_team(TEAM, "Lab")
            weir.add_member(TEAM, EMAIL, "admin")
            return weir.make_token(TEAM, "tests", "admin").secret

    def _settings(self) -> dict[str, str]:
        lines = (self.folder / "env").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def _is_well(self, service: str) -> bool:
        found = self.containers(service)
        return bool(found) and all(
            each["State"].get("Health", {}).get("Status") == "healthy" for each in found
        )


@contextmanager
def up(compose: Compose) -> Iterator[Compose]:
    """The platform and its cells, well; gone with their volumes at the end."""
    compose.write_settings()
    try:
        compose("up", "--detach")
        cell_workers = ["cell-worker"] if compose.profiles else []
        compose.wait_until_well("orchestrator", "worker", *cell_workers)
        yield compose
    finally:
        compose("down", "--volumes", "--timeout", "2")


def compose_command() -> list[str]:
    """`docker compose` (v2) where it is there, else `docker-compose` (v1)."""
    asked = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return ["docker", "compose"] if asked.returncode == 0 else ["docker-compose"]


def _remove_left_over() -> None:
    """Projects of tests that were killed: an engine of our own starts their containers again."""
    for kind, stopped_too in (("container", ["--all"]), ("network", []), ("volume", [])):
        listed = docker(kind, "ls", "--quiet", *stopped_too, "--filter", f"name={PROJECT}")
        for found in listed.split():
            docker(kind, "rm", *(["--force"] if kind == "container" else []), found)


def _answers() -> bool:
    try:
        return subprocess.run(ASK, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def _output(command: Sequence[str], said: str | None = None) -> str:
    done = subprocess.run(
        command,
        input=said if said is not None else "",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        done.check_returncode()
    return done.stdout
