"""The Python client against a whole platform, sync and async."""

from __future__ import annotations

import io
import tarfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import numpy as np
import pyarrow.parquet as pq
import pytest
from weir_sdk import AsyncClient, Client, WaitedTooLong, campaign, errors, models
from weir_testing import command
from weir_testing.live import Live
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel

CONTROLS = {"server.congestion_control": ["cubic", "reno"]}


@pytest.fixture
def weir(server: Live) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


@pytest.fixture
def document(tmp_path: Path) -> str:
    return command.campaign(tmp_path, CONTROLS).read_text()


def test_submit_watch_and_read(weir: Client, document: str, tmp_path: Path) -> None:
    asked = campaign(document, overrides={"duration": "12s"})
    assert weir.validate_campaign("local", asked).runs == 4
    made = weir.submit_campaign("local", asked, idempotency_key="once")
    assert weir.submit_campaign("local", asked, idempotency_key="once").id == made.id
    runs = set()
    for event in weir.watch_campaign(made.id, after=0):
        if event.kind == "run.ended":
            runs.add(event.data["run_id"])
        if event.kind == "campaign.state" and event.data["state"] == "finished":
            break
    listed = list(weir.list_runs(made.id, metric=["mean_bitrate_bps"], limit=1))
    assert {run.id for run in listed} == runs
    assert len(runs) == 4

    found = weir.aggregate_metric(made.id, "mean_bitrate_bps", rows="server.congestion_control")
    of_cubic = [
        run.metrics["mean_bitrate_bps"]
        for run in weir.list_runs(
            made.id, levels={"server.congestion_control": "cubic"}, metric=["mean_bitrate_bps"]
        )
    ]
    assert [cell.n for cell in found.groups] == [2, 2]
    factor = "server.congestion_control"
    against = weir.contrast_groups(made.id, "mean_bitrate_bps", rows=factor, row="cubic")
    assert [pair.n for pair in against.pairs] == [2]
    assert made.id in {each.id for each in weir.list_campaigns("local", name_part=made.name[1:-1])}
    assert found.groups[0].mean == pytest.approx(sum(value or 0.0 for value in of_cubic) / 2)
    table = weir.fetch_table(made.id)
    assert table.num_rows == 4
    assert set(table["server.congestion_control"].to_pylist()) == {"cubic", "reno"}

    run = listed[0]
    folder = weir.download_run(run.id, tmp_path / "run")
    recorded = pq.read_table(folder / "tcp.parquet")
    series = weir.show_run_series(run.id, kinds=["cwnd", "level"], points=20_000)
    cwnd = series.of("cwnd")
    with tarfile.open(fileobj=io.BytesIO(weir.fetch_artifacts(run.id))) as tar:
        names = {Path(member).name for member in tar.getnames()}
    assert {path.name for path in folder.rglob("*") if path.is_file()} <= names
    assert sum(curve.samples for curve in cwnd) == recorded.num_rows
    assert all(np.all(np.diff(curve.t_s) >= 0) for curve in cwnd)
    assert series.table().num_rows == sum(len(curve.t_s) for curve in series.curves)
    assert "DONE" in weir.show_run_log(run.id)


def test_errors_name_the_field(weir: Client, document: str) -> None:
    with pytest.raises(errors.Unprocessable) as raised:
        weir.submit_campaign("local", campaign(document, overrides={"duration": "soon"}))
    assert raised.value.problems[0].path == "experiment.duration"
    with pytest.raises(errors.NotFound):
        weir.show_run(2**40)


def test_schedules_and_tokens(weir: Client, document: str) -> None:
    made = weir.make_schedule("local", "at two", "0 2 * * *", campaign=campaign(document))
    try:
        # Other files share the server.
        assert "at two" in {each.name for each in weir.list_schedules("local")}
        assert weir.change_schedule(made.id, enabled=False).next_at is None
        assert len(weir.preview_schedule("local", "0 2 * * *", count=3)) == 3
    finally:
        weir.delete_schedule(made.id)
    token = weir.make_token("local", "nightly", "read", expires_in_days=1)
    with Client(weir.url, token.secret) as reader:
        assert reader.show_me().token == "nightly"
        with pytest.raises(errors.NotAllowed):
            reader.submit_campaign("local", campaign(document))
        weir.revoke_token("local", token.id)
        with pytest.raises(errors.NotSignedIn):
            reader.show_me()


def test_people_webhooks_and_what_was_done(weir: Client) -> None:
    ada = weir.make_user("ada@example.org", "Ada", "a pass phrase of Ada's")
    assert weir.change_user(ada.id, name="Ada L.").name == "Ada L."
    assert ada.id in {user.id for user in weir.list_users(limit=1)}
    weir.make_team("qoe", "QoE", max_running=2)
    assert weir.change_team("qoe", max_running=None).slug == "qoe"
    assert weir.show_quota("qoe").max_running is None
    weir.add_member("qoe", "ada@example.org", "read")
    assert weir.change_member("qoe", ada.id, "submit").role == "submit"
    weir.remove_member("qoe", ada.id)
    assert ada.id not in {member.user_id for member in weir.list_members("qoe")}
    made = weir.make_webhook("local", "https://93.184.215.14/hook", enabled=False)
    try:
        assert weir.change_webhook_secret(made.id).secret != made.secret
        assert made.id in {each.id for each in weir.list_webhooks("local")}
        assert list(weir.list_deliveries(made.id)) == []
    finally:
        weir.delete_webhook(made.id)
    deeds = [deed.action for deed in weir.list_team_audit("local", action="webhook")]
    assert deeds[:3] == ["webhook.delete", "webhook.secret", "webhook.make"]
    assert "user.make" in {deed.action for deed in weir.list_audit()}
    assert {worker.state for worker in weir.list_workers()} == {"up"}


def test_the_same_on_an_event_loop(server: Live, document: str, tmp_path: Path) -> None:
    async def go() -> None:
        async with AsyncClient(server.url) as weir:
            made = await weir.submit_with_files("local", document, {}, seed=21)
            with pytest.raises(WaitedTooLong):
                await weir.wait_for_campaign(made.id, timeout_s=0)
            ended = await weir.wait_for_campaign(made.id, timeout_s=PATIENCE_S)
            assert ended.counts == {"succeeded": 4}
            runs = await gathered(weir.list_runs(made.id, limit=3))
            async with anyio.create_task_group() as tasks:
                for number in runs:
                    tasks.start_soon(weir.download_run, number, tmp_path / str(number))
        assert all((tmp_path / str(number) / "run.json").is_file() for number in runs)

    async def gathered(listed: AsyncIterator[models.RunOut]) -> list[int]:
        return [run.id async for run in listed]

    anyio.run(go)
