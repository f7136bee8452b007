"""Build the programs, each Go module once per its inputs, into the cache."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .layout import HERE, cache

ARGO = "github.com/argoproj/argo-workflows/v3"
KUBERNETES_PROGRAMS = (
    "etcd",
    "kubectl",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
    "kubelet",
)
ENVIRONMENT = {"CGO_ENABLED": "0", "GOFLAGS": "-mod=readonly", "GOTOOLCHAIN": "local"}
ENVIRONMENT |= {"GOWORK": "off"}


class BuildError(Exception):
    """A program could not be built; says why and what to do."""


def build() -> dict[str, Path]:
    """The folder of each module's programs, built first where the cache lacks them.

    Raises BuildError when Go is missing or too old, or a build fails.
    """
    return {
        "kubernetes": _built("kubernetes", _kubernetes),
        "coredns": _built("coredns", _one_program),
        "policies": _built("policies", _one_program),
        "argo": _built("argo", _argo),
    }


def _kubernetes(module: Path, target: Path) -> None:
    version = _go(module, "list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes").strip()
    major, minor, _ = version.removeprefix("v").split(".")
    stamps = {"gitVersion": version, "gitMajor": major, "gitMinor": minor}
    _go_build(
        module, target, ".", "./pause", flags=_stamped("k8s.io/component-base/version", stamps)
    )
    for name in KUBERNETES_PROGRAMS:
        (target / name).symlink_to("kubernetes")


def _one_program(module: Path, target: Path) -> None:
    _go_build(module, target, ".")


def _argo(given: Path, target: Path) -> None:
    """Argo's archive lacks a file for Linux (signal_linux.go): it builds from a completed copy."""
    module = target / "module"
    module.mkdir()
    for name in ("go.mod", "go.sum"):
        shutil.copy(given / name, module)
    said = json.loads(_go(module, "mod", "download", "-json", ARGO))
    source, version = module / "argo", said["Version"]
    shutil.copytree(said["Dir"], source, copy_function=shutil.copyfile)
    shutil.copy(given / "signal_linux.go", source / "workflow/executor/osspecific")
    _go(module, "mod", "edit", f"-replace={ARGO}=./argo")
    stamps = {"version": version, "gitTag": version, "gitTreeState": "clean"}
    programs = [f"{ARGO}/cmd/{name}" for name in ("workflow-controller", "argoexec")]
    _go_build(module, target, *programs, flags=_stamped(ARGO, stamps))
    shutil.move(source / "manifests", target / "manifests")
    (target / "version").write_text(version)
    shutil.rmtree(module)


def _stamped(package: str, values: dict[str, str]) -> str:
    """Linker flags that set a package's variables."""
    return " ".join(f"-X {package}.{name}={value}" for name, value in values.items())


def _built(name: str, make: Callable[[Path, Path], None]) -> Path:
    folder = cache() / f"{name}-{_inputs(HERE / name)}"
    with _only_one(cache() / f"{name}.lock"):
        if not folder.is_dir():
            print(f"building {name} for the test cluster: minutes, once", file=sys.stderr)
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            make(HERE / name, part)
            part.rename(folder)
    return folder


def _inputs(module: Path) -> str:
    """A hash of all files that a module's programs are made of, and of how they are."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(module.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(module)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _go_build(module: Path, target: Path, *packages: str, flags: str = "") -> None:
    link = f"-ldflags=-s -w {flags}".rstrip()
    _go(module, "build", "-trimpath", "-buildvcs=false", link, "-o", f"{target}/", *packages)


def _go(module: Path, *words: str) -> str:
    lines = (module / "go.mod").read_text().splitlines()
    needed = next(line.removeprefix("go ") for line in lines if line.startswith("go "))
    environment = {**os.environ, **ENVIRONMENT}
    try:
        found = subprocess.run(
            ["go", "env", "GOVERSION"], capture_output=True, text=True, check=True, env=environment
        ).stdout.strip()
    except FileNotFoundError:
        found = "none"
    if found == "none" or _number(found.removeprefix("go")) < _number(needed):
        raise BuildError(
            f"{module.name} is built with Go {needed} or newer; found: {found}. Install a newer Go "
            "(golang-go of Debian 13, or of bookworm-backports) and put it first on PATH"
        )
    done = subprocess.run(
        ["go", *words], cwd=module, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise BuildError(f"go {words[0]} in {module.name}: exit code {done.returncode}")
    return done.stdout


def _number(version: str) -> tuple[int, ...]:
    """`1.24.10` -> (1, 24, 10); what follows the numbers is left out."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
