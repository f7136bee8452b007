"""The test cluster of tools/cluster: the one that runs, or one of our own meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from weir_testing.checkout import ROOT
from weir_testing.processes import children, command_line

COMMAND: Final = ROOT / "tools" / "cluster" / "cluster"
CGROUPS: Final = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Cluster:
    """A cluster that works, with Argo in it."""

    kubeconfig: Path

    def kubectl(self, *words: str, stdin: str | None = None) -> str:
        """What kubectl says; fails with what it complains of."""
        done = subprocess.run(
            [self.kubeconfig.parent / "bin" / "kubectl", "--kubeconfig", self.kubeconfig, *words],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"kubectl {' '.join(words)}: {done.stderr}"
        return done.stdout

    def get(self, *words: str) -> dict[str, Any]:
        """An object, or a list of them."""
        found: dict[str, Any] = json.loads(self.kubectl("get", "--output", "json", *words))
        return found

    def programs(self) -> dict[str, int]:
        """Process ids, on this machine, of what the node started; by name."""
        holder = (self.kubeconfig.parent / "pid").read_text()
        (node,) = children(int(holder))
        return {Path(command_line(pid).partition("\0")[0]).name: pid for pid in children(node)}

    def load(self, *images: str) -> None:
        """Give it images of the local Docker."""
        subprocess.run([COMMAND, "load", *images], check=True)

    @contextmanager
    def second_node(self, *words: str) -> Iterator[str]:
        """Its name, while it is there. words: for `cluster join`."""
        before = self.nodes()
        subprocess.run([COMMAND, "join", *words], check=True)
        (name,) = self.nodes() - before
        try:
            yield name
        finally:
            self.cut()
            self.kubectl("delete", "node", name, "--ignore-not-found")

    @contextmanager
    def cordoned(self, node: str) -> Iterator[None]:
        """A node that takes no new pods meanwhile."""
        self.kubectl("cordon", node)
        try:
            yield
        finally:
            self.kubectl("uncordon", node)

    @contextmanager
    def filled(self, left_bytes: int) -> Iterator[None]:
        """No more than so much of the nodes' disk free meanwhile."""
        path = self.kubeconfig.parent / "filling"
        try:
            with path.open("wb") as file:
                taken = max(1, shutil.disk_usage(path.parent).free - left_bytes)
                os.posix_fallocate(file.fileno(), 0, taken)
            yield
        finally:
            path.unlink()

    def cut(self) -> None:
        """End the second node as when its power is cut."""
        subprocess.run([COMMAND, "cut"], check=True)

    def node_says(self, node: str, condition: str) -> bool:
        """Whether a condition of a node holds."""
        said = self.get("node", node)["status"]["conditions"]
        return any(each["type"] == condition and each["status"] == "True" for each in said)

    def nodes(self) -> set[str]:
        """Names."""
        return {item["metadata"]["name"] for item in self.get("nodes")["items"]}


def cgroups(name: str) -> Iterator[Path]:
    """A cgroup of the cluster, by its last name, in each hierarchy (v1) or the one of all (v2)."""
    for root in (CGROUPS, *CGROUPS.iterdir()):
        # Not rglob: others vanish meanwhile.
        for folder, names, _ in os.walk(root / "weir-cluster"):
            if name in names:
                yield Path(folder, name)


@contextmanager
def running() -> Iterator[Cluster]:
    """Ends the cluster if it was not up before. Its kubectl is the first on PATH meanwhile."""
    asked = subprocess.run([COMMAND, "kubeconfig"], capture_output=True, check=False)
    before = os.environ["PATH"]
    try:
        said = subprocess.run([COMMAND, "up"], stdout=subprocess.PIPE, text=True, check=True)
        kubeconfig = Path(said.stdout.strip())
        os.environ["PATH"] = f"{kubeconfig.parent / 'bin'}{os.pathsep}{before}"
        yield Cluster(kubeconfig)
    finally:
        os.environ["PATH"] = before
        if asked.returncode:
            subprocess.run([COMMAND, "down"], check=True)
