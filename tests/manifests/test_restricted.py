"""Pods, rights and networks are no wider than what is used, as the restricted standard asks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from weir_testing.manifests import ARGO, OWN_KERNELS, Document


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
    for document in chain.from_iterable(rendered.values()):
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
