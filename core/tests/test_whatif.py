from __future__ import annotations

from typing import Any

import pytest
from weir.errors import SpecError
from weir.runkey import run_key
from weir.whatif import changed, decided, deciders, event_of, unchanged, written
from weir_testing.spec import document, resolved


def refused(call: Any, *args: Any) -> str:
    with pytest.raises(SpecError) as error:
        call(*args)
    (problem,) = error.value.problems
    assert problem.remedy
    return str(problem)


def test_one_level_is_decided_and_nothing_else_changes() -> None:
    plain = resolved(clients=[{"player": "bola", "count": 2}])
    found: Any = decided(plain, 2, {12: 1})
    assert found["clients"][1].pop("decisions") == {"12": 1}
    assert found == plain
    assert "decisions" not in plain["clients"][0]


def test_who_lets_others_decide() -> None:
    mixed = [{"player": "dashjs"}, {"player": "bola"}, {"player": "festive"}]
    assert deciders(resolved(clients=mixed)) == [2, 3]
    assert deciders(resolved(clients=[{"player": "bola"}], clock="real")) == []


def test_a_decision_is_what_a_campaign_would_say() -> None:
    both = [{"player": "bola"}, {"player": "bola", "decisions": {"12": 1, "2": 0}}]
    plain = resolved(clients=[{"player": "bola", "count": 2}])
    assert decided(decided(plain, 2, {12: 1}), 2, {2: 0}) == resolved(clients=both)


def test_decisions_change_the_key_and_their_absence_does_not() -> None:
    plain = resolved()
    assert run_key(resolved(clients__0__decisions={}), 1, "k", "r") == run_key(plain, 1, "k", "r")
    assert run_key(decided(plain, 1, {0: 1}), 1, "k", "r") != run_key(plain, 1, "k", "r")


def test_what_cannot_be_decided() -> None:
    film = resolved(content__segments=40)
    assert "client: 3 — allowed: clients of the run, 1 to 1" in refused(decided, film, 3, {0: 0})
    assert "segments of the film, 0 to 39" in refused(decided, film, 1, {40: 0})
    assert "a level of the ladder, 0 to 1" in refused(decided, film, 1, {39: 2})
    assert "virtual" in refused(decided, {**film, "clock": "real"}, 1, {0: 0})
    dashjs = {**film["clients"][0], "player": "dashjs"}
    assert "a player of Weir's own" in refused(decided, {**film, "clients": [dashjs]}, 1, {0: 0})


@pytest.mark.parametrize(
    ("place", "value", "event"),
    [
        ("gateway.downlink.rate", "4Mbit/s", {"rate": "4Mbit/s", "on": "downlink"}),
        ("gateway.path.rtt.mean", "30ms", {"rtt": "30ms"}),
        ("gateway.path.loss.uplink", "5%", {"loss": "5%", "on": "uplink"}),
    ],
)
def test_a_condition_changes_as_by_an_event(place: str, value: str, event: dict[str, Any]) -> None:
    plain = resolved()
    as_event = resolved(events=[{"at": "24s", "for": "180s", **event}])
    assert changed(plain, 24.0, place, value) == as_event
    assert unchanged(plain, 24.0, place).keys() == plain.keys()
    assert event_of(plain, 24.0, place, value) == {"at": "24.0s", "for": "180.0s", **event}


def test_a_run_with_no_change_sets_what_holds() -> None:
    plain: Any = resolved(gateway__path__loss={"uplink": "2%"})
    rate = unchanged(plain, 24.0, "gateway.downlink.rate")
    assert rate["gateway"]["downlink"]["rate_steps"] == [[0.0, 8e6], [24.0, 8e6 + 1]]
    for place, key, value in (("rtt.mean", "rtt_s", 0.1), ("loss.uplink", "loss", 0.02)):
        (event,) = unchanged(plain, 24.0, f"gateway.path.{place}")["events"]
        assert event == {"at_s": 24.0, "for_s": 180.0, "on": "uplink", key: value}
    assert "constant rate" in refused(unchanged, plain, 1.0, "gateway.uplink.rate")


def test_of_named_paths_one_changes() -> None:
    paths = {name: {"downlink": {"rate": "8Mbit/s"}, "rtt": {"mean": "50ms"}} for name in "ab"}
    raw: dict[str, Any] = {"gateway": {"paths": paths}}
    for name in "ab":
        where = f"gateway.paths.{name}"
        for place, value, event in (
            ("downlink.rate", "1Mbit/s", {"rate": "1Mbit/s"}),
            ("loss.uplink", "1%", {"loss": "1%", "on": "uplink"}),
        ):
            asked = {"at": "9s", "for": "180s", "path": name, **event}
            assert changed(resolved(**raw), 9.0, f"{where}.{place}", value) == resolved(
                **raw, events=[asked]
            )


def test_what_cannot_change_while_a_run_goes_on() -> None:
    plain = resolved()
    rate = "gateway.downlink.rate"
    assert "gateway.path.loss.uplink" in refused(changed, plain, 1.0, "server.http", "apache")
    assert "before 180s" in refused(changed, plain, 180.0, rate, "4Mbit/s")
    assert "add the unit" in refused(changed, plain, 1.0, rate, 4)
    assert "constant rate" in refused(changed, plain, 1.0, "gateway.uplink.rate", "1Mbit/s")
    stepped = changed(plain, 9.0, rate, "4Mbit/s")
    assert "constant rate" in refused(changed, stepped, 1.0, rate, "4Mbit/s")
    lossy = changed(plain, 9.0, "gateway.path.loss.uplink", "1%")
    assert "own events" in refused(changed, lossy, 1.0, "gateway.path.loss.uplink", "4%")
    jitter = resolved(gateway__path__rtt__stddev="7ms")
    assert "jitter" in refused(changed, jitter, 1.0, "gateway.path.rtt.mean", "5ms")


@pytest.mark.parametrize("client", [1, 2, 3, 4, 5])
def test_of_equal_clients_one_is_set_apart(client: int) -> None:
    clients = [{"player": "classic1"}, {"player": "bola", "count": 3}, {"player": "classic2"}]
    said = document(clients=clients)["experiment"]
    once = written(said, client, {3: 1})
    twice = written(once, client, {1: 0})
    assert resolved(**twice) == decided(resolved(clients=clients), client, {3: 1, 1: 0})
    assert resolved(**once) == decided(resolved(clients=clients), client, {3: 1})
