"""`weir run` in a pod by itself, of the image and with the resources that batches have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

import yaml

from weir_testing.cluster.installed import SETTINGS, Installed, until

PATIENCE_S = 1200.0
STORE = "/data/store"
_NAME = "alone"
_RUN = f"weir run /campaign/campaign.yaml --store {STORE} --jobs 2"


@contextmanager
def weir_run(
    installed: Installed,
    campaign: str,
    image: str = "weir-orchestrator",
    files: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[tuple[float, Callable[..., str]]]:
    """Yields, when it has ended well, the seconds that it took, and what says what a command in
    its pod says; its store is STORE. files: beside the campaign, by name."""
    meta = {"name": _NAME}
    data = {"campaign.yaml": campaign, **files}
    config = {"kind": "ConfigMap", "metadata": meta, "data": data}
    pod = {"kind": "Pod", "metadata": meta, "spec": _pod(installed.named(image))}
    for made in (config, pod):
        installed.kubectl("apply", "-f", "-", stdin=yaml.safe_dump({"apiVersion": "v1", **made}))
    try:
        inside = ("exec", _NAME, "--")

        def ended() -> list[str]:
            try:
                return installed.kubectl(*inside, "cat", "/data/ended").split()
            except AssertionError:
                return []

        code, began, end = until(ended, "the end of weir run", PATIENCE_S, every_s=10.0)
        assert code == "0", installed.kubectl("logs", _NAME)
        yield float(end) - float(began), lambda *words: installed.kubectl(*inside, *words)
    finally:
        installed.kubectl("delete", f"pod/{_NAME}", f"configmap/{_NAME}")


def _pod(image: str) -> dict[str, object]:
    # Moved into place: nobody reads half a line.
    tell = "echo $? $began $(date +%s.%N) >/data/end; mv /data/end /data/ended"
    script = f"began=$(date +%s.%N); {_RUN} >/dev/null; {tell}; sleep 3600"
    container = {
        "name": "main",
        "image": image,
        "command": ["tini", "-s", "--", "sh", "-c", script],
        "resources": {
            "requests": {"cpu": SETTINGS["WEIR_ARGO_CPU"], "memory": "512Mi"},
            "limits": {"memory": "1536Mi"},
        },
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [
            {"name": "campaign", "mountPath": "/campaign"},
            {"name": "data", "mountPath": "/data"},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
    }
    return {
        "containers": [container],
        "volumes": [
            {"name": "campaign", "configMap": {"name": _NAME}},
            {"name": "data", "emptyDir": {}},
            {"name": "tmp", "emptyDir": {"medium": "Memory"}},
        ],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 1000,
            "runAsGroup": 1000,
            "fsGroup": 1000,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "terminationGracePeriodSeconds": 0,
    }
