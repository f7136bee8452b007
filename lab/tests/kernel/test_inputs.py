"""What names a kernel build."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_lab.kernel import Changes, cache, inputs


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A copy of lab/ to change."""
    copy = tmp_path / "lab"
    for part in inputs.PARTS:
        shutil.copytree(inputs.LAB / part, copy / part)
    return copy


def test_a_new_congestion_control_is_compiled_in_and_changes_the_hash(lab: Path) -> None:
    before, tree = inputs.kernel_hash("s", lab=lab), inputs.tree_hash("s", lab)
    mine = lab / "cc" / "mine.c"
    mine.write_text("/* mine */")
    assert mine in inputs.compiled_in(lab=lab)
    assert inputs.kernel_hash("s", lab=lab) != before
    assert inputs.tree_hash("s", lab) == tree, "the configured tree can be kept"
    mine.unlink()
    assert inputs.kernel_hash("s", lab=lab) == before


@pytest.mark.parametrize(
    "file",
    [
        "kernel/lab.config",
        "kernel/modules/recorder.c",
        "kernel/modules/recorder.h",
        "cc/fixed_window.c",
    ],
)
def test_a_changed_input_changes_the_hash(lab: Path, file: str) -> None:
    before = inputs.kernel_hash("s", lab=lab)
    with (lab / file).open("a") as input_file:
        input_file.write("\n")
    assert inputs.kernel_hash("s", lab=lab) != before


def test_a_patch_changes_tree_and_kernel(lab: Path) -> None:
    before = inputs.tree_hash("s", lab), inputs.kernel_hash("s", lab=lab)
    (lab / "kernel" / "patches" / "9999-more.patch").write_text("")
    assert inputs.patches(lab)[-1].name == "9999-more.patch"
    assert inputs.tree_hash("s", lab) != before[0]
    assert inputs.kernel_hash("s", lab=lab) != before[1]


def test_source_and_further_files_count_too(lab: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra.c"
    extra.write_text("/* */")
    hashes = {
        inputs.kernel_hash("s", lab=lab),
        inputs.kernel_hash("other", lab=lab),
        inputs.kernel_hash("s", [extra], lab),
    }
    assert len(hashes) == 3
    assert inputs.kernel_hash("s", lab=lab) == inputs.kernel_hash("s", lab=lab)


def test_find_needs_the_very_kernel_that_the_checkout_asks_for(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    assert cache.find(lab=lab) is None
    sources = cache.root() / "sources"
    sources.mkdir(parents=True)
    (sources / "linux.tar.xz").write_bytes(b"")
    (sources / "linux.tar.xz.json").write_text(
        json.dumps({"archive": "linux.tar.xz", "sha256": "s"})
    )
    name = inputs.kernel_hash("s", lab=lab)
    folder = cache.root() / "kernels" / name
    folder.mkdir(parents=True)
    (folder / "linux").write_bytes(b"")
    assert cache.find(lab=lab) is None, "a build without its note is not finished"
    kernel = cache.Kernel(folder / "linux", name, "7.3", ("reno",))
    cache.remember(kernel)
    assert cache.find(lab=lab) == kernel
    assert cache.installed() == [kernel]
    (lab / "cc" / "mine.c").write_text("/* mine */")
    assert cache.find(lab=lab) is None


def test_an_image_has_its_own_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))  # no compiler either
    folder = tmp_path / "lab-kernel"
    folder.mkdir()
    monkeypatch.setenv(cache.OF_IMAGE, str(folder))
    with pytest.raises(WeirError, match="must be a folder with a lab kernel"):
        cache.find()
    cache.remember(cache.Kernel(folder / "linux", "abc", "7.3", ("cubic",)))
    with pytest.raises(cache.Damaged, match=r"linux is not there; it came with an image"):
        cache.find()
    (folder / "linux").touch()
    assert (
        cache.find()
        == cache.installed()[0]
        == cache.Kernel(folder / "linux", "abc", "7.3", ("cubic",))
    )
    assert cache.find([tmp_path / "own.c"]) is None


def test_a_builders_image_has_its_source_and_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "lab-kernel"
    monkeypatch.setenv(cache.OF_IMAGE, str(folder))
    for made in (folder / "sources", folder / "trees" / "abc"):
        made.mkdir(parents=True)
    archive = folder / "sources" / "linux-7.3.4.tar.xz"
    archive.write_bytes(b"")
    note = {"archive": archive.name, "sha256": "s", "of_lab": True}
    archive.with_name(f"{archive.name}.json").write_text(json.dumps(note))
    assert cache.sources() == [cache.Source(archive, "s")]
    assert cache.versions() == ["7.3"]
    assert cache.shared_tree("abc") == folder / "trees" / "abc"
    assert cache.shared_tree("def") == tmp_path / "cache" / "trees" / "def"


def test_options_count_by_whether_a_kernel_may_be_without_them() -> None:
    options = (("NUMA", "y"),)
    asked = [Changes(), Changes(config=options), Changes(if_offered=options)]
    assert len({inputs.kernel_hash("s", changes=each) for each in asked}) == 3
    assert all(each.in_tree for each in asked[1:])
