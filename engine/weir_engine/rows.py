"""A campaign's results as rows, whatever store they are in."""

from __future__ import annotations

from weir_engine import jsonfile
from weir_engine.campaign_record import CampaignRecord, RecordedRun
from weir_engine.row import Row
from weir_engine.states import FINISHED
from weir_engine.store import Store

__all__ = ["read"]


def read(store: Store, record: CampaignRecord) -> list[Row]:
    """The runs of a campaign's record in its order, each once; of a search its results."""
    states = store.states(run["key"] for run in record["runs"])
    clock = record["spec"].get("experiment", {}).get("clock", "virtual")
    found = [_row(store, run, clock, *states[run["key"]]) for run in record["runs"]]
    if not (asked := record["spec"].get("search")):
        return found
    from weir.spec.search import Search  # noqa: PLC0415 - slow to import

    from weir_engine.search.results import results  # noqa: PLC0415

    return results(Search.model_validate(asked), found)


def _row(store: Store, run: RecordedRun, clock: str, state: str, reason: str) -> Row:
    finished = state in FINISHED
    path = store.run_path(run["key"]) if finished else store.failed_path(run["key"])
    metrics = jsonfile.read(path / "metrics.json") if finished else None
    levels, replicate, seed = run["levels"], run["replicate"], run["seed"]
    own = levels.get("clock", clock)
    return Row(run["key"], levels, replicate, seed, state, reason, path, metrics, clock=own)
