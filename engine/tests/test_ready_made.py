"""The lab kernel of a wheel: taken where it fits, else said why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from weir_engine import ready_made
from weir_lab.kernel import cache, find, inputs, verify
from weir_testing.kernel_wheel import install, say


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed wheel for this checkout, on a machine that has built nothing."""
    return install(tmp_path, monkeypatch, "#!/bin/sh\necho DONE\n")


def _append(package: Path, name: str) -> None:
    with (package / name).open("a") as file:
        file.write("#")


def test_one_that_fits_is_found_and_booted_as_it_was_made(package: Path) -> None:
    assert find() is None
    assert ready_made.use()
    found = find()
    assert found is not None
    assert found.path == package / "kernel" / "linux"
    verify(found)
    ready_made.leave()
    assert find() is None


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda at: say(at, machine="aarch64"), "it is for aarch64, and this machine is"),
        (lambda at: say(at, inputs="0" * 64), "other files in lab/"),
        (lambda at: (at / "kernel" / "linux").unlink(), "not there"),
        (lambda at: (at / "kernel" / "linux").chmod(0o644), "no program"),
        (lambda at: _append(at, "built_from.json"), "damaged"),
        (lambda at: (at / "kernel" / "kernel.json").unlink(), "damaged"),
        (lambda at: (at / "kernel" / "kernel.json").write_text("[]"), "damaged"),
    ],
)
def test_one_that_does_not_fit_is_told_and_not_found(
    package: Path, spoil: Callable[[Path], object], says: str
) -> None:
    spoil(package)
    with pytest.raises(ready_made.Unfit, match=says):
        ready_made.check(ready_made.read(package))
    assert not ready_made.use()
    assert find() is None


def test_a_program_of_other_bytes_is_told_with_its_sha256(package: Path) -> None:
    ready = ready_made.read(package)
    ready_made.check(ready)
    _append(package, "kernel/linux")
    with pytest.raises(ready_made.Unfit, match=r"the sha256 of .*linux is another"):
        ready_made.check(ready)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="a build's name covers the compiler")
def test_what_was_built_here_goes_first(package: Path) -> None:
    sources = cache.root() / "sources"
    sources.mkdir(parents=True)
    (sources / "linux.tar.xz").write_bytes(b"")
    (sources / "linux.tar.xz.json").write_text('{"archive": "linux.tar.xz", "sha256": "s"}')
    folder = cache.root() / "kernels" / inputs.kernel_hash("s")
    folder.mkdir(parents=True)
    (folder / "linux").touch()
    built = cache.Kernel(folder / "linux", folder.name, "7.3-built", ("reno",))
    cache.remember(built)
    assert not ready_made.use()
    assert find() == built


def test_an_image_keeps_its_own(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.OF_IMAGE, str(tmp_path / "image"))
    assert not ready_made.use()
    ready_made.leave()
    assert os.environ[cache.OF_IMAGE] == str(tmp_path / "image")


def test_every_file_that_a_kernel_is_built_from_counts(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    for part in inputs.PARTS:
        shutil.copytree(inputs.LAB / part, lab / part)
    seen = {ready_made.inputs_hash(lab)}
    assert seen == {ready_made.inputs_hash()}
    for name in ("kernel/lab.config", "kernel/patches/0001-rng-seed.patch", "cc/aimd.h",
                 "kernel/modules/recorder.c", "mptcp/redundant.c"):  # fmt: skip
        _append(lab, name)
        seen.add(ready_made.inputs_hash(lab))
    assert len(seen) == 6


def test_it_is_read_without_any_package_of_pypi() -> None:
    """What makes images has the system's Python alone."""
    program = "from weir_engine import ready_made; ready_made.use()"
    path = os.pathsep.join(str(inputs.LAB.parent / part) for part in ("core", "lab", "engine"))
    env = {"PYTHONPATH": path, "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-S", "-c", program], env=env, check=True)
