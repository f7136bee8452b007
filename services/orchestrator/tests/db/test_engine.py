"""The engine: how long a database that says nothing more is waited for."""

from __future__ import annotations

import os
import socket

import pytest
from weir_orchestrator.db import connect


@pytest.mark.parametrize(
    ("asked", "idle_s"),
    [pytest.param("", 10, id="by itself"), pytest.param("?keepalives_idle=77", 77, id="as told")],
)
def test_a_database_that_went_away_is_noticed(database_url: str, asked: str, idle_s: int) -> None:
    engine = connect(database_url + asked)
    try:
        with engine.connect() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            with socket.socket(fileno=os.dup(driver.fileno())) as wire:
                assert wire.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                asked_s, tries, every_s, unanswered_ms = (
                    wire.getsockopt(socket.IPPROTO_TCP, option)
                    for option in (
                        socket.TCP_KEEPIDLE,
                        socket.TCP_KEEPCNT,
                        socket.TCP_KEEPINTVL,
                        socket.TCP_USER_TIMEOUT,
                    )
                )
        assert asked_s == idle_s
        assert tries * every_s <= 20
        assert 0 < unanswered_ms <= 30_000
    finally:
        engine.dispose()
