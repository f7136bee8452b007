"""A campaign that was carried out, one beside it, and one whose replicates are all alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_testing.platform.results import CC, Made, make_runs


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_runs(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def other(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The same seeds on another link, and one level more of a factor."""
    folder = tmp_path_factory.mktemp("other")
    experiment = made.spec["experiment"] | {"duration": "30s"}
    factors = {**made.spec["factors"], CC: ["cubic", "reno", "illinois"]}
    return make_runs(folder, experiment=experiment, factors=factors)


@pytest.fixture(scope="session")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Runs whose replicates all come out as the first one."""
    found = make_runs(tmp_path_factory.mktemp("alike"))
    first: dict[str, Path] = {}
    for run, key in zip(found.runs, found.keys, strict=True):
        own = found.folders[key] / "metrics.json"
        own.write_bytes(first.setdefault(str(run.levels), own).read_bytes())
    return found
