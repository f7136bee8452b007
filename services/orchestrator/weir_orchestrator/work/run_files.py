"""Run directories go to the object store: small ones that ended together as one object, a pack.

A pack has a row before it has an object, and gets results only while it is not to be removed: so
whatever interrupts this, the housekeeper finds what nobody needs, and never takes what is needed.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import WeirError

from weir_orchestrator.db import Pack, singly
from weir_orchestrator.db.dialect import clock
from weir_orchestrator.objects import (
    ObjectStore,
    bundle_of,
    failed_prefix,
    pack_key,
    put_folder,
    run_prefix,
)
from weir_orchestrator.work.claim import Claim

__all__ = ["Ended", "Stored", "hold_pack", "store_files"]

_FEWEST: Final = 4
"""Run directories in a pack: for fewer it saves little."""
_SMALL_BYTES: Final = 256 << 10
"""Of a run directory in a pack, which is read as a whole for any file in it."""
_stores: Final = ThreadPoolExecutor(4, thread_name_prefix="store")
"""Of this process: run directories are stored side by side."""


@dataclass(frozen=True)
class Ended:
    """A claimed run that was carried out, and its run directory. outcome: succeeded or invalid."""

    claim: Claim
    folder: Path
    outcome: str
    reason: str
    wall_s: float


@dataclass(frozen=True)
class Stored:
    """What is stored of a run: objects of its own, or so many bytes of a pack from pack_start."""

    size_bytes: int
    pack_id: uuid.UUID | None = None
    pack_start: int | None = None


def store_files(
    sessions: sessionmaker[Session], objects: ObjectStore, ended: Sequence[Ended]
) -> dict[str, Stored]:
    """Store run directories, by key. Raises BadInput as `put_folder` does, StoreUnavailable."""
    # What replaces another one's objects takes their place.
    new = [each for each in ended if not each.claim.replaces] if len(ended) >= _FEWEST else []
    small = {each.claim.key: bundle_of(each.folder, _SMALL_BYTES) for each in new}
    bundles = {key: bundle for key, bundle in small.items() if bundle is not None}
    stored = _store_pack(sessions, objects, bundles) if len(bundles) >= _FEWEST else {}
    alone = [each for each in ended if each.claim.key not in stored]
    stored |= _each(objects, alone)
    for each in ended:
        if each.claim.failed_before:
            objects.delete_prefix(failed_prefix(each.claim.key))
    return stored


def hold_pack(session: Session, stored: Collection[Stored]) -> None:
    """Keep the pack of some results, which are written next. Raises WeirError: it is gone."""
    for pack_id in {each.pack_id for each in stored} - {None}:
        held = select(Pack.id).where(Pack.id == pack_id, ~Pack.removing)
        if session.scalar(held.with_for_update(read=True, key_share=True)) is None:
            raise WeirError(f"pack {pack_id}: removed before its results were written")


def _store_pack(
    sessions: sessionmaker[Session], objects: ObjectStore, bundles: Mapping[str, bytes]
) -> dict[str, Stored]:
    pack_id = uuid.uuid4()
    with singly(sessions).begin() as session:
        session.execute(insert(Pack).values(id=pack_id, made_at=clock()))
    objects.put_bytes(pack_key(pack_id), b"".join(bundles.values()))
    stored, start = {}, 0
    for key, bundle in bundles.items():
        stored[key] = Stored(len(bundle), pack_id, start)
        start += len(bundle)
    return stored


def _each(objects: ObjectStore, ended: Sequence[Ended]) -> dict[str, Stored]:
    def store(one: Ended) -> Stored:
        claim = one.claim
        at = run_prefix(claim.key)
        return Stored(put_folder(objects, at, one.folder, new=not claim.replaces))

    if len(ended) == 1:
        return {ended[0].claim.key: store(ended[0])}
    stores: dict[str, Future[Stored]] = {one.claim.key: _stores.submit(store, one) for one in ended}
    wait(stores.values())  # none is under way when another try begins
    return {key: future.result() for key, future in stores.items()}
