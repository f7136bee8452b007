"""What the roles themselves refuse in an experiment, asked before anything runs."""

from __future__ import annotations

from weir.errors import Problem
from weir.resolved import OUTSIDE, Experiment
from weir_client import abr


def problems(experiment: Experiment) -> list[Problem]:
    """Options that a client's ABR does not know or take; empty when all is well.

    A user's own ABR, or player, takes any options: only running it can tell.
    """
    levels = len(experiment["content"]["bitrates_bps"])
    return [
        Problem(
            path=f"experiment.clients.{number}.options",
            value=client["options"],
            remedy=f"{said[0].upper()}{said[1:]}.",
        )
        for number, client in enumerate(experiment["clients"])
        if client["source"] is None and client["player"] != OUTSIDE
        for said in abr.check(client["player"], client["options"], levels)
    ]
