"""Pages of the web UI as built for users, in a real browser, over what a large campaign stores.

A campaign of 30,000 runs on a real Postgres, drawn numbers; 60 runs have 180,000 TCP samples.
Bounds: the campaign's page can be used after 1.5 s (median of 5); a run's curves are drawn 500 ms,
those of the 60 runs over each other 1 s after their data came (median of 5). Frames while scrolling
and zooming have no bound, but 60 a second are wanted.
"""

from __future__ import annotations

import json as json_lines
import subprocess
import sys
import tempfile
from pathlib import Path

from sqlalchemy import select
from weir_bench.common import reference_run, show
from weir_bench.stored import settle, store_campaign, store_tcp
from weir_orchestrator.db import Run, Team, connect, make_sessions
from weir_orchestrator.objects import open_store
from weir_testing.checkout import ROOT
from weir_testing.live import up
from weir_testing.servers import postgres

INTERACTIVE_MS = 1500
DRAWN_MS = 500
OVERLAID = 60
OVERLAID_MS = 1000


def main(json: bool = False) -> int:
    """Store, open pages, print; 1 where a bound is missed."""
    with tempfile.TemporaryDirectory() as folder, postgres.run() as server:
        database = server.create()
        with up(Path(folder), "--database", database, "--workers", "0") as platform:
            engine = connect(database)
            with make_sessions(engine)() as session:
                team_id, team = session.execute(select(Team.id, Team.slug)).one()
            campaign = store_campaign(engine, team_id, dict(reference_run().experiment), 0)
            settle(engine)
            with make_sessions(engine)() as session:
                first = select(Run.id, Run.key).order_by(Run.id).limit(OVERLAID)
                runs = dict(session.execute(first).tuples().all())
            objects = open_store(str(platform.store))
            for key in runs.values():
                store_tcp(objects, key)
            engine.dispose()
            script = ROOT / "web/scripts/pages.mjs"
            asked = ["node", str(script), platform.url, team, campaign, *map(str, runs)]
            said = subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {name: round(value, 1) for name, value in json_lines.loads(said).items()}
    show(found, json)
    kept = (
        found["campaign_interactive_ms"] <= INTERACTIVE_MS
        and found["run_drawn_after_data_ms"] <= DRAWN_MS
        and found["overlay_drawn_after_data_ms"] <= OVERLAID_MS
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
