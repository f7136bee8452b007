"""The kernel as part of an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.spec.campaign import Campaign
from weir.spec.kernel import MOST_PATCH_BYTES
from weir.spec.load import load_campaign

PATCH = """\
--- a/net/ipv4/tcp_output.c
+++ b/net/ipv4/tcp_output.c
@@ -1 +1 @@
-one
+two
"""


def campaign(folder: Path, kernel: Any = None, **keys: Any) -> Campaign:
    (folder / "fix.patch").write_text(PATCH)
    experiment: dict[str, Any] = {
        "duration": "10s",
        "content": {"ladder": ["1Mbit/s"], "segment": "2s"},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "50ms"}}},
        "clients": [{"player": "fixed", "options": {"level": 0}}],
    }
    if kernel is not None:
        experiment["kernel"] = kernel
    file = folder / "c.yaml"
    document = {"name": "c", "experiment": experiment, **keys}
    file.write_text(yaml.safe_dump(document, sort_keys=False))
    return load_campaign(file)


def problems(folder: Path, kernel: Any = None, **keys: Any) -> list[Problem]:
    with pytest.raises(SpecError) as refused:
        campaign(folder, kernel, **keys)
    return refused.value.problems


def test_a_kernel_without_changes_is_the_labs(tmp_path: Path) -> None:
    plain = next(Expansion(campaign(tmp_path)).runs()).experiment
    assert next(Expansion(campaign(tmp_path, {})).runs()).experiment == plain
    assert "kernel" not in plain


def test_changes_are_carried_by_value(tmp_path: Path) -> None:
    asked = {
        "version": "7.2",
        "patches": ["fix.patch"],
        "config": {"TCP_CONG_YEAH": True, "CONFIG_HZ": 250},
    }
    (found,) = Expansion(campaign(tmp_path, asked)).kernels()
    assert found["version"] == "7.2"
    assert found["config"] == {"HZ": "250", "TCP_CONG_YEAH": "y"}
    (patch,) = found["patches"]
    assert (patch["name"], patch["text"]) == ("fix.patch", PATCH)


def test_it_is_a_factor_paired_by_seed(tmp_path: Path) -> None:
    factor = {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}
    made = Expansion(campaign(tmp_path, factors=factor, replicates=2))
    runs = list(made.runs())
    assert [run.levels["kernel"] for run in runs] == ["stock", "stock", "mine", "mine"]
    assert ["kernel" in run.experiment for run in runs] == [False, False, True, True]
    assert [run.seed for run in runs[:2]] == [run.seed for run in runs[2:]]
    assert made.kernels() == [runs[2].experiment["kernel"]]


def test_kernels_of_all_levels_are_found_each_once(tmp_path: Path) -> None:
    factors = {
        "server.congestion_control": ["cubic", "reno"],
        "kernel.version": ["7.2", "7.3"],
        "bic": {"with": {"kernel.config.TCP_CONG_YEAH": True}, "without": {}},
    }
    left_out = [{"kernel.version": "7.3", "bic": "with"}]
    found = Expansion(campaign(tmp_path, factors=factors, exclude=left_out)).kernels()
    assert found == [
        {"version": "7.2", "config": {"TCP_CONG_YEAH": "y"}},
        {"version": "7.2"},
        {"version": "7.3"},
    ]


def test_too_many_kernels_are_refused_before_they_are_looked_for(tmp_path: Path) -> None:
    hertz = {"kernel.config.HZ": list(range(100, 1100)), "kernel.version": ["7.2", "7.3"]}
    made = Expansion(campaign(tmp_path, factors=hertz))
    with pytest.raises(SpecError, match="factors: 2000 — allowed: at most 3 combinations"):
        made.kernels(at_most=3)
    few = {"kernel.version": ["7.1", "7.2", "7.3"]}
    assert len(Expansion(campaign(tmp_path, factors=few)).kernels(at_most=3)) == 3


@pytest.mark.parametrize(
    ("kernel", "path", "says"),
    [
        ({"patches": ["none.patch"]}, "experiment.kernel.patches.0", "no such file"),
        ({"patches": ["c.yaml"]}, "experiment.kernel.patches.0", "git diff"),
        ({"patches": ["long.patch"]}, "experiment.kernel.patches", "leave out"),
        ({"version": 7.2}, "experiment.kernel.version", "quotes"),
        ({"version": "newest"}, "experiment.kernel.version", ""),
        ({"config": {"tcp_cong_bic": True}}, "experiment.kernel.config.tcp_cong_bic", ""),
        ({"config": {"HZ": "1; reboot"}}, "experiment.kernel.config.HZ", ""),
        ({"patch": ["fix.patch"]}, "experiment.kernel.patch", "patches"),
    ],
)
def test_bad_changes(tmp_path: Path, kernel: Any, path: str, says: str) -> None:
    (tmp_path / "long.patch").write_text(PATCH + "# more\n" * (MOST_PATCH_BYTES // 7))
    (problem,) = problems(tmp_path, kernel)
    assert problem.path == path
    assert says in problem.remedy
