"""A night by the cluster's own cron is the same as one by the platform's schedules."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from weir_testing.cluster.installed import K8S, TEAM, Installed, small, until

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]
EVERY_MINUTE: Final = "* * * * *"
REPLICATES: Final = 4


def test_both_crons_give_the_same_night(installed: Installed, tmp_path: Path) -> None:
    """Both submit within a minute or two; then the same runs, each carried out once, and no byte
    of difference between the two nights."""
    rtt = {"rtt": {"mean": "20ms", "stddev": "2ms"}}
    gateway = {"downlink": {"rate": "8Mbit/s"}, "path": rtt}
    document = yaml.safe_dump(small("nightly", REPLICATES, gateway=gateway))
    with scheduled(installed, document) as schedule, cron(installed, document, tmp_path):
        until(lambda: told(installed), "a night of the cluster's")
        nights = [until(partial(night, installed, of), "a night") for of in (schedule, None)]
    runs = []
    for campaign in nights:
        until(partial(installed.ended, campaign), "the end of a night", 600)
        counts = installed.counts(campaign)
        assert counts == {"succeeded": REPLICATES}, installed.history(campaign)
        found = installed.api(f"/campaigns/{campaign}/runs")["items"]
        runs.append({run["key"]: run["id"] for run in found})
    ours, theirs = runs
    assert len(ours) == REPLICATES
    assert ours.keys() == theirs.keys()
    for key, run in ours.items():
        for name in ("metrics.json", "run.json"):
            assert installed.artifact(run, name) == installed.artifact(theirs[key], name)
    compared = installed.api(f"/campaigns/{nights[1]}/regressions", baseline=nights[0])
    assert (compared["combinations"], compared["changed"], compared["worse"]) == (1, 0, 0)


@contextmanager
def scheduled(installed: Installed, document: str) -> Iterator[str]:
    """The platform's own schedule, meanwhile; its id."""
    given = {"name": "nightly", "cron": EVERY_MINUTE, "campaign": {"document": document}}
    schedule = installed.post(f"/teams/{TEAM}/schedules", given)["id"]
    try:
        yield schedule
    finally:
        installed.client().delete_schedule(schedule)


@contextmanager
def cron(installed: Installed, document: str, folder: Path) -> Iterator[None]:
    """k8s/workflows/nightly as an operator applies it, meanwhile, due every minute."""
    shutil.copytree(K8S / "workflows/nightly", folder / "nightly")
    (folder / "nightly/campaign.yaml").write_text(document)
    every_minute = [{"op": "replace", "path": "/spec/schedules", "value": [EVERY_MINUTE]}]
    image, _, tag = installed.named("weir-orchestrator").partition(":")
    overlay: dict[str, Any] = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": "weir",
        "resources": ["../nightly"],
        "images": [{"name": image, "newTag": tag}],
        "configurations": ["names.yaml"],
        "patches": [{"target": {"kind": "CronWorkflow"}, "patch": json.dumps(every_minute)}],
    }
    (folder / "tonight").mkdir()
    shutil.copy(folder / "nightly/names.yaml", folder / "tonight")
    (folder / "tonight/kustomization.yaml").write_text(yaml.safe_dump(overlay))
    secret = f"--from-literal=WEIR_TOKEN={installed.token}"
    installed.kubectl("create", "secret", "generic", "weir-token", secret)
    try:
        installed.kubectl("apply", "-k", str(folder / "tonight"))
        yield
    finally:
        installed.kubectl("delete", "--ignore-not-found", "-k", str(folder / "tonight"))
        installed.kubectl("delete", "secret", "weir-token")


def night(installed: Installed, schedule: str | None) -> str:
    """A campaign of a schedule, or of none; empty: there is none yet."""
    campaigns = installed.api(f"/teams/{TEAM}/campaigns", limit=500)["items"]
    own = [each for each in campaigns if each["name"] == "nightly"]
    return next((each["id"] for each in own if each["schedule_id"] == schedule), "")


def told(installed: Installed) -> bool:
    """Whether a workflow of the cluster's cron has submitted; fails where one could not."""
    label = "workflows.argoproj.io/cron-workflow=nightly"
    workflows = {each["metadata"]["name"]: each for each in installed.listed("workflows", label)}
    phases = {name: each.get("status", {}).get("phase") for name, each in workflows.items()}
    for name, phase in phases.items():
        if phase in ("Failed", "Error"):
            pods = f"workflows.argoproj.io/workflow={name}"
            said = installed.kubectl("logs", "--all-containers", "--prefix", "-l", pods)
            pytest.fail(f"{workflows[name]['status'].get('message')}\n{said}")
    return "Succeeded" in phases.values()
