"""What a campaign may ask of players that are pinned, and how it is told what it may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.dashjs import leaves, nested, types_of
from weir.errors import SpecError
from weir.expand import Expansion
from weir.pinned import Pinned
from weir.programs import PINNED, buffer_most_s, scripted_by
from weir.runkey import run_key
from weir.spec.load import parse_campaign
from weir_testing.cells import client as resolved_client
from weir_testing.spec import document, problems_of

EACH = pytest.mark.parametrize("player", [*PINNED, "chromium"])
SOME: dict[str, tuple[str, Any]] = {
    "dashjs": ("streaming.abr.rules.bolaRule.active", False),
    "hlsjs": ("fragLoadPolicy.default.maxLoadTimeMs", 1000),
    "shaka": ("abr.advanced.fastHalfLife", 3),
    "chromium": ("streaming.abr.rules.bolaRule.active", False),
}
"""A setting of each player that lies deep, with another value than its default."""


def pinned(player: str) -> Pinned:
    """What it plays by."""
    return PINNED[scripted_by(player)]


def asking(player: str, options: dict[str, Any]) -> dict[str, Any]:
    return document(clients=[{"player": player, "options": options}])


def options_of(raw: dict[str, Any]) -> list[Any]:
    """The first client's, in every combination."""
    runs = Expansion(parse_campaign(raw, Path())).runs()
    return [run.experiment["clients"][0]["options"] for run in runs]


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("dashjs", {"version": "5.2.9"}, "version", "did you mean 5.2.1?"),
    ("dashjs", {"version": "5.2.9"}, "version", "5.2.0, 5.2.1"),
    ("hlsjs", {"version": "1.7.3"}, "version", "did you mean 1.7.4?"),
    ("shaka", {"version": "5.2.1"}, "version", "5.1.12, 5.2.12"),
    ("shaka", {"settings": {"abr": {"enable": 1}}}, "settings.abr.enable", "did you mean enabled?"),
    ("hlsjs", {"version": "1.7.3"}, "version", "allowed: 1.7.4"),
    ("hlsjs", {"version": "5.2.1"}, "version", "write one of them"),
    ("hlsjs", {"version": 1.7}, "version", "in quotes"),
    ("hlsjs", {"setings": {}}, "setings", "did you mean settings?"),
    ("hlsjs", {"settings": ["debug"]}, "settings", "keys and values"),
    (
        "dashjs",
        {"settings": {"streaming": {"abr": {"rules": {"bolRule": {}}}}}},
        "settings.streaming.abr.rules.bolRule",
        "did you mean bolaRule?",
    ),
    (
        "dashjs",
        {"settings": {"streaming.buffer.bufferTimeDefaul": 8}},
        "settings.streaming.buffer.bufferTimeDefaul",
        "did you mean bufferTimeDefault?",
    ),
    (
        "dashjs",
        {"settings": {"streaming.buffer.bufferTimeDefault": "8s"}},
        "settings.streaming.buffer.bufferTimeDefault",
        "write a finite number",
    ),
    ("hlsjs", {"settings": {"maxBufferLenght": 8}}, "settings.maxBufferLenght",
     "did you mean maxBufferLength?"),
    (
        "hlsjs",
        {"settings": {"fragLoadPolicy": {"default": {"maxLoadTimeMS": 8}}}},
        "settings.fragLoadPolicy.default.maxLoadTimeMS",
        "did you mean maxLoadTimeMs?",
    ),
    ("hlsjs", {"settings": {"maxBufferLength": "8s"}}, "settings.maxBufferLength",
     "write a finite number"),
    ("hlsjs", {"settings": {"debug": 5}}, "settings.debug", "write true or false"),
    ("hlsjs", {"settings": {"abrBandWidthFactor": float("nan")}}, "settings.abrBandWidthFactor",
     "a finite number"),
    ("hlsjs", {"settings": {"streaming.buffer": {}}}, "settings.streaming", "remove it"),
    # Without a default.
    ("hlsjs", {"settings": {"backBufferLength": "8s"}}, "settings.backBufferLength",
     "8s — allowed: a finite number"),
    ("hlsjs", {"settings": {"startLevel": None}}, "settings.startLevel", "write a finite number"),
    ("hlsjs", {"settings": {"workerPath": True}}, "settings.workerPath", "null or text"),
    ("hlsjs", {"settings": {"xhrSetup": "f"}}, "settings.xhrSetup", "it takes code"),
    ("hlsjs", {"settings": {"cmcd": 1}}, "settings.cmcd", "keys and values"),
    ("hlsjs", {"settings": {"cmcd": {"useHeaders": 1}}}, "settings.cmcd.useHeaders",
     "true or false"),
    ("hlsjs", {"settings": {"cmcd.sesionId": "a"}}, "settings.cmcd.sesionId",
     "did you mean sessionId?"),
    ("dashjs", {"settings": {"streaming.delay.liveDelay": "2s"}},
     "settings.streaming.delay.liveDelay", "a finite number"),
    ("dashjs", {"settings": {"streaming.cmcd.sid": 5}}, "settings.streaming.cmcd.sid",
     "null or text"),
    ("shaka", {"settings": {"abr.restrictions.maxHeight": "720p"}},
     "settings.abr.restrictions.maxHeight", "a finite number"),
    ("chromium", {"version": "5.2.9"}, "version", "did you mean 5.2.1?"),
    ("chromium", {"version": "5.2.9"}, "version", "5.2.0, 5.2.1"),
    ("chromium", {"browser": "156"}, "browser", "version"),
    ("chromium", {"settings": {"streaming.buffer.bufferTimeDefaul": 8}},
     "settings.streaming.buffer.bufferTimeDefaul", "did you mean bufferTimeDefault?"),
    ("chromium", {"settings": {"maxBufferLength": 8}}, "settings.maxBufferLength",
     "settings of dashjs 5.2.1"),
    ("chromium", {"settings": {"debug.logLevel": "5"}}, "settings.debug.logLevel",
     "write a finite number"),
]  # fmt: skip


