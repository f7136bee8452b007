"""Taking a run directory from a process that may have been taken over.

2,000 folders, each that of a sound run with something changed behind its writer's back: bits,
lengths, kinds, links, sizes, names. Each is refused with a reason, and costs little memory.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from weir import rundir
from weir.atomic import write_atomic
from weir.errors import RunFailure
from weir.records import EventRecord
from weir.rundir import PLAYER, RunData, as_columns
from weir_engine import taking
from weir_testing import cells

_FOLDERS = 2000
_MEMORY_BYTES = 64 << 20
_OFF_DISK = Path("/dev/shm")
Change = Callable[[random.Random, Path], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run directory as a run's process writes it."""
    folder = tmp_path_factory.mktemp("sound") / "run"
    columns = as_columns(PLAYER, {name: np.zeros(20) for name in PLAYER.names})
    events: list[EventRecord] = [{"t_s": 1.0, "event": "client-starts"}]
    data = RunData(experiment=cells.experiment({}), players=[columns, columns], events=events)
    rundir.save(folder, data, run={"outcome": "succeeded"}, metrics={"run": {}, "clients": []})
    (folder / "log.txt").write_text("BOOTED\nDONE\n")
    write_atomic(folder / "commands.json", rundir.to_json([]))
    return folder


def _flip(drawn: random.Random, path: Path) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(drawn.randint(1, 8)):
        content[drawn.randrange(len(content))] ^= drawn.randint(1, 255)
    if bytes(content) == path.read_bytes():
        content[0] ^= 1
    path.write_bytes(content)


def _truncate(drawn: random.Random, path: Path) -> None:
    os.truncate(path, drawn.randrange(path.stat().st_size))


def _append(drawn: random.Random, path: Path) -> None:
    with path.open("ab") as file:
        file.write(drawn.randbytes(drawn.randint(1, 5000)))


def _stretch(drawn: random.Random, path: Path) -> None:
    """To a size that nothing could hold: a file with a hole."""
    os.truncate(path, drawn.randint(1 << 30, 1 << 42))


def _remove(drawn: random.Random, path: Path) -> None:
    path.unlink()


def _link(drawn: random.Random, path: Path) -> None:
    path.unlink()
    path.symlink_to(drawn.choice(["/etc/passwd", "/proc/self/environ", "/dev/zero", path.name]))


def _link_to_itself(drawn: random.Random, path: Path) -> None:
    """The right content, by a link: what it leads to may be another file later."""
    moved = path.with_name(f"{path.name}.moved")
    path.rename(moved)
    path.symlink_to(moved.name)


def _link_folder(drawn: random.Random, path: Path) -> None:
    players = path.parent if path.parent.name == "players" else path.parent / "players"
    moved = players.with_name("moved")
    players.rename(moved)
    players.symlink_to("moved")


