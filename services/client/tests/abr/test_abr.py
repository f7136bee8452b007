"""The shipped algorithms' decisions, worked by hand. Ladder 1, 2, 4 Mbit/s, segments of 2 s."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from weir.resolved import PROGRAMS
from weir.spec.players import PLAYERS, Player, completed
from weir_client import abr
from weir_client.abr.bola import Bola, Parameters
from weir_client.abr.dashjs_rules import Rules, SwitchHistory
from weir_client.abr.dynamic import Dynamic
from weir_client.abr.festive import Festive
from weir_client.abr.throughput import Ewma, Throughput
from weir_client.errors import AbrError
from weir_client.state import Download, State

EMULATED = {name: model for name, model in PLAYERS.items() if name not in PROGRAMS}
LADDER = (1e6, 2e6, 4e6)
PAPER = (248e3, 456e3, 928e3, 1632e3, 4256e3)
ALONE: dict[str, Any] = {"insufficient_buffer": False, "switch_history": False}


class Session:
    """A player's state, moved by hand."""

    def __init__(self, name: str, ladder: tuple[float, ...] = LADDER, **options: Any) -> None:
        self.abr: Any = abr.make(name, None, completed(name, options), ladder, 1)
        self.state = State(30.0, 2.0, lambda level, segment: 0, lambda: 0.25)

    def choose(self, buffer_s: float, playing: bool = True, wait_s: float = 0.0) -> int:
        last = self.state.last
        self.state.now_s = (0.0 if last is None else last.last_byte_s) + wait_s
        self.state.buffer_s, self.state.playing = buffer_s, playing
        level: int = self.abr.choose(self.state)
        return level

    def download(self, level: int, bps: float, took_s: float, latency_s: float = 0.1) -> None:
        """A download of took_s after latency_s, at bps between first and last byte."""
        done(self.state, level, bps, took_s, latency_s)


def done(state: State, level: int, bps: float, took_s: float, latency_s: float = 0.1) -> None:
    first = state.now_s + latency_s
    state.last = Download(
        state.segment, level, round(bps * took_s / 8), request_s=state.now_s,
        first_byte_s=first, last_byte_s=first + took_s,
    )  # fmt: skip
    state.history.append(state.last)
    state.previous_level = level
    state.segment += 1


def test_aggressive_rate() -> None:
    play = Session("aggressive-rate", PAPER)
    assert play.choose(0.0, playing=False) == 0
    play.download(0, 5e6, 0.4)  # 2 Mbit in 0.5 s: 4 Mbit/s
    # rho = 0.2 * 2/30: 4.053 Mbit/s carries 1632 kbit/s.
    assert play.choose(2.0) == 3
    assert play.abr.estimate_bps == pytest.approx(4e6)
    # rho = 0.2 * 30/30: 4.8 Mbit/s carries 4256 kbit/s; 9.6 s: exactly 4 * 1.064 = 4.256.
    assert play.choose(30.0) == 4
    assert play.choose(9.5) == 3 and play.choose(9.7) == 4
    play.download(4, 0.1e6, 1.0)
    assert play.choose(30.0) == 0
    assert Session("aggressive-rate", PAPER, sigma=0.0).choose(0.0) == 0


def test_aggressive_rate_that_fills_first_climbs_once_no_further_segment_fits() -> None:
    play = Session("aggressive-rate", PAPER, fill_first=True)
    assert play.choose(0.0, playing=False) == 0
    play.download(0, 5e6, 0.4)
    assert [play.choose(buffer_s) for buffer_s in (2.0, 27.9)] == [0, 0]
    assert play.choose(28.0 - 1e-9) == 4  # of 30 s; what a sleep for 2 s leaves of rounding
    assert play.choose(2.0) == 3


def test_fixed() -> None:
    assert Session("fixed", level=2).choose(0.0) == 2


