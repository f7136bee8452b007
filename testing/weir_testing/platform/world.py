"""Every operation of the API, and objects of a team that its paths can name."""

from __future__ import annotations

import hashlib
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from weir_orchestrator.api.app import make_app
from weir_orchestrator.api.auth.secrets import digest
from weir_orchestrator.db import (
    Alarm,
    Bisection,
    Card,
    Membership,
    Run,
    Schedule,
    Token,
    Trend,
    User,
    Webhook,
    WebhookDelivery,
)
from weir_orchestrator.settings import Settings

from weir_testing.platform import TEAM, Platform, email_of, id_of
from weir_testing.platform.campaigns import HERE, body, upload
from weir_testing.platform.results import make_runs, store

FILE: Final = b"# an ABR of the team's\n"
METRIC: Final = "mean_bitrate_bps"
BADGE: Final = "badge-of-the-team"
LINK: Final = "link-to-a-card"
PICTURE: Final = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
URL: Final = "https://93.184.215.14/hook"
PASSWORD: Final = "a pass phrase for tests"


@dataclass(frozen=True)
class Operation:
    """One method of one path. `id`: the endpoint's name."""

    id: str
    method: str
    path: str


def openapi() -> dict[str, Any]:
    """The API's description, of an app that is not started."""
    with tempfile.TemporaryDirectory() as folder:
        return make_app(Settings(data=Path(folder))).openapi()


def operations() -> Iterator[Operation]:
    for path, methods in openapi()["paths"].items():
        for method, described in methods.items():
            yield Operation(described["operationId"], method.upper(), path)


@dataclass
class World:
    """A platform with a campaign of the team's that ended: one run failed, the others good.

    values: path and query parameters by name. bodies: by operation.
    """

    platform: Platform
    values: dict[str, Any] = field(default_factory=dict)
    bodies: dict[str, Any] = field(default_factory=dict)

    def url(self, operation: Operation) -> str:
        """The operation's address for the world's objects. Raises KeyError for a parameter that
        no object stands for yet: add one here."""
        return operation.path.format_map(self.values)

    def request(self, operation: Operation) -> dict[str, Any]:
        """Arguments of a good request."""
        if operation.id == "upload_file":
            return {"content": FILE}
        json = self.bodies.get(operation.id)
        query = self.values.get(operation.id, {})
        return {"params": query, **({"json": json} if json is not None else {})}


