"""The files in k8s/ are what Kubernetes, Argo and the restricted pod security standard allow."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from jsonschema import Draft202012Validator
from weir_engine.executor.live_cell import read_cells
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.sizing import Batches
from weir_orchestrator.argo.workflow import batches, kernel_build, live_cell
from weir_testing.checkout import ROOT

K8S = ROOT / "k8s"
KUBERNETES = "1.34"
ARGO = "argoproj.io/v1alpha1"
OWN_KERNELS = "overlays/own-kernels"
WITH_OWN_KERNELS = {
    "resources": ["../try"],
    "components": ["../../own-kernels"],
    "images": [{"name": "weir-builder", "newName": "registry.example.org/weir-builder"}],
}
BROWSERS = "overlays/browsers"
WITH_BROWSERS = {"resources": ["../try"], "components": ["../../browsers"]}
Document = dict[str, Any]


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


@pytest.fixture(scope="session")
def argo_schemas() -> dict[str, Document]:
    """Kind -> schema, from the custom resource definitions of the version that is tested."""
    module = "github.com/argoproj/argo-workflows/v3"
    said = subprocess.run(
        ["go", "mod", "download", "-json", f"{module}@{_argo_version(module)}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    folder = Path(json.loads(said.stdout)["Dir"]) / "manifests/base/crds/full"
    found = {}
    for plural in ("workflows", "workflowtemplates", "cronworkflows"):
        text = (folder / f"argoproj.io_{plural}.yaml").read_text()
        spec = yaml.load(text, Loader=yaml.CSafeLoader)["spec"]  # each has a megabyte
        found[spec["names"]["kind"]] = _strict(spec["versions"][0]["schema"]["openAPIV3Schema"])
    return found


def _argo_version(module: str) -> str:
    required = (ROOT / "tools/cluster/argo/go.mod").read_text()
    found = re.search(rf"{re.escape(module)} (v\S+)", required)
    assert found, "Argo's module"
    return found[1]


def _strict(schema: Document) -> Document:
    """As the API server takes it, and refusing what it would silently leave out."""
    made = dict(schema)
    if made.pop("x-kubernetes-int-or-string", False):
        return {"type": ["integer", "string"]}
    loose = made.pop("x-kubernetes-preserve-unknown-fields", False)
    if "properties" in made:
        made["properties"] = {key: _strict(value) for key, value in made["properties"].items()}
    for name in ("items", "additionalProperties"):
        if isinstance(made.get(name), dict):
            made[name] = _strict(made[name])
    if "properties" in made and not loose and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def _check(document: Document, schemas: dict[str, Document]) -> list[str]:
    if document["apiVersion"] != ARGO:
        kubernetes_validate.validate(document, KUBERNETES, strict=True)
        return []
    schema = dict(schemas[document["kind"]])
    # Whatever the API server puts there.
    schema["properties"] = {**schema["properties"], "metadata": {"type": "object"}}
    errors = Draft202012Validator(schema).iter_errors(document)
    return [f"{'.'.join(map(str, each.path))}: {each.message[:200]}" for each in errors]


def _all(rendered: dict[str, list[Document]]) -> Iterator[Document]:
    for documents in rendered.values():
        yield from documents


def test_every_file_fits_the_schemas(
    rendered: dict[str, list[Document]], argo_schemas: dict[str, Document]
) -> None:
    number = 0
    for document in _all(rendered):
        told = f"{document['kind']} {document['metadata']['name']}"
        assert _check(document, argo_schemas) == [], told
        number += 1
    assert number > 50


def test_the_schemas_would_refuse_what_is_wrong(
    rendered: dict[str, list[Document]], argo_schemas: dict[str, Document]
) -> None:
    template = next(each for each in _all(rendered) if each["metadata"]["name"] == "virtual-batch")
    wrong = yaml.safe_load(yaml.safe_dump(template))
    wrong["spec"]["templates"][0]["containr"] = {}
    assert any("containr" in each for each in _check(wrong, argo_schemas))


def test_what_the_dispatcher_makes_fits_them_too(argo_schemas: dict[str, Document]) -> None:
    campaign = uuid.uuid4()
    for made in (
        batches(campaign, 1, Batches(4, 100, 2), 2, 900, ArgoSettings()),
        live_cell(campaign, 2, 4, 20, ""),
        kernel_build(campaign, 3, ArgoSettings()),
    ):
        assert _check(made, argo_schemas) == []
        name = made["metadata"]["name"]
        assert len(name) <= 63, "the name is a host's in live cells"


def test_what_the_dispatcher_gives_is_what_the_templates_take(
    rendered: dict[str, list[Document]],
) -> None:
    takes = {
        each["metadata"]["name"]: {p["name"] for p in each["spec"]["arguments"]["parameters"]}
        for each in rendered[OWN_KERNELS]
        if each["kind"] == "WorkflowTemplate"
    }
    for made in (
        batches(uuid.uuid4(), 1, Batches(4, 100, 2), 2, 900, ArgoSettings()),
        live_cell(uuid.uuid4(), 2, 4, 20, ""),
        kernel_build(uuid.uuid4(), 3, ArgoSettings()),
    ):
        given = {each["name"] for each in made["spec"]["arguments"]["parameters"]}
        assert given <= takes[made["spec"]["workflowTemplateRef"]["name"]]


def _pods(document: Document) -> Iterator[tuple[Document, list[Document]]]:
    """(what holds the pod's security context, its containers)."""
    spec = document.get("spec", {})
    if document["apiVersion"] == ARGO:
        spec = spec.get("workflowSpec", spec)
        containers = [
            one
            for template in spec["templates"]
            for one in [template.get("container"), *template.get("initContainers", [])]
            if one
        ]
        if containers:
            yield spec, containers
    elif "template" in spec:
        pod = spec["template"]["spec"]
        yield pod, [*pod["containers"], *pod.get("initContainers", [])]


def test_every_pod_is_restricted_and_says_what_it_needs(
    rendered: dict[str, list[Document]],
) -> None:
    number = 0
    for document in _all(rendered):
        if document["metadata"].get("namespace") == "weir-browsers":
            continue
        for pod, containers in _pods(document):
            context = pod["securityContext"]
            assert context["runAsNonRoot"] is True
            assert context["runAsUser"] > 0
            assert context["seccompProfile"] == {"type": "RuntimeDefault"}
            for container in containers:
                own = container["securityContext"]
                assert own["allowPrivilegeEscalation"] is False
                assert own["readOnlyRootFilesystem"] is True
                assert own["capabilities"] == {"drop": ["ALL"]}
                batch = "inputs.parameters.campaign" in str(container.get("args"))
                assert batch or {"requests", "limits"} <= container["resources"].keys()
                number += 1
    assert number >= 14


def test_no_secret_stands_in_what_is_applied_to_a_managed_cluster(
    rendered: dict[str, list[Document]],
) -> None:
    managed = rendered["overlays/managed"]
    assert [each for each in managed if each["kind"] == "Secret"] == []
    assert any("registry.example.org" in str(each) for each in managed)


def test_the_namespace_enforces_the_restricted_standard(
    rendered: dict[str, list[Document]],
) -> None:
    (namespace,) = [each for each in rendered["overlays/managed"] if each["kind"] == "Namespace"]
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def test_rights_are_no_more_than_what_is_used(rendered: dict[str, list[Document]]) -> None:
    rules = {
        (each["kind"], each["metadata"]["name"]): [
            (tuple(rule["resources"]), tuple(sorted(rule["verbs"]))) for rule in each["rules"]
        ]
        for each in rendered["overlays/managed"]
        if each["kind"] in {"Role", "ClusterRole"}
    }
    assert rules == {
        ("Role", "dispatcher"): [(("workflows",), ("create", "delete", "list", "watch"))],
        ("Role", "batch"): [(("workflowtaskresults",), ("create", "patch"))],
        ("ClusterRole", "weir-nodes"): [(("nodes",), ("list",))],
    }


def test_only_the_api_and_build_pods_have_the_image_with_a_compiler(
    rendered: dict[str, list[Document]],
) -> None:
    """What boots a campaign's kernel has none, and what compiles it carries out no runs."""
    compile_ = {
        each["metadata"]["name"]
        for each in rendered[OWN_KERNELS]
        if "registry.example.org/weir-builder" in str(each)
    }
    assert compile_ == {"api", "kernel-build"}
    assert not any("weir-builder" in str(each) for each in rendered["overlays/try"])


def test_build_pods_reach_the_stores_and_are_reached_by_nobody(
    rendered: dict[str, list[Document]],
) -> None:
    policies = {
        each["metadata"]["name"]: each["spec"]
        for each in rendered[OWN_KERNELS]
        if each["kind"] == "NetworkPolicy"
    }
    mine = policies["builders"]
    assert mine["podSelector"] == {"matchLabels": {"app.kubernetes.io/component": "builder"}}
    assert mine["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in mine
    (out,) = mine["egress"]
    assert out.keys() == {"ports"}
    assert {port["port"] for port in out["ports"]} == {53, 443, 6443, 5432, 9000}
    assert "builder" in str(policies["stores"]["ingress"])
    assert "builder" not in str(policies["agents"])


def _in_browsers_overlay(rendered: dict[str, list[Document]], kind: str) -> dict[str, Document]:
    """By namespace and name."""
    return {
        f"{each['metadata'].get('namespace', '')}/{each['metadata']['name']}": each
        for each in rendered[BROWSERS]
        if each["kind"] == kind
    }


def test_a_browser_s_pod_may_make_its_link_and_no_more(
    rendered: dict[str, list[Document]],
) -> None:
    namespaces = _in_browsers_overlay(rendered, "Namespace")
    assert {
        name: each["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]
        for name, each in namespaces.items()
    } == {"/weir": "restricted", "/weir-browsers": "privileged"}
    browser = _in_browsers_overlay(rendered, "Deployment")["weir-browsers/chromium"]
    pod = browser["spec"]["template"]["spec"]
    assert not {"hostNetwork", "hostPID", "hostIPC", "serviceAccountName"} & pod.keys()
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"], "add": ["NET_ADMIN", "NET_RAW"]},
    }
    of_node = [each["hostPath"] for each in pod["volumes"] if "hostPath" in each]
    assert of_node == [{"path": "/dev/net/tun", "type": "CharDevice"}]


def test_browsers_meet_the_agents_of_cells_and_nobody_else(
    rendered: dict[str, list[Document]],
) -> None:
    policies = _in_browsers_overlay(rendered, "NetworkPolicy")
    mine = policies["weir-browsers/browsers"]["spec"]
    assert (mine["podSelector"], mine["policyTypes"]) == ({}, ["Ingress", "Egress"])
    met = [
        (
            peer["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"],
            peer["podSelector"]["matchLabels"]["app.kubernetes.io/component"],
        )
        for rule in (*mine["ingress"], *mine["egress"])
        for peer in (*rule.get("from", ()), *rule.get("to", ()))
    ]
    assert met == [("weir", "agent"), ("weir", "collector"), ("weir", "agent")]


def test_live_cells_find_them_by_the_service_s_name(
    rendered: dict[str, list[Document]],
) -> None:
    (service,) = [
        each
        for each in _in_browsers_overlay(rendered, "Service").values()
        if each["metadata"]["namespace"] == "weir-browsers"
    ]
    meta, (port,) = service["metadata"], service["spec"]["ports"]
    url = f"http://{meta['name']}.{meta['namespace']}:{port['port']}"
    settings = _in_browsers_overlay(rendered, "ConfigMap")["weir/weir"]["data"]
    assert settings["WEIR_ARGO_CHROMIUM"] == url
    assert settings["WEIR_AUTH"] == "login"
    made = live_cell(uuid.uuid4(), 1, 1, 1, url)
    (asked,) = [p for p in made["spec"]["arguments"]["parameters"] if p["name"] == "chromium"]
    (cell,) = read_cells(_cells(rendered, asked["value"]))
    assert cell.chromium == (url,)
    (without,) = read_cells(_cells(rendered, "[]"))
    assert without.chromium == ()


def _cells(rendered: dict[str, list[Document]], chromium: str) -> str:
    """What a live cell's collector is told of it."""
    template = next(each for each in rendered[BROWSERS] if each["metadata"]["name"] == "live-cell")
    (collect,) = [each for each in template["spec"]["templates"] if each["name"] == "collect"]
    (cells,) = [each for each in collect["container"]["env"] if each["name"] == "WEIR_CELLS"]
    told = str(cells["value"]).replace("{{workflow.parameters.chromium}}", chromium)
    return re.sub(r"\{\{([^}]+)\}\}", r"\1", told)
