"""5,000 runs of a second of sleep as batches: what the control plane takes for runs and pods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from weir_bench.argo_platform import Platform
from weir_testing.cluster.installed import small

RUNS = 5000
STUB = Path(__file__).with_name("argo_stub.py")
SETTINGS = {
    "WEIR_LEASE": "PT30S",
    "WEIR_ARGO_JOBS": "10",
    "WEIR_ARGO_CPU": "20m",
    "WEIR_ARGO_MEMORY_MIB": "512",
    "WEIR_ARGO_PODS": "12",
}
RUNS_OF_A_POD = 50
_POD_MADE = ('code="201"', 'resource="pods"', 'subresource=""', 'verb="POST"')


def measure(platform: Platform, runs: int) -> dict[str, Any]:
    """Rates, and what each part spends for a run and for a pod."""
    weir = platform.installed
    # Until runs have been carried out, one is expected to take 0.25 s: see `cut` in sizing.py.
    batch_s = RUNS_OF_A_POD * 0.25 / int(SETTINGS["WEIR_ARGO_JOBS"])
    weir.settings(**SETTINGS, WEIR_ARGO_BATCH=f"PT{batch_s}S")
    with _stubs(platform):
        requests, pods = _asked_of_api(platform)
        with platform.metered() as spent:
            times = platform.carried_out(yaml.safe_dump(small("stubs", runs)), runs)
        requests, pods = (
            after - before
            for after, before in zip(_asked_of_api(platform), (requests, pods), strict=True)
        )
    weir.settings()
    found: dict[str, Any] = {
        "runs": runs,
        "pods": int(pods),
        "wall_s": round(times.wall_s, 1),
        "until_first_start_s": round(times.start_s, 1),
        "runs_per_s": round(runs / times.work_s, 1),
        "pods_per_min": round(60 * pods / times.work_s, 1),
        "api_requests_per_pod": round(requests / pods, 1),
    }
    for name, cpu_s in spent.cpu_s.items():
        found[f"{name}_cpu_s"] = round(cpu_s, 1)
        found[f"{name}_cpu_ms_per_run"] = round(1e3 * cpu_s / runs, 2)
        found[f"{name}_cpu_ms_per_pod"] = round(1e3 * cpu_s / pods, 1)
    return found | {f"{name}_mib": round(peak) for name, peak in spent.peak_mib.items()}


@contextmanager
def _stubs(platform: Platform) -> Iterator[None]:
    """Pods of batches run the stub; the templates are as they were when they are applied again."""
    weir = platform.installed
    config = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "stub"},
        "data": {"stub.py": STUB.read_text()},
    }
    weir.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(config))
    pod = "/spec/templates/0"
    patch = [
        {
            "op": "add",
            "path": f"{pod}/volumes/-",
            "value": {"name": "stub", "configMap": {"name": "stub"}},
        },
        {
            "op": "add",
            "path": f"{pod}/container/volumeMounts/-",
            "value": {"name": "stub", "mountPath": "/stub"},
        },
        {
            "op": "replace",
            "path": f"{pod}/container/command",
            "value": ["tini", "-s", "--", "python", "/stub/stub.py"],
        },
    ]
    template = "workflowtemplate/virtual-batch"
    weir.kubectl("patch", template, "--type", "json", "-p", json.dumps(patch))
    yield
    weir.kubectl("delete", "configmap/stub")


def _asked_of_api(platform: Platform) -> tuple[float, float]:
    """Requests that the API server has answered, and pods that it has made."""
    requests = pods = 0.0
    for line in platform.installed.kubectl("get", "--raw", "/metrics").splitlines():
        if not line.startswith("apiserver_request_total{"):
            continue
        number = float(line.rpartition(" ")[2])
        requests += number
        if all(label in line for label in _POD_MADE):
            pods += number
    return requests, pods
