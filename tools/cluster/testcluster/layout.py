"""Where everything is: folders of the host, names and addresses of the cluster."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]

VETH = "weir-cluster"
CGROUP = "weir-cluster"

# One private block, unlikely to be a neighbour's: the node's link, then pods, then services.
BLOCK = "10.197.0.0/16"
HOST_ADDRESS = "10.197.0.1"
NODE_ADDRESS = "10.197.0.2"
LINK_BITS = 30
SERVICES = "10.197.128.0/18"
API_PORT = 6443
DOMAIN = "cluster.local"

VOLUMES = 32  # two for each time that Weir is installed; none is taken twice
VOLUME_SIZE = "10Gi"


@dataclass(frozen=True)
class Node:
    """A kubelet with a containerd of its own; all nodes share one machine's address and namespaces.

    pods: their addresses. bridge: what joins them.
    """

    name: str
    cgroup: str
    pods: str
    bridge: str
    kubelet_port: int
    health_port: int


FIRST = Node("weir-node", CGROUP, "10.197.64.0/18", "cni0", 10250, 10248)
SECOND = Node("weir-second", f"{CGROUP}/second", "10.197.192.0/18", "cni1", 10350, 10348)


def cache() -> Path:
    """The folder of built programs; WEIR_CACHE moves it, as it does for all of Weir's builds."""
    if given := os.environ.get("WEIR_CACHE"):
        return Path(given) / "cluster"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "weir" / "cluster"


@dataclass(frozen=True)
class State:
    """The folder of the one running cluster; gone when it is down."""

    folder: Path

    @classmethod
    def default(cls) -> State:
        return cls(cache() / "running")

    @property
    def pid(self) -> Path:
        """The host's process id of the process that holds the namespaces."""
        return self.folder / "pid"

    @property
    def logs(self) -> Path:
        return self.folder / "log"

    @property
    def files(self) -> Path:
        """Configuration of the programs that the nodes share."""
        return self.folder / "files"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def volumes(self) -> Path:
        return self.folder / "volumes"

    @property
    def kubeconfig(self) -> Path:
        return self.folder / "kubeconfig"

    @property
    def certificate(self) -> Path:
        """What the API server shows to its clients, signed by itself."""
        return self.data / "apiserver" / "apiserver.crt"

    def node(self, node: Node) -> Path:
        """All that a node's kubelet and containerd have."""
        return self.folder / "nodes" / node.name

    def containerd(self, node: Node) -> Path:
        """containerd's socket."""
        return self.node(node) / "containerd.sock"

    @property
    def bin(self) -> Path:
        return self.folder / "bin"