def _pipe(drawn: random.Random, path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(drawn: random.Random, path: Path) -> None:
    path.unlink()
    path.mkdir()


def _unreadable(drawn: random.Random, path: Path) -> None:
    """A folder within a folder within a folder, in place of a file."""
    path.unlink()
    path.joinpath(*["deep"] * drawn.randint(2, 60)).mkdir(parents=True)


_CHANGES: tuple[Change, ...] = (
    _flip, _truncate, _append, _stretch, _remove, _link, _link_to_itself, _link_folder, _pipe,
    _folder, _unreadable,
)  # fmt: skip


def test_a_sound_folder_is_taken(sound: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    taking.take(sound, taking.digests(sound), taken)
    left = {str(path.relative_to(taken)) for path in taken.rglob("*") if path.is_file()}
    assert left == taking.digests(sound).keys() - {"run.json"}


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Whatever takes much fails with MemoryError."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY_BYTES, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.fixture
def off_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder where thousands of others are made and removed without a wait for a journal."""
    with tempfile.TemporaryDirectory(dir=_OFF_DISK if _OFF_DISK.is_dir() else tmp_path) as folder:
        yield Path(folder)


@pytest.mark.usefixtures("little_memory")
def test_each_changed_folder_is_refused(sound: Path, off_disk: Path) -> None:
    said = taking.digests(sound)
    names = sorted(said.keys() - {"run.json"})
    for number in range(_FOLDERS):
        drawn = random.Random(number)
        folder, taken = off_disk / "run", off_disk / "taken"
        shutil.copytree(sound, folder)
        taken.mkdir()
        change, name = drawn.choice(_CHANGES), drawn.choice(names)
        change(drawn, folder / name)
        with pytest.raises(RunFailure) as refused:
            taking.take(folder, said, taken)
        assert refused.value.reason, (number, change.__name__, name)
        shutil.rmtree(folder)
        shutil.rmtree(taken)


def test_of_a_failed_run_what_is_sound_is_taken(sound: Path, tmp_path: Path) -> None:
    said = taking.digests(sound)
    records = {"players/client-1.parquet", "players/client-2.parquet", "flows.json", "events.jsonl"}
    taken = tmp_path / "taken"
    for number, change in enumerate(_CHANGES):
        drawn, folder = random.Random(number), tmp_path / f"run-{number}"
        shutil.copytree(sound, folder)
        taken.mkdir()
        change(drawn, folder / "players/client-1.parquet")
        taking.take_some(folder, said | {"../outside": "0" * 64}, taken)
        found = {str(path.relative_to(taken)) for path in taken.rglob("*") if path.is_file()}
        lost = {"players/client-1.parquet"}
        if change is _link_folder:
            lost.add("players/client-2.parquet")
        assert found == records - lost, change.__name__
        shutil.rmtree(taken)
    assert not (tmp_path / "outside").exists()


def test_what_a_failed_run_leaves_is_bounded_together(sound: Path, tmp_path: Path) -> None:
    folder, taken = tmp_path / "run", tmp_path / "taken"
    shutil.copytree(sound, folder)
    taken.mkdir()
    for name, mib in (("tcp.parquet", 20), ("queue.parquet", 20), ("retransmits.parquet", 1)):
        (folder / name).write_bytes(b"PAR1" + bytes(mib << 20) + b"PAR1")
    taking.take_some(folder, taking.digests(folder), taken)
    assert (taken / "tcp.parquet").exists() and (taken / "retransmits.parquet").exists()
    assert not (taken / "queue.parquet").exists()


@pytest.mark.parametrize(
    "name",
    ["../outside", "/etc/passwd", "players/../../outside", "players/client-1.parquet/x", "", "x\0"],
)
def test_names_that_lead_elsewhere_are_refused(sound: Path, tmp_path: Path, name: str) -> None:
    said = taking.digests(sound) | {name: "0" * 64}
    taken = tmp_path / "taken"
    taken.mkdir()
    with pytest.raises(RunFailure, match="no file of a run"):
        taking.take(sound, said, taken)
    assert not (tmp_path / "outside").exists()


def test_what_the_writer_says_of_itself_is_not_believed(sound: Path, tmp_path: Path) -> None:
    """run.json would decide which run it is: it is written by whoever takes the rest."""
    taken = tmp_path / "taken"
    taken.mkdir()
    taking.take(sound, taking.digests(sound), taken)
    assert not (taken / "run.json").exists()


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a": NaN}', "", "\xff", '{"a": 1e999}x'])
def test_documents_that_are_none_are_refused(sound: Path, tmp_path: Path, text: str) -> None:
    folder, taken = tmp_path / "run", tmp_path / "taken"
    shutil.copytree(sound, folder)
    taken.mkdir()
    (folder / "metrics.json").write_text(text, encoding="latin-1")
    with pytest.raises(RunFailure, match=r"metrics\.json"):
        taking.take(folder, taking.digests(folder), taken)
