"""A build leaves the cache bounded."""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path

import pytest
from weir_lab.kernel import build, cache

pytestmark = pytest.mark.kernel


def test_a_build_prunes_what_is_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tree is this machine's, for a build of seconds: its own kernels shall stay.
    monkeypatch.setenv("WEIR_KERNEL_CACHE_BYTES", str(10**15))
    source = tmp_path / "weir_test_pruned.c"
    source.write_text(f"/* new every time: {uuid.uuid4()} */\nint weir_test_pruned;\n")
    killed = cache.root() / "kernels" / source.stem
    killed.mkdir(parents=True, exist_ok=True)
    built = build([source])
    try:
        assert not killed.exists(), "a build that was killed left it"
        assert cache.find([source]) == built
    finally:
        shutil.rmtree(built.path.parent)
