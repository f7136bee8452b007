"""The test cluster of tools/cluster: the one that runs, or one of our own meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

COMMAND: Final = Path(__file__).resolve().parents[2] / "tools" / "cluster" / "cluster"


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

    def load(self, *images: str) -> None:
        """Give it images of the local Docker."""
        subprocess.run([COMMAND, "load", *images], check=True)


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
