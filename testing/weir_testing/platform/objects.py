"""What tests of the object store share: a store of every kind, and what is in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_orchestrator import objects
from weir_orchestrator.objects import ObjectStore

PART_BYTES = 5 << 20  # above it, uploads go in parts


@pytest.fixture(params=["folder", "memory", "s3", "s3 prefix"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    match request.param:
        case "folder":
            return objects.open_store(f"file://{tmp_path}/objects")
        case "memory":
            return objects.open_store("memory://")
    url: str = request.getfixturevalue("bucket_url")
    return objects.open_store(url if request.param == "s3" else url.replace("?", "/a/b?"))


def keys(store: ObjectStore, prefix: str = "") -> list[str]:
    return sorted(info.key for info in store.list(prefix))
