"""What a player on the real clock has written, from its agent's folder to the cell's."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir_lab.real import so_far


class _Agent:
    """Answers with what is given, or fails with it."""

    def __init__(self, *answers: bytes | RunFailure) -> None:
        self._answers = list(answers)

    def rows(self, name: str) -> bytes:
        answer = self._answers.pop(0)
        if isinstance(answer, RunFailure):
            raise answer
        return answer


def test_an_agent_tells_of_its_player_alone(tmp_path: Path) -> None:
    assert so_far.rows_in(tmp_path, "client-3") == b""
    (tmp_path / "record.bin").write_bytes(b"packets")
    (tmp_path / "client-3").write_bytes(b"rows")
    (tmp_path / "client-4").write_bytes(b"of another")
    assert so_far.rows_in(tmp_path, "client-3") == b"rows"
    for name in ("record.bin", "../client-3", "client-3.error", ""):
        with pytest.raises(RunFailure, match="is no player's file"):
            so_far.rows_in(tmp_path, name)


def test_an_agent_follows_no_link_that_its_player_made(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"of the agent")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "client-1").symlink_to(secret)
    with pytest.raises(RunFailure, match="client-1"):
        so_far.rows_in(folder, "client-1")


def test_rows_are_replaced_and_stay_where_an_agent_does_not_answer(tmp_path: Path) -> None:
    players = [
        (_Agent(b"1", RunFailure("gone")), "client-1"),
        (_Agent(b"2", b"22"), "client-2"),
    ]
    rows = so_far.Rows(players, tmp_path, every_s=0.0)  # type: ignore[arg-type]
    rows.look()
    rows.look()
    assert (tmp_path / "client-1").read_bytes() == b"1"
    assert (tmp_path / "client-2").read_bytes() == b"22"
    assert {path.name for path in tmp_path.iterdir()} == {"client-1", "client-2"}
