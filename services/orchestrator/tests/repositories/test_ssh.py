"""Repositories by ssh: with a key, and with the server that it was the first time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from weir.errors import SpecError
from weir_orchestrator.repositories import Source, newest
from weir_orchestrator.settings import Settings
from weir_testing.git_server import GitServer
from weir_testing.ssh_server import serving_by_ssh


def test_a_file_comes_by_ssh_from_the_server_of_the_first_time(
    server: GitServer, settings: Settings, tmp_path: Path
) -> None:
    commit = server.commit({"abr.py": "one"})
    folder = tmp_path / "ssh"
    folder.mkdir()
    with serving_by_ssh(folder, server.folder / "served" / "player.git") as by_ssh:
        given = Source(by_ssh.url, "main", "abr.py", key=by_ssh.key)
        found = newest(given, settings, "s")
        assert (found.commit, found.content) == (commit, b"one")
        assert found.host_keys.startswith("localhost ssh-ed25519 ")
        known = replace(given, host_keys=found.host_keys)
        assert newest(known, settings, "s").host_keys == found.host_keys
        other = replace(known, key=(folder / "host").read_text())
        with pytest.raises(SpecError, match="allowed: a key for it") as refused:
            newest(other, settings, "s")
        assert "PRIVATE KEY" not in str(refused.value)
        by_ssh.new_host_key()
        with pytest.raises(SpecError, match="the server of the first time"):
            newest(known, settings, "s")
    assert server.asked == []
