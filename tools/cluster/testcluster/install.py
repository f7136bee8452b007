"""Fill the started cluster: images, volumes, Argo; and wait until each works."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from . import archive, layout
from .files import PAUSE_IMAGE
from .host import HostError
from .layout import FIRST, HERE, Node, State

READY_S = 300.0
PAUSE_USER = "65535"
ARGO_USER = "8737"  # as Argo's own images have it


def fill(state: State, built: dict[str, Path]) -> None:
    """Raises HostError naming what was not ready in time and where its log is."""
    load_own(state, built, FIRST)
    _await("kube-apiserver", state, lambda: _works(*_kubectl(state, "get", "--raw=/readyz")))
    _run(*_kubectl(state, "create", "-f", "-"), text=json.dumps(_volumes(state)))
    _argo(state, built)
    await_node(state, FIRST)
    rolled = ("-n", "argo", "rollout", "status", "--timeout=2s", "deployment/workflow-controller")
    _await("workflow-controller", state, lambda: _works(*_kubectl(state, *rolled)))


def await_node(state: State, node: Node) -> None:
    """Until it takes pods. Raises HostError as `fill` does."""
    ready = ("wait", "--for=condition=Ready", "--timeout=1s", f"node/{node.name}")
    _await("kubelet", state, lambda: _works(*_kubectl(state, *ready)))


def load_own(state: State, built: dict[str, Path], node: Node) -> None:
    """Give a node the images of Kubernetes and Argo. Raises HostError as `fill` does."""
    socket = str(state.containerd(node))
    _await("containerd", state, lambda: _works("ctr", "-a", socket, "version"))
    version = _version(built)
    argo = "quay.io/argoproj"
    for image, program, user in (
        (PAUSE_IMAGE, built["kubernetes"] / "pause", PAUSE_USER),
        (f"{argo}/argoexec:{version}", built["argo"] / "argoexec", ""),
        (f"{argo}/workflow-controller:{version}", built["argo"] / "workflow-controller", ARGO_USER),
    ):
        with tempfile.TemporaryDirectory() as scratch:
            tar = Path(scratch, "image.tar")
            archive.write(tar, image, program, user)
            load_archive(state, tar, node)


def load_archive(state: State, tar: Path, node: Node = FIRST) -> None:
    """Import an image as `docker save` writes one."""
    _run("ctr", "-a", str(state.containerd(node)), "-n", "k8s.io", "images", "import", str(tar))


def load(state: State, images: list[str], node: Node = FIRST) -> None:
    """Import images of the local Docker, by name."""
    with tempfile.TemporaryDirectory() as scratch:
        tar = Path(scratch, "images.tar")
        _run("docker", "save", "--output", str(tar), *images)
        load_archive(state, tar, node)


def _version(built: dict[str, Path]) -> str:
    """Argo's."""
    return (built["argo"] / "version").read_text()


def _volumes(state: State) -> dict[str, object]:
    """A default storage class of a few volumes on the node's disk, for whoever claims one."""
    items: list[dict[str, object]] = [
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {
                "name": "standard",
                "annotations": {"storageclass.kubernetes.io/is-default-class": "true"},
            },
            "provisioner": "kubernetes.io/no-provisioner",
            "volumeBindingMode": "WaitForFirstConsumer",
        }
    ]
    node = {"key": "kubernetes.io/hostname", "operator": "In", "values": [FIRST.name]}
    for folder in sorted(state.volumes.iterdir()):
        items.append(
            {
                "apiVersion": "v1",
                "kind": "PersistentVolume",
                "metadata": {"name": f"disk-{folder.name}"},
                "spec": {
                    "storageClassName": "standard",
                    "capacity": {"storage": layout.VOLUME_SIZE},
                    "accessModes": ["ReadWriteOnce"],
                    "local": {"path": str(folder)},
                    "nodeAffinity": {
                        "required": {"nodeSelectorTerms": [{"matchExpressions": [node]}]}
                    },
                },
            }
        )
    return {"apiVersion": "v1", "kind": "List", "items": items}


def _argo(state: State, built: dict[str, Path]) -> None:
    """Argo's own manifests of this version, as a user applies them, without its web server."""
    install = state.files / "argo"
    install.mkdir()
    shutil.copytree(built["argo"] / "manifests", install / "manifests")
    for name in ("kustomization.yaml", "namespace.yaml"):
        shutil.copy(HERE / "argo" / name, install)
    with (install / "kustomization.yaml").open("a") as file:
        file.write(f"    newTag: {_version(built)}\n")
    create = ("create", "--validate=false", "-k")
    _run(*_kubectl(state, *create, str(install / "manifests/base/crds/full")))
    # The controller gives up where the API does not know its kinds yet.
    known = ("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
    _await("kube-apiserver", state, lambda: _works(*_kubectl(state, *known)))
    _run(*_kubectl(state, *create, str(install)))


def _kubectl(state: State, *words: str) -> list[str]:
    return [str(state.bin / "kubectl"), f"--kubeconfig={state.kubeconfig}", *words]


def _await(name: str, state: State, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + READY_S
    while not ready():
        if time.monotonic() > deadline:
            raise HostError(f"{name} is not ready after {READY_S:g} s; logs: {state.logs}")
        time.sleep(0.2)


def _works(*words: str) -> bool:
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def _run(*words: str, text: str | None = None) -> None:
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise HostError(f"{' '.join(words)}: {done.stderr.strip()}")
