"""An ssthresh that connections inherit: what it resolves to, and where there is none."""

from __future__ import annotations

from weir_testing.spec import document, problems_of, resolved

FIELD = "initial_ssthresh_segments"


def test_it_is_in_the_resolved_experiment_only_where_it_is_asked() -> None:
    assert FIELD not in resolved()["server"]
    assert FIELD not in resolved(server={"initial_ssthresh": None})["server"]
    assert resolved(server={"initial_ssthresh": 27})["server"][FIELD] == 27


def test_it_is_refused_where_paths_are_named() -> None:
    path = {"downlink": {"rate": "8Mbit/s"}, "rtt": {"mean": "100ms"}}
    asked = {"gateway": {"paths": {"dsl": path}}, "server": {"initial_ssthresh": 27}}
    (problem,) = problems_of({"name": "x", "experiment": {**document()["experiment"], **asked}})
    assert problem.path.endswith("server.initial_ssthresh")
    assert "use one path" in problem.remedy
