"""Kernels in the object store: what was built is what is fetched, and nothing else is booted."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from weir.errors import WeirError
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel, cache, inputs
from weir_orchestrator.db import Run
from weir_orchestrator.objects import ObjectNotFound, ObjectStore, kernel_prefix, open_store
from weir_orchestrator.submission.own_kernels import name_of
from weir_orchestrator.work import kept_kernels
from weir_orchestrator.work.kernels import Kernels
from weir_testing.platform import Platform
from weir_testing.platform.work import key_of, states, submit
from weir_testing.stand_in.versions import ROLES

OWN, OTHER = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStore:
    return open_store(str(tmp_path / "store"))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another machine's cache, with nothing in it."""
    monkeypatch.delenv("WEIR_LAB_KERNEL", raising=False)
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "elsewhere"))
    return tmp_path / "elsewhere"


def built(folder: Path, name: str = OTHER) -> Kernel:
    """A few bytes stand for the program."""
    folder.mkdir(exist_ok=True)
    program = folder / "linux"
    program.write_bytes(name.encode() * 1000)
    sha256 = inputs.file_hash(program)
    return Kernel(program, name, "7.3.4", ("cubic", "mine"), sha256, patches=("fix.patch",))


@pytest.mark.usefixtures("elsewhere")
def test_what_is_fetched_is_what_was_built(objects: ObjectStore, tmp_path: Path) -> None:
    given = built(tmp_path / "there")
    kept_kernels.keep(objects, given)
    assert kept_kernels.has(objects, OTHER)
    assert kept_kernels.fetch(objects, OTHER) == {OTHER}
    (found,) = lab_kernel.installed()
    assert found == replace(given, path=cache.root() / "kernels" / OTHER / "linux")
    assert found.path.read_bytes() == given.path.read_bytes()
    assert found.path.stat().st_mode & 0o111
    assert [path.name for path in found.path.parent.iterdir() if path.is_dir()] == []


@pytest.mark.usefixtures("elsewhere")
def test_a_campaigns_name_stands_for_all_of_its_kernels(
    objects: ObjectStore, tmp_path: Path
) -> None:
    name = name_of(OWN, [OTHER])
    kept_kernels.keep(objects, built(tmp_path / "there"))
    kept_kernels.keep_set(objects, {OTHER, OWN})
    assert not kept_kernels.there(objects, name, known=())
    assert kept_kernels.there(objects, name, known=[OWN])
    with pytest.raises(ObjectNotFound):
        kept_kernels.fetch(objects, name)
    kept_kernels.keep(objects, built(tmp_path / "own", OWN))
    assert kept_kernels.fetch(objects, name) == {OWN, OTHER}
    assert {kernel.hash for kernel in lab_kernel.installed()} == {OWN, OTHER}


def test_a_program_that_changed_since_it_was_built_is_not_kept(
    objects: ObjectStore, tmp_path: Path
) -> None:
    given = built(tmp_path / "there")
    given.path.write_bytes(b"another")
    with pytest.raises(WeirError, match="changed since it was built"):
        kept_kernels.keep(objects, given)
    assert not kept_kernels.has(objects, OTHER)


def _other_bytes(objects: ObjectStore, kernel: Kernel) -> None:
    objects.put_bytes(f"{kernel_prefix(OTHER)}/{kernel.sha256}", b"another program")


def _note_of_another(objects: ObjectStore, _: Kernel) -> None:
    objects.put_bytes(f"{kernel_prefix(OTHER)}/kernel.json", json.dumps({"hash": OWN}).encode())


def _path_for_hash(objects: ObjectStore, _: Kernel) -> None:
    note = {"hash": OTHER, "sha256": "../../runs"}
    objects.put_bytes(f"{kernel_prefix(OTHER)}/kernel.json", json.dumps(note).encode())


def _no_json(objects: ObjectStore, _: Kernel) -> None:
    objects.put_bytes(f"{kernel_prefix(OTHER)}/kernel.json", b"[" * 100_000)


def _long_note(objects: ObjectStore, _: Kernel) -> None:
    objects.put_bytes(f"{kernel_prefix(OTHER)}/kernel.json", b" " * (2 << 20))


def _other_set(objects: ObjectStore, _: Kernel) -> None:
    objects.put_bytes(f"{kernel_prefix(OTHER)}/kernels.json", json.dumps([OWN, "1" * 16]).encode())


def _long_set(objects: ObjectStore, _: Kernel) -> None:
    many = [f"{number:016x}" for number in range(1000)]
    objects.put_bytes(f"{kernel_prefix(OTHER)}/kernels.json", json.dumps(many).encode())


@pytest.mark.parametrize(
    "tamper",
    [
        _other_bytes,
        _note_of_another,
        _path_for_hash,
        _no_json,
        _long_note,
        _other_set,
        _long_set,
    ],
)
def test_what_is_not_as_it_was_built_is_not_booted(
    objects: ObjectStore,
    elsewhere: Path,
    tmp_path: Path,
    tamper: Callable[[ObjectStore, Kernel], None],
) -> None:
    given = built(tmp_path / "there")
    kept_kernels.keep(objects, given)
    tamper(objects, given)
    with pytest.raises(kept_kernels.NotAsBuilt, match=OTHER):
        kept_kernels.fetch(objects, OTHER)
    assert lab_kernel.installed() == []
    assert not [path for path in elsewhere.rglob("*") if path.is_file()]
    kept_kernels.remove(objects, OTHER)
    assert list(objects.list("kernels")) == []


@pytest.mark.parametrize("platform_settings", ["embedded"], indirect=True)
@pytest.mark.usefixtures("elsewhere")
def test_a_batch_has_its_campaigns_kernels_before_it_claims(
    platform: Platform, tmp_path: Path
) -> None:
    campaign = _campaign(platform)
    kept_kernels.keep(platform.objects, built(tmp_path / "there"))
    kernels = Kernels(ROLES, ("virtual",))
    kernels.fetch(platform.sessions, platform.objects, campaign)
    assert OTHER in kernels.versions().kernels
    assert kernels.get(OTHER).patches == ("fix.patch",)
    assert states(platform.sessions, campaign) == ["queued"]


@pytest.mark.parametrize("platform_settings", ["embedded"], indirect=True)
@pytest.mark.usefixtures("elsewhere")
def test_runs_whose_kernel_was_changed_in_the_store_fail_and_say_so(
    platform: Platform, tmp_path: Path
) -> None:
    campaign = _campaign(platform)
    kept_kernels.keep(platform.objects, given := built(tmp_path / "there"))
    _other_bytes(platform.objects, given)
    kernels = Kernels(ROLES, ("virtual",))
    kernels.fetch(platform.sessions, platform.objects, campaign)
    assert OTHER not in kernels.versions().kernels
    assert states(platform.sessions, campaign) == ["failed"]
    with platform.sessions() as session:
        (reason,) = session.scalars(select(Run.reason).where(Run.campaign_id == campaign))
    assert "other bytes than were built" in reason
    assert not kept_kernels.has(platform.objects, OTHER)


def _campaign(platform: Platform) -> uuid.UUID:
    keys = [key_of(1)]
    return submit(platform.sessions, platform.team_id, keys, kernel_hash=OTHER, roles_hash=ROLES)
