"""What is said of cases: expected failures, further turns, TAP, JUnit."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from weir_engine.errors import BadInput
from weir_engine.packetdrill import Case, Outcome, Verdict, judged, known_failures
from weir_engine.packetdrill.reports import junit, tap

GOOD = Outcome(Case("tcp_a/ipv4", ()), True, "", 1_500_000_000)
BAD = Outcome(Case("tcp_b/ipv6", ()), False, "tcp_b.pkt:7: <expected> 1 & 2\x1b\nmore", 20_000_000)


def kinds(*verdicts: Verdict) -> list[str]:
    return [each.kind for each in verdicts]


def test_known_failures_are_no_failures(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text("# of 7.3\ntcp_b/ipv6  # a millisecond late\n\ntcp_a/ipv4\n")
    known = known_failures(file)
    assert known == {"tcp_b/ipv6": "a millisecond late", "tcp_a/ipv4": ""}
    assert kinds(judged(GOOD, [], {}), judged(BAD, [], {})) == ["passed", "failed"]
    assert kinds(judged(GOOD, [], known), judged(BAD, [], known)) == ["mended", "known"]
    with pytest.raises(BadInput, match="--expect: "):
        known_failures(tmp_path / "none.txt")


def test_turns_that_differ_are_failures() -> None:
    later = Outcome(GOOD.case, True, "", GOOD.took_ns + 1)
    assert kinds(judged(GOOD, [GOOD], {}), judged(GOOD, [GOOD, later], {})) == ["passed", "failed"]
    assert "turn 3 differs" in judged(GOOD, [GOOD, later], {}).outcome.said


def test_tap_says_what_is_known_to_fail() -> None:
    verdicts = [judged(GOOD, [], {}), judged(BAD, [], {}), judged(BAD, [], {"tcp_b/ipv6": "late"})]
    lines = tap(verdicts).splitlines()
    assert lines[:4] == [
        "TAP version 14",
        "1..3",
        "ok 1 - tcp_a/ipv4",
        "not ok 2 - tcp_b/ipv6",
    ]
    assert "    more" in lines
    assert "not ok 3 - tcp_b/ipv6 # TODO late" in lines


def test_junit_is_xml_that_counts() -> None:
    verdicts = [judged(GOOD, [], {}), judged(BAD, [], {}), judged(BAD, [], {"tcp_b/ipv6": "late"})]
    suite = ElementTree.fromstring(junit(verdicts))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    good, bad, known = suite
    assert (good.get("classname"), good.get("name"), good.get("time")) == ("tcp_a", "ipv4", "1.500")
    (failure,) = bad
    assert "<expected> 1 & 2?" in (failure.text or "")
    assert known[0].get("message") == "late"
