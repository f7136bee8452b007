"""A build pod and the pods that boot what it leaves, each a process with a cache of its own."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select, update
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel, Progress, inputs
from weir_orchestrator.cli.platform.up import environment
from weir_orchestrator.db import Campaign, Run, Worker
from weir_orchestrator.objects import kernel_prefix
from weir_orchestrator.work import kept_kernels
from weir_orchestrator.work.builder import Builder
from weir_testing.kernel_source import NEEDS_KERNEL_SOURCE, built
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all, upload
from weir_testing.platform.work import states

BROKEN: Final = b'#error "of a test"\n/* .name = "broken" */\n'
ONE_CLIENT: Final = {
    **SPEC["experiment"],
    "clients": [{"player": "fixed", "options": {"level": 1}}],
}


pytestmark = [
    pytest.mark.kernel,
    pytest.mark.parametrize("platform_settings", ["embedded"], indirect=True),
    NEEDS_KERNEL_SOURCE,
]


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(kernel_code=TEAM, as_root=True, jobs=1)


def submitted(platform: Platform, control: str, source: bytes) -> uuid.UUID:
    """A campaign of one run, whose server has a congestion control of the campaign's own."""
    client = platform.client("submit")
    experiment = {**ONE_CLIENT, "server": {"congestion_control": control}}
    changes: dict[str, Any] = {"experiment": experiment, "factors": {}, "replicates": 1}
    asked = body(changes, files={f"{control}.c": upload(client, source)})
    answer = client.post(f"{HERE}/campaigns", json=asked)
    assert answer.status_code == 201, answer.text
    expand_all(platform)
    return uuid.UUID(answer.json()["id"])


def name_of(platform: Platform, campaign: uuid.UUID) -> str:
    with platform.sessions() as session:
        return session.get_one(Campaign, campaign).kernel_hash


def reason_of(platform: Platform, campaign: uuid.UUID) -> str:
    assert states(platform.sessions, campaign) == ["failed"]
    with platform.sessions() as session:
        return session.scalars(select(Run.reason).where(Run.campaign_id == campaign)).one()


def test_what_a_build_pod_keeps_is_booted_by_a_pod_without_a_compiler(
    platform: Platform, tmp_path: Path
) -> None:
    example = next(path for path in inputs.compiled_in() if path.name == "fixed_window.c")
    text = example.read_text().replace("fixed_window", "eleven")
    source = text.replace("WINDOW_SEGMENTS 20u", "WINDOW_SEGMENTS 11u").encode()
    campaign = submitted(platform, "eleven", source)
    Builder(platform.settings, campaign).run()
    assert kept_kernels.has(platform.objects, name_of(platform, campaign))
    assert states(platform.sessions, campaign) == ["queued"]
    own = built()
    assert own is not None
    # As in the orchestrator's image: one kernel, no source.
    pod = {"WEIR_LAB_KERNEL": str(own.path.parent), "WEIR_CACHE": str(tmp_path / "cache")}
    words = ["worker", "--campaign", str(campaign), "--until-idle"]
    subprocess.run(
        [Path(sys.executable).with_name("weir"), *words],
        env={**environment(platform.settings), **pod},
        timeout=PATIENCE_S,
        check=True,
    )
    assert states(platform.sessions, campaign) == ["succeeded"]
    (fetched,) = (tmp_path / "cache" / "kernels").iterdir()
    assert fetched.name == name_of(platform, campaign)


def test_c_that_does_not_compile_ends_the_runs_with_file_and_line(platform: Platform) -> None:
    campaign = submitted(platform, "broken", BROKEN)
    Builder(platform.settings, campaign).run()
    reason = reason_of(platform, campaign)
    assert "net/ipv4/weir/broken.c:1:" in reason
    assert "of a test" in reason
    assert list(platform.objects.list(kernel_prefix(name_of(platform, campaign)))) == []


def test_nothing_is_compiled_for_a_team_that_is_named_no_longer(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = submitted(platform, "broken", BROKEN)
    monkeypatch.setattr(lab_kernel, "build", _never)
    settings = platform.settings.model_copy(update={"kernel_code": frozenset({"others"})})
    Builder(settings, campaign).run()
    assert "WEIR_KERNEL_CODE" in reason_of(platform, campaign)


def test_nothing_is_compiled_that_another_pod_has_kept(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = submitted(platform, "broken", BROKEN)
    program = tmp_path / "linux"
    program.write_bytes(b"a program")
    name = name_of(platform, campaign)
    there = Kernel(program, name, "7.3.4", ("broken",), inputs.file_hash(program))
    kept_kernels.keep(platform.objects, there)
    monkeypatch.setattr(lab_kernel, "build", _never)
    Builder(platform.settings, campaign).run()
    assert states(platform.sessions, campaign) == ["queued"]


def test_who_watches_sees_how_far_the_build_is(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program of some bytes stands for what the compiler would make."""
    campaign = submitted(platform, "broken", BROKEN)
    client, seen = platform.client("read"), []
    program = tmp_path / "linux"
    program.write_bytes(b"a program")
    name = name_of(platform, campaign)

    def build(code: Sequence[Path], *, progress: Progress, **_: object) -> Kernel:
        assert [path.name for path in code] == ["broken.c"]
        progress(3, 40, "CC net/ipv4/weir/broken.o")

        def told() -> bool:
            build = client.get(f"/api/v1/campaigns/{campaign}/progress").json()["kernel_build"]
            seen.append(build)
            return bool(build and build["total"])

        until(told)
        return Kernel(program, name, "7.3.4", ("broken",), inputs.file_hash(program))

    monkeypatch.setattr(lab_kernel, "build", build)
    Builder(platform.settings, campaign).run()
    last = seen[-1]
    assert (last["number"], last["of"], last["done"], last["total"]) == (1, 1, 3, 40)
    assert last["what"] == "CC net/ipv4/weir/broken.o"
    assert client.get(f"/api/v1/campaigns/{campaign}/progress").json()["kernel_build"] is None
    with platform.sessions() as session:
        assert [worker.state for worker in session.scalars(select(Worker))] == ["gone"]


def test_a_campaign_that_is_over_needs_no_build(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = submitted(platform, "broken", BROKEN)
    with platform.sessions.begin() as session:
        session.execute(update(Campaign).values(state="cancelled"))
    monkeypatch.setattr(lab_kernel, "build", _never)
    Builder(platform.settings, campaign).run()
    assert list(platform.objects.list("kernels")) == []


def _never(*_: object, **__: object) -> Kernel:
    raise AssertionError("nothing is to be compiled")
