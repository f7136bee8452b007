"""The store: a folder of run directories.

    runs/KK/KEY/            a finished run (succeeded or invalid); appears by one rename
    failed/KEY/             run.json, host.json, log.txt of a run without a result; traceback.txt,
                            and what there is of its records
    tmp/KEY.PID-START/      being written by that process (taken/ becomes the run directory)
    campaigns/NAME/campaign.json   what was asked: the spec and its runs in order

The state of a run follows from where its key is found, so nothing is counted twice.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from weir_engine import jsonfile
from weir_engine.campaign_record import CampaignRecord
from weir_engine.errors import BadInput
from weir_engine.store import owner

__all__ = ["Store"]


class Store:
    """Runs, failures and campaigns below one folder, made when first written to."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    def run_path(self, key: str) -> Path:
        """Where a finished run of this key stands, or would."""
        return self.root / "runs" / key[:2] / key

    def failed_path(self, key: str) -> Path:
        return self.root / "failed" / key

    def campaign_path(self, name: str) -> Path:
        return self.root / "campaigns" / name / "campaign.json"

    def new_temporary(self, key: str) -> Path:
        """An empty directory owned by this process."""
        path = self.temporary / f"{key}.{owner.mark()}"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def sweep(self) -> int:
        """Remove temporary directories whose owner is dead; gives their number."""
        gone = 0
        for path in _entries(self.temporary):
            if not owner.alive(path.name.rpartition(".")[2]):
                owner.end_processes_in(path)
                shutil.rmtree(path, ignore_errors=True)
                gone += 1
        return gone

    def finish(self, temporary: Path, key: str, *, replace: bool = False) -> Path:
        """Make a written directory the run of this key, and forget its failure.

        Where another process finished the same key first, that one stays (same key,
        same bytes) unless `replace` is asked, as for an invalid run tried again.
        """
        target = self.run_path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        _sync_files(temporary)
        if replace and target.exists():
            old = self.new_temporary(f"{key}-old")
            target.rename(old / "run")
            temporary.rename(target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            try:
                temporary.rename(target)
            except OSError as error:
                if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                    raise
                shutil.rmtree(temporary, ignore_errors=True)
        _sync_directory(target.parent)
        shutil.rmtree(self.failed_path(key), ignore_errors=True)
        return target

    def fail(self, temporary: Path, key: str) -> Path:
        """Keep a written directory as the failure of this key, in place of an older one."""
        target = self.failed_path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)
        return target

    def states(self, keys: Iterable[str]) -> dict[str, tuple[str, str]]:
        """(state, reason) of each key; `running` while a live process writes it."""
        running = self.running()
        return {key: self._state(key, running) for key in keys}

    def _state(self, key: str, running: set[str]) -> tuple[str, str]:
        finished = _outcome(self.run_path(key))
        if finished is not None:
            return finished
        if key in running:
            return "running", ""
        return _outcome(self.failed_path(key)) or ("pending", "")

    def temporaries(self, key: str) -> list[Path]:
        """Of a run key: a live process's, or left by dead ones."""
        return [path for path in _entries(self.temporary) if path.name.rpartition(".")[0] == key]

    def running(self) -> set[str]:
        """Keys that a live process is writing now."""
        found = set()
        for path in _entries(self.temporary):
            key, _, marked = path.name.rpartition(".")
            if owner.alive(marked):
                found.add(key)
        return found

    def find(self, asked: str) -> Path:
        """The directory of a finished or failed run by key, its beginning, or its path.

        Raises BadInput where none or several fit.
        """
        path = Path(asked)
        if (path / "run.json").is_file():
            return path.absolute()
        matches = [
            found
            for folder in (self.root / "runs" / asked[:2], self.root / "failed")
            for found in _entries(folder)
            if found.name.startswith(asked)
        ]
        if len(asked) >= 2 and len(matches) == 1:
            return matches[0]
        if len(asked) < 2 or not matches:
            raise BadInput(
                f"RUN: {asked} — no run of that key in {self.root}\n"
                "    Give the key (or at least its first two characters), or the path of a run "
                "directory; `weir status` lists keys; --store names another store."
            )
        keys = ", ".join(found.name for found in matches[:5])
        raise BadInput(f"RUN: {asked} — fits {len(matches)} runs ({keys}, ...); give more of it.")

    def campaigns(self) -> list[str]:
        """Names of the campaigns that were run into this store."""
        folders = _entries(self.root / "campaigns")
        return sorted(path.name for path in folders if (path / "campaign.json").is_file())

    def size_per_run(self, sample: int = 20) -> int | None:
        """Mean bytes of some finished runs; None where there is none."""
        sizes: list[int] = []
        for folder in _entries(self.root / "runs"):
            for run in _entries(folder):
                sizes.append(sum(file.stat().st_size for file in run.rglob("*") if file.is_file()))
                if len(sizes) == sample:
                    return sum(sizes) // len(sizes)
        return sum(sizes) // len(sizes) if sizes else None

    def read_campaign(self, name: str) -> CampaignRecord:
        """The record of a campaign. Raises BadInput where it was never run here."""
        path = self.campaign_path(name)
        try:
            record: CampaignRecord = jsonfile.read(path)
        except FileNotFoundError:
            known = ", ".join(self.campaigns()) or "none"
            raise BadInput(
                f"CAMPAIGN: {name} — not in the store {self.root} (there: {known})\n"
                "    Run it first with `weir run`, or name its store with --store."
            ) from None
        return record


def _entries(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return


def _outcome(folder: Path) -> tuple[str, str] | None:
    try:
        run = jsonfile.read(folder / "run.json")
    except (FileNotFoundError, ValueError):
        return None
    return str(run["outcome"]), str(run.get("reason") or "")


def _sync_files(folder: Path) -> None:
    for name in ("run.json", "metrics.json"):
        path = folder / name
        if path.exists():
            with path.open("rb") as file:
                os.fsync(file.fileno())


def _sync_directory(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
