"""Configuration files of the cluster's programs."""

from __future__ import annotations

import ipaddress
import json
import secrets
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from . import layout
from .layout import FIRST, Node, State

PAUSE_IMAGE = "localhost/weir-pause:1"


@dataclass(frozen=True)
class Left:
    """Where less than this is free of a node's disk or memory, it evicts pods."""

    disk: str = "1%"
    memory: str = "100Mi"


# What the kubelet would set on the host; its mount namespace shows these values instead.
SYSCTLS = {
    "vm/overcommit_memory": "1",
    "vm/panic_on_oom": "0",
    "kernel/panic": "10",
    "kernel/panic_on_oops": "1",
    "kernel/keys/root_maxkeys": "1000000",
    "kernel/keys/root_maxbytes": "25000000",
}


def write(state: State) -> None:
    """Write all that the programs read, with new secrets; the folder must be empty."""
    for folder in (state.logs, state.files, state.data, state.volumes, state.folder / "var"):
        folder.mkdir(parents=True)
    token = secrets.token_hex(16)
    server = f"https://{layout.NODE_ADDRESS}:{layout.API_PORT}"
    put = {
        "tokens.csv": f"{token},admin,admin,system:masters\n",
        "resolv.conf": f"nameserver {layout.NODE_ADDRESS}\n",
        "Corefile": _corefile(state),
    }
    put |= {f"sysctl/{name}": f"{value}\n" for name, value in SYSCTLS.items()}
    _put(state.files, put)
    write_node(state, FIRST)
    state.kubeconfig.touch(mode=0o600)
    state.kubeconfig.write_text(json.dumps(_kubeconfig(state, server, token), indent=1))
    for number in range(layout.VOLUMES):
        (state.volumes / str(number)).mkdir()
    key = state.files / "accounts.key"
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)


def write_node(state: State, node: Node, left: Left = Left()) -> None:
    """Write what a node's kubelet and containerd read."""
    put = {
        "containerd.toml": _containerd(state, node),
        "kubelet.yaml": json.dumps(_kubelet(state, node, left), indent=1),
        "cni/10-bridge.conflist": json.dumps(_bridge(state, node), indent=1),
    }
    _put(state.node(node), put)


def _put(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _kubeconfig(state: State, server: str, token: str) -> dict[str, object]:
    """Names the certificate that the API server makes for itself before it listens."""
    name = "weir-test"
    cluster = {"server": server, "certificate-authority": str(state.certificate)}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": {"token": token}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }


def _kubelet(state: State, node: Node, left: Left) -> dict[str, object]:
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "containerRuntimeEndpoint": f"unix://{state.containerd(node)}",
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": f"/{node.cgroup}",
        "port": node.kubelet_port,
        "healthzPort": node.health_port,
        "podLogsDir": f"/var/log/{node.name}",
        "failCgroupV1": False,
        "failSwapOn": False,
        "oomScoreAdj": 0,
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "clusterDNS": [layout.NODE_ADDRESS],
        "clusterDomain": layout.DOMAIN,
        "resolvConf": str(state.files / "resolv.conf"),
        "volumePluginDir": str(state.node(node) / "plugins"),
        # Images are loaded by hand and cannot be had again: never collect one. Nor is a pod
        # evicted where the host's disk is half full.
        "imageGCHighThresholdPercent": 100,
        "evictionHard": {"memory.available": left.memory, "nodefs.available": left.disk},
        "serializeImagePulls": False,
        "registryPullQPS": 0,
        "enableServer": True,
    }


def _containerd(state: State, node: Node) -> str:
    return f"""\
version = 2
root = "{state.node(node)}/containerd"
state = "/run/{node.name}"
disabled_plugins = ["io.containerd.snapshotter.v1.devmapper"]

[grpc]
address = "{state.containerd(node)}"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{PAUSE_IMAGE}"
# Without CAP_SYS_RESOURCE a score cannot be lowered below the parent's.
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "{state.node(node)}/cni"
"""


def _bridge(state: State, node: Node) -> dict[str, object]:
    ipam = {
        "type": "host-local",
        "dataDir": str(state.node(node) / "addresses"),
        "ranges": [[{"subnet": node.pods}]],
        "routes": [{"dst": "0.0.0.0/0"}],
    }
    bridge = {"type": "bridge", "bridge": node.bridge, "isGateway": True, "hairpinMode": True}
    plugins = [bridge | {"ipam": ipam}]
    return {"cniVersion": "0.4.0", "name": "pods", "plugins": plugins}


def _corefile(state: State) -> str:
    return f"""\
.:53 {{
    bind {layout.NODE_ADDRESS}
    errors
    ready {layout.NODE_ADDRESS}:8181
    kubernetes {layout.DOMAIN} {_reverse_zone()} {{
        kubeconfig {state.kubeconfig}
        ttl 1
    }}
}}
"""


def _reverse_zone() -> str:
    """`10.197.0.0/16` -> `197.10.in-addr.arpa`."""
    network = ipaddress.ip_network(layout.BLOCK)
    kept = str(network.network_address).split(".")[: network.prefixlen // 8]
    return ".".join(reversed(kept)) + ".in-addr.arpa"
