"""What images are built from, and what compose.yaml asks for; without a Docker engine."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from weir_engine.executor.live_cell import read_cells
from weir_testing.checkout import ROOT

TOOLS = ROOT / "tools/images"
COMPOSE = ("compose.yaml", "compose.builder.yaml", "compose.chromium.yaml")


def locked(*names: str) -> subprocess.CompletedProcess[str]:
    """locked.py with these names."""
    command = [sys.executable, str(TOOLS / "locked.py"), *names]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_image_gets_what_is_imported_and_no_developers_tools() -> None:
    kept = locked("weir[server]").stdout
    entries = re.findall(r"^([a-z0-9-]+)==", kept, re.M)
    # Needed directly, by way of another, and by name with an extra.
    assert {"fastapi", "starlette", "psycopg-binary", "numpy"} <= set(entries)
    assert not {"pytest", "mypy", "ruff", "hatchling"} & set(entries)
    lock = (ROOT / "requirements.lock").read_text()
    for name in set(entries):
        # With hashes, and all that the lock file has for other systems.
        assert kept.count(f"\n{name}==") + kept.startswith(f"{name}==") == len(
            re.findall(rf"^{name}==", lock, re.M)
        )
    assert kept.count("--hash=sha256:") >= len(entries)


def test_the_platform_is_an_extra_of_the_lock_too() -> None:
    assert not re.search(r"^(fastapi|sqlalchemy)==", locked("weir").stdout, re.M)
    assert re.search(r"^numpy==", locked("weir").stdout, re.M)


def test_a_name_that_is_not_locked_is_told() -> None:
    done = locked("nothing-of-that-name")
    assert done.returncode == 1
    assert "not in requirements.lock: nothing-of-that-name" in done.stderr


def test_the_stage_that_builds_the_kernel_has_what_that_imports(tmp_path: Path) -> None:
    """Its COPY lines, without Docker; and no package of PyPI's."""
    stage = (ROOT / "lab/Dockerfile").read_text().split("\nFROM ")[1]
    for words in re.findall(r"^COPY (\S.*) /source/(\S+)$", stage, re.M):
        sources, folder = words[0].split(), tmp_path / words[1]
        for source in (ROOT / name for name in sources):
            if source.is_dir():
                shutil.copytree(source, folder)
            else:
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, folder)
    program = "from weir_lab.kernel import build"
    assert program in stage
    paths = {"PYTHONPATH": f"{tmp_path}/core:{tmp_path}/lab"}
    command = [sys.executable, "-S", "-c", program]
    done = subprocess.run(command, env=paths, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_platform_has_a_browser_only_where_it_is_asked_for() -> None:
    program = "import build; print({b: build.images(b)[build.PLATFORM].arguments.get('BROWSER') "
    program += "for b in (False, True)}, build.images(False) is build.IMAGES)"
    command = [sys.executable, "-S", "-c", program]
    said = subprocess.run(
        command, env={"PYTHONPATH": str(TOOLS)}, capture_output=True, text=True, check=True
    ).stdout
    assert said == "{False: None, True: 'chromium-headless-shell'} True\n"
    dockerfile = (ROOT / "services/orchestrator/Dockerfile").read_text()
    last = dockerfile.rpartition("\nFROM ")[2]
    # Without it the stage is what it was: no package more.
    assert "\nARG BROWSER=\n" in last and "--no-install-recommends ${BROWSER} " in last


def test_secrets_are_drawn_once_and_for_their_owner(tmp_path: Path) -> None:
    (tmp_path / "tools/images").mkdir(parents=True)
    shutil.copy(TOOLS / "env.py", tmp_path / "tools/images")
    shutil.copy(ROOT / ".env.example", tmp_path)
    command = [sys.executable, str(tmp_path / "tools/images/env.py")]
    subprocess.run(command, check=True)
    made = (tmp_path / ".env").read_text()
    secrets = re.findall(r"^WEIR_\w+=([0-9a-f]{32})$", made, re.M)
    assert len(set(secrets)) == 4
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    subprocess.run(command, check=True)
    assert (tmp_path / ".env").read_text() == made


def test_every_variable_is_explained_and_no_secret_has_a_default() -> None:
    text = "".join((ROOT / name).read_text() for name in COMPOSE)
    explained = set(re.findall(r"^#?(WEIR_\w+)=", (ROOT / ".env.example").read_text(), re.M))
    used = dict(re.findall(r"\$\{(WEIR_\w+)(:[-?])", text))
    assert used.keys() == explained
    assert {name for name, how in used.items() if how == ":?"} == {
        "WEIR_POSTGRES_PASSWORD",
        "WEIR_S3_KEY",
        "WEIR_S3_SECRET",
        "WEIR_AGENT_TOKEN",
    }


@pytest.mark.parametrize("name", yaml.safe_load((ROOT / "compose.yaml").read_text())["services"])
def test_every_service_is_locked_up(name: str) -> None:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"][name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert not {"privileged", "cap_add", "network_mode", "pid"} & service.keys()


def test_a_browser_may_make_its_link_and_no_more() -> None:
    text = (ROOT / "compose.chromium.yaml").read_text()
    services = yaml.safe_load(text)["services"]
    browser = services["chromium"]
    assert (browser["cap_drop"], browser["cap_add"]) == (["ALL"], ["NET_ADMIN", "NET_RAW"])
    assert browser["security_opt"] == ["no-new-privileges:true"] and browser["read_only"] is True
    assert browser["networks"] == ["cell"]  # from which nothing else is reached
    assert not {"privileged", "network_mode", "pid"} & browser.keys()
    (cell,) = read_cells(services["cell-worker"]["environment"]["WEIR_CELLS"])
    assert cell.chromium == ("http://chromium:7411",)


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "not a zip file"), (None, "No such file")],
)
def test_a_wheel_that_is_none_is_told_and_hands_nothing_over(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    wheel = tmp_path / "weir_lab_kernel-0.1.0-py3-none-any.whl"
    if content is not None:
        wheel.write_bytes(content)
    program = "import sys, of_wheel; from pathlib import Path\n"
    program += "print(of_wheel.hand_over(Path(sys.argv[1]), Path(sys.argv[2])))"
    command = [sys.executable, "-S", "-c", program, str(wheel), str(tmp_path / "kernel")]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(TOOLS)}, capture_output=True, text=True, check=True
    )
    assert str(wheel) in done.stdout and says in done.stdout
    assert not (tmp_path / "kernel").exists()
