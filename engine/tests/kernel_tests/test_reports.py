"""What is said of cases: expected failures, further turns, TAP, JUnit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from weir_engine.errors import BadInput
from weir_engine.kernel_tests import Case, Outcome, Verdict, judged, known_failures
from weir_engine.kernel_tests.carry_out import Ended
from weir_engine.kernel_tests.reports import junit, tap


def outcome(name: str, ended: Ended, said: str, took_ns: int) -> Outcome:
    return Outcome(Case(name, ("./x",), at="scripts"), ended, said, took_ns)


GOOD = outcome("tcp_a/ipv4", "passed", "", 1_500_000_000)
BAD = outcome("tcp_b/ipv6", "failed", "tcp_b.pkt:7: <expected> 1 & 2\x1b\nmore", 20_000_000)
SKIPPED = outcome("net/mptcp/diag.sh", "skipped", "01 first\n[SKIP] no MPTCP <here>\n", 3_000_000)


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
    later = replace(GOOD, took_ns=GOOD.took_ns + 1)
    assert kinds(judged(GOOD, [GOOD], {}), judged(GOOD, [GOOD, later], {})) == ["passed", "failed"]
    assert judged(GOOD, [GOOD, later], {}).outcome.said == (
        "turn 3 differs from the first: 1500000001 ns, not 1500000000"
    )


def test_of_turns_that_differ_the_first_such_line_is_told() -> None:
    first = replace(GOOD, said="01 [ OK ]\n02 7380 ms\n03 7 ms")
    other = replace(GOOD, said="01 [ OK ]\n02 7381 ms\n03 8 ms")
    said = judged(first, [other], {}).outcome.said
    assert "it said '02 7381 ms', not '02 7380 ms'; " in said
    assert "03" not in said


def test_a_skipped_case_has_neither_passed_nor_failed() -> None:
    verdict = judged(SKIPPED, [SKIPPED], {SKIPPED.case.name: "known to fail"})
    assert (verdict.kind, verdict.why) == ("skipped", "[SKIP] no MPTCP <here>")
    assert tap([verdict]).splitlines()[2:] == [
        "ok 1 - net/mptcp/diag.sh # SKIP [SKIP] no MPTCP <here>"
    ]
    suite = ElementTree.fromstring(junit([verdict]))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    (case,) = suite
    assert (case.get("classname"), case.get("name")) == ("net/mptcp", "diag.sh")
    assert case[0].get("message") == "[SKIP] no MPTCP <here>"


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
