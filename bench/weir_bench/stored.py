"""Campaigns with results, stored without being run: rows of real shape, drawn numbers."""

from __future__ import annotations

import itertools
import json
import uuid
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from sqlalchemy import Engine, text
from weir.expand import replicate_seed
from weir.metrics import CATALOG
from weir.rundir import TCP, to_json
from weir.rundir.parquet import parquet_bytes
from weir_engine.row import digest
from weir_orchestrator.db import Campaign, make_sessions, utc_now
from weir_orchestrator.objects import ObjectStore, run_prefix
from weir_orchestrator.work.metric_rows import by_rank, name_metrics, placed

FACTORS: dict[str, list[Any]] = {
    "server.congestion_control": [
        *("bbr", "bic", "cdg", "cubic", "dctcp", "htcp", "illinois", "reno", "vegas", "westwood")
    ],
    "gateway.downlink.rate": [f"{rate}Mbit/s" for rate in range(2, 12)],
    "gateway.shaping.method": ["none", "htbm", "rwtm"],
    "gateway.path.rtt.mean": ["20ms", "100ms"],
}
REPLICATES = 50
CLIENTS = 2
TCP_SAMPLES = 180_000


def store_campaign(
    engine: Engine,
    team_id: uuid.UUID,
    experiment: dict[str, Any],
    no: int,
    factors: dict[str, list[Any]] = FACTORS,
    replicates: int = REPLICATES,
    metrics: Collection[str] = CATALOG,
) -> str:
    """A campaign of all combinations of factors x replicates, all succeeded; its id.

    By default 600 x 50. Each metric has a value for the run or for each of two clients.
    """
    levels = [
        dict(zip(factors, chosen, strict=True)) for chosen in itertools.product(*factors.values())
    ]
    runs = len(levels) * replicates
    campaign_id = uuid.uuid4()
    with make_sessions(engine).begin() as session:
        session.add(_campaign(campaign_id, team_id, no, list(factors), len(levels), runs))
        ids = name_metrics(session, CATALOG)
    random = np.random.default_rng(no)
    names = {
        scope: [name for name, info in CATALOG.items() if info.scope == scope and name in metrics]
        for scope in ("run", "client")
    }
    drawn = random.lognormal(1.0, 0.5, (runs, len(names["run"]) + CLIENTS * len(names["client"])))
    first = no * runs + 1
    keys = [f"{first + position:032x}" for position in range(runs)]
    documents = [_metrics(names, row) for row in drawn.tolist()]
    now = utc_now()
    _copy(
        engine,
        "combination (campaign_id, number, levels, experiment)",
        (
            (campaign_id, number, json.dumps(own), json.dumps(experiment))
            for number, own in enumerate(levels)
        ),
    )
    _copy(
        engine,
        "result (id, key, team_id, outcome, reason, size_bytes, film_s, wall_s, metrics, digest,"
        " history, finished_at)",
        (
            (
                *(first + position, keys[position], team_id, "succeeded", "", 500_000, 180.0, 1.0),
                *(json.dumps(documents[position]), digest(documents[position]), "[]", now),
            )
            for position in range(runs)
        ),
    )
    _copy(
        engine,
        "run (campaign_id, position, combination, replicate, clock, seed, key, state, reason,"
        " attempts, replaces, result_id, wall_s, queued_at, started_at, ended_at)",
        (
            (
                *(campaign_id, position, position // replicates, position % replicates),
                *("virtual", replicate_seed(1, position % replicates)),
                *(keys[position], "succeeded", "", 1),
                *(False, first + position, drawn[position, 0], now, now, now),
            )
            for position in range(runs)
        ),
    )
    _copy(
        engine,
        "result_values (result_id, rank, numbers)",
        (
            (first + position, rank, placed(entry, ids))
            for position, document in enumerate(documents)
            for rank, entry in by_rank(document)
        ),
    )
    return str(campaign_id)


def store_tcp(objects: ObjectStore, key: str) -> None:
    """The TCP record of a run: TCP_SAMPLES of a sawtooth of two flows, in 180 s."""
    t_ns = np.linspace(0, 180e9, TCP_SAMPLES).astype(np.int64)
    cwnd = 20 + t_ns // 50_000_000 % 60
    columns = {
        "t_ns": t_ns,
        "flow": np.arange(TCP_SAMPLES) % 2,
        "cwnd": cwnd,
        "ssthresh": 30 + t_ns // 3_000_000_000 % 5,
        "srtt_us": 100_000 + cwnd * 1500,
        "rto_us": np.full(TCP_SAMPLES, 300_000),
        "rwnd": np.full(TCP_SAMPLES, 65_535),
        "in_flight": cwnd,
    }
    flows = [{"flow": flow, "client": flow + 1} for flow in (0, 1)]
    objects.put_bytes(f"{run_prefix(key)}/tcp.parquet", parquet_bytes(TCP, columns))
    objects.put_bytes(f"{run_prefix(key)}/flows.json", to_json(flows))


def settle(engine: Engine) -> None:
    """What Postgres does by itself some minutes after so many rows came."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))


def _campaign(
    campaign_id: uuid.UUID,
    team_id: uuid.UUID,
    no: int,
    factors: list[str],
    combinations: int,
    runs: int,
) -> Campaign:
    return Campaign(
        id=campaign_id,
        team_id=team_id,
        name=f"stored-{no}",
        document="",
        factors=factors,
        kernel_hash="k",
        roles_hash="r",
        state="finished",
        combination_count=combinations,
        replicates=runs // combinations,
        run_count=runs,
        expanded=runs,
    )


def _metrics(names: dict[str, list[str]], row: list[float]) -> dict[str, Any]:
    """metrics.json: its numbers in order of the run's and each client's metrics."""
    numbers = iter(row)
    return {
        "format": 1,
        "run": {name: next(numbers) for name in names["run"]},
        "clients": [
            {"client": k, "rank": k, **{name: next(numbers) for name in names["client"]}}
            for k in range(1, CLIENTS + 1)
        ],
        "switch_steps": [{"+1": 3, "-1": 2}] * CLIENTS,
    }


def _copy(engine: Engine, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    with engine.begin() as connection:
        driver: Any = connection.connection.driver_connection
        with driver.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
