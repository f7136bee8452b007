"""The store: runs appear whole, states follow from directories."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from weir_engine import jsonfile
from weir_engine.errors import BadInput
from weir_engine.store import Store, owner
from weir_testing.patience import PATIENCE_S

KEY = "ab" * 16


def _written(store: Store, key: str, outcome: str) -> Path:
    path = store.new_temporary(key)
    jsonfile.write(path / "run.json", {"outcome": outcome, "reason": ""})
    return path


def test_a_run_is_pending_then_running_then_finished(store_path: Path) -> None:
    store = Store(store_path)
    assert store.states([KEY])[KEY] == ("pending", "")
    temporary = _written(store, KEY, "succeeded")
    assert store.states([KEY])[KEY] == ("running", "")
    store.finish(temporary, KEY)
    assert store.states([KEY])[KEY] == ("succeeded", "")
    assert list(store.temporary.iterdir()) == []


def test_success_replaces_failure(store_path: Path) -> None:
    store = Store(store_path)
    store.fail(_written(store, KEY, "failed"), KEY)
    assert store.states([KEY])[KEY][0] == "failed"
    store.finish(_written(store, KEY, "succeeded"), KEY)
    assert store.states([KEY])[KEY][0] == "succeeded"
    assert not store.failed_path(KEY).exists()


def test_the_first_of_two_finishers_stays(store_path: Path) -> None:
    store = Store(store_path)
    first = store.finish(_written(store, KEY, "succeeded"), KEY)
    (first / "mark").touch()
    store.finish(_written(store, KEY, "succeeded"), KEY)
    assert (first / "mark").exists()


def test_an_invalid_run_can_be_replaced(store_path: Path) -> None:
    store = Store(store_path)
    store.finish(_written(store, KEY, "invalid"), KEY)
    store.finish(_written(store, KEY, "succeeded"), KEY, replace=True)
    assert store.states([KEY])[KEY][0] == "succeeded"


def test_sweep_removes_only_what_dead_processes_left(store_path: Path) -> None:
    store = Store(store_path)
    ours = store.new_temporary(KEY)
    script = "import sys; from weir_engine.store import owner; print(owner.mark())"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    dead = store.temporary / f"{KEY}.{done.stdout.strip()}"
    dead.mkdir()
    reused = store.temporary / f"{KEY}.{owner.mark().split('-')[0]}-1"
    reused.mkdir()
    orphan = subprocess.Popen(["sleep", "infinity"], cwd=dead)
    elsewhere = subprocess.Popen(["sleep", "infinity"], cwd=ours)
    assert store.sweep() == 2
    assert list(store.temporary.iterdir()) == [ours]
    assert orphan.wait(PATIENCE_S) == -signal.SIGKILL
    assert elsewhere.poll() is None
    elsewhere.kill()
    elsewhere.wait()


def test_find_by_the_beginning_of_a_key(store_path: Path) -> None:
    store = Store(store_path)
    path = store.finish(_written(store, KEY, "succeeded"), KEY)
    assert store.find("abab") == path
    assert store.find(str(path)) == path
    with pytest.raises(BadInput, match="no run of that key"):
        store.find("abcd")


def test_an_unknown_campaign_is_told_with_those_that_are_there(store_path: Path) -> None:
    store = Store(store_path)
    jsonfile.write_atomic(store.campaign_path("small"), {"name": "small"})
    with pytest.raises(BadInput, match="there: small"):
        store.read_campaign("large")