@pytest.mark.parametrize(("player", "options", "place", "hint"), REFUSED)
def test_what_it_does_not_know_is_refused(
    player: str, options: dict[str, Any], place: str, hint: str
) -> None:
    (problem,) = problems_of(asking(player, options))
    assert problem.path == f"experiment.clients.0.options.{place}"
    assert hint in str(problem)


@pytest.mark.parametrize(
    ("player", "settings"),
    [
        ("hlsjs", {"backBufferLength": 8, "defaultAudioCodec": "mp4a.40.2"}),
        ("hlsjs", {"liveBackBufferLength": None, "cmcd": {"includeKeys": ["br"]}}),
        ("hlsjs", {"certLoadPolicy.default.errorRetry.maxNumRetry": 1}),
        ("dashjs", {"streaming.delay.liveDelay": 2.5, "streaming.liveCatchup.enabled": True}),
        ("shaka", {"manifest.availabilityWindowOverride": 30}),
    ],
)
def test_settings_without_a_default_take_what_their_players_declare(
    player: str, settings: dict[str, Any]
) -> None:
    (options,) = options_of(asking(player, {"settings": settings}))
    assert options["settings"] == nested(settings)


@pytest.mark.parametrize(
    ("player", "version"), [(player, v) for player in PINNED for v in PINNED[player].versions]
)
def test_every_setting_has_a_default_or_a_type(player: str, version: str) -> None:
    package = PINNED[player].package(version)
    for name, default in leaves(package.settings):
        types = types_of(default, name, package.types)
        assert types is not None, name
        assert (default is None) == (name in package.types), name
        assert {*types} <= {"array", "boolean", "null", "number", "object", "string"}, name


@EACH
@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"server__http_version": 2}, "server.http_version"),
        ({"clients__0__live": True}, "clients.0.live"),
    ],
)
def test_what_it_cannot_do_is_refused(player: str, changed: dict[str, Any], place: str) -> None:
    found = problems_of(document(clients=[{"player": player}], **changed))
    assert f"experiment.{place}" in {problem.path for problem in found}


