"""What was done with an experiment's inputs that its author may not expect: run.json's `notes`."""

from __future__ import annotations

from collections.abc import Iterator

from weir.paths import paths_of
from weir.resolved import Experiment

__all__ = ["notes"]

_RATE_TOLERANCE = 0.05


def notes(experiment: Experiment) -> list[str]:
    """Sentences for a person, in a fixed order; a function of the experiment alone."""
    return [*_loops(experiment), *_film(experiment)]


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
