"""The table of a campaign: a row per run and client, as its run directory has it."""

from __future__ import annotations

import csv
import io

from weir.metrics import CATALOG
from weir_engine import jsonfile
from weir_testing.platform import Platform
from weir_testing.platform.results import API, CC, METRIC, Made, store


def test_the_table_has_a_row_per_run_and_client(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "invalid" if p == 0 else "succeeded")
    url = f"{API}/campaigns/{campaign}/table.csv"
    rows = list(csv.DictReader(io.StringIO(platform.client("read").get(url).text)))
    assert len(rows) == 2 * (len(made.runs) - 1)
    assert set(CATALOG) <= rows[0].keys()
    for row in rows:
        entry = jsonfile.read(made.folders[row["key"]] / "metrics.json")["clients"]
        own = next(each for each in entry if each["client"] == int(row["client"]))
        assert float(row[METRIC]) == own[METRIC]
        assert row[CC] in {"cubic", "reno"}
    everything = platform.client("read").get(url, params={"include_invalid": True})
    assert len(everything.text.splitlines()) == 1 + 2 * len(made.runs)
    chosen = platform.client("read").get(url, params={f"level.{CC}": "reno"})
    assert len(chosen.text.splitlines()) == 1 + len(made.runs)
