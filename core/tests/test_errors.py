from __future__ import annotations

import pickle

from weir.errors import Problem, RunFailure, SpecError, WeirError


def test_a_problem_prints_path_value_allowed_and_remedy() -> None:
    problem = Problem("duration", 180, "a duration such as 100ms", "write 180s")
    assert str(problem) == "duration: 180 — allowed: a duration such as 100ms\n    write 180s"
    assert str(Problem("a", "x" * 500)).endswith("…")


def test_errors_cross_process_boundaries_whole() -> None:
    refused = SpecError([Problem("a", 1, "2", "3"), Problem("b")])
    copy = pickle.loads(pickle.dumps(refused))
    assert copy.problems == refused.problems
    assert str(copy) == str(refused)
    failure = pickle.loads(pickle.dumps(RunFailure("the kernel hung; raise the limit")))
    assert failure.reason == "the kernel hung; raise the limit"
    assert isinstance(failure, WeirError)
