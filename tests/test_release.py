"""What a release consists of: wheels that work where nothing else is, their SBOMs and checksums."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from weir_engine import ready_made
from weir_lab.kernel import Kernel
from weir_testing.checkout import ROOT
from weir_testing.patience import PATIENCE_S, until

pytestmark = [pytest.mark.kernel, pytest.mark.long]

PYTHON = ROOT / "build" / "release" / "bin" / "python"
PATHS = ("core", "lab", "engine", "services/orchestrator", "tools/release")
SHIPPED = "weir_orchestrator/shipped_parts"
UP = "import sys; from weir_orchestrator.cli import main; sys.exit(main(['up', *sys.argv[1:]]))"
BUILD = "import sys; from weir_orchestrator.cli import main; sys.exit(main(['kernel', 'build']))"


def made(out: Path) -> dict[str, bytes]:
    """A release's files by name."""
    path = os.pathsep.join(str(ROOT / part) for part in PATHS)
    command = [str(PYTHON), "-m", "weir_release", "--out", str(out)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True)
    return {file.name: file.read_bytes() for file in out.iterdir()}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one, of the last commit."""
    if not PYTHON.exists():
        pytest.fail("what makes a release is not installed: make build/release/installed")
    out = tmp_path_factory.mktemp("dist")
    made(out)
    return out


def wheel(released: Path, name: str) -> Path:
    """The wheel of a distribution."""
    (found,) = released.glob(f"{name}-*.whl")
    return found


def test_the_same_commit_makes_the_same_bytes(released: Path, tmp_path: Path) -> None:
    assert made(tmp_path) == {file.name: file.read_bytes() for file in released.iterdir()}


def test_the_kernels_wheel_is_tagged_by_what_it_links_to(released: Path, kernel: Kernel) -> None:
    tag = wheel(released, "weir_lab_kernel").stem.split("-", 2)[2]
    told = subprocess.run(
        ["objdump", "-T", kernel.path], capture_output=True, text=True, check=True
    )
    needed = {
        tuple(map(int, word.strip("()").removeprefix("GLIBC_").split(".")[:2]))
        for word in told.stdout.split()
        if word.strip("()").startswith("GLIBC_")
    }
    major, minor = max(needed)
    assert tag == f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"


def test_it_has_its_licence_its_source_and_an_offer_of_the_rest(
    released: Path, kernel: Kernel, tmp_path: Path
) -> None:
    with zipfile.ZipFile(wheel(released, "weir_lab_kernel")) as packed:
        packed.extractall(tmp_path)
    package = tmp_path / ready_made.PACKAGE
    assert ready_made.inputs_hash(package / "lab") == ready_made.inputs_hash()
    assert "GNU GENERAL PUBLIC LICENSE" in (package / "LICENSES/preferred/GPL-2.0").read_text()
    offer = (package / "SOURCE.md").read_text()
    source = json.loads((package / "built_from.json").read_text())["source"]
    assert source["sha256"] in offer and kernel.hash in offer and "$" not in offer


def test_checksums_and_boms_cover_the_release(released: Path) -> None:
    lines = (released / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {file.name: file for file in released.iterdir() if file.name != "SHA256SUMS"}
    assert sums == {n: hashlib.sha256(f.read_bytes()).hexdigest() for n, f in files.items()}
    (of_weir,) = released.glob("weir-0*.cdx.json")
    parts = {part["name"] for part in json.loads(of_weir.read_text())["components"]}
    assert {"numpy", "pydantic", "fastapi", "gymnasium"} <= parts
    assert not {"pytest", "mypy"} & parts
    assert {"react", "echarts"} <= parts, "of the page"
    assert not {"vite", "playwright-core"} & parts
    (of_kernel,) = released.glob("weir-lab-kernel-*.cdx.json")
    content = json.loads(of_kernel.read_text())
    names = {part["name"] for part in content["components"]}
    assert "linux" in names
    assert {f"lab/{p.relative_to(ROOT / 'lab')}" for p in (ROOT / "lab/cc").glob("*.c")} <= names


@pytest.fixture
def site(released: Path, tmp_path: Path) -> Path:
    """Both wheels as pip installs them, without what weir depends on, which is here."""
    target = tmp_path / "site-packages"
    command = [sys.executable, "-m", "pip", "-q", "install", "--no-deps", "--no-index"]
    subprocess.run([*command, "--target", target, *released.glob("*.whl")], check=True)
    return target


def build_in(site: Path) -> subprocess.CompletedProcess[str]:
    """`weir kernel build` of what is installed there, with an empty cache and no compiler."""
    env = {"PATH": "/nowhere", "PYTHONPATH": str(site), "WEIR_CACHE": str(site.parent / "cache")}
    command = [sys.executable, "-c", BUILD]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_both_wheels_need_neither_a_checkout_nor_a_compiler(site: Path) -> None:
    done = build_in(site)
    assert done.returncode == 0, done.stderr
    assert str(site / ready_made.PACKAGE / "kernel" / "linux") in done.stdout
    assert "ready made" in done.stderr


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The address of `weir up` of what is installed there."""
    options = ("--port", "0", "--workers", "0", "--data", str(site / "data"))
    words = [sys.executable, "-c", UP, *options]
    env = {**os.environ, "PYTHONPATH": str(site)}
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def test_the_platform_of_the_wheel_has_its_page_documentation_and_campaigns(
    released: Path, site: Path, address: str
) -> None:
    with zipfile.ZipFile(wheel(released, "weir")) as packed:
        names = set(packed.namelist())
        licences = json.loads(packed.read(f"{SHIPPED}/page/licenses.json"))
    (script,) = (name for name in names if re.search(r"/page/assets/index-[^/]*\.js$", name))
    with httpx2.Client(base_url=address, timeout=PATIENCE_S) as client:
        until(lambda: client.get("/").status_code == 200, "the page")
        assert Path(script).name in client.get("/").text
        assert client.get(f"/assets/{Path(script).name}").status_code == 200
        assert "<title>Tutorial - Weir</title>" in client.get("/docs/tutorial.html").text
        shipped = {each["path"] for each in client.get("/api/v1/library/campaigns").json()}
    assert {"quickstart.yaml", "ben-ameur-2016/scenario-1.yaml"} <= shipped
    assert (site / "data" / "weir.db").is_file()
    assert {"MIT License" in each["text"] for each in licences if each["name"] == "react"} == {True}
    assert not {name for name in names if "__pycache__" in name or "node_modules" in name}


def test_without_the_kernels_wheel_it_says_what_to_install(site: Path) -> None:
    shutil.rmtree(site / ready_made.PACKAGE)
    done = build_in(site)
    assert done.returncode == 3
    assert "weir-lab-kernel of the same version" in done.stderr


def test_pip_refuses_a_wheel_of_another_architecture(released: Path, tmp_path: Path) -> None:
    name = wheel(released, "weir_lab_kernel").name.replace("x86_64", "aarch64")
    other = shutil.copy(wheel(released, "weir_lab_kernel"), tmp_path / name)
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index"]
    done = subprocess.run(
        [*command, "--target", tmp_path / "site", other],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "not a supported wheel on this platform" in done.stderr
