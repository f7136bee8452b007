"""What is applied of the files in k8s/, as the API server gets it."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
import yaml
from weir_testing.checkout import ROOT
from weir_testing.manifests import BROWSERS, OWN_KERNELS, Document

K8S = ROOT / "k8s"
WITH_OWN_KERNELS = {
    "resources": ["../try"],
    "components": ["../../own-kernels"],
    "images": [{"name": "weir-builder", "newName": "registry.example.org/weir-builder"}],
}
WITH_BROWSERS = {"resources": ["../try"], "components": ["../../browsers"]}


@pytest.fixture(scope="session")
def kustomize(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """kubectl's own, or kustomize from Go's proxy where there is no kubectl."""
    if found := shutil.which("kubectl"):
        return [found, "kustomize"]
    bin_ = tmp_path_factory.mktemp("bin")
    tool = "sigs.k8s.io/kustomize/kustomize/v5@v5.7.1"
    subprocess.run(["go", "install", tool], env={**os.environ, "GOBIN": str(bin_)}, check=True)
    return [str(bin_ / "kustomize"), "build"]


@pytest.fixture(scope="session")
def rendered(
    kustomize: list[str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Document]]:
    """Every kustomization that users apply, as the API server gets it."""
    copied = tmp_path_factory.mktemp("files") / "k8s"
    shutil.copytree(K8S, copied, ignore=shutil.ignore_patterns("*.env"))
    subprocess.run([copied / "overlays/try/secrets"], check=True)
    for name, content in ((OWN_KERNELS, WITH_OWN_KERNELS), (BROWSERS, WITH_BROWSERS)):
        (copied / name).mkdir()
        (copied / name / "kustomization.yaml").write_text(yaml.safe_dump(content))
    found = {}
    for name in ("overlays/try", "overlays/managed", OWN_KERNELS, BROWSERS, "workflows/nightly"):
        done = subprocess.run(
            [*kustomize, copied / name], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found[name] = list(yaml.safe_load_all(done.stdout))
    return found
