"""A run that goes on shows the beginning of what it will have recorded, and is the same run."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from weir_engine import provenance, taking
from weir_engine.executor.local import LocalExecutor
from weir_engine.perform import WORK
from weir_engine.so_far import SO_FAR
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, Task
from weir_testing import cells

KEY = "5" * 32
MINUTES_OF_FILM = 8


def _task() -> Task:
    experiment = cells.experiment({"duration_s": 60.0 * MINUTES_OF_FILM})
    history = move(move([], "pending"), "queued")
    return Task(KEY, "small", {}, 1, 1, experiment, history=history)


def _columns(path: Path) -> dict[str, Any]:
    table = pq.read_table(path)
    return {name: table.column(name).to_numpy() for name in table.column_names}


class _Looking:
    """Looks at what a run shows. seen: the looks that have all the files that are `wanted`."""

    def __init__(self, store: Store, into: Path, wanted: set[str]) -> None:
        self._store, self._into, self._wanted = store, into, wanted
        self._looks = 0
        self.seen: list[Path] = []

    def look(self) -> None:
        for temporary in self._store.temporaries(KEY):
            own = self._into / str(self._looks)
            own.mkdir()
            self._looks += 1
            taken = taking.take_so_far(temporary / WORK, SO_FAR, own)
            # What is replaced meanwhile is taken in part, the next one whole.
            if self._wanted <= {str(path.relative_to(own)) for path in taken}:
                self.seen.append(own)


@pytest.mark.kernel
def test_it_shows_the_beginning_of_its_record_and_leaves_the_same_bytes(
    tmp_path: Path,
) -> None:
    kernel = cells.kernel()
    quiet = Environment(tmp_path / "quiet", kernel, provenance.roles())
    showing = replace(quiet, store=tmp_path / "showing", so_far_every_s=0.1)
    wanted = ("players/client-1", "tcp", "retransmits", "queue_10ms")
    looking = _Looking(Store(showing.store), tmp_path, {f"{name}.parquet" for name in wanted})

    def tasks() -> Any:
        yield _task()
        while Store(showing.store).states([KEY])[KEY][0] in {"pending", "running"}:
            looking.look()
            yield None

    *_, ended = LocalExecutor(showing, 2).execute(tasks())
    assert ended.state == "succeeded", ended.reason
    assert looking.seen, "nothing was to be seen while it ran"
    whole = Store(showing.store).run_path(KEY)
    for seen in looking.seen:
        for name in ("players/client-1", "tcp", "retransmits"):
            told, in_the_end = (
                _columns(seen / f"{name}.parquet"),
                _columns(whole / f"{name}.parquet"),
            )
            rows = len(next(iter(told.values())))
            for column, values in told.items():
                np.testing.assert_array_equal(values, in_the_end[column][:rows])
    # The recorder passes its first records on after the players' first rows.
    with_tcp = [seen for seen in looking.seen if len(_columns(seen / "tcp.parquet")["t_ns"])]
    assert with_tcp, "nothing of TCP was to be seen while it ran"
    last = with_tcp[-1]
    last_s = _columns(last / "tcp.parquet")["t_ns"][-1] / 1e9
    bins = _columns(last / "queue_10ms.parquet")
    assert 1.0 < last_s < 60.0 * MINUTES_OF_FILM
    assert bins["t_ns"][-1] / 1e9 == pytest.approx(last_s, abs=2.0)
    assert _columns(last / "players/client-1.parquet")["last_byte_s"][-1] > last_s - 10.0
    assert list(Store(showing.store).temporary.iterdir()) == []

    *_, ended = LocalExecutor(quiet, 1).execute([_task()])
    assert ended.state == "succeeded", ended.reason
    alone = taking.digests(Store(quiet.store).run_path(KEY))
    both = [
        {k: v for k, v in found.items() if k != "host.json"}
        for found in (alone, taking.digests(whole))
    ]
    assert both[0] == both[1]


@pytest.mark.kernel
def test_on_the_real_clock_players_show_what_they_have_done(tmp_path: Path) -> None:
    experiment = cells.experiment({"clock": "real", "duration_s": 14.0, "checks": cells.WIDE})
    task = replace(_task(), experiment=experiment)
    showing = Environment(tmp_path / "s", cells.kernel(), provenance.roles(), so_far_every_s=0.1)
    name = "players/client-1.parquet"
    looking = _Looking(Store(showing.store), tmp_path, {name})

    def tasks() -> Any:
        yield task
        while Store(showing.store).states([KEY])[KEY][0] in {"pending", "running"}:
            looking.look()
            time.sleep(0.1)
            yield None

    *_, ended = LocalExecutor(showing, 2).execute(tasks())
    assert ended.state in {"succeeded", "invalid"}, ended.reason
    assert looking.seen, "nothing was to be seen while it ran"
    told = _columns(looking.seen[-1] / name)
    in_the_end = _columns(Store(showing.store).run_path(KEY) / name)
    rows = len(told["segment"])
    assert 0 < rows <= len(in_the_end["segment"])
    for column, values in told.items():
        np.testing.assert_array_equal(values, in_the_end[column][:rows])
