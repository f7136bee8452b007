"""What was done with an experiment's inputs that its author may not expect: run.json's `notes`."""

from __future__ import annotations

from collections.abc import Iterator

from weir import ecn
from weir.paths import paths_of
from weir.resolved import Experiment
from weir.spec.players import completed

__all__ = ["IDLE_RESTART", "idle_restart", "notes"]

IDLE_RESTART = "net.ipv4.tcp_slow_start_after_idle"
_MADE_FOR = {"newcwv": "0", "newcwv_paper": "1", "cwv_paper": "1"}
_KERNELS = "1"

_RATE_TOLERANCE = 0.05
_BY_BUFFER = ("bba0", "bba1", "bba2", "bba3")


def notes(experiment: Experiment) -> list[str]:
    """Sentences for a person, in a fixed order; a function of the experiment alone."""
    return [
        *_loops(experiment),
        *_film(experiment),
        *_idle_restart(experiment),
        *_unmarked(experiment),
        *_short_buffers(experiment),
    ]


def idle_restart(experiment: Experiment) -> tuple[str, str] | None:
    """(value it is made for, value it has) of IDLE_RESTART where the congestion control is made for
    another; else None.
    """
    server = experiment["server"]
    has = server["sysctls"].get(IDLE_RESTART, _KERNELS)
    made_for = _MADE_FOR.get(server["congestion_control"], has)
    return (made_for, has) if made_for != has else None


def _idle_restart(experiment: Experiment) -> Iterator[str]:
    if (found := idle_restart(experiment)) is None:
        return
    made_for, has = found
    control = experiment["server"]["congestion_control"]
    then = (
        "the kernel takes back the window that the control keeps"
        if made_for == "0"
        else "no window is taken back after a pause, so that the control is plain reno"
    )
    yield (
        f"server.congestion_control: {control} is made for {IDLE_RESTART}={made_for}, and it is "
        f"{has}: {then}"
    )


def _unmarked(experiment: Experiment) -> Iterator[str]:
    """Controls that wait for marks, before bottlenecks that make none."""
    paths = paths_of(experiment)
    viewers = {"server.congestion_control": (experiment["server"]["congestion_control"], None)}
    flows = {
        f"traffic.{number}.congestion_control": (flow["congestion_control"], flow.get("path"))
        for number, flow in enumerate(experiment.get("traffic", []))
        if "congestion_control" in flow and flow["direction"] == "downlink"
    }
    for where, (control, name) in {**viewers, **flows}.items():
        if ecn.NEEDS.get(control) != "accurate":
            continue
        for path in paths:
            queue = path["downlink"]["queue"]
            if name in (None, path["name"]) and queue and not ecn.can_mark(queue):
                at = f"gateway.paths.{path['name']}" if path["name"] else "gateway"
                yield (
                    f"{where}: {control} waits for marks, and the queue {queue['discipline']} of "
                    f"{at}.downlink makes none: it hears of losses alone, and halves at each"
                )


def _short_buffers(experiment: Experiment) -> Iterator[str]:
    """Players that choose by the buffer, where it is too short for the highest level."""
    ladder_bps = experiment["content"]["bitrates_bps"]
    told: set[tuple[str, float]] = set()
    for number, client in enumerate(experiment["clients"]):
        player, buffer_s = client["player"], client["buffer_s"]
        if player not in _BY_BUFFER or "film" in client or (player, buffer_s) in told:
            continue
        told.add((player, buffer_s))
        options = completed(player, client["options"])
        reservoir_s = options.get("reservoir_s", 2 * experiment["content"]["segment_s"])
        share = (buffer_s - reservoir_s) / options["cushion_s"]
        reached_bps = ladder_bps[0] + share * (ladder_bps[-1] - ladder_bps[0])
        highest_bps = max(
            (each for each in ladder_bps if each <= reached_bps), default=ladder_bps[0]
        )
        if highest_bps < ladder_bps[-1]:
            yield (
                f"clients.{number}.buffer: {player}'s map from buffer to rate is made for 240 s; "
                f"with {buffer_s:g} s it leads to {highest_bps / 1e6:g} of "
                f"{ladder_bps[-1] / 1e6:g} Mbit/s at most"
            )


def _loops(experiment: Experiment) -> Iterator[str]:
    duration_s = experiment["duration_s"]
    for path in paths_of(experiment):
        at = f"gateway.paths.{path['name']}" if path["name"] else "gateway"
        for name, link in (("downlink", path["downlink"]), ("uplink", path["uplink"])):
            period_s = link["rate_loop_s"]
            if period_s is not None:
                yield (
                    f"{at}.{name}.rate: the trace lasts {period_s:g} s and the run {duration_s:g} "
                    f"s; it started over every {period_s:g} s"
                )


def _film(experiment: Experiment) -> Iterator[str]:
    content, duration_s = experiment["content"], experiment["duration_s"]
    segment_s, segments = content["segment_s"], content["segments"]
    if all("film" in client for client in experiment["clients"]):
        return
    if segments is not None and segments * segment_s < duration_s:
        yield (
            f"content: the film lasts {segments * segment_s:g} s and the run {duration_s:g} s; "
            "a client ends when it has the last segment"
        )
    for level, row in enumerate(content["sizes_bytes"] or []):
        nominal_bps = content["bitrates_bps"][level]
        mean_bps = sum(row) * 8 / (segment_s * len(row))
        if abs(mean_bps - nominal_bps) > _RATE_TOLERANCE * nominal_bps:
            yield (
                f"content.sizes: level {level} has a mean rate of {mean_bps / 1000:.4g} kbit/s, "
                f"the ladder says {nominal_bps / 1000:.4g} kbit/s"
            )
