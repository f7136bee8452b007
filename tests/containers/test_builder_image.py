"""The image that compiles campaigns' C and changes to the kernel, in compose: for teams that the
operator named, confined."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from weir_lab.kernel import inputs
from weir_sdk import Client, models
from weir_sdk.errors import ApiError
from weir_testing import command, docker
from weir_testing.docker import EMAIL, PHRASE, TAG, TEAM, Compose
from weir_testing.kernel_patches import KEEP_WINDOW, MISPLACED

pytestmark = [
    pytest.mark.docker,
    pytest.mark.kernel,
    pytest.mark.long,
    pytest.mark.timeout(3600),
]

IMAGE = f"weir-builder:{TAG}"
OF_IMAGE = "/opt/weir/lab-kernel"
UNNAMED = "unnamed"
INCBIN = b"""
#include <linux/module.h>
asm(".section .rodata\\n.incbin \\"/opt/weir/campaigns/quickstart.yaml\\"\\n");
"""


@pytest.fixture(scope="module")
def compose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    """The platform with compose.builder.yaml, and no cell."""
    with docker.engine():
        docker.build_images(builder=True)
        folder = tmp_path_factory.mktemp("compose")
        with docker.up(Compose(folder, "compose.builder.yaml", profiles=())) as project:
            yield project


@pytest.fixture(scope="module")
def weir(compose: Compose) -> Iterator[Client]:
    """A member of its one team."""
    with Client(compose.url, compose.token()) as client:
        yield client


def submitted(weir: Client, folder: Path, name: str, source: bytes) -> models.CampaignOut:
    """A campaign of one run with a congestion control of its own, under way."""
    document = command.campaign(folder, server={"congestion_control": name}).read_text()
    return weir.submit_with_files(TEAM, document, {f"{name}.c": source}, replicates=1)


def test_a_named_teams_c_is_compiled_and_used(
    compose: Compose, weir: Client, tmp_path: Path
) -> None:
    example = next(path for path in inputs.compiled_in() if path.name == "fixed_window.c")
    text = example.read_text().replace("fixed_window", "ten_segments")
    source = text.replace("WINDOW_SEGMENTS 20u", "WINDOW_SEGMENTS 10u").encode()
    made = submitted(weir, tmp_path, "ten_segments", source)
    assert weir.wait_for_campaign(made.id).counts == {"succeeded": 1}
    (run,) = weir.list_runs(made.id)
    series = weir.show_run_series(run.id, kinds=["cwnd"])
    assert {value for curve in series.curves for value in curve.values} == {10}
    assert made.kernel_hash in compose.within("worker", "ls", "/data/cache/kernels").split()
    assert compose.within("worker", "ls", "/data/cache/builds") == ""


def patched(folder: Path) -> str:
    """A campaign of runs in the lab's kernel and in one with fix.patch."""
    factor = {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}
    return yaml.safe_dump(
        yaml.safe_load(command.campaign(folder).read_text()) | {"factors": factor}
    )


def test_a_named_teams_patch_is_built_and_used(
    compose: Compose, weir: Client, tmp_path: Path
) -> None:
    files = {"fix.patch": KEEP_WINDOW.encode()}
    made = weir.submit_with_files(TEAM, patched(tmp_path), files, replicates=1)
    assert weir.wait_for_campaign(made.id).counts == {"succeeded": 2}
    kernels = {
        run.levels["kernel"]: weir.show_run(run.id).kernel["hash"]
        for run in weir.list_runs(made.id)
    }
    assert kernels["stock"] != kernels["mine"]
    built = compose.within("worker", "ls", "/data/cache/kernels").split()
    assert kernels["mine"] in built
    assert compose.within("worker", "ls", "/data/cache/builds") == ""


@pytest.mark.usefixtures("compose")
def test_a_patch_that_does_not_apply_is_refused_at_once(weir: Client, tmp_path: Path) -> None:
    files = {"fix.patch": MISPLACED.encode()}
    with pytest.raises(ApiError, match="hunk 1 does not apply at line 170"):
        weir.submit_with_files(TEAM, patched(tmp_path), files)


def test_the_compiler_reads_nothing_that_the_worker_may(
    compose: Compose, weir: Client, tmp_path: Path
) -> None:
    compose.within("worker", "test", "-r", "/opt/weir/campaigns/quickstart.yaml")
    made = submitted(weir, tmp_path, "thief", INCBIN + b'/* .name = "thief" */')
    assert weir.wait_for_campaign(made.id).counts == {"failed": 1}
    (run,) = weir.list_runs(made.id)
    reason = weir.show_run(run.id).reason or ""
    assert "does not compile" in reason and "thief" in reason


@pytest.mark.usefixtures("weir")
def test_another_teams_c_is_refused(compose: Compose, tmp_path: Path) -> None:
    with Client(compose.url) as administrator:
        administrator.sign_in(EMAIL, PHRASE)
        administrator.make_team(UNNAMED, "Unnamed")
        administrator.add_member(UNNAMED, EMAIL, "submit")
        document = command.campaign(tmp_path).read_text()
        with pytest.raises(ApiError, match="WEIR_KERNEL_CODE"):
            administrator.submit_with_files(UNNAMED, document, {"own.c": b"int own;"})


@pytest.mark.usefixtures("compose")
def test_the_source_and_its_tree_are_read_only_to_who_compiles() -> None:
    words = ["run", "--rm", "--entrypoint", "find", IMAGE]
    theirs = ["(", "!", "-user", "root", "-o", "-writable", ")", "!", "-type", "l"]
    assert docker.docker(*words, "/opt/weir", "/usr", *theirs) == ""
    trees = docker.docker(*words, f"{OF_IMAGE}/trees", "-maxdepth", "2", "-name", "linux")
    assert len(trees.splitlines()) == 1
    assert docker.docker("run", "--rm", IMAGE, "id", "-u").strip() == "1000"
