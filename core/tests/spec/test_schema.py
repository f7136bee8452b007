from __future__ import annotations

import json

import pytest
from weir.spec import json_schema
from weir.spec.experiment import Experiment
from weir.spec.schematree import split_path, wrong_step


def test_json_schema_speaks_of_units() -> None:
    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    duration = schema["$defs"]["Experiment"]["properties"]["duration"]
    assert duration["type"] == "string"
    assert duration["examples"]
    assert schema["properties"]["experiment"]["$ref"] == "#/$defs/Experiment"
    assert schema["$defs"]["Client"]["properties"]["buffer"]["default"] == "30s"
    assert "for" in schema["$defs"]["Event"]["properties"]
    references = {part.split('"')[0] for part in json.dumps(schema).split("#/$defs/")[1:]}
    assert references <= set(schema["$defs"])


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("clients.0.start", ["clients", 0, "start"]),
        ("server.sysctls.net.ipv4.tcp_sack", ["server", "sysctls", "net.ipv4.tcp_sack"]),
        ("gateway.downlink.rate.steps.1.at", ["gateway", "downlink", "rate", "steps", 1, "at"]),
        ("events.0.for", ["events", 0, "for"]),
        ("clients.1.options.level", ["clients", 1, "options", "level"]),
    ],
)
def test_paths_that_exist(path: str, steps: list[str | int]) -> None:
    assert wrong_step(Experiment, path) is None
    assert split_path(Experiment, path) == steps


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("gateway.shapin.method", "did you mean gateway.shaping.method?"),
        ("clients.start", "clients is a list; name a position: clients.0"),
        ("duration.x", "duration has no parts; use duration itself"),
        ("", "an experiment has duration"),
        ("events.0.for_", "did you mean events.0.for?"),
        ("clients.#.start", "clients is a list"),
    ],
)
def test_paths_that_do_not(path: str, advice: str) -> None:
    assert advice in str(wrong_step(Experiment, path))
