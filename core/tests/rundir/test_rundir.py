"""Run directory: round trip, same bytes and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.content import generate
from weir.errors import WeirError
from weir.rundir import (
    DEADLINES,
    PLAYER,
    QUEUE,
    QUEUE_10MS,
    QUEUE_SECONDS,
    RETRANSMITS,
    TCP,
    TCP_SECONDS,
    Columns,
    RunData,
    RunDirectoryError,
    as_columns,
    columns_of_rows,
    load,
    read_run,
    save,
)
from weir_testing.cpu_time import cpu_time
from weir_testing.metrics import experiment, flow


def table(schema: Any, rows: int) -> Columns:
    draw = np.random.default_rng(3)
    ints = {name: draw.integers(0, 200, rows) for name in schema.names}
    times = {
        name: np.sort(draw.integers(-1, 10**12, rows))
        for name in schema.names
        if name[-3:] == "_ns"
    }
    return as_columns(schema, {**ints, **times})


def run_data(packets: int = 500, acks: int = 300) -> RunData:
    return RunData(
        experiment=experiment([(0.0, None), (0.0, None)], duration=1.0),
        players=[table(PLAYER, 90), table(PLAYER, 0)],
        tcp=table(TCP, acks),
        retransmits=table(RETRANSMITS, 0),
        queue=table(QUEUE, packets),
        queue_10ms=table(QUEUE_10MS, 18_000 if packets > 10_000 else 10),
        tcp_seconds=table(TCP_SECONDS, 40),
        deadlines=table(DEADLINES, 5),
        queue_seconds=table(QUEUE_SECONDS, 60),
        upstream_seconds=table(QUEUE_SECONDS, 0),
        flows=[flow(0, 1, 40000)],
        events=[
            {"t_s": 1.5, "event": "rate", "applied": ["echo é ü"]},
            {"t_s": 2.5, "event": "client-stops"},
        ],
        checks=[
            {
                "name": "rtt",
                "asked": 0.1,
                "applied": [],
                "measured": 0.1,
                "tolerance": None,
                "ok": True,
            }
        ],
    )


def equal(a: Columns | None, b: Columns | None) -> bool:
    if a is None or b is None:
        return a is b
    return list(a) == list(b) and all(
        a[name].dtype == b[name].dtype and np.array_equal(a[name], b[name]) for name in a
    )


def test_round_trip(tmp_path: Path) -> None:
    data = run_data()
    save(tmp_path, data, run={"key": "abc", "seed": 5}, metrics={"format": 1})
    back = load(tmp_path)
    seconds = ("deadlines", "tcp_seconds", "queue_seconds", "upstream_seconds")
    for name in ("tcp", "retransmits", "queue", "queue_10ms", *seconds):
        assert equal(getattr(data, name), getattr(back, name)), name
    assert all(equal(a, b) for a, b in zip(data.players, back.players, strict=True))
    for name in ("experiment", "flows", "events", "checks"):
        assert getattr(data, name) == getattr(back, name)
    assert read_run(tmp_path)["key"] == "abc"
    assert json.loads((tmp_path / "metrics.json").read_text()) == {"format": 1}


def test_types_stand_in_the_parquet_files_themselves(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    save(tmp_path, run_data())
    assert pq.read_schema(tmp_path / "queue.parquet").equals(QUEUE)
    assert pq.read_schema(tmp_path / "players/client-2.parquet").equals(PLAYER)
    assert pq.ParquetFile(tmp_path / "tcp.parquet").num_row_groups == 1


def test_same_data_same_bytes(tmp_path: Path) -> None:
    def contents(folder: Path) -> dict[str, bytes]:
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    save(tmp_path / "a", run_data(), run={"x": 1, "y": 2})
    save(tmp_path / "b", run_data(), run={"y": 2, "x": 1})
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert not [name for name in contents(tmp_path / "a") if name.endswith(".tmp")]


def test_records_that_are_off_leave_no_file(tmp_path: Path) -> None:
    save(tmp_path, run_data())
    data = run_data()
    data.tcp = data.retransmits = data.queue = data.queue_10ms = None
    data.tcp_seconds = data.deadlines = data.queue_seconds = data.upstream_seconds = None
    data.players.pop()
    data.experiment["clients"].pop()
    save(tmp_path, data)
    assert {p.name for p in tmp_path.rglob("*.parquet")} == {"client-1.parquet"}
    assert load(tmp_path).queue is None


def film(seed: int = 1) -> list[list[int]]:
    return generate([350e3, 2750e3], 2.0, 300, seed=seed)


def test_a_films_sizes_stand_beside_run_json(tmp_path: Path) -> None:
    data = run_data()
    data.experiment["content"]["sizes_bytes"] = film()
    save(tmp_path, data, run={"key": "abc"})
    assert load(tmp_path).experiment == data.experiment
    assert read_run(tmp_path)["experiment"] == data.experiment
    assert (tmp_path / "run.json").stat().st_size < 1000
    data.experiment["content"]["sizes_bytes"] = None
    save(tmp_path, data)
    assert not (tmp_path / "sizes.parquet").exists()
    assert load(tmp_path).experiment == data.experiment


def test_another_films_sizes_are_refused(tmp_path: Path) -> None:
    data = run_data()
    for name, seed in (("a", 1), ("b", 2)):
        data.experiment["content"]["sizes_bytes"] = film(seed)
        save(tmp_path / name, data)
    (tmp_path / "b" / "sizes.parquet").replace(tmp_path / "a" / "sizes.parquet")
    with pytest.raises(RunDirectoryError, match=r"sizes\.parquet: not the table of the run"):
        load(tmp_path / "a")
    with pytest.raises(RunDirectoryError, match=r"sizes\.parquet: no such file"):
        load(tmp_path / "b")
    (tmp_path / "a" / "sizes.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(RunDirectoryError, match=r"sizes\.parquet: not readable as Parquet"):
        load(tmp_path / "a")


def test_run_json_is_what_makes_a_directory_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path, run_data())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("weir.rundir.write.parquet_bytes", full)
    with pytest.raises(OSError, match="No space"):
        save(tmp_path, run_data())
    with pytest.raises(RunDirectoryError, match=r"run\.json: no such file; the run did not finish"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": 3, "experiment": {}}', "format 3 is newer than 2"),
        ('{"format": "1"}', "a whole number from 1 is needed"),
        ('{"format": true}', "a whole number from 1 is needed"),
        ("[]", "a whole number from 1 is needed"),
        ("{", "not JSON"),
        ('{"format": 1}', "no experiment"),
    ],
)
def test_refuses_what_it_cannot_read(tmp_path: Path, text: str, message: str) -> None:
    save(tmp_path, run_data())
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunDirectoryError, match=message) as caught:
        load(tmp_path)
    assert isinstance(caught.value, WeirError)
    assert "run.json" in str(caught.value)


def test_names_a_damaged_or_missing_table(tmp_path: Path) -> None:
    save(tmp_path, run_data())
    (tmp_path / "queue.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(RunDirectoryError, match=r"queue\.parquet: not readable as Parquet"):
        load(tmp_path)
    (tmp_path / "players/client-2.parquet").unlink()
    with pytest.raises(RunDirectoryError, match=r"client-2\.parquet: no such file"):
        load(tmp_path)


def test_columns_are_checked() -> None:
    with pytest.raises(RunDirectoryError, match="missing columns seq; there are t_ns, flow"):
        as_columns(RETRANSMITS, {"t_ns": [1], "flow": [0]})
    with pytest.raises(RunDirectoryError, match="unequal length"):
        as_columns(RETRANSMITS, {"t_ns": [1], "flow": [0], "seq": []})
    rows = columns_of_rows(RETRANSMITS, [{"t_ns": 1, "flow": 0, "seq": 2**32 - 1}])
    assert rows["seq"].tolist() == [2**32 - 1]


def test_saving_a_long_run_is_fast_and_small(tmp_path: Path) -> None:
    """Faster than its packets, one by one, are so much as looked at."""
    data = run_data(packets=120_000, acks=60_000)
    saving, looking = list[float](), list[float]()
    for _ in range(4):
        with cpu_time() as spent:
            save(tmp_path, data)
        saving.append(spent.cpu_s)
        with cpu_time() as spent:
            assert data.queue is not None
            columns = {name: values.tolist() for name, values in data.queue.items()}
            for row in zip(*columns.values(), strict=True):
                dict(zip(columns, row, strict=True))
        looking.append(spent.cpu_s)
    assert min(saving) < min(looking)


def test_a_run_of_the_format_before_is_read(tmp_path: Path) -> None:
    data = run_data()
    save(tmp_path, data)
    document = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**document, "format": 1}))
    assert load(tmp_path).experiment == data.experiment


def test_packets_keep_their_path(tmp_path: Path) -> None:
    data = run_data()
    assert data.queue is not None
    data.queue["path"] = np.arange(len(data.queue["flow"])) % 2
    save(tmp_path, data)
    queue = load(tmp_path).queue
    assert queue is not None
    assert queue["path"].tolist() == data.queue["path"].tolist()
    assert "path" not in (load(tmp_path).queue_10ms or {})
