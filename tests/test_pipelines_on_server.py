"""Steps of a pipeline, and versions under test, by the command against a whole platform."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir_sdk import Client
from weir_testing import command
from weir_testing.command import weir

pytestmark = pytest.mark.kernel


def test_a_pipeline_s_step_is_judged_against_a_campaign(signed_in: str, tmp_path: Path) -> None:
    file = command.campaign(tmp_path)
    before = json.loads(weir("submit", file, "--watch", "--json", "--seed", "3").stdout)
    paths = {kind: tmp_path / f"said.{kind}" for kind in ("markdown", "junit", "json")}
    options = [word for kind, path in paths.items() for word in (f"--{kind}", path)]
    done = weir("ci", file, "--baseline", before["id"], "--seed", "3", *options)
    assert done.returncode == 0, done.stderr
    said = json.loads(paths["json"].read_text())
    assert (said["baseline"], said["worse"], said["changed"]) == (before["id"], False, 0)
    assert said["campaign"] != before["id"]
    assert f"/compare?a={before['id']}&b={said['campaign']}" in paths["markdown"].read_text()
    assert 'failures="0"' in paths["junit"].read_text()
    refused = weir("ci", file, "--baseline", "no-such")
    assert (refused.returncode, "no campaign of that name" in refused.stderr) == (2, True)


def test_a_pipeline_s_step_fails_where_anything_became_worse(
    signed_in: str, tmp_path: Path
) -> None:
    path = {"rtt": {"mean": "100ms", "stddev": "5ms"}}
    file = command.campaign(tmp_path, gateway={"downlink": {"rate": "8Mbit/s"}, "path": path})
    many = ("--replicates", "16")
    before = json.loads(weir("submit", file, "--watch", "--json", *many).stdout)
    paths = {kind: tmp_path / f"said.{kind}" for kind in ("markdown", "junit", "json")}
    options = [word for kind, at in paths.items() for word in (f"--{kind}", at)]
    slower = ("--set", "gateway.downlink.rate=0.6Mbit/s")
    done = weir("ci", file, "--baseline", before["id"], *many, *slower, *options)
    assert done.returncode == 1, done.stdout + done.stderr
    worst = [line.strip() for line in done.stdout.splitlines() if line.startswith("  worse: ")]
    assert len(worst) == 3
    summary = paths["markdown"].read_text()
    assert summary.startswith("## tiny: worse")
    assert f"{signed_in}/teams/" in summary
    failed = 'failures="0"' not in paths["junit"].read_text()
    assert (json.loads(paths["json"].read_text())["worse"], failed) == (True, True)


def test_a_version_of_a_player_is_under_test(signed_in: str, tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(command.LOWEST)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "abr.py").write_text(f"# tonight's{command.LOWEST}")
    file = command.campaign(tmp_path, clients=[{"player": "./player.py"}])
    subject = f"player={tmp_path}/build/abr.py@3f2a91c"
    done = weir("submit", file, "--subject", subject, "--json", "--server", signed_in)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["subjects"] == {"player.py": "3f2a91c"}
    refused = weir("submit", file, "--subject", "other=x@1")
    assert (refused.returncode, "one of its files (player.py)" in refused.stderr) == (2, True)
    refused = weir("submit", file, "--schedule", "nightly")
    assert (refused.returncode, "CAMPAIGN: not with --schedule" in refused.stderr) == (2, True)
    assert weir("submit").returncode == 2


def test_a_version_that_a_night_ran_is_the_baseline(signed_in: str, tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(command.LOWEST)
    file = command.campaign(tmp_path, clients=[{"player": "./player.py"}])
    made = json.loads(weir("submit", file, "--watch", "--json").stdout)
    with Client(signed_in) as client:
        client.make_schedule("local", "nightly", "30 2 * * *", campaign_id=made["id"])
    subject = f"player={tmp_path}/player.py@v2.1"
    done = weir("submit", "--schedule", "nightly", "--subject", subject, "--watch", "--json")
    assert done.returncode == 0, done.stderr
    night = json.loads(done.stdout)["id"]
    assert weir("baseline", "nightly").stdout == "nightly: none\n"
    done = weir("baseline", "nightly", "--version", "v2.1")
    assert (done.returncode, f"campaign {night} of" in done.stdout) == (0, True), done.stderr
    assert "(player.py v2.1)" in done.stdout
    refused = weir("baseline", "nightly", "--version", "v2.2")
    assert (refused.returncode, "baseline.version: v2.2" in refused.stderr) == (2, True)
    for words, told in (
        (("best",), "WHICH: best"),
        (("none", "--version", "v2.1"), "one of them"),
        (("none", "--subject", "player.py"), "--subject: player.py"),
    ):
        refused = weir("baseline", "nightly", *words)
        assert (refused.returncode, told in refused.stderr) == (2, True), refused.stderr
    done = weir("baseline", "nightly", "--campaign", made["id"][:8], "--json")
    assert json.loads(done.stdout)["baseline"] == made["id"]
    assert weir("baseline", "nightly", "last-good").stdout == "nightly: last-good\n"
