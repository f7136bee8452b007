"""`weir up` with real workers and the real lab kernel, from what is asked to what comes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import httpx2
import pytest
import yaml
from sqlalchemy import update
from weir_lab import kernel
from weir_lab.kernel import inputs
from weir_orchestrator.db import Schedule, connect, make_sessions, utc_now
from weir_orchestrator.objects import RUNNING, open_store
from weir_testing import kills
from weir_testing.kernel_patches import KEEP_WINDOW
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform.receiver import receiving

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(kernel.find() is None, reason="no lab kernel: weir kernel build"),
]

TEAM: Final = "/api/v1/teams/local"
Whole: TypeAlias = tuple[httpx2.Client, kills.Backend]


@contextmanager
def up(folder: Path, **variables: str) -> Iterator[Whole]:
    """An embedded platform with these variables; drained at the end."""
    with kills.embedded() as make:
        backend = replace(make(), variables=variables)
        platform = kills.Up(backend, folder / "log.txt", jobs=1)
        try:
            with httpx2.Client(base_url=platform.url, timeout=PATIENCE_S) as client:
                yield client, backend
            assert platform.drain() == 0
        finally:
            platform.kill()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """One for all tests that can do with these; what a test finds may be another's, too."""
    allowed = {"WEIR_WEBHOOKS_TO_PRIVATE": "true", "WEIR_KERNEL_CODE": "true"}
    with up(tmp_path_factory.mktemp("shared"), WEIR_CURVES_EVERY="PT0.2S", **allowed) as made:
        yield made


