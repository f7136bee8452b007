"""A user's own ABR: the documented example works, and every mistake names itself."""

from __future__ import annotations

import gc
import re
import weakref

import pytest
from weir.resolved import ClientSource
from weir_client.abr.user import UserAbr
from weir_client.errors import AbrError
from weir_client.state import Download, State
from weir_testing.checkout import ROOT

LADDER = (1e6, 2e6, 4e6)
DOC = ROOT / "docs" / "abr.md"
HEAD = "class Mine:\n    def __init__(self, ladder, options): pass\n    def choose(self, state):\n"


def state(segment: int = 0) -> State:
    made = State(30.0, 2.0, lambda level, segment: 1000, lambda: 0.5)
    made.segment = segment
    return made


def source(text: str, wanted: str | None = None) -> ClientSource:
    return {"name": "mine.py", "class": wanted, "sha256": "", "text": text}


def test_the_documented_example_runs() -> None:
    found = re.search(r"```python\n(.*?)```", DOC.read_text(), re.S)
    assert found is not None
    abr = UserAbr(source(found[1]), LADDER, {"share": 0.6}, 1)
    at = state()
    assert abr.choose(at) == 0 and abr.estimate_bps is None and not hasattr(abr, "delay_s")
    # 1 MB in 1 s: 8 Mbit/s * 0.6 = 4.8 Mbit/s carries level 2, but one step up is level 1.
    at.last = Download(0, 0, 1_000_000, request_s=0.0, first_byte_s=0.1, last_byte_s=1.0)
    at.previous_level = 0
    assert abr.choose(at) == 1 and abr.estimate_bps == 8e6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "        return 1 / 0\n",
         r"mine.py: choose for segment 17 of client 2 raised ZeroDivisionError: .*\(line 4\)"),
        (HEAD + "        while True: pass\n",
         r"choose for segment 17 of client 2 ran more than 5,000 lines \(does it loop\?\)"),
        (HEAD + "        while True:\n            try: 1 / 0\n            except Exception: pass\n",
         "ran more than 5,000 lines"),
        (HEAD + "        raise SystemExit(3)\n", r"raised SystemExit: 3 \(line 4\)"),
        ("import nothing_here\n" + HEAD, r"load of client 2 raised IndentationError: .*\(line 4\)"),
        ("import nothing_here\n", r"raised ModuleNotFoundError: .*nothing_here.* \(line 1\)"),
        ("x = 1\n", "one class with a method choose is needed, found: none"),
        (HEAD + "        return 0\n" + HEAD.replace("Mine", "Other") + "        return 0\n",
         "found: Mine, Other; name one as mine.py:Class"),
    ],
)  # fmt: skip
def test_a_mistake_names_itself(text: str, said: str) -> None:
    with pytest.raises(AbrError) as error:
        UserAbr(source(text), LADDER, {}, 2, budget=5000).choose(state(17))
    assert re.search(said, str(error.value)), str(error.value)


class Ring:
    """Garbage that only a collection frees."""

    def __init__(self) -> None:
        self.itself = self


def test_what_others_left_behind_costs_a_user_no_lines() -> None:
    freed: list[int] = []

    def count(reference: weakref.ref[Ring]) -> None:
        freed.append(1)

    rings = [Ring() for _ in range(3000)]
    watched = [weakref.ref(ring, count) for ring in rings]
    rings.clear()
    busy = "        return len([[number] for number in range(100_000)]) - 100_000\n"
    assert UserAbr(source(HEAD + busy), LADDER, {}, 1, budget=101_000).choose(state()) == 0
    gc.collect()
    assert len(freed) == len(watched)


def test_the_class_asked_for_is_taken() -> None:
    two = HEAD + "        return 0\n" + HEAD.replace("Mine", "Other") + "        return 2\n"
    assert UserAbr(source(two, "Other"), LADDER, {}, 1).choose(state()) == 2
    with pytest.raises(AbrError, match=r"no class Third .* there are: Mine, Other"):
        UserAbr(source(two, "Third"), LADDER, {}, 1)


def test_a_delay_is_offered_only_if_there_is_one() -> None:
    text = HEAD + "        return 0\n    def delay_s(self, state): return 1.5\n"
    assert UserAbr(source(text), LADDER, {}, 1).delay_s(state()) == 1.5