def test_average_of_dashjs_5() -> None:
    average = Ewma()
    assert average.average_bps() is None
    average.add(8e6, 1.0)
    assert average.average_bps() == pytest.approx(8e6)  # the start is corrected for
    average.add(2e6, 3.0)
    # Weights 1.5 and 4.5, so 0.5^0.5 = 0.70711 and 0.5^1.5 = 0.35355 of the fast one stay.
    # fast: (0.35355 (1 - 0.70711) 8 + 0.64645 * 2) / (1 - 0.5^2) = 2.12132 / 0.75 = 2.82843
    # slow: (0.67713 * 0.12187 * 8 + 0.32287 * 2) / (1 - 0.5^0.75) = 1.30594 / 0.40540 = 3.22139
    assert average.average_bps() == pytest.approx(2.82843e6, rel=1e-5)
    average.add(8e6, 3.0)
    # fast: (0.35355 * 2.12132 + 0.64645 * 8) / (1 - 0.5^3.5) = 5.92157 / 0.91161 = 6.49572
    # slow: (0.67713 * 1.30594 + 0.32287 * 8) / (1 - 0.5^1.3125) = 3.46726 / 0.59738 = 5.80414
    assert average.average_bps() == pytest.approx(5.80414e6, rel=1e-5)


def test_average_of_dashjs_4() -> None:
    average = Throughput(4)
    state = State(30.0, 2.0, lambda level, segment: 0, lambda: 0.0)
    for bps in (100e6, 8e6, 4e6, 2e6, 2e6):
        done(state, 0, bps, 1.0, latency_s=0.5)
    average.update(state)
    assert average.average_bps() == pytest.approx(4e6)  # the last four
    assert average.usable_bps(4e6, 2.0) == pytest.approx(3e6)  # 0.5 s of each 2 s is waiting


def test_dashjs_throughput() -> None:
    play = Session("dashjs-throughput", **ALONE)
    assert play.choose(0.0, playing=False) == 0  # 1000 kbit/s are assumed
    play.download(0, 4.4e6, 1.0)
    assert play.choose(2.0) == 1  # 0.9 * 4.4 = 3.96
    play.download(1, 4.5e6, 100.0)
    assert play.choose(2.0) == 2  # 0.9 * 4.5 = 4.05
    assert Session("dashjs-throughput", initial_bps=2.5e6).choose(0.0) == 1


@pytest.mark.parametrize(
    ("version", "buffer_s", "level"),
    # 5: 0.7 * 4 * buffer/2; 4: 0.5 * 4 * buffer/2, of which 0.1 s per 2 s are waiting (95 %).
    [(5, 1.0, 0), (5, 1.5, 1), (5, 2.8, 1), (5, 2.9, 2), (4, 1.5, 0), (4, 4.1, 1), (4, 4.3, 2)],
)
def test_insufficient_buffer(version: int, buffer_s: float, level: int) -> None:
    options = {"version": version, "switch_history": False}
    rules = Rules(LADDER, completed("dashjs-throughput", options))
    state = State(30.0, 2.0, lambda level, segment: 0, lambda: 0.0)

    def held_back(buffer_s: float, playing: bool = True) -> int:
        """What is left of level 2."""
        state.buffer_s, state.playing = buffer_s, playing
        rules.throughput.update(state)
        return rules.hold_back(state, 2)

    done(state, 0, 4e6, 100.0)
    assert held_back(0.1) == 2  # silent for two segments
    for _ in range(4):
        done(state, 0, 4e6, 100.0)
        rules.throughput.update(state)
    assert held_back(buffer_s) == level
    assert held_back(buffer_s, playing=False) == 0


def test_switch_history() -> None:
    history = SwitchHistory(8)
    for _ in range(7):
        history.push(2, 2)
    assert history.limit(3) == 2
    history.push(2, 1)  # 1 drop, 7 others: 0.14 > 0.075
    assert history.limit(3) == 1
    for _ in range(7):
        history.push(1, 1)
    # Of the last 8: level 1 has 7 others, level 2 one drop; 8 are counted at level 2.
    assert history.limit(3) == 1
    history.push(1, 2)
    assert history.limit(3) == 2  # the drop is forgotten
    for _ in range(8):
        history.push(0, 0)
    assert history.limit(3) == 2
    assert SwitchHistory(6).limit(3) == 2


