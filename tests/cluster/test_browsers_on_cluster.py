"""Chromium in a host of its own in a live cell of pods, from the component k8s/browsers."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from weir_testing.cluster.installed import BROWSER, K8S, Installed, small, until
from weir_testing.docker import WIDE, build_images, engine

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(3600)]
NAMESPACE = "weir-browsers"
POLICIES = ("agents-and-browsers", "collectors-and-browsers")
ADDS = (f"namespace/{NAMESPACE}", *(f"networkpolicy/{name}" for name in POLICIES))


def there(installed: Installed, *words: str, stdin: str | None = None) -> str:
    """What kubectl says of the browsers' namespace."""
    return installed.kubectl("--namespace", NAMESPACE, *words, stdin=stdin)


@pytest.fixture(scope="module")
def browsers(installed: Installed) -> Iterator[Installed]:
    """With k8s/browsers and the agents' token in its namespace, as docs/cluster.md has it."""
    with engine():
        build_images(browser=True)
        installed.load(BROWSER)
    installed.kubectl("apply", "-f", str(K8S / "browsers/namespace.yaml"))
    secret = json.loads(installed.kubectl("get", "secret", "weir", "-o", "json"))
    token = secret["data"]["WEIR_AGENT_TOKEN"]
    manifest = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "weir", "namespace": NAMESPACE},
        "data": {"WEIR_AGENT_TOKEN": token},
    }
    there(installed, "apply", "-f", "-", stdin=json.dumps(manifest))
    with installed.component("browsers", *ADDS):
        there(installed, "rollout", "status", "deploy/chromium")
        yield installed


def test_it_plays_in_a_live_cell_beside_another_client(browsers: Installed) -> None:
    live = small("browsers", 1, clock="real", checks=WIDE)
    live["experiment"]["clients"] = [
        {"player": "chromium", "options": {"version": "5.2.1"}},
        {"player": "fixed", "options": {"level": 1}},
    ]
    campaign = browsers.submit(live)
    until(lambda: browsers.ended(campaign), "the end of the live run", 900)
    (run,) = browsers.api(f"/campaigns/{campaign}/runs")["items"]
    assert run["state"] == "succeeded", run
    metrics = json.loads(browsers.artifact(run["id"], "metrics.json"))
    assert all(client["segments"] >= 3 for client in metrics["clients"])
    lines = browsers.artifact(run["id"], "events.jsonl").splitlines()
    events = [each for each in map(json.loads, lines) if each.get("client") == 1]
    assert {"loadedmetadata", "playing"} <= {each.get("name") for each in events}
    (frames,) = [each for each in events if each["event"] == "frames"]
    assert frames["frames"] > 10
    assert b"HeadlessChrome/" in browsers.artifact(run["id"], "log.txt")


def test_the_api_does_not_reach_it(browsers: Installed) -> None:
    """Its pod is none of the cell's hosts; collectors reached it."""
    (address,) = there(browsers, "get", "pods", "-o", "jsonpath={.items[*].status.podIP}").split()
    program = (
        "import sys, urllib.request as r; r.urlopen(f'http://{sys.argv[1]}:7411/health', timeout=5)"
    )
    with pytest.raises(AssertionError, match="urlopen error"):
        browsers.kubectl("exec", "deploy/api", "--", "python3", "-c", program, address)
