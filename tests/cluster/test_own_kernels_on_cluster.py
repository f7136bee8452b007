"""Kernels that a campaign brings: built by a pod, kept in the object store, booted by others."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from weir_testing.cluster.alone import STORE, weir_run
from weir_testing.cluster.installed import BUILDER, TEAM, Installed, small, until
from weir_testing.docker import build_images, engine
from weir_testing.kernel_patches import KEEP_WINDOW

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(3600)]
ADDS = ("workflowtemplate/kernel-build", "networkpolicy/builders")
SETTINGS = {"WEIR_KERNEL_CODE": TEAM, "WEIR_ARGO_BUILD_CPU": "600m"}
FACTOR = {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}
_READ = f"""
import json, pathlib
found = pathlib.Path("{STORE}/runs").glob("*/*/metrics.json")
print(json.dumps({{path.parent.name: path.read_text() for path in found}}))
"""


@pytest.fixture(scope="module")
def builds(installed: Installed) -> Iterator[Installed]:
    """With k8s/own-kernels, for the team TEAM alone."""
    with engine():
        build_images(builder=True)
        installed.load(BUILDER)
    with installed.component("own-kernels", *ADDS, **SETTINGS):
        yield installed


def submitted(installed: Installed, asked: dict[str, Any], files: dict[str, str]) -> str:
    """A campaign with files; its id."""
    contents = {name: text.encode() for name, text in files.items()}
    with installed.client() as client:
        made = client.submit_with_files(TEAM, yaml.safe_dump(asked), contents)
    return str(made.id)


def test_a_patched_kernel_is_built_by_a_pod_and_gives_what_it_gives_alone(
    builds: Installed,
) -> None:
    """The same keys and the same bytes as `weir run` in a pod with a compiler."""
    asked = small("kernels", 1, server={"congestion_control": "cubic"}) | {"factors": FACTOR}
    files = {"fix.patch": KEEP_WINDOW}
    campaign = submitted(builds, asked, files)
    build = until(
        lambda: builds.api(f"/campaigns/{campaign}/progress")["kernel_build"],
        "how far the kernel is",
        1200,
    )
    assert (build["number"], build["of"]) == (1, 1)
    until(lambda: builds.ended(campaign), "the end of the campaign", 1800)
    assert builds.counts(campaign) == {"succeeded": 2}, builds.history(campaign)
    runs = builds.api(f"/campaigns/{campaign}/runs", limit=10)["items"]
    kernels = {
        run["levels"]["kernel"]: builds.api(f"/runs/{run['id']}")["kernel"]["hash"] for run in runs
    }
    assert kernels["stock"] != kernels["mine"]
    there = {run["key"]: builds.artifact(run["id"], "metrics.json") for run in runs}
    with weir_run(builds, yaml.safe_dump(asked), BUILDER, files) as (_, inside):
        alone = json.loads(inside("python", "-c", _READ))
    assert there == {key: text.encode() for key, text in alone.items()}


def test_c_that_does_not_compile_is_told_with_file_and_line(builds: Installed) -> None:
    text = f'#error "{uuid.uuid4()}"\n/* .name = "broken" */\n'
    asked = small("broken", 1, server={"congestion_control": "broken"})
    campaign = submitted(builds, asked, {"broken.c": text})
    until(lambda: builds.ended(campaign), "its end", 1200)
    (run,) = builds.api(f"/campaigns/{campaign}/runs")["items"]
    assert run["state"] == "failed"
    reason = builds.api(f"/runs/{run['id']}")["reason"]
    assert "broken.c:1:" in reason
    assert builds.troubles(campaign) == []
