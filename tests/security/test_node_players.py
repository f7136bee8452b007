"""Players for Node.js that attack, in a lab kernel: they are nobody, packages are read-only, and
what they leave is bounded and never followed.

Several play in one boot; each has a client of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.errors import RunFailure
from weir_client.program import MOST_BYTES
from weir_lab import boot as booting
from weir_lab import left, plan, programs, virtual
from weir_lab.kernel import Kernel
from weir_lab.left import MOST_FILES
from weir_testing.cells import experiment
from weir_testing.node_players import written

pytestmark = pytest.mark.kernel

WALL_LIMIT_S = 900.0
ROW = '{"segment":0,"level":0,"size_bytes":1,"request_s":0,"first_byte_s":0,"last_byte_s":1}\\n'
BEGIN = """\
const fs = require('node:fs');
const child = require('node:child_process');
const net = require('node:net');
"""


def ran(kernel: Kernel, folder: Path, scripts: list[str], duration_s: float = 3.0) -> Any:
    """Have these scripts play, one client each; the experiment, and what the guest left in the
    folder `cell`.
    """
    clients = [
        written(folder / f"player-{number}", BEGIN + script)
        for number, script in enumerate(scripts, 1)
    ]
    asked = experiment({"duration_s": duration_s}, *clients)
    cell = folder / "cell"
    cell.mkdir()
    made = plan.make(asked, 1)
    booting.run(kernel, virtual.prepared(asked, 1, made, cell), cell, WALL_LIMIT_S)
    return asked, cell


def said(asked: Any, cell: Path, number: int) -> str:
    """What a client's run would end with; empty where it has rows."""
    if error := left.text(cell, f"client-{number}.error"):
        return error.strip() + programs.last_said(asked, number, cell)
    try:
        programs.player(asked, number, cell)
    except RunFailure as failed:
        return failed.reason
    return ""


DENIED = {
    "writes into the run's folder": "fs.writeFileSync('/mnt/measured.json', '{}')",
    "leaves a link there": "fs.symlinkSync('/proc/self/environ', '/mnt/made')",
    "writes what another client leaves": "fs.writeFileSync('/mnt/client-2/rows.jsonl', '')",
    "writes a package of Weir's": "fs.appendFileSync('/run/weir/weir_lab/guest/init.py', '#')",
    "adds a module": "fs.writeFileSync('/run/weir/weir_client/made.py', '')",
    "changes its own package": "fs.appendFileSync(__filename, '//')",
    "adds to its own package": "fs.writeFileSync(__dirname + '/more.js', '')",
    "changes another's": "fs.appendFileSync('/run/package-2/main.cjs', '//')",
    "writes to the film": "fs.writeFileSync('/run/www/level-0', '')",
    "writes to the disk": "fs.writeFileSync('/tmp/made', '')",
    "becomes root": "process.setuid(0)",
    "changes the kernel": "fs.writeFileSync('/proc/sys/net/ipv4/tcp_rmem', '1 1 1')",
    "reads other users' passwords": "fs.readFileSync('/etc/shadow')",
    "lists the host's home folders": "fs.readdirSync('/root')",
    "reads the memory of the first process": "fs.readFileSync('/proc/1/mem')",
    "ends the first process": "process.kill(1, 'SIGKILL')",
    "mounts": "child.execFileSync('/bin/mount', ['-t', 'tmpfs', 'x', '/tmp'], {stdio: 'pipe'})",
    "changes the network": "child.execFileSync('/sbin/ip', ['link', 'set', 'lo', 'down'], "
    "{stdio: 'pipe'})",
}


def test_it_is_denied_what_is_not_its_own(kernel: Kernel, tmp_path: Path) -> None:
    secret = tmp_path / "another-run.json"
    secret.write_text("another run's result")
    attacks = {**DENIED, "reads another run": f"fs.readFileSync('{secret}')"}
    tries = "".join(
        f"try {{ {attack}; came[{name!r}] = 'succeeded'; }}"
        f" catch (error) {{ came[{name!r}] = error.code ?? String(error.status); }}\n"
        for name, attack in attacks.items()
    )
    tell = "const came = {};\n" + tries + "console.log(JSON.stringify([process.getuid(), came]));"
    asked, cell = ran(kernel, tmp_path, [tell, ""])
    uid, came = json.loads(left.text(cell, "client-1/console.txt"))
    assert uid == 65534
    assert came.keys() == attacks.keys()
    assert {name: code for name, code in came.items() if code == "succeeded"} == {}
    assert said(asked, cell, 2).startswith("client 2 (player-2/) asked for no segment")


