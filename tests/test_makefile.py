"""What `make help` names can be made, as far as make knows."""

from __future__ import annotations

import subprocess

from weir_testing.checkout import ROOT


def make(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_target_has_rules_for_all_that_it_needs() -> None:
    said = make("help").stdout
    targets = [line.split()[1] for line in said.splitlines()]
    assert {"demo", "test", "test-long"} <= set(targets)
    told = {target: make("--dry-run", target) for target in targets}
    assert {name: done.stderr for name, done in told.items() if done.returncode} == {}
