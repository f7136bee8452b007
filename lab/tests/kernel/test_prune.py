"""The cache of kernels is bounded, and what somebody uses stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from weir.errors import RunFailure, WeirError
from weir_lab import boot
from weir_lab.kernel import Kernel, cache, hold, inputs, installed, prune
from weir_testing.patience import until

_BYTES = 1 << 20
_HOLD = """
import sys
from pathlib import Path
from weir_lab.kernel import hold
held = hold(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path))
    return tmp_path


def _kernel(root: Path, name: str, used_s: int) -> Kernel:
    """One of a MiB that was used at that time."""
    folder = root / "kernels" / name
    folder.mkdir(parents=True)
    program = folder / "linux"
    program.write_bytes(b"#!/bin/sh\necho DONE\nexit\n" + bytes(_BYTES))
    program.chmod(0o755)
    kernel = Kernel(program, name, "7.3-test", ("cubic",), inputs.file_hash(program))
    cache.remember(kernel)
    os.utime(folder, (used_s, used_s))
    return kernel


def _tree(root: Path, name: str, used_s: int) -> Path:
    folder = root / "trees" / name
    (folder / "net").mkdir(parents=True)
    (folder / "net" / "tcp.c").write_bytes(b"/" * _BYTES)
    (folder / ".config").write_text("CONFIG_UML=y\n")
    os.utime(folder, (used_s, used_s))
    return folder


def _names(root: Path) -> list[str]:
    return sorted(path.name for path in root.glob("[kt]*/*"))


def test_the_least_recently_used_go_until_the_rest_fits(root: Path) -> None:
    for name, used_s in (("a", 400), ("b", 100), ("c", 300)):
        _kernel(root, name, used_s)
    _tree(root, "old", 200)
    done = prune(5 * _BYTES // 2)
    assert [path.name for path in done.removed] == ["b", "old"]
    assert _names(root) == ["a", "c"]
    assert 2 * _BYTES < done.left_bytes <= done.bound_bytes
    assert [kernel.hash for kernel in installed()] != []
    assert prune(5 * _BYTES // 2).removed == ()


def test_booting_counts_as_use(root: Path, tmp_path: Path) -> None:
    oldest = _kernel(root, "booted", 100)
    _kernel(root, "other", 200)
    folder = tmp_path / "run"
    folder.mkdir()
    assert "DONE" in boot.run(oldest, boot.Boot(1, 1, False, False), folder, 60)
    assert [path.name for path in prune(3 * _BYTES // 2).removed] == ["other"]


def test_one_that_another_process_holds_stays_until_that_process_is_killed(root: Path) -> None:
    kernel = _kernel(root, "held", 100)
    _kernel(root, "free", 200)
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(kernel.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert [path.name for path in prune(0).removed] == ["free"]
        holder.kill()
    assert prune(0).removed == (kernel.path.parent,)


def test_one_that_runs_stays_until_it_has_ended(root: Path, tmp_path: Path) -> None:
    kernel = _kernel(root, "runs", 100)
    kernel.path.write_text("#!/bin/sh\necho UP\nexec sleep 1000\n")
    kernel = Kernel(kernel.path, "runs", "7.3-test", (), inputs.file_hash(kernel.path))
    folder = tmp_path / "run"
    folder.mkdir()
    with (folder / "log.txt").open("wb") as log:
        process = boot.booted(kernel, boot.Boot(1, 1, False, False), folder, log)
    try:
        until(lambda: "UP" in (folder / "log.txt").read_text())
        assert prune(0).removed == ()
    finally:
        process.end()
    assert prune(0).removed == (kernel.path.parent,)


def test_one_that_was_pruned_is_said_to_be_gone(root: Path, tmp_path: Path) -> None:
    kernel = _kernel(root, "gone", 100)
    prune(0)
    with pytest.raises(boot.KernelGone, match="weir kernel build") as raised:
        boot.run(kernel, boot.Boot(1, 1, False, False), tmp_path, 5)
    assert isinstance(raised.value, RunFailure)
    with pytest.raises(FileNotFoundError):
        hold(kernel.path)


def test_the_kernel_of_this_checkout_stays_and_so_do_sources(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _kernel(root, "own", 100)
    (root / "sources").mkdir()
    (root / "sources" / "linux.tar.xz").write_bytes(bytes(_BYTES))
    monkeypatch.setenv(cache.OF_IMAGE, str(own.path.parent))
    tree = _tree(root, "tree", 300)
    done = prune(0)
    assert done.removed == (tree,)
    assert done.left_bytes > done.bound_bytes
    assert (root / "sources" / "linux.tar.xz").exists()


def test_what_a_killed_build_left_goes_whatever_the_bound(root: Path) -> None:
    _kernel(root, "whole", 100)
    (root / "kernels" / "half").mkdir()
    (root / "kernels" / "half" / "linux").write_bytes(b"")
    _tree(root, "tree.part", 300)
    (root / "builds" / "compiled" / "net").mkdir(parents=True)
    removed = {path.name for path in prune(1 << 40).removed}
    assert removed == {"half", "tree.part", "compiled"}
    assert _names(root) == ["whole"]


@pytest.mark.parametrize("value", ["4GB", "-1", "1e9", "²"])
def test_a_bound_that_is_no_number_is_refused_by_name(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_KERNEL_CACHE_BYTES", value)
    with pytest.raises(WeirError, match=f"WEIR_KERNEL_CACHE_BYTES: {value} .*bytes"):
        prune()
