"""Two runs beside each other: what was changed, what came of it, where they part."""

from __future__ import annotations

from weir.rundir import load
from weir_engine import jsonfile
from weir_engine.parting import partings
from weir_testing.platform import Platform
from weir_testing.platform.results import API, CC, METRIC, Made, read, store


def test_runs_differ_by_what_was_changed(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    runs = read(platform, f"/campaigns/{campaign}/runs")["items"]
    first = runs[0]
    changed = next(
        run
        for run in runs
        if run["seed"] == first["seed"] and run["levels"] == {**first["levels"], CC: "reno"}
    )
    found = read(platform, "/compare/runs", a=first["id"], b=changed["id"])
    assert found["parameters"] == [{"path": CC, "a": "cubic", "b": "reno"}]
    values = {each["path"]: (each["a"], each["b"]) for each in found["metrics"]}
    for run, place in ((first, 0), (changed, 1)):
        clients = jsonfile.read(made.folders[run["key"]] / "metrics.json")["clients"]
        rank_1 = next(each for each in clients if each["rank"] == 1)
        if f"client.1.{METRIC}" in values:
            assert values[f"client.1.{METRIC}"][place] == rank_1[METRIC]


def test_seeds_of_runs_keep_all_their_digits(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    runs = read(platform, f"/campaigns/{campaign}/runs")["items"]
    first = runs[0]
    other = next(run for run in runs if run["seed"] != first["seed"])
    found = read(platform, "/compare/runs", a=first["id"], b=other["id"])["parameters"]
    (seed,) = [each for each in found if each["path"] == "seed"]
    assert (seed["a"], seed["b"]) == (first["seed"], other["seed"])
    by_key = {key: run.seed for key, run in zip(made.keys, made.runs, strict=True)}
    assert [int(run["seed"]) for run in runs] == [by_key[run["key"]] for run in runs]
    assert max(by_key.values()) > 2**53


def test_two_runs_part_where_their_rows_do(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "failed" if p == 1 else "succeeded")
    runs = read(platform, f"/campaigns/{campaign}/runs")["items"]
    first, other, failed = runs[0], runs[2], runs[1]
    found = read(platform, "/compare/runs/parting", a=first["id"], b=other["id"])
    expected = partings(*(load(made.folders[run["key"]]) for run in (first, other)))
    assert expected
    assert found["same_seed"] is False
    assert [(each["t_s"], each["record"], each["row"]) for each in found["partings"]] == [
        (each.t_s, each.record, each.row) for each in expected
    ]
    same = read(platform, "/compare/runs/parting", a=first["id"], b=first["id"])
    assert (same["same_seed"], same["partings"]) == (True, [])
    url = f"{API}/compare/runs/parting"
    params = {"a": first["id"], "b": failed["id"]}
    refused = platform.client("read").get(url, params=params)
    assert refused.status_code == 422
    assert [problem["path"] for problem in refused.json()["problems"]] == ["b"]