def good(answer: httpx2.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def document(**server: str) -> str:
    spec = {**kills.CAMPAIGN, "name": "whole", "replicates": 2}
    spec["experiment"] = {**spec["experiment"], "server": server}
    return yaml.safe_dump(spec)


def test_a_schedule_that_is_due_ends_in_results_and_a_signed_webhook(shared: Whole) -> None:
    client, backend = shared
    with receiving() as receiver:
        hook = good(client.post(f"{TEAM}/webhooks", json={"url": receiver.url}))
        asked = {"name": "yearly", "cron": "0 3 1 1 *", "campaign": {"document": document()}}
        schedule = good(client.post(f"{TEAM}/schedules", json=asked))
        with make_sessions(connect(backend.database)).begin() as session:
            session.execute(update(Schedule).values(next_at=utc_now()))
        deliveries = f"/api/v1/webhooks/{hook['id']}/deliveries"

        def delivered() -> bool:
            states = [each["state"] for each in good(client.get(deliveries))["items"]]
            return states == ["delivered"]

        until(delivered, "the message")
        made = good(client.get(f"{TEAM}/campaigns"))["items"]
        (campaign,) = [each for each in made if each["schedule_id"] == schedule["id"]]
        assert (campaign["state"], campaign["counts"]) == ("finished", {"succeeded": 2})
        (tick,) = good(client.get(f"/api/v1/schedules/{schedule['id']}/ticks"))["items"]
        assert (tick["outcome"], tick["campaign"]) == ("submitted", campaign["id"])
        (message,) = receiver.verified(hook["secret"])
        assert message["type"] == "campaign.ended"
        told = message["data"]["campaign"]
        assert (told["id"], told["counts"]) == (campaign["id"], {"succeeded": 2})
        values = f"/api/v1/campaigns/{campaign['id']}/values?metric=mean_bitrate_bps"
        assert len(good(client.get(values))["groups"][0]["values"]) == 2
        assert client.delete(f"/api/v1/webhooks/{hook['id']}").is_success


def test_a_running_run_shows_its_curves_until_it_has_more(shared: Whole) -> None:
    client, backend = shared
    spec = {**kills.CAMPAIGN, "name": "long", "replicates": 1}
    experiment = {**spec["experiment"], "duration": "900s"}
    experiment["clients"] = [{"player": "fixed", "options": {"level": 1}, "buffer": "2000s"}]
    asked = {"document": yaml.safe_dump({**spec, "experiment": experiment})}
    campaign = good(client.post(f"{TEAM}/campaigns", json=asked))
    runs = f"/api/v1/campaigns/{campaign['id']}/runs"
    until(lambda: [run["state"] for run in good(client.get(runs))["items"]] == ["running"])
    (run,) = good(client.get(runs))["items"]
    url = f"/api/v1/runs/{run['id']}"

    def ends_of(state: str) -> dict[str, float]:
        """The last moment of each curve; none once the run is in another state."""
        curves = good(client.get(f"{url}/series?kinds=buffer,cwnd,sent_rate"))["curves"]
        still = good(client.get(url))["state"] == state
        return {curve["kind"]: curve["t_s"][-1] for curve in curves if still and curve["t_s"]}

    until(lambda: set(ends_of("running")) == {"buffer", "cwnd", "sent_rate"}, "its first curves")
    until(lambda: good(client.get(url))["state"] == "succeeded")
    whole = ends_of("succeeded")
    objects = open_store(backend.store)
    until(lambda: not list(objects.list(RUNNING)), "their removal")
    assert whole["sent_rate"] == pytest.approx(900, abs=1)


def test_a_teams_own_congestion_control_is_built_and_used(shared: Whole) -> None:
    """The example of the lab under another name, with half its window."""
    example = next(path for path in inputs.compiled_in() if path.name == "fixed_window.c")
    source = example.read_text().replace("fixed_window", "ten_segments")
    content = source.replace("WINDOW_SEGMENTS 20u", "WINDOW_SEGMENTS 10u").encode()
    digest = hashlib.sha256(content).hexdigest()
    asked: dict[str, Any] = {"document": document(congestion_control="ten_segments")}
    client, _ = shared
    good(client.put(f"{TEAM}/files/{digest}", content=content))
    assert client.post(f"{TEAM}/campaigns", json=asked).status_code == 422
    asked["files"] = {"ten_segments.c": digest}
    campaign = good(client.post(f"{TEAM}/campaigns", json=asked))
    built = kernel.find()
    assert built is not None
    assert campaign["kernel_hash"] != built.hash
    where = f"/api/v1/campaigns/{campaign['id']}"
    until(lambda: good(client.get(where))["state"] == "finished")
    runs = good(client.get(f"{where}/runs"))["items"]
    assert [run["state"] for run in runs] == ["succeeded"] * 2, runs
    for run in runs:
        series = good(client.get(f"/api/v1/runs/{run['id']}/series?kinds=cwnd"))
        windows = {value for curve in series["curves"] for value in curve["values"]}
        assert windows == {10}


def verdict_of_card(client: httpx2.Client, campaign: str) -> str:
    """Of carrying out again what a card of this campaign shows."""
    card = {
        "name": "Figure 1",
        "title": "Whose kernel",
        "view": f"/teams/local/campaigns/{campaign}/results",
        "numbers": {"columns": ["n"], "rows": [[1]]},
        "campaigns": [campaign],
    }
    kept = good(client.post(f"{TEAM}/cards", json=card))
    where = f"/api/v1/cards/{kept['id']}/reproductions"
    good(client.post(where))

    def newest() -> Any:
        return good(client.get(where))["items"][0]

    until(lambda: newest()["verdict"] is not None)
    return str(newest()["verdict"])


# Its parts stand in test_builder.py and in cli/test_own_kernel.py.
@pytest.mark.long
def test_a_teams_own_kernel_is_built_and_used(tmp_path: Path) -> None:
    content = KEEP_WINDOW.encode()
    digest = hashlib.sha256(content).hexdigest()
    text = document() + "factors: {kernel: {stock: {}, mine: {patches: [fix.patch]}}}\n"
    with up(tmp_path, WEIR_KERNEL_CODE="local") as (client, _):
        good(client.put(f"{TEAM}/files/{digest}", content=content))
        asked = {"document": text, "files": {"fix.patch": digest}}
        campaign = good(client.post(f"{TEAM}/campaigns", json=asked))
        where = f"/api/v1/campaigns/{campaign['id']}"
        until(lambda: good(client.get(where))["state"] == "finished")
        runs = good(client.get(f"{where}/runs"))["items"]
        assert {run["state"] for run in runs} == {"succeeded"}, runs
        hashes = {
            (run["levels"]["kernel"], shown["kernel"]["hash"])
            for run in runs
            for shown in [good(client.get(f"/api/v1/runs/{run['id']}"))]
        }
        built = kernel.find()
        assert built is not None
        assert ("stock", built.hash) in hashes
        assert len(hashes) == 2, "one kernel for each level"
        assert verdict_of_card(client, campaign["id"]) == "same", "by the kernel of its own"
