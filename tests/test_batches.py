"""Batches on the real lab kernel: as pods of a cluster carry campaigns out."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from weir_orchestrator.db import Run, connect, make_sessions
from weir_testing import ended_once, kills
from weir_testing.patience import PATIENCE_S, until

RUNS = 9


@pytest.mark.kernel
# Batches claim by one statement, whose rules test_batch.py holds against both databases.
@pytest.mark.parametrize(
    "back_end", [kills.served, pytest.param(kills.embedded, marks=pytest.mark.long)]
)
def test_batches_carry_out_a_campaign_between_them(
    tmp_path: Path, back_end: Callable[[], AbstractContextManager[Callable[[], kills.Backend]]]
) -> None:
    """One for five runs, then two at once for what is left; one killed on the way."""
    with back_end() as make:
        backend = make()
        nobody = replace(backend, options=[*backend.options, "--workers", "0"])
        up = kills.Up(nobody, tmp_path / "log.txt")
        try:
            campaign_id = kills.submit(up.url, {**kills.CAMPAIGN, "replicates": RUNS})
            sessions = make_sessions(connect(backend.database), read_only=True)

            def batch(*words: str) -> subprocess.Popen[bytes]:
                given = ["--campaign", str(campaign_id), "--until-idle", "--jobs", "1", *words]
                variables = {**os.environ, **backend.variables, "WEIR_LEASE": "PT5S"}
                return subprocess.Popen(
                    [kills.WEIR, "worker", *backend.options, *given], env=variables
                )

            def states(state: str) -> int:
                with sessions() as session:
                    these = (Run.campaign_id == campaign_id, Run.state == state)
                    return len(session.scalars(select(Run.id).where(*these)).all())

            until(lambda: states("queued") == RUNS, "all runs")
            assert batch("--at-most", "5").wait(PATIENCE_S) == 0
            assert states("succeeded") == 5
            lost = batch()
            until(lambda: states("succeeded") > 5, "one more result")
            lost.kill()
            lost.wait()
            # What it held is queued again when its lease has run out.
            until(lambda: states("running") == 0, "the end of its lease")
            both = [batch(), batch()]
            assert [each.wait(PATIENCE_S) for each in both] == [0, 0]
            assert states("succeeded") == RUNS
            ended_once.verify(backend.database, backend.store, campaign_id, RUNS)
            assert up.drain() == 0
        finally:
            up.kill()
