"""git and ssh on a repository that somebody names: they find their own folder, and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from weir_lab import confine
from weir_lab.confine import profile

pytestmark = pytest.mark.skipif(bool(confine.lacking()), reason=confine.lacking())

_SECRET = "the store's secret key"
_ELSEWHERE = {
    "a file read": "git hash-object {secret}",
    "a file written": "git init --quiet {elsewhere}/made",
    "the platform's environment": "cat /proc/{platform}/environ",
    "a file changed": "sh -c ': >{secret}'",
}


def _fetching(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    with confine.ready(profile.fetch(folder)) as confinement:
        return subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
            check=False, preexec_fn=confinement.enter,
        )  # fmt: skip


@pytest.mark.parametrize("what", _ELSEWHERE)
def test_what_is_fetched_reaches_nothing_else(what: str, tmp_path: Path) -> None:
    folder, secret = tmp_path / "folder", tmp_path / "secret"
    folder.mkdir()
    secret.write_text(_SECRET)
    command = _ELSEWHERE[what].format(secret=secret, elsewhere=tmp_path, platform=os.getpid())
    done = _fetching(folder, command)
    assert done.returncode
    assert "denied" in done.stderr
    assert _SECRET not in done.stdout
    assert secret.read_text() == _SECRET
    assert {each.name for each in tmp_path.iterdir()} == {"folder", "secret"}


def test_what_is_fetched_is_bounded(tmp_path: Path) -> None:
    assert _fetching(tmp_path, "truncate --size=256M pack").returncode == 0
    assert _fetching(tmp_path, "truncate --size=257M pack").returncode
