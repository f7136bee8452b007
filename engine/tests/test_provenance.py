"""What a run key covers of this machine."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from weir.programs import relevant_roles, with_others
from weir.runkey import run_key
from weir_engine.provenance import SEARCH_PATH, binaries, roles_at
from weir_testing.chromium import needs_chromium


def test_another_build_of_a_program_is_another_key(tmp_path: Path) -> None:
    tc = shutil.which("tc", path=SEARCH_PATH)
    assert tc is not None
    before = roles_at(SEARCH_PATH)
    copy = tmp_path / "tc"
    shutil.copy(tc, copy)
    with_copy = f"{tmp_path}:{SEARCH_PATH}"
    assert roles_at(with_copy) == before
    with copy.open("ab") as file:
        file.write(b"\0")
    after = roles_at(with_copy)
    assert after["hash"] != before["hash"]
    assert {**after, "hash": ""} == {**before, "hash": ""}


def test_another_node_is_another_key_only_where_a_client_plays_in_it(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v0.0.1\n")
    node.chmod(0o755)
    before, after = roles_at(SEARCH_PATH), roles_at(f"{tmp_path}:{SEARCH_PATH}")
    assert after["node"] == "v0.0.1" and after["hash"] != before["hash"]
    keys = {
        player: [
            run_key({"clients": [{"player": player}]}, 1, "k", each["hash"])
            for each in (before, after)
        ]
        for player in ("bola", "dashjs")
    }
    assert keys["bola"][0] == keys["bola"][1]
    assert keys["dashjs"][0] != keys["dashjs"][1]


def test_a_run_is_told_of_node_and_chromium_only_where_a_client_plays_there() -> None:
    roles = roles_at(SEARCH_PATH)

    def told(*players: str, clock: str = "virtual") -> dict[str, str]:
        clients = [{"player": player} for player in players]
        return relevant_roles({"clock": clock, "clients": clients}, roles)

    assert told("dashjs", "bola", "chromium") == roles
    of_node, of_chromium, without = told("dashjs"), told("chromium"), told("bola")
    assert roles.keys() - of_node.keys() == {"chromium"}
    assert roles.keys() - of_chromium.keys() == {"node"}
    assert roles.keys() - without.keys() == {"chromium", "node"}
    programs, node, chromium = roles["hash"].split("-")
    assert len(programs) == 32
    assert without["hash"] == programs
    assert of_node["hash"] == f"{programs}-{node}"
    assert of_chromium["hash"] == f"{programs}--{chromium}"
    # There it is an agent's.
    assert told("chromium", clock="real") == without


def test_another_chromium_is_another_key_only_where_a_client_plays_in_it() -> None:
    def keys(chromium: str) -> list[str]:
        roles = with_others("a" * 32, "b" * 16, chromium)
        return [
            run_key({"clock": "virtual", "clients": [{"player": player}]}, 1, "k", roles)
            for player in ("bola", "dashjs", "chromium")
        ]

    assert [one == other for one, other in zip(keys("c" * 16), keys("d" * 16), strict=True)] == [
        True,
        True,
        False,
    ]


@needs_chromium
def test_the_version_of_chromium_is_told() -> None:
    assert re.fullmatch(r"Chromium \d+(\.\d+)+", roles_at(SEARCH_PATH)["chromium"])


def test_libraries_count() -> None:
    names = {path.name.partition(".")[0] for path in binaries(["nginx", "tc"], SEARCH_PATH)}
    assert {"nginx", "libc", "libm"} <= names
