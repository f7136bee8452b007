"""The network policies that users apply let through what Weir needs, and nothing else.

Each kind of pod tries everything that there is to reach, at once; what answers is all of it. The
other tests of this folder run under the same policies.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
import yaml
from weir_testing.cluster.installed import NAMESPACE, Installed
from weir_testing.cluster.pods import pod
from weir_testing.cluster.running import Cluster

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]
NEIGHBOUR = "neighbour"
COMPONENT = "app.kubernetes.io/component"
CONTROL, LINK, OTHER = 7411, 5000, 9999
SETTLED_S = 60.0
LISTENS = f"""
import socket
kept = [socket.create_server(("", port)) for port in ({CONTROL}, {OTHER})]
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("", {LINK}))
while True:
    link.sendto(*link.recvfrom(1))
"""
TRIES = """
import json, socket, sys
def answers(kind, address, port):
    if kind == "name":
        return socket.getaddrinfo(address, port)
    with socket.socket(type=socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM) as probe:
        probe.settimeout(2)
        probe.connect((address, port))
        if kind == "udp":
            probe.send(b"?")
            probe.recv(1)
    return True
found = []
for name, target in json.loads(sys.argv[1]).items():
    try:
        answers(*target)
        found.append(name)
    except OSError:
        pass
print(json.dumps(found))
"""
STORES = {"names", "kubernetes", "postgres", "minio"}
OPEN = {"names", "kubernetes", "api", "neighbour"}
Targets = dict[str, tuple[str, str, int]]


@pytest.fixture(scope="module")
def targets(cluster: Cluster, installed: Installed) -> Iterator[Targets]:
    """What there is to reach: kind, address, port. Also starts a pod of each kind."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NEIGHBOUR}}
    kinds = ("worker", "dispatcher", "collector", "agent")
    listening = ["python3", "-c", LISTENS]
    items = [
        namespace,
        pod(NEIGHBOUR, "neighbour", listening),
        pod(NAMESPACE, "stranger", listening),
    ]
    items += [pod(NAMESPACE, f"a-{kind}", listening, {COMPONENT: kind}) for kind in kinds]
    items.append(pod(NAMESPACE, "second-agent", listening, {COMPONENT: "agent"}))
    text = yaml.safe_dump_all(items)
    cluster.kubectl("apply", "-f", "-", stdin=text)
    try:
        pods = [(item["metadata"]["namespace"], item["metadata"]["name"]) for item in items[1:]]
        for where, name in pods:
            ready = ("wait", "--for=condition=Ready", "--timeout=120s", f"pod/{name}")
            cluster.kubectl("--namespace", where, *ready)
        yield _targets(cluster)
    finally:
        cluster.kubectl("delete", "--now", "-f", "-", stdin=text)


def _targets(cluster: Cluster) -> Targets:
    def service(name: str, namespace: str = NAMESPACE) -> str:
        return str(cluster.get("service", name, "--namespace", namespace)["spec"]["clusterIP"])

    def address(name: str, namespace: str = NAMESPACE) -> str:
        return str(cluster.get("pod", name, "--namespace", namespace)["status"]["podIP"])

    agent = address("second-agent")
    return {
        "names": ("name", "kubernetes.default", 443),
        "kubernetes": ("tcp", service("kubernetes", "default"), 443),
        "api": ("tcp", service("api"), 80),
        "postgres": ("tcp", address("postgres-0"), 5432),
        "minio": ("tcp", address("minio-0"), 9000),
        "agent's control": ("tcp", agent, CONTROL),
        "agent's link": ("udp", agent, LINK),
        "agent, else": ("tcp", agent, OTHER),
        "stranger": ("tcp", address("stranger"), OTHER),
        "neighbour": ("tcp", address("neighbour", NEIGHBOUR), OTHER),
    }


@pytest.mark.parametrize(
    ("who", "reached"),
    [
        ("a-worker", STORES),
        ("a-dispatcher", STORES),
        ("a-collector", STORES | {"agent's control"}),
        ("a-agent", {"kubernetes", "agent's link"}),
        ("stranger", OPEN | {"stranger"}),  # which is itself
        ("deploy/api", OPEN | STORES),
    ],
)
def test_within_weir(cluster: Cluster, targets: Targets, who: str, reached: set[str]) -> None:
    _reaches(cluster, NAMESPACE, who, targets, reached)


def test_a_neighbour_reaches_the_api_alone(cluster: Cluster, targets: Targets) -> None:
    _reaches(cluster, NEIGHBOUR, "neighbour", targets, OPEN)


@pytest.mark.parametrize("store", ["postgres", "minio"])
def test_a_store_reaches_nothing(cluster: Cluster, targets: Targets, store: str) -> None:
    tries = [
        f"(exec 3<>/dev/tcp/{address}/{port}) 2>/dev/null && echo {name!r}"
        for name, (kind, address, port) in targets.items()
        if kind == "tcp" and name != store
    ]
    said = _in(
        cluster,
        NAMESPACE,
        f"statefulset/{store}",
        "timeout",
        "60",
        "bash",
        "-c",
        "\n".join([*tries, "true"]),
    )
    assert said.split("\n") == [""]


def _reaches(
    cluster: Cluster, namespace: str, who: str, targets: Targets, reached: set[str]
) -> None:
    """Fails unless just these answer, a moment after pods came to be: rules follow them."""
    deadline = time.monotonic() + SETTLED_S
    while True:
        found = set(
            json.loads(_in(cluster, namespace, who, "python3", "-c", TRIES, json.dumps(targets)))
        )
        if found == reached or time.monotonic() > deadline:
            break
        time.sleep(1)
    assert found == reached


def _in(cluster: Cluster, namespace: str, who: str, *command: str) -> str:
    return cluster.kubectl("--namespace", namespace, "exec", who, "--", *command)
