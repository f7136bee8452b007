"""What must hold of every run holds of drawn experiments, and of those where it once did not."""

from __future__ import annotations

import subprocess
import sys

import pytest
from weir_lab.kernel import Kernel
from weir_testing.swarm import corpus
from weir_testing.swarm.search import search
from weir_testing.swarm.twice import broken_by

KEPT = corpus.campaigns()
DRAWN = """
import hashlib, json
{imported}
from weir_testing.swarm import search

digest = hashlib.sha256()
search.broken_by = lambda campaign, _: digest.update(json.dumps(campaign).encode()) or []
search.search(101, 40, None)
print(digest.hexdigest())
"""


def test_a_seed_draws_the_same_in_every_process() -> None:
    """Whatever it has imported, and however it hashes."""
    drawn = {
        subprocess.run(
            [sys.executable, "-c", DRAWN.format(imported=imported)],
            env={"PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashes, imported in (("1", ""), ("2", "import weir.metrics, weir_orchestrator.cli"))
    }
    assert len(drawn) == 1


@pytest.mark.kernel
@pytest.mark.parametrize("name", KEPT)
def test_what_broke_a_rule_once_keeps_them_all(name: str, kernel: Kernel) -> None:
    assert broken_by(KEPT[name], kernel) == []


@pytest.mark.kernel
@pytest.mark.usefixtures("kept_players")
@pytest.mark.parametrize(
    ("of_seed", "draws"), [(101, 5), pytest.param(102, 100, marks=pytest.mark.long)]
)
def test_whatever_is_drawn_keeps_them_all(of_seed: int, draws: int, kernel: Kernel) -> None:
    assert search(of_seed, draws, kernel, shrink=False) == []