TRAPS = {
    "const t = '/proc/self/environ'; fs.symlinkSync(t, 'rows.jsonl');": "cannot be read: it is a",
    "fs.mkdirSync('rows.jsonl');": "left a rows.jsonl that is no regular file",
    "child.execFileSync('mkfifo', ['rows.csv']);": "left a rows.csv that is no regular file",
    "fs.writeFileSync('rows.jsonl', '{}'); fs.writeFileSync('rows.csv', 'a');": "must write one of",
    "fs.writeFileSync('rows.jsonl', '[]');": "must be an object",
    f"fs.writeFileSync('rows.jsonl', '{ROW}'.replace('0', '1e400'));": "segment is inf",
    f"fs.writeFileSync('rows.jsonl', '{ROW}'.replace('0', '1e300'));": "segment is 1e+300",
    f"fs.writeFileSync('rows.jsonl', '{ROW}');": "",
    "throw new Error('my own mistake');": "Error: my own mistake",
    "setInterval(() => {}, 1000); process.on('SIGTERM', () => {});": "ended by signal 9",
}


def test_what_it_leaves_is_never_followed_and_its_reason_is_told(
    kernel: Kernel, tmp_path: Path
) -> None:
    asked, cell = ran(kernel, tmp_path, list(TRAPS))
    for number, (script, wanted) in enumerate(TRAPS.items(), 1):
        told = said(asked, cell, number)
        assert wanted in told if wanted else told == "", (script, told)
        assert not told or told.startswith(f"client {number} (player-{number}/)"), script


def test_what_it_writes_is_bounded(kernel: Kernel, tmp_path: Path) -> None:
    lines = "const line = 'x'.repeat(1 << 20) + '\\n';\n"
    scripts = [
        lines + "setInterval(() => { for (let i = 0; i < 16; i++) console.log(line); }, 100);",
        lines + "for (let i = 0; i < 65; i++) fs.appendFileSync('rows.jsonl', line);",
        "fs.writeFileSync('rows.jsonl', ''); fs.truncateSync('rows.jsonl', 2 ** 40);",
        "child.execFileSync('truncate', ['-s', '1T', 'rows.jsonl'], {stdio: 'pipe'});",
    ]
    asked, cell = ran(kernel, tmp_path, scripts)
    for number in range(1, len(scripts) + 1):
        assert said(asked, cell, number), number
    assert "EFBIG" in said(asked, cell, 2) and "EFBIG" in said(asked, cell, 3)
    sizes = [path.stat().st_size for path in cell.glob("client-*/*")]
    assert MOST_BYTES / 2 < max(sizes) <= MOST_BYTES
    assert len(sizes) < MOST_FILES
    assert 1 << 18 < len(programs.consoles(asked, cell)) < 1 << 20


def test_a_fork_bomb_ends_with_its_own_client(kernel: Kernel, tmp_path: Path) -> None:
    one = "child.spawn('sleep', ['1000']).on('error', (error) => { throw error; });"
    bomb = f"for (let i = 0; i < 100; i++) {one}"
    asked, cell = ran(kernel, tmp_path, [bomb])
    assert "EAGAIN" in said(asked, cell, 1)


def test_many_that_say_much_share_a_log(tmp_path: Path) -> None:
    clients = [written(tmp_path / f"player-{number}", "") for number in range(1, 13)]
    for number in range(1, 13):
        (tmp_path / f"client-{number}").mkdir()
        (tmp_path / f"client-{number}/console.txt").write_text("\0" * (1 << 19) + "its end")
    log = programs.consoles(experiment({}, *clients), tmp_path)
    assert log.count("its end") == log.count("characters cut here") == 12
    assert len(log.encode()) < 4 << 20