def test_bola_parameters() -> None:
    # u = 1, 1.6931, 2.3863; T = 30; gp = 1.38629 / 2; Vp = 10 / 0.693147 = 14.427.
    of = Parameters(LADDER, 30.0)
    assert [of.gp, of.vp_s] == pytest.approx([0.693147, 14.42695])
    # Scores (10 - B)/1, (20 - B)/2, (30 - B)/4: level 1 from 0 s, level 2 from 10 s.
    # dash.js's bounds lie Vp above: at 10, 20, 30 s the scores are 0; from 0, 0, 10 s on each wins.
    above = of.vp_s
    most = [10 + above, 20 + above, 30 + above]
    assert [of.most_s(level) for level in range(3)] == pytest.approx(most)
    assert [of.least_s(level) for level in range(3)] == pytest.approx([0, above, 10 + above])
    assert [of.best(buffer_s) for buffer_s in (0.1, 9.9, 10.1, 25.0)] == [1, 1, 2, 2]
    # A short buffer still gives T = 10 + 2 * 3 s.
    short = Parameters(LADDER, 4.0)
    assert short.most_s(2) - short.vp_s == pytest.approx(16.0)


def test_bola() -> None:
    play = Session("bola", **ALONE)
    bola: Bola = play.abr
    assert play.choose(0.0, playing=False) == 0
    play.download(0, 5e6, 0.4)
    # Start: 0.9 * 5 Mbit/s carries level 2; 2 s and the placeholder make up 10 + Vp = 24.427 s.
    assert play.choose(2.0) == 2 and bola.placeholder_s == pytest.approx(22.42695)
    play.download(2, 5e6, 1.6)
    # 22.42695 * 0.99 = 22.20268; at 24.5 s level 2 has (30 - 24.5)/4 > 0, the others less.
    assert play.choose(2.3) == 2 and bola.placeholder_s == pytest.approx(22.20268)
    play.download(2, 5e6, 1.6)
    # 1 s without a download counts as buffer: 22.20268 * 0.99 + 1.
    assert play.choose(1.6, wait_s=1.0) == 2
    assert bola.placeholder_s == pytest.approx(22.98065)
    play.state.stalled_s = 0.5
    play.download(2, 5e6, 1.6)
    # A stall takes the placeholder away: at 2 s level 1 has 9, level 2 has 7, level 0 has 8.
    assert play.choose(2.0) == 1 and bola.placeholder_s == 0


def test_bola_waits_rather_than_fill_the_buffer_with_low_levels() -> None:
    play = Session("bola", **ALONE)
    play.choose(0.0, playing=False)
    play.download(0, 1.5e6, 1.0)
    assert play.choose(2.0) == 0  # 0.9 * 1.5; the placeholder of level 0 is 0
    play.download(0, 1.5e6, 1.0)
    # The buffer asks for level 2, throughput for 0, the last was 0 (BOLA-O): 0. It may hold 10 + Vp
    # = 24.427 s of that: wait 25 - 24.427 s.
    assert play.choose(25.0) == 0
    assert play.abr.delay_s(play.state) == pytest.approx(0.57305)
    # At the top level there is no wait.
    play.download(2, 9e6, 100.0)
    assert play.choose(35.0) == 2 and play.abr.delay_s(play.state) == 0


def test_bola_with_one_level() -> None:
    play = Session("bola", (1e6,))
    assert play.choose(0.0) == 0


