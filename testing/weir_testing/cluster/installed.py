"""Weir on a cluster, installed from k8s/overlays/try as users do, and what tests ask of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx2
import yaml
from weir_sdk import Client

from weir_testing.checkout import ROOT
from weir_testing.cluster.running import Cluster

IMAGES: Final = tuple(
    f"weir-{name}" for name in ("orchestrator", "server", "gateway", "client", "postgres", "minio")
)
BUILDER: Final = "weir-builder"
BROWSER: Final = "weir-chromium"
K8S: Final = ROOT / "k8s"
NAMESPACE: Final = "weir"
PATIENCE_S: Final = 300.0
TEAM: Final = "lab"
_ADMIN: Final = {"email": "ada@example.org", "password": "a long enough password"}
# One core is for everything that a node of two cores runs beside the pods.
SETTINGS: Final = {
    "WEIR_LEASE": "PT10S",
    "WEIR_ARGO_JOBS": "2",
    "WEIR_ARGO_CPU": "600m",
    "WEIR_ARGO_PODS": "1",
}


class Installed:
    """One installation; `settings` changes its settings and restarts what reads them."""

    def __init__(self, cluster: Cluster, folder: Path, tag: str) -> None:
        """folder: for a copy of k8s/, with its secrets. tag: of the images that the cluster has."""
        self._cluster = cluster
        self._folder = folder
        self._tag = tag
        self._components: list[str] = []
        self.token = ""

    def install(self) -> None:
        """Apply the files, make an administrator, a team and a token."""
        shutil.copytree(K8S, self._folder / "k8s", dirs_exist_ok=True)
        subprocess.run([self._folder / "k8s/overlays/try/secrets"], check=True)
        self._apply({})
        self.wait_for("statefulset/postgres", "statefulset/minio", "deploy/api")
        self.kubectl(
            *("exec", "-i", "deploy/api", "--", "weir", "admin", "create", "--password-stdin"),
            _ADMIN["email"],
            stdin=_ADMIN["password"] + "\n",
        )
        with httpx2.Client(base_url=self.url, timeout=60) as client:
            _good(client.post("/session", json=_ADMIN))
            _good(client.post("/teams", json={"slug": TEAM, "name": TEAM}))
            member = {"email": _ADMIN["email"], "role": "admin"}
            _good(client.post(f"/teams/{TEAM}/members", json=member))
            asked = {"name": "tests", "scope": "admin"}
            self.token = _good(client.post(f"/teams/{TEAM}/tokens", json=asked)).json()["secret"]
        self.wait_for("deploy/dispatcher")

    def remove(self) -> None:
        """Delete all of it, volumes too, for the cluster to be as it was."""
        overlay = self._folder / "k8s/overlays/test"
        self.kubectl("delete", "--ignore-not-found", "-k", str(overlay), "--timeout=120s")

    def settings(self, **changed: str) -> None:
        """Change settings of the dispatcher for now; none given: back to what they were."""
        self._apply(changed)
        self.kubectl("rollout", "restart", "deploy/dispatcher")
        self.wait_for("deploy/dispatcher")

    @contextmanager
    def batches(self, where: str, value: Any) -> Iterator[None]:
        """Have another value in the template of batches meanwhile. where: as in JSON Patch."""
        self._apply({}, [{"op": "replace", "path": f"/spec/templates/0/{where}", "value": value}])
        try:
            yield
        finally:
            self._apply({})

    def load(self, image: str) -> None:
        """Give the cluster a further image of this project, as the local Docker has it."""
        self._cluster.load(self.named(image))

    @contextmanager
    def component(self, name: str, *adds: str, **settings: str) -> Iterator[None]:
        """With a component of k8s/, and settings, meanwhile. adds: its objects, as kind/name."""
        self._components.append(f"../../{name}")
        try:
            self.settings(**settings)
            self.wait_for("deploy/api")
            yield
        finally:
            self._components.remove(f"../../{name}")
            self.settings()
            self.wait_for("deploy/api")
            self.kubectl("delete", "--ignore-not-found", *adds)

    def _apply(self, settings: Mapping[str, str], patch: Sequence[Mapping[str, Any]] = ()) -> None:
        overlay = self._folder / "k8s/overlays/test"
        overlay.mkdir(exist_ok=True)
        kustomization: dict[str, Any] = {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": ["../try"],
            "components": self._components,
            "images": [{"name": name, "newTag": self._tag} for name in (*IMAGES, BUILDER, BROWSER)],
            "replicas": [{"name": "api", "count": 1}],
            "patches": [{"path": "settings.yaml"}],
        }
        if patch:
            target = {"kind": "WorkflowTemplate", "name": "virtual-batch"}
            kustomization["patches"].append({"target": target, "patch": json.dumps(patch)})
        config = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "weir", "namespace": NAMESPACE},
            "data": {**SETTINGS, **settings},
        }
        (overlay / "settings.yaml").write_text(yaml.safe_dump(config))
        (overlay / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
        self._cluster.kubectl("apply", "-k", str(overlay))  # components may have more namespaces

    def named(self, image: str) -> str:
        """An image of this project as the cluster has it."""
        return f"{image}:{self._tag}"

    def kubectl(self, *words: str, stdin: str | None = None) -> str:
        """What kubectl says, of Weir's namespace unless they name another."""
        return self._cluster.kubectl("--namespace", NAMESPACE, *words, stdin=stdin)

    def wait_for(self, *what: str) -> None:
        """Until these have rolled out."""
        for one in what:
            self.kubectl("rollout", "status", one, f"--timeout={PATIENCE_S:.0f}s")

    def listed(self, kind: str, selector: str = "") -> list[dict[str, Any]]:
        """Objects of a kind."""
        words = ["get", kind, "-o", "json", *(["-l", selector] if selector else [])]
        items: list[dict[str, Any]] = json.loads(self.kubectl(*words))["items"]
        return items

    def pods(self, campaign: str) -> list[dict[str, Any]]:
        """A campaign's pods that have not ended."""
        found = self.listed("pods", f"weir.dev/campaign={campaign}")
        return [pod for pod in found if pod["status"]["phase"] in {"Pending", "Running"}]

    def workflows(self, campaign: str) -> list[dict[str, Any]]:
        return self.listed("workflows", f"weir.dev/campaign={campaign}")

    @property
    def url(self) -> str:
        """The API, by its pod's address. Raises ValueError while there is none."""
        pods = self.listed("pods", "app.kubernetes.io/component=api")
        (address,) = [
            pod["status"]["podIP"]
            for pod in pods
            if "podIP" in pod["status"] and "deletionTimestamp" not in pod["metadata"]
        ]
        return f"http://{address}:8080/api/v1"

    def client(self) -> Client:
        """An administrator of the team TEAM."""
        return Client(self.url, self.token, timeout_s=PATIENCE_S)

    def api(self, path: str, **query: Any) -> Any:
        """GET, tried again while the API is away."""
        return self._asked("GET", path, params=query).json()

    def artifact(self, run: int, name: str) -> bytes:
        """A file of a run directory, as the object store has it."""
        return self._asked("GET", f"/runs/{run}/artifacts/{name}", params={"inline": True}).content

    def post(self, path: str, body: Any = None) -> Any:
        return self._asked("POST", path, json=body).json()

    def _asked(self, method: str, path: str, **how: Any) -> httpx2.Response:
        deadline = time.monotonic() + PATIENCE_S
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            try:
                url = f"{self.url}{path}"
                return _good(httpx2.request(method, url, headers=headers, timeout=60, **how))
            except (httpx2.TransportError, ValueError):
                assert time.monotonic() < deadline, f"no answer: {path}"
                time.sleep(1)

    def submit(self, campaign: Mapping[str, Any] | str) -> str:
        """Submit a campaign; its id."""
        text = campaign if isinstance(campaign, str) else yaml.safe_dump(dict(campaign))
        made = self.post(f"/teams/{TEAM}/campaigns", {"document": text})
        return str(uuid.UUID(made["id"]))

    def counts(self, campaign: str) -> dict[str, int]:
        """Runs by state."""
        found: dict[str, int] = self.api(f"/campaigns/{campaign}")["counts"]
        return {state: number for state, number in found.items() if number}

    def ended(self, campaign: str) -> bool:
        return self.api(f"/campaigns/{campaign}")["state"] not in {"expanding", "active", "paused"}

    def history(self, campaign: str, *kinds: str) -> list[dict[str, Any]]:
        """Events of some kinds."""
        page = self.api(f"/campaigns/{campaign}/history", kind=list(kinds), limit=500)
        items: list[dict[str, Any]] = page["items"]
        return items

    def troubles(self, campaign: str) -> list[str]:
        return [event["data"]["trouble"] for event in self.history(campaign, "campaign.trouble")]

    def each_ended_once(self, campaign: str, runs: int) -> bool:
        """Whether every run of a campaign has just one end among its events."""
        ends = self.history(campaign, "run.ended")
        return Counter(event["data"]["position"] for event in ends) == Counter(range(runs))


def until(
    true: Callable[[], Any], what: str, patience_s: float = PATIENCE_S, every_s: float = 0.5
) -> Any:
    """The first answer that holds; fails when none does in time."""
    deadline = time.monotonic() + patience_s
    while not (found := true()):
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(every_s)
    return found


def small(name: str, replicates: int, **experiment: Any) -> dict[str, Any]:
    """A campaign of short runs."""
    return {
        "name": name,
        "experiment": {
            "duration": "20s",
            "content": {"ladder": ["1Mbit/s", "2Mbit/s"], "segment": "2s"},
            "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "20ms"}}},
            "clients": [{"player": "fixed", "options": {"level": 1}}],
            **experiment,
        },
        "replicates": replicates,
        "seed": uuid.uuid4().int % 2**31,
    }


def _good(answer: httpx2.Response) -> httpx2.Response:
    assert answer.status_code < 300, f"{answer.status_code}: {answer.text}"
    return answer


def names(items: Sequence[Mapping[str, Any]]) -> list[str]:
    return [each["metadata"]["name"] for each in items]
