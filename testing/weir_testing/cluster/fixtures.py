"""One cluster for the session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from weir_testing.cluster.installed import IMAGES, Installed
from weir_testing.cluster.running import Cluster, running
from weir_testing.docker import TAG, build_images, engine


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The test cluster with Argo; `make cluster-up` before saves its start."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def installed(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """Weir on it, from k8s/overlays/try with images of this checkout."""
    with engine():
        build_images()
        cluster.load(*(f"{image}:{TAG}" for image in IMAGES))
    made = Installed(cluster, tmp_path_factory.mktemp("installed"), TAG)
    made.install()
    yield made
    made.remove()
