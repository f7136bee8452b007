"""Every class of bad input is refused with path, value and remedy; good input resolves."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.errors import Problem, SpecError
from weir.expand import expand
from weir.spec import load_campaign, parse_campaign
from weir.spec.merge import set_at


def document(**experiment: Any) -> dict[str, Any]:
    """A sound campaign of one run; keywords (a__b=...) are set in its experiment."""
    content: Any = {
        "duration": "180s",
        "content": {"ladder": ["248kbit/s", "928kbit/s"]},
        "gateway": {
            "downlink": {"rate": "8Mbit/s", "queue": {"discipline": "sfq"}},
            "path": {"rtt": {"mean": "100ms"}},
        },
        "clients": [{"player": "aggressive-rate"}],
    }
    for path, value in experiment.items():
        content = set_at(content, [int(p) if p.isdigit() else p for p in path.split("__")], value)
    return {"name": "x", "experiment": content}


def problems_of(raw: dict[str, Any], folder: Path = Path()) -> list[Problem]:
    with pytest.raises(SpecError) as refused:
        parse_campaign(raw, folder)
    assert str(refused.value)
    return refused.value.problems


def resolved(folder: Path = Path(), **experiment: Any) -> dict[str, Any]:
    return expand(parse_campaign(document(**experiment), folder))[0].experiment


def test_resolved_in_full() -> None:
    assert resolved(events=[{"at": "30s", "for": "1s", "loss": "50%"}]) == {
        "duration_s": 180.0,
        "clock": "virtual",
        "content": {
            "bitrates_bps": [248e3, 928e3],
            "segment_s": 2.0,
            "segments": None,
            "sizes_bytes": None,
        },
        "server": {"http": "nginx", "congestion_control": "cubic", "sysctls": {}},
        "gateway": {
            "downlink": {
                "rate_steps": [[0.0, 8e6]],
                "rate_loop_s": None,
                "queue": {"discipline": "sfq", "limit_packets": 67, "options": {}},
            },
            "uplink": {"rate_steps": [], "rate_loop_s": None, "queue": None},
            "path": {
                "rtt": {
                    "mean_s": 0.1,
                    "stddev_s": 0.0,
                    "distribution": "normal",
                    "keep_order": True,
                    "on": "uplink",
                },
                "loss": {"downlink": 0.0, "uplink": 0.0},
            },
            "shaping": {"method": "none", "headroom": 0.1},
        },
        "clients": [
            {
                "player": "aggressive-rate",
                "options": {},
                "buffer_s": 30.0,
                "start_s": 0.0,
                "stop_s": None,
                "source": None,
            }
        ],
        "events": [{"at_s": 30.0, "for_s": 1.0, "loss": 0.5, "on": "downlink"}],
        "record": {"tcp": "full", "queue": "full"},
        "checks": {"rtt_tolerance_s": 0.0001, "rate_tolerance": 0.005},
    }


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
    ({"clients__0__player": "fixed"}, "clients.0.options.level", "options: {level: N}"),
    ({"clients__0__start": "180s"}, "clients.0.start", "would never play"),
    ({"clients__0__stop": "0s"}, "clients.0.stop", "write for example"),
    ({"clients__0__buffer": "1s"}, "clients.0.buffer", "raise it"),
    ({"clients__0__count": 201}, "clients.0.count", "less than or equal to 200"),
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


def test_rates_from_steps_and_traces(tmp_path: Path) -> None:
    steps = [{"at": "0s", "rate": "8Mbit/s"}, {"at": "90s", "rate": "4Mbit/s"}]
    link = resolved(gateway__downlink__rate={"steps": steps})["gateway"]["downlink"]
    assert link["rate_steps"] == [[0.0, 8e6], [90.0, 4e6]]
    assert link["rate_loop_s"] is None
    assert link["queue"]["limit_packets"] == 50  # of the mean, 6 Mbit/s

    (tmp_path / "p.trace").write_text("0 1\n30 2\n60 4\n")
    rate = {"trace": "p.trace", "format": "pensieve"}
    link = resolved(tmp_path, gateway__downlink__rate=rate)["gateway"]["downlink"]
    assert link["rate_steps"] == [[0.0, 2e6], [30.0, 4e6]]
    assert link["rate_loop_s"] == 60.0
    raw = document(gateway__downlink__rate={**rate, "loop": False})
    (problem,) = problems_of(raw, tmp_path)
    assert "lasts 60s: set gateway.downlink.rate.loop to true" in problem.remedy
    (problem,) = problems_of(document(gateway__downlink__rate={**rate, "bin": "1s"}), tmp_path)
    assert problem.path.endswith("rate.bin")


def test_queue_options_follow_the_testbeds() -> None:
    queue = resolved(gateway__downlink__queue={"discipline": "ared", "limit": "60packets"})
    assert queue["gateway"]["downlink"]["queue"]["options"] == {
        "min_bytes": 15_000,
        "max_bytes": 45_000,
        "avpkt_bytes": 1000,
        "burst_packets": 25,
        "probability": 0.02,
        "rate_bps": 8e6,
        "ecn": False,
    }
    bdp = {"discipline": "codel", "limit": "6bdp", "bdp": {"rate": "10Mbit/s", "rtt": "80ms"}}
    assert resolved(gateway__downlink__queue=bdp)["gateway"]["downlink"]["queue"] == {
        "discipline": "codel",
        "limit_packets": 400,
        "options": {"target_s": 0.005, "interval_s": 0.1, "ecn": False},
    }


@pytest.mark.parametrize("discipline", ["drop-tail", "sfq", "red", "ared", "codel", "fq-codel",
                                        "pie", "cake"])  # fmt: skip
@given(packets=st.integers(2, 10_000))
def test_every_discipline_has_sound_defaults(discipline: str, packets: int) -> None:
    queue = {"discipline": discipline, "limit": f"{packets}packets"}
    found = resolved(gateway__downlink__queue=queue)["gateway"]["downlink"]["queue"]
    assert found["limit_packets"] == packets
    if discipline in ("red", "ared"):
        options = found["options"]
        assert options["min_bytes"] < options["max_bytes"] <= packets * 1500
        assert options["burst_packets"] >= options["min_bytes"] / options["avpkt_bytes"]


def test_clients_multiply_and_carry_their_source(tmp_path: Path) -> None:
    text = "class MyAbr:\n    pass\n"
    (tmp_path / "abr").mkdir()
    (tmp_path / "abr" / "my.py").write_text(text)
    client = {"player": "./abr/my.py:MyAbr", "count": 2, "stop": "300s", "options": {"a": 1}}
    first, second = resolved(tmp_path, clients=[client])["clients"]
    assert first == second
    assert first["stop_s"] is None
    assert first["player"] == "my.py:MyAbr"
    assert first["source"] == {
        "name": "my.py",
        "class": "MyAbr",
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text": text,
    }
    (problem,) = problems_of(document(clients=[{"player": "abr/my.py:MyAbl"}]), tmp_path)
    assert problem.remedy == "did you mean MyAbr?"
    (tmp_path / "bad.py").write_text("x = 1\nclass (:\n")
    (problem,) = problems_of(document(clients=[{"player": "./bad.py"}]), tmp_path)
    assert problem.remedy.startswith("line 2: ")


def test_variable_segment_sizes(tmp_path: Path) -> None:
    (tmp_path / "film.csv").write_text("# level 0, level 1\n10,20\n11,21\n12,22\n")
    content = resolved(tmp_path, content__sizes="film.csv", content__segments=2)["content"]
    assert content["sizes_bytes"] == [[10, 11], [20, 21]]
    assert content["segments"] == 2
    assert resolved(tmp_path, content__sizes="film.csv")["content"]["segments"] == 3
    (problem,) = problems_of(document(content__sizes="film.csv", content__segments=4), tmp_path)
    assert problem.path == "experiment.content.segments"
    (tmp_path / "film.csv").write_text("10\n")
    (problem,) = problems_of(document(content__sizes="film.csv"), tmp_path)
    assert "line 1" in problem.value


def test_base_is_merged_and_its_files_stay_its_own(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "p.trace").write_text("0 1\n200 2\n")
    base = document(gateway__downlink__rate={"trace": "p.trace", "format": "pensieve"})
    base |= {"factors": {"duration": ["10s"]}, "replicates": 7, "description": "of the base"}
    (tmp_path / "shared" / "base.yaml").write_text(json.dumps(base))
    own = {"name": "own", "base": "shared/base.yaml", "factors": {"duration": None},
           "experiment": {"content": {"segment": "4s"}}}  # fmt: skip
    (tmp_path / "own.yaml").write_text(json.dumps(own))
    campaign = load_campaign(tmp_path / "own.yaml")
    assert (campaign.name, campaign.replicates, campaign.factors) == ("own", 7, {})
    assert campaign.description == ""
    experiment = expand(campaign)[0].experiment
    assert experiment["content"]["segment_s"] == 4.0
    assert experiment["content"]["bitrates_bps"] == [248e3, 928e3]
    assert experiment["gateway"]["downlink"]["rate_steps"] == [[0.0, 2e6]]


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
        expand(parse_campaign(document(**{path: junk}), Path()))
    except SpecError as refused:
        assert all(problem.path for problem in refused.problems)
