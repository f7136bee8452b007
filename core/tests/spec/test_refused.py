"""Every class of bad input is refused with path, value and remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.errors import SpecError
from weir.expand import Expansion
from weir.spec.load import load_campaign, parse_campaign
from weir_testing.spec import document, problems_of

BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"content__segmnt": "2s"}, "content.segmnt", "did you mean segment?"),
    ({"gateway__shapping": {}}, "gateway.shapping", "did you mean shaping?"),
    ({"duration": 180}, "duration", "add the unit, for example 180s"),
    ({"duration": "8Mbit/s"}, "duration", "not a unit of duration"),
    ({"duration": "0s"}, "duration", "write for example"),
    ({"duration": "-1s"}, "duration", "negative"),
    ({"content__ladder": []}, "content.ladder", "at least 1"),
    ({"content__ladder": ["2Mbit/s", "1Mbit/s"]}, "content.ladder.1", "must rise"),
    ({"content__segments": 0}, "content.segments", "greater than or equal to 1"),
    ({"gateway__downlink__rate": "0Mbit/s"}, "gateway.downlink.rate", "write for example"),
    ({"gateway__downlink__rate": "8Mbps"}, "gateway.downlink.rate", "write 8Mbit/s"),
    ({"gateway__path__loss": {"uplink": "101%"}}, "gateway.path.loss.uplink", "cannot exceed"),
    ({"gateway__path__rtt__stddev": "101ms"}, "gateway.path.rtt.stddev", "cannot be negative"),
    (
        {"gateway__downlink__queue__limit": "0packets"},
        "gateway.downlink.queue.limit",
        "at least one packet",
    ),
    (
        {"gateway__downlink__queue__limit": "1packets"},
        "gateway.downlink.queue.limit",
        "sfq refuses less",
    ),
    (
        {"gateway__downlink__queue__discipline": "sfqq"},
        "gateway.downlink.queue.discipline",
        "did you mean sfq?",
    ),
    (
        {"gateway__downlink__queue__target": "5ms"},
        "gateway.downlink.queue.target",
        "belongs to codel",
    ),
    (
        {"gateway__downlink__queue": {"discipline": "codel", "traget": "5ms"}},
        "gateway.downlink.queue.traget",
        "did you mean target?",
    ),
    ({"gateway__downlink__queue": "sfq"}, "gateway.downlink.queue", "write keys and values"),
    ({"server": {"http_version": 3}}, "server.http_version", "HTTP/3 runs over QUIC"),
    (
        {"server": {"congestion_control": "newcwv", "congestion_control_options": {"pacng": 1}}},
        "server.congestion_control_options.pacng",
        "did you mean pacing?",
    ),
    (
        {"server": {"congestion_control": "cubic", "congestion_control_options": {"gamma": 1}}},
        "server.congestion_control_options.gamma",
        "name one of them",
    ),
    (
        {"server": {"congestion_control": "reno", "congestion_control_options": {"pacing": 1}}},
        "server.congestion_control_options.pacing",
        "remove it; reno has no options",
    ),
    ({"server": {"http_version": True}}, "server.http_version", "write one of them"),
    ({"server": {"initial_ssthresh": 1}}, "server.initial_ssthresh", "greater than or equal to 2"),
    (
        {"server": {"initial_ssthresh": 27}, "clock": "real"},
        "server.initial_ssthresh",
        "set clock: virtual",
    ),
    (
        {"server": {"http_version": 2}, "clock": "real"},
        "server.http_version",
        "set clock: virtual",
    ),
    (
        {
            "clients": [{"player": "bola", "in_flight": 2, "live": True}],
            "server": {"http_version": 2},
        },
        "clients.0.in_flight",
        "remove it or live",
    ),
    (
        {"clients": [{"player": "outside", "live": True}], "clock": "real"},
        "clients.0.live",
        "waits by itself",
    ),
    (
        {"clients": [{"player": "bola", "in_flight": 2}]},
        "clients.0.in_flight",
        "set server.http_version: 2",
    ),
    (
        {"gateway__downlink__queue": {"discipline": "red", "min": "9packets", "max": "3packets"}},
        "gateway.downlink.queue.min",
        "lower min",
    ),
    (
        {"gateway__downlink__queue": {"discipline": "red", "max": "99packets"}},
        "gateway.downlink.queue.max",
        "change min, max or limit",
    ),
    (
        {"gateway__downlink__queue": {"discipline": "red", "burst": 1}},
        "gateway.downlink.queue.burst",
        "raise it",
    ),
    (
        {"gateway__downlink__queue": {"discipline": "red", "burst": 40, "weight": 0.002}},
        "gateway.downlink.queue.weight",
        "remove one",
    ),
    (
        {"gateway__downlink__queue": {"discipline": "red", "weight": 1e-6}},
        "gateway.downlink.queue.weight",
        "raise weight, or lower max",
    ),
    ({"gateway__path__rtt": {}}, "gateway.downlink.queue.limit", "write the limit in packets"),
    (
        {"gateway__uplink": {"queue": {"discipline": "sfq"}}},
        "gateway.uplink.queue",
        "gateway.uplink.rate",
    ),
    (
        {"gateway__downlink__rate": {"steps": [{"at": "1s", "rate": "1Mbit/s"}]}},
        "gateway.downlink.rate.steps.0.at",
        "begin at 0s",
    ),
    (
        {
            "gateway__downlink__rate": {
                "steps": [{"at": "0s", "rate": "1Mbit/s"}, {"at": "0s", "rate": "2Mbit/s"}]
            }
        },
        "gateway.downlink.rate.steps.1.at",
        "in order",
    ),
    (
        {"gateway__downlink__rate": {"steps": [{"at": "0s", "rate": "1Mbit/s", "rat": "x"}]}},
        "gateway.downlink.rate.steps.0.rat",
        "did you mean rate?",
    ),
    (
        {"gateway__downlink__rate": {"trace": "no.trace", "format": "mahimahi"}},
        "gateway.downlink.rate.trace",
        "no such file",
    ),
    ({"clients": []}, "clients", "at least 1"),
    ({"clients__0__player": "bolla"}, "clients.0.player", "did you mean bola?"),
    ({"clients__0__player": "outside"}, "clients.0.player", "set clock: real"),
    ({"clients__0__player": "./no.py"}, "clients.0.player", "no such file"),
    ({"clients__0__player": "fixed"}, "clients.0.options.level", "required"),
    (
        {"clients__0": {"player": "fixed", "options": {"level": 5}}},
        "clients.0.options.level",
        "name one that there is",
    ),
    (
        {"clients__0": {"player": "bola", "options": {"safety": 1.5}}},
        "clients.0.options.safety",
        "less than or equal to 1",
    ),
    (
        {"clients__0": {"player": "bola", "options": {"versoin": 4}}},
        "clients.0.options.versoin",
        "did you mean version?",
    ),
    (
        {"clients__0": {"player": "bola", "options": {"version": 3}}},
        "clients.0.options.version",
        "write one of them",
    ),
    (
        {"clients__0": {"player": "bola", "options": {"switch_history": 1}}},
        "clients.0.options.switch_history",
        "true",
    ),
    ({"clients__0__aimd": {"alpha": 0.5}}, "clients.0.aimd", "set server.congestion_control: aimd"),
    (
        {"clients__0": {"player": "fixed", "options": {"level": 1}, "deadlines": {"after": "9s"}}},
        "clients.0.deadlines",
        "moves: none to measure lateness alone",
    ),
    (
        {"clients__0__deadlines": {"after": "9s", "moves": "none"}},
        "clients.0.deadlines",
        "adapts have no deadlines",
    ),
    ({"clients__0__options": {"startup_s": -1}}, "clients.0.options.startup_s", "greater"),
    ({"clients__0__decisions": {"3": 2}}, "clients.0.decisions.3", "name one that there is"),
    ({"clients__0__decisions": {"3": -1}}, "clients.0.decisions.3", "greater"),
    ({"clients__0__decisions": {3: 1}}, "clients.0.decisions.3", "in quotes"),
    ({"clients__0__decisions": {"3rd": 1}}, "clients.0.decisions.3rd", "change it to match"),
    (
        {"content__segments": 9, "clients__0__decisions": {"9": 1}},
        "clients.0.decisions",
        "name one that there is",
    ),
    (
        {"clients__0": {"player": "dashjs", "decisions": {"3": 1}}},
        "clients.0.decisions",
        "name another player",
    ),
    ({"clients__0__start": "180s"}, "clients.0.start", "would never play"),
    ({"clients__0__stop": "0s"}, "clients.0.stop", "write for example"),
    ({"clients__0__buffer": "1s"}, "clients.0.buffer", "raise it"),
    ({"clients__0__count": 501}, "clients.0.count", "less than or equal to 500"),
    ({"clients__0__options": {"a": []}}, "clients.0.options.a", "single value"),
    ({"clients__0__options": {"a": float("inf")}}, "clients.0.options.a", "single value"),
    ({"server__congestion_control": "Cubic!"}, "server.congestion_control", "change it"),
    ({"server__http": "ngnix"}, "server.http", "did you mean nginx?"),
    ({"server__sysctls": {"kernel.panic": 1}}, "server.sysctls.kernel.panic", "change it"),
    ({"events": [{"at": "180s", "for": "1s", "loss": "5%"}]}, "events.0.at", "never happen"),
    ({"events": [{"at": "1s", "loss": "5%"}]}, "events.0.for", "required"),
    (
        {
            "events": [
                {"at": "1s", "for": "2s", "loss": "5%"},
                {"at": "2s", "for": "1s", "loss": "5%"},
            ]
        },
        "events.1",
        "cannot overlap",
    ),
    ({"record": {"tcp": True}}, "record.tcp", "write one of them"),
]


@pytest.mark.parametrize(("change", "path", "remedy"), BAD, ids=[bad[1] for bad in BAD])
def test_refused(change: dict[str, Any], path: str, remedy: str) -> None:
    problems = problems_of(document(**change))
    assert [problem.path for problem in problems] == [f"experiment.{path}"]
    assert remedy in problems[0].remedy


def test_several_problems_come_together() -> None:
    raw = document(duration="1", clients__0__strt="1s", server__http="iis")
    assert {p.path.removeprefix("experiment.") for p in problems_of(raw)} == {
        "duration",
        "clients.0.strt",
        "server.http",
    }


def test_campaign_keys_are_checked_too() -> None:
    assert problems_of({**document(), "replicats": 3})[0].remedy.endswith("replicates?")
    assert problems_of({**document(), "replicates": 0})[0].path == "replicates"
    assert problems_of({**document(), "name": "Über alles"})[0].path == "name"
    assert problems_of({**document(), "paper": "no.yaml"})[0].path == "paper"


def test_bases_that_are_missing_or_circular(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    for base, remedy in (("b.yaml", "no such file"), ("a.yaml", "break the circle")):
        file.write_text(json.dumps({**document(), "base": base}))
        with pytest.raises(SpecError, match=remedy):
            load_campaign(file)
    file.write_text("- 1\n")
    with pytest.raises(SpecError, match="begins with name"):
        load_campaign(file)


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


_PATHS = ["duration", "content", "gateway__downlink__rate", "gateway__path__rtt", "clients",
          "clients__0__player", "events", "server", "gateway__downlink__queue__limit"]  # fmt: skip


@given(st.sampled_from(_PATHS), _junk)
def test_junk_is_refused_with_problems_and_never_a_traceback(path: str, junk: Any) -> None:
    try:
        list(Expansion(parse_campaign(document(**{path: junk}), Path())).runs())
    except SpecError as refused:
        assert all(problem.path for problem in refused.problems)
