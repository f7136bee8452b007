"""What a platform whose parts were killed must have kept of a campaign, and nothing else."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import func, select
from sqlalchemy.orm import Session, sessionmaker
from weir import rundir
from weir_orchestrator.db import (
    Campaign,
    Event,
    Lease,
    Pack,
    Result,
    ResultValues,
    Run,
    connect,
    make_sessions,
)
from weir_orchestrator.objects import PACKS, ObjectStore, open_store, pack_key
from weir_orchestrator.recorded import files_of_key


def plays(folder: Path) -> None:
    """A run directory has what players did."""
    assert rundir.load(folder).players


def verify(
    database: str,
    store: str,
    campaign_id: uuid.UUID,
    runs: int,
    whole: Callable[[Path], None] = plays,
) -> int:
    """Every run ended once, with a result and all files; no lease is left. The attempts made.

    database, store: as settings name them. whole: raises AssertionError for a run directory that
    lacks something.
    """
    sessions = make_sessions(connect(database), read_only=True)
    objects = open_store(store)
    with sessions() as session:
        campaign = session.get_one(Campaign, campaign_id)
        assert campaign.counts == {"succeeded": runs}, campaign.counts
        assert session.scalars(select(func.count()).select_from(Lease)).one() == 0
        here = Event.campaign_id == campaign_id
        ends = session.scalars(select(Event.data).where(here, Event.kind == "run.ended")).all()
        assert Counter(data["position"] for data in ends) == Counter(range(runs))
        states = select(Event.data).where(here, Event.kind == "campaign.state")
        finished = [data for data in session.scalars(states) if data["state"] == "finished"]
        assert len(finished) == 1
        attempts = session.scalars(select(func.sum(Run.attempts))).one()
        results = {result.key: result for result in session.scalars(select(Result))}
        values = dict(
            session.execute(
                select(ResultValues.result_id, func.count()).group_by(ResultValues.result_id)
            ).all()
        )
    assert len(results) == runs
    assert len(set(values.values())) == 1
    assert len(values) == runs
    _verify_files(sessions, objects, results, whole)
    return int(attempts)


def _verify_files(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    results: Mapping[str, Result],
    whole: Callable[[Path], None],
) -> None:
    sizes = Counter[str]()
    for info in objects.list("runs"):
        sizes[info.key.split("/")[2]] += info.size_bytes
    alone = {key: one.size_bytes for key, one in results.items() if one.pack_id is None}
    # Of one in a pack, a worker that was killed may have left objects of its own.
    assert {key: size for key, size in sizes.items() if key not in results} == {}
    assert {key: sizes[key] for key in alone} == alone
    with sessions() as session:
        stored = {key: files_of_key(session, objects, key) for key in results}
        packs = {pack_key(pack_id) for pack_id in session.scalars(select(Pack.id))}
    assert {info.key for info in objects.list(PACKS)} <= packs, "an object that nobody knows"
    names = {frozenset(files.listed()) for files in stored.values()}
    assert len(names) == 1, "some run directories have other files"
    for key, files in stored.items():
        assert files.document("run.json")["key"] == key
    assert list(objects.list("failed")) == []
    for key in sorted(results)[:3]:
        with TemporaryDirectory() as folder:
            stored[key].fetch(Path(folder), next(iter(names)))
            whole(Path(folder))
