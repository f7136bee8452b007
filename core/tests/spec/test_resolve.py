"""Good input resolves, with its defaults filled in."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from weir.expand import Expansion
from weir.spec.load import load_campaign
from weir.spec.queues import Queue
from weir_testing.spec import document, problems_of, resolved


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
        "server": {
            "http": "nginx",
            "http_version": "1.1",
            "congestion_control": "cubic",
            "sysctls": {},
        },
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
                "in_flight": 1,
                "start_s": 0.0,
                "stop_s": None,
                "source": None,
            }
        ],
        "events": [{"at_s": 30.0, "for_s": 1.0, "loss": 0.5, "on": "downlink"}],
        "record": {"tcp": "full", "queue": "full"},
        "checks": {"rtt_tolerance_s": 0.0001, "rate_tolerance": 0.005},
    }


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


@pytest.mark.parametrize(
    ("asked", "exponent"),
    [({"weight": 0.002}, 9), ({"weight": 0.5}, 1), ({"burst": 60}, 8), ({"burst": 61}, 9),
     ({"burst": 84}, 9), ({"burst": 85}, 10)],
)  # fmt: skip
def test_reds_weight_is_given_or_follows_from_its_burst(
    asked: dict[str, float], exponent: int
) -> None:
    """tc takes 2^-9 for bursts of 61 to 84 packets of 1000 bytes where min is 7500 bytes."""
    queue = {"discipline": "red", "limit": "25packets", "min": "5packets", "max": "15packets",
             "idle": "aged"} | asked  # fmt: skip
    options = resolved(gateway__downlink__queue=queue)["gateway"]["downlink"]["queue"]["options"]
    assert options["weight_exponent"] == exponent
    assert (options["idle_aged"], options["gentle"]) == (True, False)


DISCIPLINES = TypeAdapter(Queue).json_schema()["discriminator"]["mapping"]


@pytest.mark.parametrize("discipline", DISCIPLINES)
@given(packets=st.integers(2, 10_000))
def test_every_discipline_has_sound_defaults(discipline: str, packets: int) -> None:
    queue = {"discipline": discipline, "limit": f"{packets}packets"}
    found = resolved(gateway__downlink__queue=queue)["gateway"]["downlink"]["queue"]
    assert found["limit_packets"] == packets
    if discipline in ("red", "ared"):
        options = found["options"]
        assert options["min_bytes"] < options["max_bytes"] <= packets * 1500
        assert options["burst_packets"] >= options["min_bytes"] / options["avpkt_bytes"]


def test_deadlines_are_those_of_what_a_client_has_time_to_play() -> None:
    client = {"player": "fixed", "options": {"level": 1}, "start": "10s",
              "deadlines": {"after": "15s", "lower": "0s"}}  # fmt: skip
    (found,) = resolved(clients=[client], duration="60s", server__congestion_control="aimd")[
        "clients"
    ]
    assert found["deadlines"] == {
        "after_s": 15.0,
        "length_s": 50.0,
        "rate_bps": 928e3,
        "moves": "alpha",
        "lower_s": 0.0,
        "upper_s": 20.0,
    }
    assert "aimd" not in found
    (found,) = resolved(
        clients=[{**client, "stop": "30s", "deadlines": {"after": "1s", "moves": "none"}}]
    )["clients"]
    assert found["deadlines"]["length_s"] == 20.0


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
    experiment = next(Expansion(campaign).runs()).experiment
    assert experiment["content"]["segment_s"] == 4.0
    assert experiment["content"]["bitrates_bps"] == [248e3, 928e3]
    assert experiment["gateway"]["downlink"]["rate_steps"] == [[0.0, 2e6]]
