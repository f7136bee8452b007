"""Experiments, players' rows and packets to compute metrics of."""

from __future__ import annotations

from typing import Any

import numpy as np
from weir.records import FlowRecord
from weir.rundir import (
    PLAYER,
    as_columns,
)

LADDER = [248e3, 456e3, 928e3, 1632e3, 4256e3]


def experiment(spans: list[tuple[float, float | None]], duration: float = 180.0) -> Any:
    return {
        "duration_s": duration,
        "content": {
            "bitrates_bps": LADDER,
            "segment_s": 2.0,
            "segments": None,
            "sizes_bytes": None,
        },
        "gateway": {
            "downlink": {"rate_steps": [[0.0, 8e6]], "rate_loop_s": None},
            "uplink": {"rate_steps": [], "rate_loop_s": None},
            "path": {"rtt": {"mean_s": 0.1, "on": "uplink"}},
        },
        "clients": [{"start_s": start, "stop_s": stop} for start, stop in spans],
    }


def flow(number: int, client: int, remote_port: int) -> FlowRecord:
    """A client's connection."""
    return {
        "flow": number,
        "client": client,
        "local_port": 80,
        "remote_port": remote_port,
        "remote_address": f"10.0.2.{10 + client}",
        "congestion_control": "cubic",
        "mss_bytes": 1448,
    }


def player(levels: list[int], start: float = 0.0, port: int = 40000) -> dict[str, Any]:
    """A segment every 2 s, requested at once."""
    n = len(levels)
    request = start + 2.0 * np.arange(n)
    rates = np.array(LADDER)[levels] if n else np.zeros(0)
    constant = {"buffer_before_s": 20.0, "buffer_after_s": 22.0, "stall_s": 0.0}
    columns = {name: np.full(n, value) for name, value in constant.items()}
    return as_columns(
        PLAYER,
        {
            **columns,
            "segment": np.arange(n),
            "level": levels,
            "bitrate_bps": rates,
            "size_bytes": rates / 4,
            "request_s": request,
            "first_byte_s": request + 0.1,
            "last_byte_s": request + 1.0,
            "raw_bps": rates,
            "estimate_bps": rates,
            "connection": np.full(n, port),
            "status": np.full(n, 206),
        },
    )


def packet(arrival_ms: float, departure_ms: float, fate: int = 0, seq: int = 0) -> dict[str, int]:
    return {
        "arrival_ns": round(arrival_ms * 1e6),
        "departure_ns": round(departure_ms * 1e6),
        "fate": fate,
        "reason": 0,
        "size": 1514,
        "flow": 0,
        "backlog": 0,
        "seq": seq % 2**32,
        "payload": 1000,
    }
