"""The command lines of the cluster's programs, in the order in which they start."""

from __future__ import annotations

from dataclasses import dataclass

from . import layout
from .layout import FIRST, Node, State

CLIENT_PORT, PEER_PORT = 2379, 2380


@dataclass(frozen=True)
class Program:
    """port: answers on the node's loopback or address once the program serves; 0 asks nothing."""

    name: str
    words: list[str]
    address: str = layout.NODE_ADDRESS
    port: int = 0


def programs(state: State) -> list[Program]:
    """Those that others need name the port that is waited for."""
    own = str(state.bin)
    config = f"--kubeconfig={state.kubeconfig}"
    key, files = state.files / "accounts.key", state.files
    etcd = f"http://127.0.0.1:{CLIENT_PORT}"
    peers = f"http://127.0.0.1:{PEER_PORT}"
    return [
        containerd(state, FIRST),
        Program(
            "etcd",
            [
                f"{own}/etcd",
                f"--data-dir={state.data}/etcd",
                f"--listen-client-urls={etcd}",
                f"--advertise-client-urls={etcd}",
                f"--listen-peer-urls={peers}",
                f"--initial-advertise-peer-urls={peers}",
                f"--initial-cluster=default={peers}",
                "--unsafe-no-fsync",
                "--log-level=warn",
            ],
            "127.0.0.1",
            CLIENT_PORT,
        ),
        Program(
            "kube-apiserver",
            [
                f"{own}/kube-apiserver",
                f"--etcd-servers={etcd}",
                f"--advertise-address={layout.NODE_ADDRESS}",
                f"--bind-address={layout.NODE_ADDRESS}",
                f"--secure-port={layout.API_PORT}",
                f"--cert-dir={state.certificate.parent}",
                f"--service-cluster-ip-range={layout.SERVICES}",
                f"--service-account-issuer=https://kubernetes.default.svc.{layout.DOMAIN}",
                f"--service-account-key-file={key}",
                f"--service-account-signing-key-file={key}",
                f"--token-auth-file={files}/tokens.csv",
                "--authorization-mode=RBAC",
                "--kubelet-preferred-address-types=InternalIP",
                "--allow-privileged=true",
            ],
            port=layout.API_PORT,
        ),
        Program(
            "kube-controller-manager",
            [
                f"{own}/kube-controller-manager",
                config,
                f"--root-ca-file={state.certificate}",
                f"--service-account-private-key-file={key}",
                f"--cert-dir={state.data}/controllers",
                "--use-service-account-credentials",
                "--leader-elect=false",
            ],
        ),
        Program(
            "kube-scheduler",
            [
                f"{own}/kube-scheduler",
                config,
                f"--cert-dir={state.data}/scheduler",
                "--leader-elect=false",
            ],
        ),
        kubelet(state, FIRST),
        Program(
            "kube-proxy",
            [
                f"{own}/kube-proxy",
                config,
                f"--hostname-override={FIRST.name}",
                "--proxy-mode=iptables",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0",
                "--conntrack-tcp-timeout-close-wait=0",
                "--oom-score-adj=0",
            ],
        ),
        Program(
            "policies",
            [
                f"{own}/policies",
                config,
                f"--node={FIRST.name}",
                f"--services={layout.SERVICES}",
            ],
        ),
        Program("coredns", [f"{own}/coredns", "-conf", f"{files}/Corefile"]),
    ]


def containerd(state: State, node: Node) -> Program:
    """What runs a node's containers."""
    return Program("containerd", ["containerd", f"--config={state.node(node)}/containerd.toml"])


def kubelet(state: State, node: Node) -> Program:
    """What makes a node one."""
    own = state.node(node)
    words = [
        f"{state.bin}/kubelet",
        f"--kubeconfig={state.kubeconfig}",
        f"--config={own}/kubelet.yaml",
        f"--root-dir={own}/kubelet",
        f"--cert-dir={own}/certificates",
        f"--hostname-override={node.name}",
        f"--node-ip={layout.NODE_ADDRESS}",
    ]
    return Program("kubelet", words)
