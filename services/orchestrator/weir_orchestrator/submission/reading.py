"""Reading and checking a campaign that came over the network."""

from __future__ import annotations

import statistics
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.resolved import Experiment
from weir.spec import control_options
from weir.spec.campaign import Campaign
from weir.spec.load import parse_campaign
from weir.spec.merge import document
from weir_engine.search.most import runs_at_most

from weir_orchestrator.submission import own_code, own_kernels
from weir_orchestrator.submission.bounds import MAX_RUNS, check_bounds
from weir_orchestrator.submission.lab import Lab
from weir_orchestrator.submission.submission import DOCUMENT, Submission

__all__ = ["SAMPLE", "check_experiment", "of_spec", "read", "with_kernels"]

SAMPLE: Final = 500
"""So many combinations are all looked at; of more, one for every level."""


def read(
    folder: Path, submission: Submission, lab: Lab, max_film: timedelta
) -> tuple[Campaign, Lab, float]:
    """The campaign laid out in `folder`, checked as far as takes no long time; the lab, with the
    kernels that it changes; its film in s, of a search what it may come to.

    Few combinations are all checked; of many, one for every level: the others are when their
    runs are made, and of all film is estimated by those. Raises SpecError.
    """
    merged = document(folder / DOCUMENT, confined=True)
    check_bounds(merged)
    campaign = parse_campaign(
        merged, folder, submission.overrides, submission.replicates, submission.seed, confined=True
    )
    expansion = Expansion(campaign)
    runs = runs_at_most(campaign, expansion)
    if runs > MAX_RUNS:
        allowed, remedy = f"at most {MAX_RUNS:,} runs", "remove levels or replicates"
        raise SpecError([Problem("factors", f"{runs:,} runs", allowed, remedy)])
    lab = with_kernels(lab, expansion)
    own_kernels.check_patches(lab.changed)
    problems, films_s = {}, []
    for _, experiment in expansion.sample(SAMPLE):
        try:
            check_experiment(experiment, lab, max_film)
            films_s.append(float(experiment["duration_s"]))
        except SpecError as error:
            problems.update({str(problem): problem for problem in error.problems})
    if problems:
        raise SpecError(problems.values())
    return campaign, lab, runs * statistics.fmean(films_s)


def of_spec(spec: dict[str, Any], folder: Path) -> Campaign:
    """A campaign that was checked and stored, with its files laid out in `folder`."""
    campaign = Campaign.model_validate(spec)
    campaign._folder, campaign._confined = folder, True
    return campaign


def with_kernels(lab: Lab, expansion: Expansion) -> Lab:
    """The lab with the kernels that a campaign changes. Raises SpecError: they are not taken."""
    kernels = expansion.kernels(own_kernels.MOST_KERNELS)
    combinations = expansion.combination_count()
    own_kernels.require(kernels, combinations, allowed=lab.takes_code, refusal=lab.refusal)
    return lab.with_kernels(kernels)


def check_experiment(experiment: Experiment, lab: Lab, max_film: timedelta) -> None:
    """Raises SpecError for what the lab has not, or takes too long."""
    problems = own_code.players(experiment, lab.refusal)
    if experiment["duration_s"] > max_film.total_seconds():
        where, allowed = "experiment.duration", f"at most {max_film.total_seconds():g}s"
        remedy = "shorten it, or ask the operator for a higher WEIR_MAX_FILM"
        shown = f"{experiment['duration_s']:g}s"
        problems = [*problems, Problem(where, shown, allowed, remedy)]
    if (lab.code or lab.changed) and experiment["clock"] not in lab.clocks:
        allowed = "virtual, with a kernel of the campaign's own: agents have the lab's alone"
        remedy = (
            "leave the clock out, carry it out with `weir run`, or have the operator put the C "
            "into lab/cc and the patch into lab/kernel/patches, and build the agents' images anew"
        )
        problems = [*problems, Problem("experiment.clock", experiment["clock"], allowed, remedy)]
    if "kernel" not in experiment:  # what a changed one has is known when it is built
        for problem in control_options.unknown(experiment, lab.congestion_controls):
            problems = [*problems, replace(problem, path=f"experiment.{problem.path}")]
    if problems:
        raise SpecError(problems)
