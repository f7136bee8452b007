from __future__ import annotations

import json

import pytest
from weir.spec.experiment import Experiment
from weir.spec.schema import json_schema
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


def test_each_model_has_a_name_of_its_own() -> None:
    # Else pydantic calls both by their modules, and so do the reference and the form.
    assert not [name for name in json_schema()["$defs"] if "__" in name]


@pytest.mark.parametrize(
    ("definition", "key", "said"),
    [
        ("CoDel", "target", {"default": "5ms", "type": "string"}),
        ("Pie", "target", {"default": "15ms"}),
        ("FqCoDel", "flows", {"default": 1024, "minimum": 1, "maximum": 65536}),
        ("Red", "probability", {"default": "2%"}),
        ("Htbm", "method", {"const": "htbm"}),
    ],
)
def test_the_schema_has_each_options_default_and_bounds(
    definition: str, key: str, said: dict[str, object]
) -> None:
    found = json_schema()["$defs"][definition]["properties"][key]
    assert said.items() <= found.items()
    assert found.get("description") or "const" in found


def test_a_word_tells_the_models_of_a_union_apart() -> None:
    queue = json_schema()["$defs"]["Link"]["properties"]["queue"]
    assert queue["discriminator"]["propertyName"] == "discipline"
    assert queue["discriminator"]["mapping"]["fq-codel"] == "#/$defs/FqCoDel"


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