def test_dynamic_changes_over_with_hysteresis() -> None:
    play = Session("dynamic", **ALONE)
    dynamic: Dynamic = play.abr
    play.choose(0.0, playing=False)
    play.download(0, 9e6, 1.0)
    seen = []
    for buffer_s in (11.9, 12.0, 6.0, 5.9, 11.9, 12.1):
        play.choose(buffer_s)
        seen.append(dynamic.by_buffer)
    assert seen == [False, True, True, False, False, True]


def test_dynamic_follows_throughput_when_low() -> None:
    play = Session("dynamic", **ALONE)
    play.choose(0.0, playing=False)
    play.download(0, 3e6, 1.0)
    assert play.choose(4.0) == 1 and play.abr.delay_s(play.state) == 0  # 0.9 * 3 = 2.7


def test_festive() -> None:
    play = Session("festive")
    assert play.choose(0.0, playing=False) == 0
    play.download(0, 8e6, 1.0, latency_s=0.0)
    # w = 8; reference 1 (2 <= 6.8, held for 1). Stay: 1 + 12 * |1/2 - 1| = 7; move: 2.
    assert play.choose(2.0) == 1
    play.download(1, 8e6, 1.0, latency_s=0.0)
    assert play.choose(4.0) == 1  # level 1 is the second lowest: two segments before going up
    play.download(1, 8e6, 1.0, latency_s=0.0)
    assert play.choose(6.0) == 2  # stay: 2 + 6; move: 4
    play.download(2, 0.8e6, 1.0, latency_s=0.0)
    # w = 4 / (3/8 + 1/0.8) = 2.46: down to 1. Stay: 4 + 12 * |4/2 - 1| = 16; move: 8.
    assert play.choose(5.0) == 1
    assert play.abr.estimate_bps == pytest.approx(4 / (3 / 8 + 1 / 0.8) * 1e6)
    # In the end w = 8 / (3/8 + 1/0.8 + 4/800) = 4.9, which carries level 2. Three switches in 20 s:
    # stay 8 + 12 * |2/4 - 1| = 14; move 16.
    for _ in range(4):
        play.download(1, 800e6, 0.5, latency_s=0.0)
        assert play.choose(5.0) == 1
    assert play.choose(5.0, wait_s=20.0) == 2  # forgotten by then: stay 1 + 6; move 2
    festive: Festive = play.abr
    # Target 30 - 2 * 2 * 0.25 = 29: at 28 s there is room below 29 - 2 = 27 s after 1 s.
    play.state.buffer_s = 28.0
    assert festive.delay_s(play.state) == pytest.approx(1.0)
    play.state.buffer_s = 26.0
    assert festive.delay_s(play.state) == 0.0


def test_the_rules_remember_their_choices() -> None:
    rules = Rules(LADDER, completed("bola", {}))
    state = State(30.0, 2.0, lambda level, segment: 0, lambda: 0.0)
    for _ in range(9):  # no level before the first segment, so no drop and no other
        assert rules.hold_back(state, 2) == 2
    state.previous_level = 2
    for _ in range(7):
        assert rules.hold_back(state, 2) == 2
    assert rules.hold_back(state, 1) == 1
    assert rules.hold_back(state, 2) == 1  # 1 drop, 7 others


def test_every_option_is_read_by_the_algorithms_and_no_other() -> None:
    known = {name for model in EMULATED.values() for name in model.model_fields}
    texts = [path.read_text() for path in Path(abr.__file__).parent.glob("*.py")]
    read = {name for text in texts for name in re.findall(r'options\["(\w+)"\]', text)}
    assert read == known - Player.model_fields.keys()
    assert EMULATED.keys() == abr.REGISTRY.keys()


@pytest.mark.parametrize("name", EMULATED)
def test_every_player_is_made_of_its_models_options(name: str) -> None:
    options = completed(name, {"level": 2} if name == "fixed" else {})
    assert abr.make(name, None, completed(name, options), LADDER, 1)


def test_a_player_that_is_none_is_named() -> None:
    with pytest.raises(AbrError, match="there is no player 'agressive'; there are: aggressive"):
        abr.make("agressive", None, {}, LADDER, 1)
