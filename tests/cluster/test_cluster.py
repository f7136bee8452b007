"""The test cluster itself does what Weir asks of a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_testing.cluster.pods import IMAGE, LOCKED, USER, pod
from weir_testing.cluster.running import Cluster
from weir_testing.command import campaign
from weir_testing.docker import build_images, engine

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1200)]
NAMESPACE = "smoke"
PORT = 8000
PATIENCE_S = 300.0


@pytest.fixture(scope="module")
def smoke(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster with an image of this checkout, and a namespace that lets no privilege in."""
    with engine():
        build_images()
        cluster.load(IMAGE)
    namespace = _named("v1", "Namespace", NAMESPACE)
    namespace["metadata"]["labels"] = {"pod-security.kubernetes.io/enforce": "restricted"}
    reports = {"apiGroups": ["argoproj.io"], "resources": ["workflowtaskresults"]}
    rights = "rbac.authorization.k8s.io"
    role = _named(f"{rights}/v1", "Role", "executor")
    binding = _named(f"{rights}/v1", "RoleBinding", "executor")
    subject = {"kind": "ServiceAccount", "name": "default", "namespace": NAMESPACE}
    for manifest in (
        namespace,
        role | {"rules": [reports | {"verbs": ["create", "patch"]}]},
        binding
        | {"roleRef": {"apiGroup": rights, "kind": "Role", "name": "executor"}}
        | {"subjects": [subject]},
    ):
        _apply(cluster, manifest)
    yield cluster
    cluster.kubectl("delete", "namespace", NAMESPACE)


def _named(version: str, kind: str, name: str) -> dict[str, Any]:
    metadata = {"name": name} | ({} if kind == "Namespace" else {"namespace": NAMESPACE})
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


def _apply(cluster: Cluster, manifest: dict[str, Any]) -> None:
    cluster.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(manifest))


def test_a_step_reaches_a_daemon_step_by_its_address(smoke: Cluster) -> None:
    web = {
        "name": "web",
        "daemon": True,
        "container": {
            "image": IMAGE,
            "command": ["python3", "-m", "http.server", str(PORT)],
            "readinessProbe": {"httpGet": {"port": PORT, "path": "/"}, "periodSeconds": 1},
            "securityContext": LOCKED,
        },
    }
    program = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=10).status)"
    asks = {
        "name": "asks",
        "inputs": {"parameters": [{"name": "address"}]},
        "container": {
            "image": IMAGE,
            "command": ["python3", "-c", program],
            "args": [f"http://{{{{inputs.parameters.address}}}}:{PORT}/"],
            "securityContext": LOCKED,
        },
    }
    address = {"name": "address", "value": "{{steps.web.ip}}"}
    order = [
        [{"name": "web", "template": "web"}],
        [{"name": "asks", "template": "asks", "arguments": {"parameters": [address]}}],
    ]
    workflow = _named("argoproj.io/v1alpha1", "Workflow", "daemon")
    executor = {"securityContext": LOCKED}
    patch = {
        "initContainers": [{"name": "init"} | executor],
        "containers": [{"name": "wait"} | executor],
    }
    workflow["spec"] = {
        "entrypoint": "all",
        "securityContext": USER,
        "podSpecPatch": yaml.safe_dump(patch),
        "templates": [web, asks, {"name": "all", "steps": order}],
    }
    _apply(smoke, workflow)
    ended = _until_ended(smoke, "workflow/daemon")
    assert ended["phase"] == "Succeeded", ended
    assert [node["phase"] for node in ended["nodes"].values()] == ["Succeeded"] * 5


def test_names_of_services_lead_to_their_pods(smoke: Cluster) -> None:
    program = "import socket; print(socket.gethostbyname('kubernetes.default'))"
    done = _run_pod(smoke, "names", ["python3", "-c", program])
    address = smoke.get("service/kubernetes", "-n", "default")["spec"]["clusterIP"]
    assert done.strip() == address


def test_a_pod_without_rights_runs_the_lab_kernel(smoke: Cluster, tmp_path: Path) -> None:
    shell = 'printf %s "$0" > /tmp/tiny.yaml && exec weir run /tmp/tiny.yaml --store /tmp/store'
    _run_pod(smoke, "kernel", ["sh", "-c", shell, campaign(tmp_path).read_text()])


def test_a_pod_with_rights_is_refused(smoke: Cluster) -> None:
    asked = pod(NAMESPACE, "rights", ["true"])
    asked["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    with pytest.raises(AssertionError, match="violates PodSecurity"):
        _apply(smoke, asked)


def _run_pod(cluster: Cluster, name: str, command: list[str]) -> str:
    """What it wrote. Fails where it does not succeed."""
    _apply(cluster, pod(NAMESPACE, name, command))
    ended = _until_ended(cluster, f"pod/{name}")
    said = cluster.kubectl("logs", "-n", NAMESPACE, name)
    assert ended["phase"] == "Succeeded", said
    return said


def _until_ended(cluster: Cluster, what: str) -> dict[str, Any]:
    """The status it ended with."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        status: dict[str, Any] = cluster.get(what, "-n", NAMESPACE).get("status", {})
        if status.get("phase") in ("Succeeded", "Failed", "Error"):
            return status
        assert time.monotonic() < deadline, f"{what}: {status}"
        time.sleep(0.5)
