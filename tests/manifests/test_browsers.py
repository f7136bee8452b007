"""Browsers beside cells: their pods, whom they meet, and how cells find them."""

from __future__ import annotations

import re
import uuid

from weir_engine.executor.live_cell import read_cells
from weir_orchestrator.argo.workflow import live_cell
from weir_testing.manifests import BROWSERS, Document


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
