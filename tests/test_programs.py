"""A player that is a program of its own, in a guest: what it may do, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir.dashjs import VERSIONS
from weir_lab import boot, left, plan
from weir_lab.guest.plan import dumped
from weir_testing.cells import experiment, kernel
from weir_testing.node_players import WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("kept_players")]

DONE = "echo . >&$WEIR_DONE_FD; sleep 1000"


def ran(folder: Path, *texts: str) -> list[tuple[str, str, str]]:
    """Run these scripts of bash as clients' programs: console, error and rows of each."""
    clients = [itself("dashjs") for _ in texts]
    asked = experiment({"duration_s": 5.0}, *clients)
    cell = plan.make(asked, 1)
    own = [role for role in cell["roles"] if role["module"] == "weir_client.program"]
    for role, text in zip(own, texts, strict=True):
        role["args"]["command"] = ["bash", "-c", text]
    (folder / "plan.marshal").write_bytes(dumped(cell))
    folders = tuple(map(Path, cell["packages"].values()))
    before = plan.before(asked, cell)
    how = boot.Boot(1, len(texts), False, False, folders=folders, before=before)
    boot.run(kernel(), how, folder, WALL_LIMIT_S)
    return [
        (
            left.text(folder, f"client-{number}/console.txt"),
            left.text(folder, f"client-{number}.error"),
            left.text(folder, f"client-{number}/rows.jsonl"),
        )
        for number in range(1, len(texts) + 1)
    ]


def test_it_is_nobody_and_can_write_nothing_but_its_folder(tmp_path: Path) -> None:
    tries = "; ".join(
        f"touch {path} && echo wrote {path}"
        for path in ("/mnt/x", "/mnt/client-1/x", "/run/weir/weir_client/x", "/run/www/x")
    )
    [(console, error, rows)] = ran(
        tmp_path,
        f"id -u; grep CapEff /proc/self/status; ({tries}) 2>/dev/null;"
        f" ip link add name a0 type dummy; pwd; echo '{{}}' > rows.jsonl; {DONE}",
    )
    assert console.splitlines()[0] == "65534"
    assert "CapEff:\t0000000000000000" in console
    assert "wrote" not in console and "Operation not permitted" in console
    assert console.splitlines()[-1] == "/run/client-1"
    assert (error, rows) == ("", "{}\n")


def test_it_is_told_what_to_play(tmp_path: Path) -> None:
    [(console, _, _)] = ran(tmp_path, f"env | grep WEIR_ | sort; cat $WEIR_CONTENT; {DONE}")
    assert "WEIR_SERVER=http://10.0.1.2:80" in console and '"segment_s": 2.0' in console
    assert "WEIR_STOP_S=5.0" in console


ENDS = [
    ("echo oops >&2; exit 3", "ended with code 3"),
    ("kill -9 $$", "ended by signal 9"),
    ("exit 0", ""),
    ("exec /nowhere", "ended with code 127"),
    ("sleep 1000", ""),
    ("trap '' TERM; while :; do sleep 1; done", "ended by signal 9"),
]


def test_however_they_end_the_run_goes_on_and_says_so(tmp_path: Path) -> None:
    ended = ran(tmp_path, *(text for text, _ in ENDS))
    for number, ((_, error, _), (text, said)) in enumerate(zip(ended, ENDS, strict=True), 1):
        label = f"client {number} (dashjs {VERSIONS[-1]})"
        assert error == (f"{label} {said}\n" if said else ""), text