def make_world(platform: Platform, folder: Path) -> World:
    """folder: where the runs are carried out."""
    factors = {"server.congestion_control": ["cubic", "reno"]}
    made = make_runs(folder, factors=factors)
    states = ["failed", *["succeeded"] * (len(made.runs) - 1)]
    campaign = store(platform, made, state_of=states.__getitem__)
    upload(platform.client("submit"), FILE)
    guest = User(email="guest@example.org", name="Guest")
    newcomer = User(email="newcomer@example.org", name="Newcomer")
    with platform.sessions.begin() as session:
        session.add_all([guest, newcomer])
        session.flush()
        team = {"team_id": platform.team_id}
        session.add(Membership(**team, user_id=guest.id, role="read"))
        token = Token(**team, created_by=guest.id, name="guest", scope="read", secret_hash="x")
        session.add(token)
        runs = select(Run.id).where(Run.campaign_id == campaign).order_by(Run.position)
        ids = list(session.scalars(runs))
    hook = Webhook(team_id=platform.team_id, url=URL, secret="whsec_", events=["campaign.ended"])
    with platform.sessions.begin() as session:
        session.add(hook)
        session.flush()
        sent = WebhookDelivery(webhook_id=hook.id, kind="test", payload={}, state="failed")
        session.add(sent)
    scheduled = {"name": "nightly", "cron": "0 3 * * *", "campaign": body()}
    made_schedule = platform.client("submit").post(f"{HERE}/schedules", json=scheduled)
    assert made_schedule.status_code == 201, made_schedule.text
    trend = Trend(combination="0" * 16, metric=METRIC, levels={})
    with platform.sessions.begin() as session:
        session.get_one(Schedule, uuid.UUID(made_schedule.json()["id"])).badge = BADGE
        trend.schedule_id = uuid.UUID(made_schedule.json()["id"])
        session.add(trend)
        session.flush()
        alarm = Alarm(trend_id=trend.id, opened_by=campaign, worse_in=campaign)
        session.add(alarm)
        bisection = Bisection(schedule_id=trend.schedule_id, name="player.py", state="ended")
        bisection.good_id = bisection.bad_id = campaign
        bisection.commits, bisection.high, bisection.worse = ["0" * 40], 0, []
        session.add(bisection)
        card = Card(
            team_id=platform.team_id, name="kept", title="kept", view="/", link=digest(LINK)
        )
        card.picture, card.picture_type = PICTURE, "image/svg+xml"
        card.numbers, card.campaigns, card.runs = {"columns": [], "rows": []}, [], []
        session.add(card)
    world = World(platform)
    world.values = {
        "team": TEAM,
        "campaign": campaign,
        "run": ids[1],
        "user": guest.id,
        "token": token.id,
        "sha256": hashlib.sha256(FILE).hexdigest(),
        "name": "metrics.json",
        "schedule": made_schedule.json()["id"],
        "trend": trend.id,
        "alarm": alarm.id,
        "bisection": bisection.id,
        "badge": BADGE,
        "card": card.id,
        "link": LINK,
        "aggregate_metric": {"metric": METRIC},
        "list_effects": {"metric": METRIC},
        "contrast_groups": {"metric": METRIC},
        "score_levels": {"factor": "server.congestion_control", "against": "cubic"},
        "list_values": {"metric": METRIC},
        "compare_campaigns": {"a": str(campaign), "b": str(campaign), "metric": METRIC},
        "webhook": hook.id,
        "delivery": sent.id,
        "preview_schedule": {"cron": "0 3 * * *"},
        "judge_campaign": {"baseline": str(campaign)},
        "compare_runs": {"a": ids[1], "b": ids[2]},
        "find_parting": {"a": ids[1], "b": ids[2]},
    }
    world.bodies = {
        "sign_in": {"email": email_of("read"), "password": PASSWORD},
        "change_my_password": {"password": "not mine", "new_password": PASSWORD},
        "make_user": {"email": f"{uuid.uuid4()}@example.org", "name": "New"},
        "change_user": {"name": "Renamed"},
        "make_team": {"slug": "new-team", "name": "New"},
        "change_team": {"name": "Renamed"},
        "add_member": {"email": newcomer.email, "role": "read"},
        "change_member": {"role": "read"},
        "make_token": {"name": "new", "scope": "read"},
        "validate_campaign": body(),
        "estimate_campaign": body(),
        "submit_campaign": body(),
        "clone_campaign": {},
        "ask_what_if": {"client": 1, "segment": 2, "level": 0},
        "change_campaign": {"tags": ["paper"], "archived": False},
        "make_schedule": {**scheduled, "name": "weekly"},
        "change_schedule": {"overlap": "queue"},
        "change_alarm": {"acknowledged": True},
        "begin_bisection": {"bad": str(campaign)},
        "make_card": {
            "name": "kept",
            "title": "bitrates",
            "view": f"/teams/{TEAM}/campaigns/{campaign}/results",
            "numbers": {"columns": ["bitrate"], "rows": [[1.5]]},
            "campaigns": [str(campaign)],
        },
        "change_card": {"name": "renamed"},
        "make_webhook": {"url": URL},
        "change_webhook": {"enabled": True},
        "change_webhook_secret": {},
        "rerun_campaign": {"only": ["failed"]},
    }
    return world


def empower_operator(platform: Platform) -> None:
    """Let the operator of the installation do everything in the team, too."""
    with platform.sessions.begin() as session:
        session.add(Membership(team_id=platform.team_id, user_id=id_of("operator"), role="admin"))
