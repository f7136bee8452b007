"""Every way a campaign and a run can go on the platform: from where, to where, by whom, and what
follows. What is not in a table does not happen.

A campaign:

    submit ─> expanding ──────> active ──────> finished ─┐
                 │  ^ └─> refused │ ^              ^     │
           pause │  │       pause │ │ resume       │     │ rerun: back to active,
                 v  │ resume      v │              │     │ or to expanding where runs
               paused ─────────> paused ───────────┘     │ were never written
                                                         │
    expanding, active, paused ──cancel──> cancelled ─────┘

    finished ──extend──> active: with more replicates

    finished, cancelled, refused ──delete──> deleting, and gone with the last of its runs

    One that searches stays active, or paused, while runs follow those that it has (`searching`); it
    is refused, also from there, where they cannot be written.

A run:

    expand ─> queued ──claim──> running ──> succeeded | invalid | failed | cancelled
                 ^ └─ share ─────────────────^──────────^          │          │
                 ├─ give back ───┘                                 │          │
                 └─ rerun ─────────────── invalid, failed, cancelled ─────────┘

A run whose key has a result when it is written begins where that result ended. One that is
queued again after it was invalid keeps nothing of its old result. One that certifies a result is
carried out although its key has it, ends apart from others of its key, and fails where its bytes
are not those stored. `weir_engine.states` has the
words of a run's states, and the rules of the history that one execution leaves in host.json.

After the last run of a campaign ended, the campaign is settled: its counts are stored, and it is
finished unless it was cancelled or refused before. Webhooks go out for the events
(`weir_orchestrator.webhooks`): campaign.ended for a state in ENDED, run.failed for failed runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from weir_engine.states import BAD, FINISHED

__all__ = [
    "CAMPAIGNS",
    "CLAIMABLE",
    "ENDED",
    "ENDED_EARLY",
    "GOING_ON",
    "RUNS",
    "STATES",
    "CampaignState",
    "Transition",
]

CampaignState = Literal[
    "expanding", "active", "paused", "finished", "cancelled", "refused", "deleting"
]
"""expanding: its runs are being written; refused: they could not be, `problems` says why;
finished: every run ended; deleting: its runs, which were many, are being deleted."""
STATES: Final = get_args(CampaignState)
GOING_ON: Final = ("expanding", "active", "paused")
CLAIMABLE: Final = ("expanding", "active")
"""Queued runs of such a campaign are claimed: those that are written do not wait for the others."""
ENDED: Final = ("finished", "cancelled", "refused")
ENDED_EARLY: Final = ("cancelled", "refused")
"""Of such a campaign, runs may still have to end."""


@dataclass(frozen=True)
class Transition:
    """What moves something from one of `old` (None: it is new) to one of `new`.

    by: who may. event: the kind of event that tells of it, if any. then: what else follows, in
    this transaction or the next.
    """

    action: str
    old: tuple[str | None, ...]
    new: tuple[str, ...]
    by: str
    event: str | None
    then: str = ""

    def allows(self, old: str | None, new: str) -> bool:
        """Whether it leads from `old` to `new`."""
        return old in self.old and new in self.new


SUBMIT: Final = Transition("submit", (None,), ("expanding",), "member", "campaign.state")
EXPAND: Final = Transition(
    "expand", ("expanding",), ("active",), "housekeeper", "campaign.state", "settled if over"
)
REFUSE: Final = Transition(
    "refuse",
    GOING_ON,
    ("refused",),
    "housekeeper",
    "campaign.state",
    "queued runs are cancelled",
)
PAUSE: Final = Transition("pause", ("expanding", "active"), ("paused",), "member", "campaign.state")
RESUME: Final = Transition(
    "resume", ("paused",), ("expanding", "active"), "member", "campaign.state", "settled if over"
)
CANCEL: Final = Transition(
    "cancel",
    GOING_ON,
    ("cancelled",),
    "member",
    "campaign.state",
    "runs are cancelled but those that another campaign waits for",
)
FINISH: Final = Transition(
    "finish",
    ("active", "paused"),
    ("finished",),
    "whoever ends its last run",
    "campaign.state",
    "counts are stored",
)
RERUN: Final = Transition(
    "rerun",
    ("finished", "cancelled"),
    ("expanding", "active"),
    "member",
    "campaign.state",
    "runs are queued again",
)
EXTEND: Final = Transition(
    "extend",
    ("finished",),
    ("active",),
    "housekeeper, where a night's verdict wants more replicates",
    "campaign.state",
    "they are queued; settled if all of them are known",
)
DELETE: Final = Transition(
    "delete",
    ENDED,
    ("deleting",),
    "member who administers the team",
    "campaign.state",
    "the housekeeper deletes its runs, and then it; few are deleted at once",
)
CAMPAIGNS: Final = (SUBMIT, EXPAND, REFUSE, PAUSE, RESUME, CANCEL, FINISH, RERUN, EXTEND, DELETE)

ADD: Final = Transition("add", (None,), ("queued",), "housekeeper", None)
KNOW: Final = Transition("know", (None,), FINISHED, "housekeeper", None, "shares the key's result")
CLAIM: Final = Transition(
    "claim", ("queued",), ("running",), "worker", "run.started", "a lease on its key"
)
SHARE: Final = Transition(
    "share",
    ("queued",),
    FINISHED,
    "worker that would have claimed it",
    "run.ended",
    "settled if over",
)
SUCCEED: Final = Transition(
    "succeed",
    ("queued", "running"),
    FINISHED,
    "worker with the lease",
    "run.ended",
    "the key's result; all that wait for the key end; the lease ends; settled if over",
)
REPLACE: Final = Transition(
    "replace",
    (*SUCCEED.old, "invalid"),
    FINISHED,
    "worker with the lease",
    "run.ended",
    "as succeed, also for runs that share the invalid result",
)
CERTIFY: Final = Transition(
    "certify",
    ("running",),
    FINISHED,
    "worker with the lease",
    "run.ended",
    "it shares the result that it has the bytes of; the lease ends; settled if over",
)
FAIL: Final = Transition(
    "fail",
    ("queued", "running"),
    ("failed",),
    "worker with the lease",
    "run.ended",
    "runs of the key in this campaign fail; the lease ends; settled if over",
)
GIVE_BACK: Final = Transition(
    "give back",
    ("running",),
    ("queued",),
    "worker with the lease, housekeeper where the worker is dead",
    None,
    "the lease ends",
)
BURY: Final = Transition(
    "bury",
    ("running",),
    ("failed",),
    "housekeeper, after too many workers died over it",
    "run.ended",
    "the lease ends; settled if over",
)
STRAND: Final = Transition(
    "strand",
    ("queued",),
    ("failed",),
    "housekeeper, dispatcher, worker that builds kernels: nobody can carry it out",
    "run.ended",
    "settled if over",
)
STOP: Final = Transition(
    "stop",
    ("running",),
    ("cancelled",),
    "member who cancels the campaign",
    "run.ended",
    "its worker gives it up at its next heartbeat",
)
DROP: Final = Transition(
    "drop",
    ("queued",),
    ("cancelled",),
    "member who cancels the campaign, housekeeper for the rest of many and where the campaign's "
    "question is answered",
    None,
    "settled if over",
)
QUEUE: Final = Transition("queue again", BAD, ("queued",), "member", None, "rerun of the campaign")
RUNS: Final = (
    ADD,
    KNOW,
    CLAIM,
    SHARE,
    SUCCEED,
    REPLACE,
    CERTIFY,
    FAIL,
    GIVE_BACK,
    BURY,
    STRAND,
    STOP,
    DROP,
    QUEUE,
)
