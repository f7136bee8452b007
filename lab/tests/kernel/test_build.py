"""A build leaves the cache bounded, and holds no other's up."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import weir
import weir_lab
from weir_lab.kernel import build, cache, inputs, verify
from weir_testing.patience import until

pytestmark = pytest.mark.kernel

_BUILD = """
import sys
from pathlib import Path
from weir_lab.kernel import build
def tell(done, total, what):
    print(what, flush=True)
build([Path(sys.argv[1])], progress=tell)
"""


@dataclass(frozen=True)
class _Building:
    process: subprocess.Popen[str]
    tree: Path

    def compilers(self) -> list[int]:
        """The processes at work in its tree."""
        found = Path("/proc").glob("[0-9]*")
        return [int(each.name) for each in found if _works_in(each, self.tree)]

    def signal(self, number: int) -> None:
        """Send it, and its compilers, a signal."""
        self.process.send_signal(number)
        for pid in self.compilers():
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def _works_in(process: Path, tree: Path) -> bool:
    try:
        return (process / "cwd").readlink().is_relative_to(tree)
    except OSError:
        return False


@pytest.fixture
def endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Building]:
    """Another team's build that compiles already, of a file that includes itself."""
    # The tree is this machine's, for a build of seconds: its own kernels shall stay.
    monkeypatch.setenv("WEIR_KERNEL_CACHE_BYTES", str(10**15))
    path = tmp_path / "weir_test_endless.c"
    twice = f'#include "{path.name}"\n' * 2
    path.write_text(f"/* {uuid.uuid4()} */\n#if __INCLUDE_LEVEL__ < 150\n{twice}#endif\n")
    name = inputs.kernel_hash(cache.sources()[0].sha256, [path])
    words = [sys.executable, "-c", _BUILD, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("weir_test_endless" in line for line in process.stdout), "it never compiled"
        building = _Building(process, cache.linked_tree(name))
        yield building
        building.signal(signal.SIGCONT)
        process.send_signal(signal.SIGINT)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """C of which no kernel is there; the first test that builds one does so for all."""
    path = tmp_path_factory.mktemp("source") / "weir_test_new.c"
    path.write_text(f"/* new every time: {uuid.uuid4()} */\nint weir_test_new;\n")
    yield path
    if built := cache.find([path]):
        shutil.rmtree(built.path.parent)


def test_a_build_holds_no_other_up_and_leaves_nothing_behind(
    endless: _Building, source: Path
) -> None:
    killed = cache.root() / "kernels" / source.stem
    killed.mkdir(parents=True, exist_ok=True)
    endless.signal(signal.SIGSTOP)  # it takes as long as this test does, and no core
    built = build([source])
    assert endless.process.poll() is None, "the other build has ended before"
    assert endless.tree.exists(), "pruned while it is in use"
    assert not killed.exists(), "a build that was killed left it"
    assert cache.find([source]) == built
    assert not cache.linked_tree(built.hash).exists()

    assert endless.compilers()
    endless.signal(signal.SIGCONT)
    endless.process.send_signal(signal.SIGINT)
    endless.process.wait()
    until(lambda: not endless.compilers(), "the compilers' end")
    assert not endless.tree.exists()


def test_a_damaged_kernel_is_told_and_built_again(
    source: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("WEIR_KERNEL_CACHE_BYTES", str(10**15))
    built = build([source])
    assert not caplog.messages
    with built.path.open("r+b") as program:
        program.truncate(1000)
    again = build([source])
    assert (again.path, again.hash) == (built.path, built.hash)
    verify(again)
    (told,) = caplog.messages
    assert f"lab kernel {built.path}: changed since it was built" in told
    assert not list(built.path.parent.glob("*.part"))


_PREPARE = "from weir_lab.kernel import prepare; prepare()"


def _by_bare_python(program: str, **environment: str) -> None:
    """As make does, before any package is installed."""
    packages = [Path(module.__file__ or "").parents[1] for module in (weir, weir_lab)]
    paths = {"PYTHONPATH": os.pathsep.join(map(str, packages))}
    words = [sys.executable, "-S", "-c", program]
    subprocess.run(words, env={**os.environ, **paths, **environment}, check=True)


def test_a_source_is_prepared_without_packages() -> None:
    before = set(cache.root().glob("trees/*"))
    _by_bare_python(_PREPARE)  # nothing, as the kernel is there
    assert set(cache.root().glob("trees/*")) == before


@pytest.mark.long
def test_a_prepared_source_is_what_a_build_compiles(tmp_path: Path) -> None:
    (tmp_path / "sources").symlink_to(cache.root() / "sources")
    _by_bare_python(_PREPARE, WEIR_CACHE=str(tmp_path))
    (tree,) = (tmp_path / "trees").glob("*/.config")
    assert tree.parent.name == cache.shared_tree(inputs.tree_hash(cache.sources()[0].sha256)).name
    assert not list(tmp_path.glob("kernels/*"))