def test_on_the_real_clock_a_browser_alone_plays() -> None:
    for player in PINNED:
        (found,) = problems_of(document(clients=[{"player": player}], clock="real"))
        assert found.path == "experiment.clock" and "chromium" in found.remedy
    real = document(clients=[{"player": "chromium"}], clock="real")
    (run,) = Expansion(parse_campaign(real, Path())).runs()
    # It is an agent's, so that what this machine has of one is no part of the key.
    keys = {run_key(run.experiment, 1, "kernel", f"roles-node-{own}") for own in ("a", "b")}
    assert len(keys) == 1


@EACH
def test_the_version_and_all_settings_are_part_of_the_experiment(player: str) -> None:
    dotted, value = SOME[player]
    (options,) = options_of(asking(player, {"settings": {dotted: value}}))
    assert options == {
        "version": pinned(player).versions[-1],
        "settings": nested({dotted: value}),
    }


@EACH
def test_a_factor_may_set_one_setting(player: str) -> None:
    dotted, value = SOME[player]
    known: Any = pinned(player).package(pinned(player).versions[-1]).settings
    for key in dotted.split("."):
        known = known[key]
    assert known != value
    path = f"clients.0.options.settings.{dotted}"
    asked = asking(player, {}) | {"factors": {path: [known, value]}}
    found = [options["settings"] for options in options_of(asked)]
    assert found == [nested({dotted: each}) for each in (known, value)]


@EACH
def test_the_run_key_covers_its_version_and_settings_however_written(player: str) -> None:
    dotted, value = SOME[player]

    def key(options: dict[str, Any]) -> str:
        (run,) = Expansion(parse_campaign(asking(player, options), Path())).runs()
        return run_key(run.experiment, 1, "kernel", "roles")

    versions = [key({"version": version}) for version in pinned(player).versions]
    assert key({}) == versions[-1]
    written = key({"settings": {dotted: value}})
    assert len({*versions, written}) == len(versions) + 1
    assert key({"settings": nested({dotted: value})}) == written


def test_dotted_keys_and_trees_are_one() -> None:
    assert nested({"b.c": 1, "b": {"a": 2}, "a": 3}) == {"a": 3, "b": {"a": 2, "c": 1}}


@EACH
def test_how_much_it_fetches_ahead_is_the_client_s_buffer_unless_a_setting_says_more(
    player: str,
) -> None:
    deep = {"dashjs": {"streaming": {"buffer": {"bufferTimeAtTopQualityLongForm": 60}}},
            "hlsjs": {"maxMaxBufferLength": 60},
            "shaka": {"streaming": {"bufferingGoal": 60}}}[scripted_by(player)]  # fmt: skip
    for settings, most_s in (({}, 20), (deep, 60)):
        options = {"version": pinned(player).versions[-1], "settings": settings}
        client: Any = resolved_client(player, options=options, buffer_s=20.0)
        assert buffer_most_s(client) == most_s


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"ladder": ["15kbit/s", "1Mbit/s"]}, "content.ladder"),
        ({"ladder": ["15kbit/s"], "segment": "400ms"}, "content.ladder"),
        ({"ladder": ["100kbit/s"], "sizes": {"file": "film.csv"}}, "content.sizes"),
    ],
)
def test_chromium_decodes_pictures_for_which_there_must_be_room(
    tmp_path: Path, content: dict[str, Any], place: str
) -> None:
    (tmp_path / "film.csv").write_text("30000\n3999\n")
    asked = document(clients=[{"player": "bola"}, {"player": "chromium"}], content=content)
    with pytest.raises(SpecError) as refused:
        list(Expansion(parse_campaign(asked, tmp_path)).runs())
    (problem,) = refused.value.problems
    assert problem.path == f"experiment.{place}"
    assert "clients.1.player" in problem.allowed and "name dashjs" in problem.remedy


def test_with_room_it_is_allowed() -> None:
    (options,) = options_of(document(clients=[{"player": "chromium"}],
                                     content={"ladder": ["16kbit/s"]}))  # fmt: skip
    assert options["settings"] == {}
